// An adapter of a module whose halves of the outputs are exchanged in the original checkpoints
// (FLUX.2's modulation of the exit) means the same in either naming.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/adapters/delta.h"
#include "engine/adapters/export.h"
#include "engine/adapters/fused_module.h"
#include "engine/adapters/read_adapter.h"
#include "engine/io/file.h"
#include "kernels/dtype.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing_support::golden_model;
using testing_support::relative_error;

constexpr const char* kPath = "denoiser.norm_out.linear";
constexpr const char* kOriginal = "final_layer.adaLN_modulation.1";
constexpr std::int64_t kSwappedRank = 2;

std::vector<float> values(std::int64_t count, double seed) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < count; ++i) {
    all.push_back(static_cast<float>(std::sin(seed + 0.7 * static_cast<double>(i * i % 1009))));
  }
  return all;
}

std::vector<float> halves_exchanged(std::vector<float> rows) {
  std::rotate(rows.begin(), rows.begin() + std::ssize(rows) / 2, rows.end());
  return rows;
}

class SwappedModule : public ::testing::Test {
 protected:
  SwappedModule() : base_(WeightSource::open(golden_model("flux2_base.safetensors"))) {
    weight_.resize(static_cast<std::size_t>(shape_.count()));
    base_.read_f32(kDenoiser, "norm_out.linear.weight", weight_);
  }
  /// A LoRA under this name, with these rows of up.
  fs::path lora(const std::string& module, const char* down, const char* up,
                const std::vector<float>& rows) const {
    const fs::path path = folder_ / "x.safetensors";
    write_safetensors(path,
                      std::vector<TensorToWrite>{
                          {module + down, DType::f32, {kSwappedRank, shape_[1]}, down_.data(), {}},
                          {module + up, DType::f32, {shape_[0], kSwappedRank}, rows.data(), {}}});
    return path;
  }
  std::vector<AdapterModule> read(const fs::path& path) const {
    return read_adapter(path, base_).modules;
  }
  AdapterExport options(OutputFormat format) const {
    AdapterExport options;
    options.format = format;
    options.base = base_.model_names();
    return options;
  }

  test::TempFolder folder_;
  WeightSource base_;
  Shape shape_ = base_.shape(kDenoiser, "norm_out.linear.weight");
  std::vector<float> weight_;
  std::vector<float> down_ = values(kSwappedRank * shape_[1], 1),
                     up_ = values(shape_[0] * kSwappedRank, 2);
};

TEST_F(SwappedModule, IsReadInTheModelsOrder) {
  const struct {
    std::string module;
    const char* down;
    const char* up;
    bool original;
  } forms[] = {
      {"transformer.norm_out.linear", ".lora_A.weight", ".lora_B.weight", false},
      {"lycoris_norm_out_linear", ".lora_down.weight", ".lora_up.weight", false},
      {std::string("diffusion_model.") + kOriginal, ".lora_A.weight", ".lora_B.weight", true},
      {std::string("model.diffusion_model.") + kOriginal, ".lora_down.weight", ".lora_up.weight",
       true},
      {"lora_unet_final_layer_adaLN_modulation_1", ".lora_down.weight", ".lora_up.weight", true},
  };
  for (const auto& [module, down, up, original] : forms) {
    SCOPED_TRACE(module);
    const auto modules = read(lora(module, down, up, original ? halves_exchanged(up_) : up_));
    ASSERT_EQ(modules.size(), 1U);
    EXPECT_EQ(modules[0].path, kPath);
    EXPECT_EQ(modules[0].up, up_);
    EXPECT_EQ(modules[0].down, down_);
  }
}

/// ComfyUI adds up x down to the tensor as it is stored.
TEST_F(SwappedModule, GivesTheWeightThatComfyuiMakesOfTheFile) {
  const SafetensorsFile file = SafetensorsFile::open(golden_model("flux2_base.safetensors"));
  const TensorInfo* stored =
      file.find(std::string("model.diffusion_model.") + kOriginal + ".weight");
  ASSERT_NE(stored, nullptr);
  ASSERT_EQ(stored->type, DType::f16);
  std::vector<float> comfyui(static_cast<std::size_t>(stored->count()));
  const auto columns = static_cast<std::size_t>(shape_[1]);
  for (std::size_t i = 0; i < comfyui.size(); ++i) {
    float16 value;
    std::memcpy(&value, stored->data + i * sizeof value, sizeof value);
    comfyui[i] = static_cast<float>(value);
    for (std::size_t k = 0; k < kSwappedRank; ++k) {
      comfyui[i] += up_[i / columns * kSwappedRank + k] * down_[k * columns + i % columns];
    }
  }
  const auto modules = read(
      lora(std::string("diffusion_model.") + kOriginal, ".lora_A.weight", ".lora_B.weight", up_));
  ASSERT_EQ(modules.size(), 1U);
  std::vector<float> here = weight_delta(modules[0], weight_);
  std::ranges::transform(here, weight_, here.begin(), std::plus<>());
  EXPECT_LE(relative_error(halves_exchanged(here), comfyui), 1e-6);
}

TEST_F(SwappedModule, IsWrittenInTheOrderOfItsName) {
  const auto modules =
      read(lora("transformer.norm_out.linear", ".lora_A.weight", ".lora_B.weight", up_));
  for (const OutputFormat format :
       {OutputFormat::kohya, OutputFormat::comfyui, OutputFormat::diffusers}) {
    const fs::path path = folder_ / "out.safetensors";
    write_adapter_file(path, modules, options(format));
    const SafetensorsFile file = SafetensorsFile::open(path);
    const bool kohya = format != OutputFormat::diffusers;
    const TensorInfo* up =
        file.find(kohya ? "lora_unet_final_layer_adaLN_modulation_1.lora_up.weight"
                        : "transformer.norm_out.linear.lora_B.weight");
    ASSERT_NE(up, nullptr) << static_cast<int>(format);
    std::vector<float> rows(up_.size());
    std::memcpy(rows.data(), up->data, rows.size() * sizeof(float));
    EXPECT_EQ(rows, kohya ? halves_exchanged(up_) : up_);
    const auto again = read(path);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].path, kPath);
    EXPECT_EQ(again[0].up, up_);
  }
}

TEST_F(SwappedModule, MagnitudesPerOutputFollow) {
  AdapterModule module{.path = kPath, .rank = 1, .up_shape = {4, 1}};
  module.up = {1, 2, 3, 4};
  module.dora_axis = DoraAxis::output;
  module.magnitude = {5, 6, 7, 8};
  EXPECT_EQ(with_halves_swapped(module, "x").magnitude, (std::vector<float>{7, 8, 5, 6}));
  module.dora_axis = DoraAxis::input;
  EXPECT_EQ(with_halves_swapped(module, "x").magnitude, module.magnitude);
  module.up_shape = {3, 1};
  test::expect_error_with([&] { with_halves_swapped(module, "x"); }, {"x", kPath, "3 outputs"});
}

TEST_F(SwappedModule, UnderBothNamesIsRefused) {
  const std::string original = std::string("diffusion_model.") + kOriginal;
  std::vector<TensorToWrite> tensors;
  for (const std::string& module : {std::string("transformer.norm_out.linear"), original}) {
    tensors.push_back(
        {module + ".lora_A.weight", DType::f32, {kSwappedRank, shape_[1]}, down_.data(), {}});
    tensors.push_back(
        {module + ".lora_B.weight", DType::f32, {shape_[0], kSwappedRank}, up_.data(), {}});
  }
  write_safetensors(folder_ / "x.safetensors", tensors);
  test::expect_error_with([&] { read(folder_ / "x.safetensors"); },
                          {"x.safetensors", "under two names"});
}

}  // namespace
}  // namespace mantissa
