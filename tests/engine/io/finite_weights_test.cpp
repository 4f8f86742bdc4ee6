// The gate of everything that reads weights: values that are NaN or infinite, in every type.
#include "engine/io/finite_weights.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "engine/io/block_scales.h"
#include "engine/io/block_views.h"
#include "engine/io/model_writer.h"
#include "kernels/block_codes.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

constexpr std::int64_t kCount = 20000;  // more than a run of the counter

WeightView view_of(DType type, const std::vector<std::byte>& bytes, std::int64_t count = kCount) {
  WeightView view;
  view.dtype = type;
  view.shape = {count};
  view.data = bytes.data();
  return view;
}

template <typename T>
std::vector<std::byte> raw_bytes(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class FiniteWeights : public testing::TestWithParam<DType> {};

TEST_P(FiniteWeights, CountsNaNAndBothInfinitiesAndNothingElse) {
  const DType type = GetParam();
  dispatch_float(type, [&]<typename T>() {
    std::vector<T> values(kCount, static_cast<T>(1.5F));
    values[1] = static_cast<T>(-0.0F);
    values[2] = static_cast<T>(type == DType::f16 ? 65504.0F : 3.3e38F);
    EXPECT_EQ(non_finite_values(view_of(type, raw_bytes(values))), 0);
    values[0] = static_cast<T>(std::numeric_limits<float>::quiet_NaN());
    values[8191] = static_cast<T>(std::numeric_limits<float>::infinity());
    values[8192] = static_cast<T>(-std::numeric_limits<float>::infinity());
    values[kCount - 1] = static_cast<T>(-std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(non_finite_values(view_of(type, raw_bytes(values))), 4);
  });
}

INSTANTIATE_TEST_SUITE_P(EveryType, FiniteWeights,
                         testing::Values(DType::f64, DType::f32, DType::f16, DType::bf16));

TEST(FiniteWeightsTest, CodesOf8Bits) {
  std::vector<std::uint8_t> codes(kCount, 0x38);
  codes[5] = 0x7e;  // E4M3's largest
  codes[6] = 0x7f;
  codes[7] = 0xff;
  EXPECT_EQ(non_finite_values(view_of(DType::f8_e4m3, raw_bytes(codes))), 2);
  codes[5] = 0x7b;  // E5M2's largest
  codes[6] = 0x7c;
  codes[7] = 0xfe;
  EXPECT_EQ(non_finite_values(view_of(DType::f8_e5m2, raw_bytes(codes))), 2);
  EXPECT_EQ(non_finite_values(view_of(DType::i8, raw_bytes(codes))), 0);
}

TEST(FiniteWeightsTest, BlocksOfGgufByTheirScales) {
  constexpr std::int64_t kValues = 256;
  for (const DType type : {DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1, DType::q8_0,
                           DType::q2_k, DType::q3_k, DType::q4_k, DType::q5_k, DType::q6_k}) {
    const std::size_t size = code_bytes(type, kValues);
    std::vector<std::byte> bytes(size, std::byte{0});
    EXPECT_EQ(non_finite_values(view_of(type, bytes, kValues)), 0);
    // A pattern that is NaN as FP16, wherever the format has its scales.
    std::fill(bytes.begin(), bytes.end(), std::byte{0x7e});
    const std::int64_t bad = non_finite_values(view_of(type, bytes, kValues));
    EXPECT_GT(bad, 0) << dtype_name(type);
    std::int64_t decoded_bad = 0;
    for (const float x : decoded(view_of(type, bytes, kValues))) {
      decoded_bad += std::isfinite(x) ? 0 : 1;
    }
    EXPECT_EQ(bad, decoded_bad) << dtype_name(type);
  }
}

TEST(FiniteWeightsTest, BlocksWithScalesBesideThem) {
  for (const DType type : {DType::mxfp8, DType::nvfp4}) {
    constexpr std::int64_t kValues = 64;
    const std::vector<float> values(kValues, 1.0F);
    std::vector<std::byte> bytes(stored_bytes(type, kValues));
    encode_blocks(type, values, bytes.data());
    const BlockLayout layout = block_layout(type, kValues);
    BlockScales scales{type, kValues, {}};
    const auto keep = [&] {
      scales.bytes.assign(bytes.begin() + static_cast<std::ptrdiff_t>(layout.factor), bytes.end());
    };
    WeightView view = view_of(type, bytes, kValues);
    view.block_scales = &scales;
    keep();
    EXPECT_EQ(non_finite_values(view), 0) << dtype_name(type);
    bytes[layout.scales + 1] = type == DType::mxfp8 ? std::byte{255} : std::byte{0x7f};
    keep();
    EXPECT_EQ(non_finite_values(view), layout.values) << dtype_name(type);
    if (type == DType::mxfp8) {
      bytes[0] = std::byte{0x7f};
      EXPECT_EQ(non_finite_values(view), layout.values + 1) << "a code that is NaN";
    }
  }
}

TEST(FiniteWeightsTest, ABaseIsRefusedByFileTensorAndCountWhereItIsReadAndWhereItIsCopied) {
  const test::TempFolder folder;
  const WeightSource model =
      WeightSource::open(std::filesystem::path(MANTISSA_TEST_DATA) / "golden/models/a.safetensors");
  const std::string weight = "conv_in.weight";
  ModelContents spoiled = model_contents(model, DType::f32);
  replace_values(spoiled, kDenoiser, weight, [&] {
    std::vector<float> values(static_cast<std::size_t>(model.shape(kDenoiser, weight).count()));
    model.read_f32(kDenoiser, weight, values);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    values[9] = std::numeric_limits<float>::infinity();
    return values;
  });
  write_model_file(folder / "bad.safetensors", spoiled);
  const WeightSource bad = WeightSource::open(folder / "bad.safetensors");
  std::vector<float> values(static_cast<std::size_t>(bad.shape(kDenoiser, weight).count()));
  const auto names_it = [&](auto&& read) {
    test::expect_error_with(read, {"bad.safetensors", ": 2 of ",
                                   "model.diffusion_model.input_blocks.0.0.weight", "NaN/Inf"});
  };
  names_it([&] { bad.read_f32(kDenoiser, weight, values); });
  names_it([&] { bad.read_whole_as(kDenoiser, weight, DType::f32, values.data()); });
  names_it([&] { write_model_file(folder / "copy.safetensors", model_contents(bad)); });
  names_it([&] { write_model_folder(folder / "folder", model_contents(bad, DType::f16)); });
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.safetensors"));
}

}  // namespace
}  // namespace mantissa
