// Path tracing: pictures of spheres, cylinders, triangles and clouds with soft shadows and light between surfaces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/trace/trace_scene.h"

namespace isolume {

/// What is accumulated, for each pixel from the upper left, row by row. The first samples (first_sample 0) set it,
/// later ones add. All on the device that computes. Spans other than `radiance` may be empty.
struct TraceBuffers {
  Span<float> radiance;  ///< 4 a pixel: sums of linear RGB times coverage, and of coverage
  Span<float> squares;   ///< sums of the squares of luminance (Rec. 709), for the standard error
  Span<float> albedo;    ///< 3 a pixel: sums of the colours of what is seen first, times coverage
  Span<float> depth;     ///< angstrom along `forward` to what is nearest in the pixel's middle; infinite: nothing
  Span<std::uint32_t> objects;  ///< TraceMaterial::object there; 0: nothing
};

/// A scene that is ready to be traced: with Embree and a hierarchy of spheres on the CPU, and with a hierarchy of boxes
/// that is built on the device with CUDA.
class Tracer {
 public:
  /// Throws Error (usage) for coordinates that are not finite, negative radii, colours, materials, corners and values
  /// of clouds that are missing, and where the hierarchy does not fit into memory.
  Tracer(TraceScene scene, Device device, Job& job);
  ~Tracer();
  Tracer(Tracer&&) noexcept;
  Tracer& operator=(Tracer&&) noexcept;

  /// Adds the samples `first_sample` to first_sample + samples - 1 of each pixel. A sample is the radiance along one
  /// path: unbiased but for light that is scattered more than TraceView::bounces times, and for clouds, which are
  /// looked at in steps. Samples are taken by Sobol points with Owen's scrambling (Burley 2020); the standard error of
  /// a pixel is at most its standard deviation over the square root of their number. Each depends on seed, pixel and
  /// number alone, and sums are taken in order: the result does not depend on tiles, threads and how samples are
  /// divided among calls. CPU and CUDA agree but for rounding. Throws Error.
  void trace(const TraceView& view, int samples, int first_sample, const TraceBuffers& out, Job& job);

  /// Rays of all samples so far: one for each surface that a path comes to, one to the sun from each that faces it, one
  /// to the sky, and one for the depth of each pixel. Those of parts of the picture that are known to be empty count
  /// too, so that it is the same number on every device, but for rounding.
  std::uint64_t rays() const;
  std::size_t bytes() const;  ///< of the scene on the device and its hierarchy, as predicted

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The same in one call. The device is that of `out.radiance`.
void trace(const TraceScene& scene, const TraceView& view, int samples, int first_sample, const TraceBuffers& out,
           Job& job);

/// Bytes that a scene takes on a device, with its hierarchy.
std::size_t trace_memory(const TraceScene& scene, Device device);

/// Whether this build has Embree. Without it the CPU traces cylinders and triangles through the hierarchy that CUDA
/// uses, more slowly.
bool traces_with_embree();

/// The same samples in double precision, each ray against all shapes; for tests. Host memory, radiance alone.
void trace_reference(const TraceScene& scene, const TraceView& view, int samples, int first_sample,
                     std::span<double> radiance);

}  // namespace isolume
