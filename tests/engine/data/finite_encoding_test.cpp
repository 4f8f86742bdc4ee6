#include "engine/data/finite_encoding.h"

#include <gtest/gtest.h>
#include <limits>

#include "engine/core/error.h"
#include "engine/io/safetensors.h"
#include "tests/engine/data/encoded_fixture.h"

namespace mantissa {
namespace {

constexpr float kBad[] = {std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()};

TEST(FiniteEncoding, IsRefusedWithTheCataloguesFinding) {
  Preset preset;
  preset.precision.weights.vae = preset.precision.weights.text_encoders = StorageType::bf16;
  std::map<std::string, HostTensor> tensors{{"mean", {{2, 2}, {1, 2, 3, 4}}},
                                            {"std", {{2, 2}, {0, 0, 0, 0}}}};
  EXPECT_NO_THROW(require_finite(preset, "cat.png", "latents", tensors));
  for (const float bad : kBad) {
    tensors["std"].data[3] = bad;
    EXPECT_FALSE(is_finite(tensors));
    for (const bool text : {false, true}) {
      try {
        require_finite(preset, "cat.png", text ? "text" : "latents", tensors);
        ADD_FAILURE();
      } catch (const Error& e) {
        EXPECT_EQ(e.id(), "N2");
        EXPECT_EQ(exit_code(e.kind()), 4);
        const std::string said = e.what();
        EXPECT_NE(said.find("N2: NaN or infinity in the encoding of cat.png."), std::string::npos)
            << said;
        EXPECT_NE(said.find(text ? R"({"precision.weights.text_encoders":"fp32"})"
                                 : R"({"precision.weights.vae":"fp32"})"),
                  std::string::npos)
            << said;
      }
    }
  }
}

/// A base model whose VAE's last weights before the latents are as large as FP32 holds.
class OverflowingVae : public testing_support::EncodedFixture {
 protected:
  std::unique_ptr<DiffusionModel> overflowing() {
    const auto file =
        SafetensorsFile::open(MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors");
    std::vector<TensorToWrite> list;
    for (const TensorInfo& t : file.tensors()) {
      list.push_back({t.name, t.type.value(), t.shape(), t.data, {}});
      if (t.name == "first_stage_model.quant_conv.weight") {
        huge_.assign(static_cast<std::size_t>(t.count()), std::numeric_limits<float>::max());
        list.back() = {t.name, DType::f32, t.shape(), huge_.data(), {}};
      }
    }
    EXPECT_FALSE(huge_.empty());
    write_safetensors(home_ / "base.safetensors", list, file.metadata());
    changed_ = WeightSource::open(home_ / "base.safetensors");
    return DiffusionModel::open(*kernels_, *changed_, nullptr, PrecisionRules::uniform(DType::f32));
  }
  std::vector<float> huge_;
  std::optional<WeightSource> changed_;
};

TEST_F(OverflowingVae, StopsTheEncodingOnDiskAndInMemory) {
  image("black", "a square", 1);
  const auto model = overflowing();
  for (const CacheMode mode : {CacheMode::none, CacheMode::all}) {
    preset_.data.cache = mode;
    try {
      scanned()->encode(*kernels_, *model, {});
      ADD_FAILURE();
    } catch (const Error& e) {
      EXPECT_EQ(e.id(), "N2") << e.what();
      EXPECT_NE(std::string(e.what()).find("black.png"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace mantissa
