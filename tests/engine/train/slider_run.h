#pragma once
// Runs that train a slider of the demo's base model: how bright an image is.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/render/sample.h"
#include "tests/engine/train/run_fixture.h"
#include "tests/test_util.h"

namespace mantissa::testing_support {

class SliderFixture : public RunFixture {
 protected:
  /// From two prompts.
  void use_prompts() {
    Preset& preset = job_.preset;
    job_.images.clear();
    preset.training.purpose = TrainingPurpose::slider;
    preset.slider.target = "a red circle in the middle, gray background";
    preset.slider.positive = "a red circle in the middle, white background";
    preset.slider.negative = "a red circle in the middle, black background";
    preset.slider.anchor = "a blue star on the left, gray background";
    preset.slider.samples = 2;
  }
  /// From circles on lighter and, of the same names, on darker gray.
  void use_pairs(int count = 4) {
    job_.preset.training.purpose = TrainingPurpose::pair_slider;
    job_.images = {home_ / "light"};
    job_.references = {home_ / "dark"};
    for (int i = 0; i < count; ++i) {
      draw(i, home_ / "light", 185);
      draw(i, home_ / "dark", 115);
    }
  }
  /// With what a run of several sizes, changes and data sets has.
  void use_much() {
    Preset& preset = job_.preset;
    preset.data.further_resolutions = {128};
    preset.data.flip = true;
    preset.data.crop_jitter = 0.1;
    preset.data.variants = 2;
    preset.data.validation_share = 0.2;
    preset.training.validate_every = 2;
    preset.training.gradient_accumulation = 2;
  }
  /// Circle `i` of 25, of a color and at a place, on a ground of this level, as the base knows it.
  static void draw(int i, const std::filesystem::path& folder, std::uint8_t ground) {
    constexpr int kSide = 64;
    constexpr struct {
      const char* name;
      std::uint8_t levels[3];
    } kColors[] = {{"red", {220, 38, 44}},
                   {"yellow", {244, 214, 44}},
                   {"green", {38, 160, 72}},
                   {"blue", {36, 92, 216}},
                   {"purple", {136, 60, 190}}};
    constexpr struct {
      const char* name;
      double x, y;
    } kPlaces[] = {{"in the middle", 0.5, 0.5},
                   {"on the left", 0.27, 0.5},
                   {"on the right", 0.73, 0.5},
                   {"at the top", 0.5, 0.27},
                   {"at the bottom", 0.5, 0.73}};
    const auto& color = kColors[i % 5];
    const auto& place = kPlaces[i / 5];
    std::vector<std::uint8_t> pixels(3 * kSide * kSide, ground);
    for (int at = 0; at < kSide * kSide; ++at) {
      if (std::hypot(at % kSide - place.x * kSide, at / kSide - place.y * kSide) < 0.2 * kSide) {
        std::copy_n(color.levels, 3, &pixels[static_cast<std::size_t>(3 * at)]);
      }
    }
    std::filesystem::create_directories(folder);
    const std::string name = std::to_string(i);
    write_png(folder / (name + ".png"), pixels, kSide, kSide);
    std::ofstream(folder / (name + ".txt"))
        << "a " << color.name << " circle " << place.name << ", gray background";
  }
  static std::vector<double> losses(const JobSpec& job) {
    StepRecorder recorder;
    run(job, recorder);
    return recorder.losses;
  }
  static std::string refusal(const JobSpec& job) {
    HealthRecorder recorder;
    return test::message_of([&] { run(job, recorder); });
  }
  static std::string state_of(const JobSpec& job) {
    return sha256_file(job.out / "checkpoints/step-00000004/state.safetensors");
  }
  static void expect_trains(const JobSpec& job) {
    for (const double loss : losses(job)) {
      EXPECT_TRUE(std::isfinite(loss) && loss > 0) << loss;
    }
    std::filesystem::remove_all(job.out);
  }

  /// The mean of four images of a prompt with the slider at this weight.
  double brightness(const std::string& prompt, const std::filesystem::path& slider, double weight) {
    SampleRequest request;
    request.base = "demo";
    request.loras = {{slider, weight}};
    request.width = request.height = 64;
    request.steps = 12;
    request.guidance = 1.5;
    for (const int seed : {11, 12, 13, 14}) {
      request.samples.push_back({prompt, seed, home_ / ("image" + std::to_string(seed) + ".png")});
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
  /// Runs the job; at weights from -2 to 2 its slider makes brighter images each time.
  void expect_moves_with_its_weight(const std::string& prompt) {
    losses(job_);
    std::vector<double> levels;
    for (const double weight : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
      levels.push_back(brightness(prompt, job_.out / "test.safetensors", weight));
      std::printf("weight %+.0f: brightness %.1f\n", weight, levels.back());
    }
    for (std::size_t i = 1; i < levels.size(); ++i) {
      EXPECT_GT(levels[i], levels[i - 1] + 2) << i;
    }
  }

  const ImageLibrary library_;
};

}  // namespace mantissa::testing_support
