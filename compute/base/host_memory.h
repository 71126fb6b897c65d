// The host's memory: what can be had, and what this program takes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace isolume {

/// Bytes that can be had, and what sets the bound.
struct HostMemory {
  std::size_t available = 0;
  const char* bound = "";  ///< "" for the machine's memory, else "the container's limit" or "the limit of addresses"
};

/// The least of what the kernel says is available, what the control groups of this program leave, and what its limit
/// of address space leaves (ulimit -v).
HostMemory host_memory();

/// What a control group leaves: its limit less what is used beyond the cache of files. `folders` are those of the
/// group and of the groups above it, of version 1 or 2; the largest number where none has a limit.
std::size_t control_group_memory(const std::vector<std::string>& folders);

/// Bytes of this program in memory now.
std::size_t resident_memory();
/// Counts from here on what the program takes beyond what it has now.
void reset_resident_peak();
/// What it takes now beyond that, and the most that it took (from its start, where the kernel cannot forget).
std::size_t resident_growth();
std::size_t resident_peak();
/// Counts a part of the work from here on, and the most that this part took beyond what there was at its begin. The
/// figures of the whole stay.
void begin_resident_part();
std::size_t resident_part_peak();

/// What the program takes, and what more can be had: for a message after std::bad_alloc.
std::string memory_in_words();

/// Throws Error, which begins with `what`, where the program has grown since reset_resident_peak() by more than the
/// memory limit and 256 MiB for the graphics driver, or where without a limit the host has next to nothing left. For
/// scenes of many small things, between one and the next.
void check_memory_taken(const std::string& what);

}  // namespace isolume
