// mantissa quantise: base models with 8-bit and 4-bit weights in ComfyUI's form.
#include <cmath>
#include <cstring>

#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "engine/io/weights.h"
#include "engine/nn/weight_store.h"
#include "kernels/cpu/cpu.h"
#include "kernels/rotation.h"
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

class Quantise : public CliTest {
 protected:
  const std::string sdxl_ = MANTISSA_TEST_DATA "/golden/models/a.safetensors";
  const std::string z_image_ = MANTISSA_TEST_DATA "/golden/models/z_image_base.safetensors";

  int quantise(const std::string& base, const std::string& type, const std::string& name) {
    return run({"quantise", "--base", base, "--weights", type, "--out", path(name), "--json"});
  }
  static std::vector<float> values(const WeightSource& source, const std::string& name) {
    std::vector<float> all(static_cast<std::size_t>(source.shape(kDenoiser, name).count()));
    source.read_f32(kDenoiser, name, all);
    return all;
  }
};

/// A run on the quantised file multiplies the very codes that it would make of the original.
TEST_F(Quantise, Int8FilesHoldTheCodesThatARunMakes) {
  const auto kernels = make_cpu_kernels(1);
  for (const std::string& base : {sdxl_, z_image_}) {
    for (const auto& [type, dtype] :
         {std::pair{"int8", DType::i8}, std::pair{"int8_convrot", DType::i8_rotated}}) {
      const std::string file = std::string(type) + ".safetensors";
      ASSERT_EQ(run({"quantise", "--base", base, "--weights", type, "--out", path(file), "--json",
                     "--overwrite"}),
                0)
          << err();
      EXPECT_GT(events().back().at("least_sqnr").get<double>(), 30);
      const WeightSource original = WeightSource::open(base),
                         quantised = WeightSource::open(folder_ / file);
      EXPECT_TRUE(quantised.unknown().empty()) << quantised.unknown().front();
      WeightStore of_original(*kernels, original), of_file(*kernels, quantised);
      std::int64_t codes = 0;
      for (const std::string& name : original.names(kDenoiser)) {
        const WeightView view = quantised.view(kDenoiser, name);
        if (view.scales.empty()) {
          EXPECT_EQ(values(quantised, name), values(original, name)) << name;
          continue;
        }
        ++codes;
        const bool rotates = rotation_group(view.shape[1]) > 1;
        EXPECT_EQ(view.dtype, rotates ? dtype : DType::i8) << name;
        const Tensor &a = of_original.frozen("unet." + name, view.shape, dtype),
                     &b = of_file.frozen("unet." + name, view.shape, dtype);
        EXPECT_EQ(std::memcmp(a.data, b.data, static_cast<std::size_t>(view.shape.count())), 0)
            << name;
        EXPECT_TRUE(std::equal(a.scale, a.scale + view.shape[0], b.scale)) << name;
      }
      EXPECT_GT(codes, 10);
    }
  }
}

TEST_F(Quantise, Fp8FilesHaveOneScaleForEachWeight) {
  ASSERT_EQ(quantise(sdxl_, "fp8_e4m3", "fp8.safetensors"), 0) << err();
  const WeightSource original = WeightSource::open(sdxl_),
                     quantised = WeightSource::open(folder_ / "fp8.safetensors");
  const std::string name = "mid_block.attentions.0.transformer_blocks.0.attn1.to_q.weight";
  const WeightView view = quantised.view(kDenoiser, name);
  EXPECT_EQ(view.dtype, DType::f8_e4m3);
  ASSERT_EQ(view.scales.size(), 1U);
  const std::vector<float> before = values(original, name), after = values(quantised, name);
  double signal = 0, noise = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    signal += before[i] * before[i];
    noise += (before[i] - after[i]) * (before[i] - after[i]);
  }
  EXPECT_NEAR(10 * std::log10(signal / noise), 31.6, 1.5);
  EXPECT_EQ(quantised.view(kDenoiser, "conv_in.weight").dtype,
            original.view(kDenoiser, "conv_in.weight").dtype)
      << "the entry stays as it is";
}

/// Checks what blocks fill; a fused tensor of NVFP4 has one factor, so its shares differ in that.
TEST_F(Quantise, BlockFilesHoldTheCodesThatARunMakes) {
  const auto kernels = make_cpu_kernels(1);
  for (const auto& [type, dtype, least] :
       {std::tuple{"mxfp8", DType::mxfp8, 30.0}, {"nvfp4", DType::nvfp4, 18.0}}) {
    const std::string file = std::string(type) + ".safetensors";
    ASSERT_EQ(quantise("demo", type, file), 0) << err();
    EXPECT_GT(events().back().at("least_sqnr").get<double>(), least);
    const WeightSource original = WeightSource::open(MANTISSA_SOURCE_DIR
                                                     "/resources/demo/mini-sdxl.safetensors"),
                       quantised = WeightSource::open(folder_ / file);
    EXPECT_TRUE(quantised.unknown().empty()) << quantised.unknown().front();
    WeightStore of_original(*kernels, original), of_file(*kernels, quantised);
    std::int64_t blocks = 0;
    for (const std::string& name : original.names(kDenoiser)) {
      const WeightView view = quantised.view(kDenoiser, name);
      if (view.block_scales == nullptr) {
        continue;
      }
      ++blocks;
      const Tensor &a = of_original.frozen("unet." + name, view.shape, dtype),
                   &b = of_file.frozen("unet." + name, view.shape, dtype);
      ASSERT_EQ(a.dtype, b.dtype);
      EXPECT_EQ(std::memcmp(a.data, b.data, a.bytes()), 0) << name;
    }
    EXPECT_GT(blocks, 50) << type;
  }
}

TEST_F(Quantise, SaysWhatItDid) {
  ASSERT_EQ(run({"quantise", "--base", z_image_, "--weights", "int8_convrot", "--dtype", "bf16",
                 "--out", path("z.safetensors")}),
            0)
      << err();
  EXPECT_NE(out().find(" layers as int8_convrot, signal to rounding noise "), std::string::npos)
      << out();
  const SafetensorsFile file = SafetensorsFile::open(folder_ / "z.safetensors");
  const TensorInfo* text = nullptr;
  for (const TensorInfo& t : file.tensors()) {
    text = t.name.ends_with("attention.qkv.comfy_quant") ? &t : text;
  }
  ASSERT_NE(text, nullptr) << "q, k and v are one tensor";
  const auto json =
      nlohmann::json::parse(std::string(reinterpret_cast<const char*>(text->data), text->bytes));
  EXPECT_EQ(json.at("format"), "int8_tensorwise");
  EXPECT_EQ(json.at("convrot"), true);
}

TEST_F(Quantise, RefusesWhatItWouldSpoil) {
  ASSERT_EQ(quantise(sdxl_, "int8", "int8.safetensors"), 0) << err();
  EXPECT_EQ(quantise(path("int8.safetensors"), "int8_convrot", "twice.safetensors"), 2);
  EXPECT_NE(err().find("quantised already"), std::string::npos) << err();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "twice.safetensors"));
  EXPECT_EQ(quantise(path("int8.safetensors"), "int8", "int8.safetensors"), 2);
  EXPECT_NE(err().find("is what this command reads"), std::string::npos) << err();
  EXPECT_EQ(quantise(sdxl_, "int8", "folder"), 2);
  EXPECT_NE(err().find("ends in .safetensors"), std::string::npos) << err();
  EXPECT_EQ(quantise(sdxl_, "nf4", "nf4.safetensors"), 2) << "no program reads it from one file";
}

}  // namespace
}  // namespace mantissa
