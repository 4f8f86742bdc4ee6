#pragma once
// How bright the demo base's images are with a slider.

#include <cstdio>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "engine/io/image.h"
#include "engine/render/sample.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa::testing_support {

/// The mean of four images of a prompt, drawn with the slider at this weight into `folder`.
inline double brightness(const std::string& prompt, const std::filesystem::path& slider,
                         double weight, const std::filesystem::path& folder) {
  SampleRequest request;
  request.base = "demo";
  request.loras = {{slider, weight}};
  request.width = request.height = 64;
  request.steps = 12;
  request.guidance = 1.5;
  for (const int seed : {11, 12, 13, 14}) {
    request.samples.push_back({prompt, seed, folder / ("image" + std::to_string(seed) + ".png")});
  }
  HealthRecorder recorder;
  run_sample(request, recorder);
  double sum = 0;
  std::size_t count = 0;
  for (const SampleRequest::Sample& sample : request.samples) {
    const Image image = load_image(sample.out);
    sum = std::accumulate(image.pixels.begin(), image.pixels.end(), sum);
    count += image.pixels.size();
  }
  return sum / static_cast<double>(count);
}

/// Expects that at weights from -2 to 2 each is brighter than the one before, by more than 2 of 255
/// levels, and prints them.
inline void expect_brighter_with_weight(const std::string& prompt,
                                        const std::filesystem::path& slider,
                                        const std::filesystem::path& folder) {
  const ImageLibrary library;
  double before = -3;
  for (const double weight : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
    const double level = brightness(prompt, slider, weight, folder);
    std::printf("weight %+.0f: brightness %.1f\n", weight, level);
    EXPECT_GT(level, before + 2) << weight;
    before = level;
  }
}

}  // namespace mantissa::testing_support
