// Takes the noise out of path-traced pictures, by Intel's Open Image Denoise where it is installed.
#pragma once

#include <span>
#include <string>

#include "compute/base/job.h"

namespace isolume {

/// Whether the library was found. It is opened at the first question: libOpenImageDenoise.so.2, or an older one.
bool denoiser_present();
/// "Open Image Denoise 2.5.1", or that it is not there and where it can be had.
std::string denoiser_status();

/// As if the library were not there.
void hide_denoiser_for_test(bool hide);

/// Smooths a picture, row by row from the upper left, on the CPU. It is biased: fine detail that the samples hardly
/// show may be lost. Throws Error: the library is not there, or it says why it cannot; sizes that differ (usage).
/// @param radiance  4 a pixel: means of linear RGB times coverage, and of coverage; both are replaced
/// @param albedo    3 a pixel: means of the colour of what is seen first, times coverage; it keeps edges of colours
void denoise(int width, int height, std::span<float> radiance, std::span<const float> albedo, Job& job);

}  // namespace isolume
