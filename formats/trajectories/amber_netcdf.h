// AMBER trajectories and restart files in NetCDF.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// AMBER NetCDF Trajectory/Restart Convention 1.0 (https://ambermd.org/netcdf/nctraj.xhtml): time, positions,
/// velocities, forces, cell; attributes scale_factor are kept.
extern const Format amber_netcdf_format;

}  // namespace isolume
