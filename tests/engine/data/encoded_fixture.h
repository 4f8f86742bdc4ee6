#pragma once
// Folders of small images in a separate home, encoded by the demo's mini model.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/encoded_dataset.h"
#include "engine/io/image.h"
#include "engine/models/diffusion_model.h"
#include "kernels/cpu/cpu.h"
#include "tests/environment.h"

namespace mantissa::testing_support {

class EncodedFixture : public testing::Test {
 protected:
  static constexpr int kQuantum = 64;  ///< pixels, as the mini model requires

  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    home_ = std::filesystem::path(testing::TempDir()) /
            (std::string("mantissa-") + info->test_suite_name() + "-" + info->name());
    std::filesystem::remove_all(home_);
    std::filesystem::create_directories(home_ / "images");
    test::set_environment("MANTISSA_HOME", path_to_utf8(home_));
    test::set_environment("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources");
    preset_.data.resolution = 64;
    preset_.data.batch_size = 1;
    preset_.data.cache = CacheMode::none;
  }
  void TearDown() override {
    std::error_code held;  // under Windows: what a member still has open goes with the next test
    std::filesystem::remove_all(home_, held);
  }

  /// A noise image from `seed`, with its caption.
  std::filesystem::path image(const std::string& name, const std::string& caption, unsigned seed,
                              int width = 64, int height = 64) const {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(3 * width * height));
    for (std::uint8_t& value : pixels) {
      seed = seed * 1664525U + 1013904223U;
      value = static_cast<std::uint8_t>(seed >> 24);
    }
    const std::filesystem::path path = home_ / "images" / (name + ".png");
    write_png(path, pixels, width, height);
    std::ofstream(home_ / "images" / (name + ".txt")) << caption;
    return path;
  }
  std::unique_ptr<EncodedDataset> scanned(const std::filesystem::path& folder) {
    return std::make_unique<EncodedDataset>(
        preset_, SetFolders{{folder}, {}, {}}, kQuantum,
        [this](LogLevel, const Message& line) { notices_ += line.text() + "\n"; }, Progress{});
  }
  std::unique_ptr<EncodedDataset> scanned() { return scanned(home_ / "images"); }
  std::unique_ptr<EncodedDataset> encoded(const std::filesystem::path& folder) {
    auto data = scanned(folder);
    data->encode(*kernels_, *model_, {});
    return data;
  }
  std::unique_ptr<EncodedDataset> encoded() { return encoded(home_ / "images"); }

  const ImageLibrary library_;
  std::filesystem::path home_;
  Preset preset_;
  std::string notices_;
  std::unique_ptr<Kernels> kernels_ = make_cpu_kernels();
  const WeightSource source_ =
      WeightSource::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
  std::unique_ptr<DiffusionModel> model_ =
      DiffusionModel::open(*kernels_, source_, nullptr, PrecisionRules::uniform(DType::f32));
};

}  // namespace mantissa::testing_support
