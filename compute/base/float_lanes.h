// How many floats a vector of the instruction set chosen at run time has.
#pragma once

namespace isolume {

/// For sizes of blocks and the cost model of the planner.
int float_lanes();

}  // namespace isolume
