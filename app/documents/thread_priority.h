// The priority of threads that work behind the window.
#pragma once

namespace isolume {

/// Lets the window's thread and other programs go before the calling thread (nice 3) and the threads that it starts
/// from now on. Where the system refuses, nothing changes.
void lower_thread_priority();

/// The same for every thread of the pool that computations share, now and later; once per program.
void lower_pool_priority();

}  // namespace isolume
