#include "engine/programs/renderer.h"

#include <filesystem>
#include <gtest/gtest.h>

#include "engine/diffusion/vp_objective.h"
#include "engine/io/model_writer.h"
#include "engine/programs/latent_encoding.h"
#include "engine/programs/reconstruction.h"
#include "engine/programs/text_encoding.h"
#include "kernels/cpu/cpu.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

class RendererTest : public ::testing::Test {
 protected:
  RendererTest() {
    options_.width = options_.height = 64;
    options_.steps = 3;
  }
  std::vector<float> denoised(const TextEncoding& prompt, const TextEncoding& negative,
                              double guidance) {
    options_.guidance = guidance;
    std::vector<float> start(
        static_cast<std::size_t>(8 * 8 * model_->latent_channels() * 64 /
                                 (model_->latent_factor() * model_->latent_factor())));
    for (std::size_t i = 0; i < start.size(); ++i) {
      start[i] = static_cast<float>(std::sin(1.3 * static_cast<double>(i)));
    }
    return renderer_.denoise(prompt, negative, options_, start);
  }

  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
  const WeightSource source_ =
      WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  std::unique_ptr<DiffusionModel> model_ =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::f32));
  Arena arena_{*kernels_};
  Renderer renderer_{*kernels_, arena_, *model_, std::make_shared<VpObjective>()};
  RenderOptions options_;
};

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::pow(a[i] - b[i], 2);
    size += std::pow(a[i], 2);
  }
  return std::sqrt(sum / size);
}

// Guidance moves from the negative prompt to the prompt, and beyond.
TEST_F(RendererTest, GuidanceZeroIsTheNegativePromptAndOneThePrompt) {
  TextEncoder encoder(*kernels_, *model_);
  const TextEncoding a = encoder.encode("a red circle"), b = encoder.encode("blue stripes");
  const std::vector<float> of_a = denoised(a, b, 1), of_b = denoised(b, a, 1);
  EXPECT_GT(distance(of_a, of_b), 1e-3) << "the prompts make a difference";
  EXPECT_LT(distance(denoised(a, b, 0), of_b), 1e-5);
  EXPECT_LT(distance(denoised(a, b, 1 + 1e-9), of_a), 1e-5);
  EXPECT_GT(distance(denoised(a, b, 6), of_b), distance(of_a, of_b));
}

// A run continues after a sample that failed, so the next one must not find what the failure left.
TEST_F(RendererTest, WhatCouldNotBeRecordedIsNotKept) {
  const test::TempFolder folder;
  write_model_folder(folder / "model", model_contents(source_));
  std::filesystem::remove_all(folder / "model/vae");
  const WeightSource source = WeightSource::open(folder / "model");
  const auto model =
      DiffusionModel::open(*kernels_, source, nullptr, PrecisionRules::uniform(DType::f32));
  Renderer renderer(*kernels_, arena_, *model, std::make_shared<VpObjective>());
  LatentEncoder encoder(*kernels_, *model, arena_);
  Reconstructor reconstructor(*kernels_, arena_, *model);
  const Image image{64, 64, std::vector<std::uint8_t>(std::size_t{64} * 64 * 3), {}};
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_THROW(renderer.decode(std::vector<float>(64 * 4), 64, 64), Error) << attempt;
    EXPECT_THROW(encoder.encode(image), Error) << attempt;
    EXPECT_THROW(reconstructor.beside(image), Error) << attempt;
  }
}

}  // namespace
}  // namespace mantissa
