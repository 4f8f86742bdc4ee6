// Block formats: MXFP8 and NVFP4 against comfy-kitchen and torchao
// (tests/golden/make_block_codes.py), and GGUF's against their definition, which
// tests/engine/models/gguf_test.cpp compares with gguf.
#include "kernels/block_codes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/check.h"
#include "tests/kernels/backends.h"

namespace mantissa {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::array kMade{DType::mxfp8, DType::nvfp4};
constexpr std::array kGguf{DType::q4_0, DType::q4_1, DType::q5_0, DType::q5_1, DType::q8_0,
                           DType::q2_k, DType::q3_k, DType::q4_k, DType::q5_k, DType::q6_k};

View f32(std::vector<float>& v, const Shape& shape) {
  return {v.data(), DType::f32, shape};
}

/// A tensor in blocks and its memory, poisoned.
struct Blocks {
  Blocks(DType type, const Shape& of)
      : dtype(type), shape(of), bytes(stored_bytes(type, of.count()), 0xab) {}
  View view() { return {bytes.data(), dtype, shape}; }
  BlockTensor parts() { return block_tensor(bytes.data(), dtype, shape.count()); }
  BlockLayout layout() const { return block_layout(dtype, shape.count()); }
  std::vector<std::uint8_t> codes() {
    return {bytes.data(), bytes.data() + layout().blocks * layout().codes};
  }
  std::vector<std::uint8_t> scales() { return {parts().scales, parts().scales + layout().blocks}; }
  /// Each value from the definition.
  std::vector<float> values() {
    std::vector<float> list;
    dispatch_blocks(dtype, [&]<typename Codec>() {
      for (std::int64_t i = 0; i < shape.count(); ++i) {
        const BlockAt block = parts().at<Codec>(i / Codec::kValues);
        const auto place = static_cast<int>(i % Codec::kValues);
        const volatile float product =
            Codec::step(block, place / Codec::kRun).scale * Codec::code(block, place);
        list.push_back(product - Codec::step(block, place / Codec::kRun).below);
      }
    });
    return list;
  }

  DType dtype;
  Shape shape;
  std::vector<std::uint8_t> bytes;
};

/// A tensor of block_codes.bin.
struct Reference {
  DType dtype;
  Shape shape;
  std::vector<float> x;
  std::vector<std::uint8_t> codes, scales;
  float factor = 1;
  std::vector<float> values;
};

std::vector<Reference> references(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const auto read = [&](void* to, std::size_t bytes) {
    EXPECT_TRUE(file.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes))) << path;
  };
  std::vector<Reference> list;
  for (const DType dtype : kMade) {
    std::array<std::int64_t, 2> sides{};
    read(sides.data(), sizeof sides);
    Reference r{dtype, Shape{sides[0], sides[1]}, {}, {}, {}, 1, {}};
    const BlockLayout layout = block_layout(dtype, r.shape.count());
    r.x.resize(static_cast<std::size_t>(r.shape.count()));
    r.values.resize(r.x.size());
    r.codes.resize(static_cast<std::size_t>(layout.blocks * layout.codes));
    r.scales.resize(static_cast<std::size_t>(layout.blocks));
    read(r.x.data(), r.x.size() * sizeof(float));
    read(r.codes.data(), r.codes.size());
    read(r.scales.data(), r.scales.size());
    read(&r.factor, sizeof r.factor);
    read(r.values.data(), r.values.size() * sizeof(float));
    list.push_back(std::move(r));
  }
  return list;
}

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

class BlockCodesTest : public ::testing::TestWithParam<testing::TestBackend> {
 protected:
  std::vector<float> decode(Blocks& blocks) {
    std::vector<float> values(static_cast<std::size_t>(blocks.shape.count()), kNan);
    kernels->dequantize(blocks.view(), {}, f32(values, blocks.shape));
    return values;
  }
  std::vector<float> normal(std::int64_t count, std::uint32_t stream, float size = 1) {
    std::vector<float> x(static_cast<std::size_t>(count));
    kernels->normal(f32(x, {count}), {5, stream, 0, 0});
    for (float& v : x) {
      v *= size;
    }
    return x;
  }
  void expect_those_of(const std::string& path) {
    for (Reference r : references(path)) {
      Blocks blocks(r.dtype, r.shape);
      kernels->quantize(f32(r.x, r.shape), {}, blocks.view(), {}, {});
      EXPECT_EQ(blocks.codes(), r.codes) << dtype_name(r.dtype);
      EXPECT_EQ(blocks.scales(), r.scales) << dtype_name(r.dtype);
      EXPECT_EQ(*blocks.parts().factor, r.factor) << dtype_name(r.dtype);
      EXPECT_EQ(decode(blocks), r.values) << dtype_name(r.dtype);
    }
  }
  /// Into every float type, with rows apart.
  void expect_definition(Blocks& blocks);

  std::unique_ptr<Kernels> kernels = GetParam().make();
};

TEST_P(BlockCodesTest, AreThoseOfComfyKitchen) {
  expect_those_of(std::string(MANTISSA_TEST_DATA) + "/golden/block_codes.bin");
}

TEST_P(BlockCodesTest, NightlyRandomBlocks) {
  const char* path = std::getenv("MANTISSA_BLOCK_CODES");
  if (path == nullptr) {
    GTEST_SKIP() << "tests/interop/block_codes.py makes the blocks";
  }
  expect_those_of(path);
}

void BlockCodesTest::expect_definition(Blocks& blocks) {
  const std::vector<float> want = blocks.values();
  const std::int64_t rows = blocks.shape.rows(), cols = blocks.shape.cols();
  for (const DType to : {DType::f32, DType::f16, DType::bf16, DType::f64}) {
    for (const std::int64_t gap : {0, 3, 8}) {
      dispatch_float(to, [&]<typename T>() {
        std::vector<T> out(static_cast<std::size_t>(rows * (cols + gap)));
        View v(out.data(), to, {rows, cols});
        v.row_stride = cols + gap;
        kernels->dequantize(View(blocks.bytes.data(), blocks.dtype, {rows, cols}), {}, v);
        for (std::int64_t i = 0; i < blocks.shape.count(); ++i) {
          const T found = out[static_cast<std::size_t>(i / cols * (cols + gap) + i % cols)];
          ASSERT_TRUE(same(static_cast<float>(found),
                           static_cast<float>(T(want[static_cast<std::size_t>(i)]))))
              << dtype_name(blocks.dtype) << " to " << dtype_name(to) << " at " << i;
        }
      });
    }
  }
}

// With tensors and rows that end within a block.
TEST_P(BlockCodesTest, EveryLayoutDecodesToItsDefinition) {
  std::uint32_t stream = 1;
  for (const Shape& shape :
       {Shape{1, 1}, Shape{3, 7}, Shape{5, 64}, Shape{4, 65}, Shape{2, 3, 96}, Shape{7, 2400}}) {
    for (const DType type : kMade) {
      std::vector<float> x = normal(shape.count(), stream++, 0.02F);
      std::vector<bfloat16> halves(x.begin(), x.end());
      Blocks from_f32(type, shape), from_bf16(type, shape);
      kernels->quantize(View(halves.data(), DType::bf16, shape), {}, from_bf16.view(), {}, {});
      std::ranges::transform(halves, x.begin(), [](bfloat16 v) { return static_cast<float>(v); });
      kernels->quantize(f32(x, shape), {}, from_f32.view(), {}, {});
      EXPECT_EQ(from_f32.codes(), from_bf16.codes());
      EXPECT_EQ(from_f32.scales(), from_bf16.scales());
      expect_definition(from_f32);
    }
  }
}

// Any bytes: every code, every scale, NaN and infinity among them.
TEST_P(BlockCodesTest, GgufDecodesToItsDefinition) {
  std::mt19937 random(7);
  for (const DType type : kGguf) {
    for (const Shape& shape : {Shape{3, 256}, Shape{2, 2560}, Shape{512, 128}}) {
      Blocks blocks(type, shape);
      std::ranges::generate(blocks.bytes, [&] { return static_cast<std::uint8_t>(random()); });
      expect_definition(blocks);
    }
  }
}

TEST_P(BlockCodesTest, GgufIsOnlyReadAndInWholeBlocks) {
  std::vector<float> x(256, 1.0F), short_row(100);
  Blocks blocks(DType::q4_k, {1, 256});
  EXPECT_THROW(kernels->quantize(f32(x, {1, 256}), {}, blocks.view(), {}, {}), KernelError);
  EXPECT_THROW(kernels->dequantize(View(blocks.bytes.data(), DType::q4_k, {1, 100}), {},
                                   f32(short_row, {1, 100})),
               KernelError);
}

// The error of a Gaussian with exact scales is 31.6 dB in E4M3; E8M0's cost little.
TEST_P(BlockCodesTest, KeepAGaussian) {
  const Shape shape{256, 1024};
  std::vector<float> x = normal(shape.count(), 77, 0.003F);
  for (const auto& [type, want] : {std::pair(DType::mxfp8, 31.5), {DType::nvfp4, 20.5}}) {
    Blocks blocks(type, shape);
    kernels->quantize(f32(x, shape), {}, blocks.view(), {}, {});
    double signal = 0, noise = 0;
    const std::vector<float> back = decode(blocks);
    for (std::size_t i = 0; i < x.size(); ++i) {
      signal += static_cast<double>(x[i]) * x[i];
      noise += (static_cast<double>(x[i]) - back[i]) * (static_cast<double>(x[i]) - back[i]);
    }
    EXPECT_NEAR(10 * std::log10(signal / noise), want, 0.3) << dtype_name(type);
  }
}

TEST_P(BlockCodesTest, ABlockOfZerosStaysZeros) {
  const Shape shape{4, 96};
  for (const DType type : kMade) {
    for (const bool others : {false, true}) {
      std::vector<float> x(static_cast<std::size_t>(shape.count()), 0.0F);
      std::fill_n(x.begin() + 128, 32, others ? 3.0F : 0.0F);
      Blocks blocks(type, shape);
      kernels->quantize(f32(x, shape), {}, blocks.view(), {}, {});
      EXPECT_EQ(decode(blocks), x) << dtype_name(type);
    }
  }
}

// There is no code for infinity, and in NVFP4 none for NaN: the scale holds it.
TEST_P(BlockCodesTest, ABlockWithANonFiniteValueIsNan) {
  for (const float odd : {kNan, kInf, -kInf}) {
    for (const DType type : kMade) {
      std::vector<float> x = normal(320, 3);
      x[70] = odd;
      Blocks blocks(type, {1, 320});
      kernels->quantize(f32(x, {1, 320}), {}, blocks.view(), {}, {});
      const std::vector<float> back = decode(blocks);
      const int size = blocks.layout().values, first = 70 / size * size;
      for (int i = 0; i < 320; ++i) {
        const bool in_block = i >= first && i < first + size;
        ASSERT_EQ(std::isnan(back[static_cast<std::size_t>(i)]), in_block) << i;
      }
    }
  }
}

// A scale is the least power of two with which nothing is clamped.
TEST(MxScale, IsTheLeastThatHoldsTheLargest) {
  for (const float largest :
       {448.0F, 448.00003F, 447.9F, 1.0F, 1.75F, 1.7500001F, 3e-38F, 1e-44F, 3.4028235e38F, 0.0F}) {
    const std::uint8_t scale = mx_scale(largest);
    EXPECT_LE(largest / e8m0_value(scale), 448.00003F) << largest;
    if (scale > 0) {
      EXPECT_GT(largest / e8m0_value(static_cast<std::uint8_t>(scale - 1)), 448.0F) << largest;
    }
  }
}

MANTISSA_FOR_EACH_BACKEND(BlockCodesTest);

}  // namespace
}  // namespace mantissa
