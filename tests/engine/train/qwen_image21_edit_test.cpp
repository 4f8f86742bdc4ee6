// Samples of the tiny Qwen-Image-2.1 with references, beside its pipeline's
// (tests/golden/make_qwen_image21.py). Its runs: seen_references_test.cpp.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "engine/data/image_cut.h"
#include "engine/diffusion/model_objective.h"
#include "engine/programs/latent_encoding.h"
#include "engine/programs/renderer.h"
#include "engine/programs/text_encoding.h"
#include "tests/engine/train/edit_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

/// The pipeline's samples, and what its text encoder passes on.
class QwenImage21EditSample : public testing_support::EditRun {
 protected:
  QwenImage21EditSample() : EditRun("qwen_image_21") {}
  std::vector<float> golden(const std::string& name) const {
    const TensorInfo* t = golden_.find(name);
    std::vector<float> values(static_cast<std::size_t>(t->count()));
    std::memcpy(values.data(), t->data, t->bytes);
    return values;
  }
  /// [8, 12, 8] of [1, 8, 8, 12].
  std::vector<float> noise() const {
    const std::vector<float> all = golden("noise");
    std::vector<float> out;
    for (std::size_t at = 0; at < 96; ++at) {
      for (std::size_t channel = 0; channel < 8; ++channel) {
        out.push_back(all[channel * 96 + at]);
      }
    }
    return out;
  }
  std::vector<Image> seen(std::size_t count) const {
    draw("seen/1.png", 7, 96, 32);
    draw("seen/2.png", 8, 64, 64);
    std::vector<Image> images;
    for (std::size_t i = 1; i <= count; ++i) {
      images.push_back(load_image(home_ / "seen" / (std::to_string(i) + ".png")));
    }
    return images;
  }

  const SafetensorsFile golden_ = SafetensorsFile::open(
      fs::path(MANTISSA_TEST_DATA) / "golden/reference/qwen_image21_edit_sample.safetensors");
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
  const WeightSource source_ = WeightSource::open(model_);
  std::unique_ptr<DiffusionModel> tiny_ =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::f32));
};

TEST_F(QwenImage21EditSample, TextsAndImagesAreThePipelines) {
  Arena arena(*kernels_);
  for (const std::size_t count : {1U, 2U}) {
    tiny_->set_text_options({.references = count});
    const std::vector<Image> images = seen(count);
    const TextEncoding text = TextEncoder(*kernels_, *tiny_).encode("make the cat red", images);
    const std::vector<float> states = golden("hidden." + std::to_string(count));
    ASSERT_EQ(text.at("length").data.at(0), static_cast<float>(states.size() / 24));
    double off = 0, most = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      off = std::max(off, static_cast<double>(std::abs(text.at("context").data[i] - states[i])));
      most = std::max(most, static_cast<double>(std::abs(states[i])));
    }
    EXPECT_LE(off / most, 1e-5) << count;

    LatentEncoder encoder(*kernels_, *tiny_);
    const LatentFormat format = LatentFormat::of(*tiny_);
    RenderOptions options;
    options.width = 48;
    options.height = 32;
    options.steps = 2;
    options.guidance = 1;
    for (const Image& image : images) {
      options.references.push_back({{image.height / format.factor, image.width / format.factor},
                                    format.scaled(encoder.encode(image).mean)});
    }
    Renderer renderer(*kernels_, arena, *tiny_, model_objective(source_, {}));
    const std::vector<float> made =
        renderer.decode(renderer.denoise(text, text, options, noise()), 48, 32);
    const std::vector<float> want = golden("image." + std::to_string(count));
    ASSERT_EQ(made.size() / 3, want.size() / 4);
    double squares = 0;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const double level = (std::clamp(made[i], -1.0F, 1.0F) + 1) / 2;
      squares += std::pow(level - static_cast<double>(want[i / 3 * 4 + i % 3]), 2);  // no alpha
    }
    const double psnr = -10 * std::log10(squares / static_cast<double>(made.size()));
    RecordProperty("psnr_" + std::to_string(count), std::to_string(psnr));
    EXPECT_GE(psnr, 70) << count;
  }
}

}  // namespace
}  // namespace mantissa
