// NF4: codes, scales and values against bitsandbytes (tests/golden/make_nf4.py), and what reads
// them.
#include "kernels/nf4.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernels/check.h"
#include "tests/kernels/backends.h"

namespace mantissa {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::array kTypes{DType::nf4, DType::nf4_fp32};

View f32(std::vector<float>& v, const Shape& shape) {
  return {v.data(), DType::f32, shape};
}

/// A tensor of NF4 and its memory, poisoned.
struct Blocks {
  Blocks(DType type, const Shape& of)
      : dtype(type), shape(of), bytes(nf4_layout(type, of.count()).bytes, 0xab) {}
  View view() { return {bytes.data(), dtype, shape}; }
  Nf4Codes codes() { return nf4_codes(bytes.data(), dtype, shape.count()); }
  /// Each value from the definition.
  std::vector<float> values() {
    std::vector<float> list;
    for (std::int64_t i = 0; i < shape.count(); ++i) {
      list.push_back(kNf4Values[static_cast<std::size_t>(codes().code(i))] *
                     codes().scale(i / kNf4Block));
    }
    return list;
  }

  DType dtype;
  Shape shape;
  std::vector<std::uint8_t> bytes;
};

/// A tensor of nf4.bin.
struct Reference {
  std::vector<float> x;
  std::vector<std::uint8_t> codes;
  std::vector<float> scales, plain;
  std::vector<std::uint8_t> block_codes;
  std::vector<float> group_scales;
  float offset = 0;
  std::vector<float> nested;
  std::vector<bfloat16> nested_bf16;

  std::int64_t count() const { return std::ssize(x); }
};

class Nf4File {
 public:
  explicit Nf4File(const std::string& path) : file_(path, std::ios::binary) {
    read(map, kNf4Map);
    std::int64_t count = 0;
    while (file_.read(reinterpret_cast<char*>(&count), sizeof count)) {
      Reference& r = tensors.emplace_back();
      read(r.x, count);
      read(r.codes, (count + 1) / 2);
      read(r.scales, nf4_blocks(count));
      read(r.plain, count);
      read(r.block_codes, nf4_blocks(count));
      read(r.group_scales, nf4_groups(count));
      file_.read(reinterpret_cast<char*>(&r.offset), sizeof r.offset);
      read(r.nested, count);
      read(r.nested_bf16, count);
    }
  }
  std::vector<float> map;
  std::vector<Reference> tensors;

 private:
  template <typename T>
  void read(std::vector<T>& to, std::int64_t count) {
    to.resize(static_cast<std::size_t>(count));
    EXPECT_TRUE(file_.read(reinterpret_cast<char*>(to.data()),
                           static_cast<std::streamsize>(to.size() * sizeof(T))));
  }
  std::ifstream file_;
};

const Nf4File& golden() {
  static const Nf4File file(std::string(MANTISSA_TEST_DATA) + "/golden/nf4.bin");
  return file;
}

/// bitsandbytes looks its codes up in a table of 65,536 points in [-1, 1]: the number of the map
/// that is nearest to the point that is nearest to y. Here it is the number nearest to y.
bool is_rounded_by_bitsandbytes(float y, std::uint8_t code, const std::vector<float>& map) {
  constexpr double kLast = 65535, kTie = 0.02;  // y is rounded to fp32 before
  const double place = (static_cast<double>(y) + 1) / 2 * kLast, low = std::floor(place);
  const auto is_nearest_to = [&](double point) {
    const double x = point / kLast * 2 - 1,
                 distance = std::fabs(x - static_cast<double>(map[code]));
    return std::ranges::all_of(map, [&](float other) {
      return distance <= std::fabs(x - static_cast<double>(other)) + 1e-7;
    });
  };
  return (place - low < 0.5 + kTie && is_nearest_to(low)) ||
         (place - low > 0.5 - kTie && is_nearest_to(low + 1));
}

template <typename T>
std::vector<T> taken(const T* from, std::int64_t count) {
  return {from, from + count};
}

class Nf4Test : public ::testing::TestWithParam<testing::TestBackend> {
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
  void expect_codes_of_bitsandbytes(const Nf4File& file);
  void expect_values_of_bitsandbytes(const Nf4File& file);

  std::unique_ptr<Kernels> kernels = GetParam().make();
};

void Nf4Test::expect_codes_of_bitsandbytes(const Nf4File& file) {
  for (Reference r : file.tensors) {
    const Shape shape{1, r.count()};
    const std::int64_t blocks = nf4_blocks(r.count());
    Blocks plain(DType::nf4_fp32, shape);
    kernels->quantize(f32(r.x, shape), {}, plain.view(), {}, {});
    EXPECT_EQ(taken(plain.codes().codes, (r.count() + 1) / 2), r.codes) << r.count();
    EXPECT_EQ(taken(plain.codes().scales, blocks), r.scales) << r.count();
    Blocks nested(DType::nf4, shape);
    kernels->quantize(f32(r.x, shape), {}, nested.view(), {}, {});
    const Nf4Codes found = nested.codes();
    EXPECT_EQ(taken(found.codes, (r.count() + 1) / 2), r.codes) << r.count();
    EXPECT_EQ(taken(found.scales, kNf4Map), file.map);
    // torch sums the mean in fp32; here it is rounded once.
    EXPECT_NEAR(found.offset(), r.offset, 4e-7F * r.offset);
    double sum = 0;
    for (const float s : r.scales) {
      sum += static_cast<double>(s);
    }
    EXPECT_FLOAT_EQ(found.offset(), static_cast<float>(sum / static_cast<double>(blocks)));
    for (std::int64_t b = 0; b < blocks; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const auto group = static_cast<std::size_t>(b / kNf4Group);
      EXPECT_NEAR(found.group_scales()[group], r.group_scales[group],
                  1e-5F * r.group_scales[group]);
      if (r.group_scales[group] == 0.0F) {
        continue;
      }
      const float y = (r.scales[at] - r.offset) / r.group_scales[group];
      const auto distance = [&](std::uint8_t code) { return std::fabs(y - file.map[code]); };
      EXPECT_LE(distance(found.block_codes[b]), distance(r.block_codes[at]) + 1e-6F) << b;
      EXPECT_TRUE(is_rounded_by_bitsandbytes(y, r.block_codes[at], file.map)) << b << ": " << y;
    }
  }
}

/// The file's own scales, so that the values are the same to the bit.
void Nf4Test::expect_values_of_bitsandbytes(const Nf4File& file) {
  for (const Reference& r : file.tensors) {
    const Shape shape{1, r.count()};
    Blocks plain(DType::nf4_fp32, shape), nested(DType::nf4, shape);
    std::ranges::copy(r.codes, plain.codes().codes);
    std::ranges::copy(r.scales, plain.codes().scales);
    EXPECT_EQ(decode(plain), r.plain);
    std::ranges::copy(r.codes, nested.codes().codes);
    std::ranges::copy(file.map, nested.codes().scales);
    nested.codes().scales[kNf4Map] = r.offset;
    std::ranges::copy(r.group_scales, nested.codes().scales + kNf4Map + 1);
    std::ranges::copy(r.block_codes, nested.codes().block_codes);
    if (r.group_scales.size() > 1 || r.group_scales[0] > 0) {
      EXPECT_EQ(decode(nested), r.nested);
      std::vector<bfloat16> halves(r.x.size());
      kernels->dequantize(nested.view(), {}, View(halves.data(), DType::bf16, shape));
      EXPECT_EQ(std::memcmp(halves.data(), r.nested_bf16.data(), halves.size() * 2), 0);
    }
  }
}

TEST_P(Nf4Test, CodesAreThoseOfBitsandbytes) {
  expect_codes_of_bitsandbytes(golden());
}

TEST_P(Nf4Test, ValuesAreThoseOfBitsandbytes) {
  expect_values_of_bitsandbytes(golden());
}

TEST_P(Nf4Test, NightlyRandomBlocks) {
  const char* path = std::getenv("MANTISSA_NF4_BLOCKS");
  if (path == nullptr) {
    GTEST_SKIP() << "tests/interop/nf4_blocks.py makes the blocks";
  }
  const Nf4File file(path);
  expect_codes_of_bitsandbytes(file);
  expect_values_of_bitsandbytes(file);
}

// Any shape from any float type into any other, with rows apart and tensors that end within a
// block.
TEST_P(Nf4Test, EveryLayoutDecodesToItsDefinition) {
  std::uint32_t stream = 1;
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{5, 64}, Shape{4, 65}, Shape{2, 3, 96},
                             Shape{300, 64}, Shape{7, 2400}, Shape{16, 8, 3, 3}}) {
    for (const DType type : kTypes) {
      std::vector<float> x = normal(shape.count(), stream++, 0.02F);
      std::vector<bfloat16> halves(x.begin(), x.end());
      Blocks from_f32(type, shape), from_bf16(type, shape);
      kernels->quantize(View(halves.data(), DType::bf16, shape), {}, from_bf16.view(), {}, {});
      std::transform(halves.begin(), halves.end(), x.begin(),
                     [](bfloat16 v) { return static_cast<float>(v); });
      kernels->quantize(f32(x, shape), {}, from_f32.view(), {}, {});
      const std::size_t last = static_cast<std::size_t>((shape.count() + 1) / 2);
      EXPECT_TRUE(std::equal(from_f32.bytes.begin(), from_f32.bytes.begin() + last,
                             from_bf16.bytes.begin()));
      const std::vector<float> want = from_f32.values();
      EXPECT_EQ(decode(from_f32), want) << shape.str();
      const std::int64_t rows = shape.rows(), cols = shape.cols();
      for (const DType to : {DType::f16, DType::bf16, DType::f64}) {
        for (const std::int64_t gap : {0, 3, 8}) {
          dispatch_float(to, [&]<typename T>() {
            std::vector<T> out(static_cast<std::size_t>(rows * (cols + gap)));
            View v(out.data(), to, {rows, cols});
            v.row_stride = cols + gap;
            kernels->dequantize(View(from_f32.bytes.data(), type, {rows, cols}), {}, v);
            for (std::int64_t i = 0; i < shape.count(); ++i) {
              const T found = out[static_cast<std::size_t>(i / cols * (cols + gap) + i % cols)];
              ASSERT_EQ(static_cast<float>(found),
                        static_cast<float>(T(want[static_cast<std::size_t>(i)])));
            }
          });
        }
      }
    }
  }
}

// The error of a Gaussian: 20.7 dB with exact scales, and little more is lost by scales in 8 bits.
TEST_P(Nf4Test, KeepsAGaussian) {
  const Shape shape{256, 1024};
  std::vector<float> x = normal(shape.count(), 77, 0.003F);
  for (const DType type : kTypes) {
    Blocks blocks(type, shape);
    kernels->quantize(f32(x, shape), {}, blocks.view(), {}, {});
    double signal = 0, noise = 0;
    const std::vector<float> back = decode(blocks);
    for (std::size_t i = 0; i < x.size(); ++i) {
      signal += static_cast<double>(x[i]) * x[i];
      noise += (static_cast<double>(x[i]) - back[i]) * (static_cast<double>(x[i]) - back[i]);
    }
    EXPECT_NEAR(10 * std::log10(signal / noise), 20.7, 0.2);
  }
}

// Q19: scales in 8 bits are never exactly 0, so zeros need the code of 0.
TEST_P(Nf4Test, ABlockOfZerosStaysZeros) {
  const Shape shape{4, 96};
  for (const float tiny : {0.0F, -0.0F, 1e-39F}) {
    std::vector<float> x(static_cast<std::size_t>(shape.count()), tiny);
    for (const DType type : kTypes) {
      for (const bool others : {false, true}) {
        std::fill_n(x.begin() + 128, 64, others ? 3.0F : tiny);
        Blocks blocks(type, shape);
        kernels->quantize(f32(x, shape), {}, blocks.view(), {}, {});
        std::vector<float> want(x.size(), 0.0F);
        const std::vector<float> back = decode(blocks);
        std::copy_n(back.begin() + 128, others ? 64 : 0, want.begin() + 128);
        EXPECT_EQ(back, want);
      }
    }
  }
}

// There is no code for NaN: the scale holds it, where that is doubly quantised the group's.
TEST_P(Nf4Test, ABlockWithANonFiniteValueIsNan) {
  const std::int64_t count = kNf4Block * (kNf4Group + 9);
  for (const float odd : {kNan, kInf, -kInf}) {
    for (const DType type : kTypes) {
      std::vector<float> x = normal(count, 3);
      x[70] = odd;
      Blocks blocks(type, {1, count});
      kernels->quantize(f32(x, {1, count}), {}, blocks.view(), {}, {});
      const std::vector<float> back = decode(blocks);
      for (std::int64_t i = 64; i < 128; ++i) {
        EXPECT_TRUE(std::isnan(back[static_cast<std::size_t>(i)]));
      }
      const std::int64_t whole = type == DType::nf4 ? kNf4Group * kNf4Block : 128;
      for (std::int64_t i = whole; i < count; ++i) {
        ASSERT_FALSE(std::isnan(back[static_cast<std::size_t>(i)])) << i;
      }
    }
  }
}

TEST_P(Nf4Test, TakesNoFactorsAndNoScales) {
  std::vector<float> x(64, 1.0F), one(1), back(64);
  const Shape shape{1, 64};
  Blocks blocks(DType::nf4, shape);
  const View in = f32(x, shape), scale = f32(one, {1}), factor = f32(x, {64});
  EXPECT_THROW(kernels->quantize(in, {}, blocks.view(), scale, {}), KernelError);
  EXPECT_THROW(kernels->quantize(in, factor, blocks.view(), {}, {}), KernelError);
  EXPECT_THROW(kernels->dequantize(blocks.view(), scale, f32(back, shape)), KernelError);
  EXPECT_THROW(kernels->dequantize(blocks.view(), {}, f32(back, {1, 32})), KernelError);
  std::vector<double> wide(64, 1.0);
  EXPECT_THROW(kernels->quantize(View(wide.data(), DType::f64, shape), {}, blocks.view(), {}, {}),
               KernelError);
}

TEST(Nf4Layout, TakesTheBytesOfItsParts) {
  for (const std::int64_t count : {1, 63, 64, 65, 16384, 16385, 1310720}) {
    const std::int64_t blocks = nf4_blocks(count), groups = nf4_groups(count);
    const auto codes = static_cast<std::size_t>((count + 1) / 2 + 63) / 64 * 64;
    EXPECT_EQ(stored_bytes(DType::nf4_fp32, count), codes + static_cast<std::size_t>(4 * blocks));
    EXPECT_EQ(stored_bytes(DType::nf4, count),
              codes + static_cast<std::size_t>(4 * (257 + groups) + blocks));
  }
  EXPECT_EQ(stored_bytes(DType::bf16, 3), 6U);
  // 4.127 bits a value, of a matrix of SDXL.
  EXPECT_NEAR(8.0 * static_cast<double>(stored_bytes(DType::nf4, 1280 * 5120)) / (1280 * 5120),
              4.127, 2e-3);
}

TEST(Nf4Layout, HasNoBytesOfOneElement) {
  EXPECT_THROW(dtype_size(DType::nf4), std::logic_error);
}

// What reads codes itself gives what it gives for the decoded weight.
class Nf4Products : public Nf4Test {
 protected:
  void SetUp() override {
    if (!kernels->decodes_weights()) {
      GTEST_SKIP() << "this backend reads decoded weights only";
    }
  }
};

TEST_P(Nf4Products, OfMatricesAreThoseOfTheDecodedWeight) {
  for (const DType type : kTypes) {
    for (const std::int64_t m : {1, 7, 40}) {
      for (const auto& [n, k] :
           {std::pair<std::int64_t, std::int64_t>{33, 130}, {64, 192}, {5, 63}}) {
        std::vector<float> w = normal(n * k, 9);
        Blocks blocks(type, {n, k});
        kernels->quantize(f32(w, {n, k}), {}, blocks.view(), {}, {});
        for (const DType compute : {DType::f32, DType::bf16, DType::f16}) {
          dispatch_float(compute, [&]<typename T>() {
            const std::vector<float> random = normal(m * std::max(n, k), 10);
            const std::vector<T> x(random.begin(), random.end());
            std::vector<T> wide(static_cast<std::size_t>(n * k));
            const View plain(wide.data(), compute, {n, k});
            kernels->dequantize(blocks.view(), {}, plain);
            for (const bool transposed : {true, false}) {
              const std::int64_t depth = transposed ? k : n, width = transposed ? n : k;
              const View a(const_cast<T*>(x.data()), compute, {m, depth});
              std::vector<T> direct(static_cast<std::size_t>(m * width)), want(direct.size());
              MatmulOptions options;
              options.transpose_b = transposed;
              kernels->matmul(a, blocks.view(), {}, View(direct.data(), compute, {m, width}),
                              options);
              kernels->matmul(a, plain, {}, View(want.data(), compute, {m, width}), options);
              EXPECT_EQ(std::memcmp(direct.data(), want.data(), want.size() * sizeof(T)), 0)
                  << dtype_name(type) << " " << m << " " << n << " " << k << " " << transposed;
            }
          });
        }
      }
    }
  }
}

TEST_P(Nf4Products, OfConvolutionsAreThoseOfTheDecodedWeight) {
  const std::int64_t ci = 20, co = 12, side = 6;
  ConvOptions options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  std::vector<float> w = normal(co * ci * 9, 11);
  Blocks blocks(DType::nf4, {co, ci, 3, 3});
  kernels->quantize(f32(w, {co, ci * 9}), {}, View(blocks.bytes.data(), DType::nf4, {co, ci * 9}),
                    {}, {});
  for (const DType compute : {DType::f32, DType::bf16}) {
    dispatch_float(compute, [&]<typename T>() {
      const std::vector<float> random = normal(side * side * std::max(ci, co), 12);
      const std::vector<T> x(random.begin(), random.end());
      std::vector<T> wide(w.size());
      const View plain(wide.data(), compute, {co, ci, 3, 3});
      kernels->dequantize(View(blocks.bytes.data(), DType::nf4, {co, ci * 9}), {},
                          View(wide.data(), compute, {co, ci * 9}));
      const auto of = [&](const View& weight, bool forward) {
        const std::int64_t from = forward ? ci : co, to = forward ? co : ci;
        const View in(const_cast<T*>(x.data()), compute, {1, side, side, from});
        std::vector<T> out(static_cast<std::size_t>(side * side * to));
        const View result(out.data(), compute, {1, side, side, to});
        forward ? kernels->conv2d(in, weight, {}, result, options, false)
                : kernels->conv2d_backward_data(in, weight, result, options, false);
        return std::vector<std::uint8_t>(reinterpret_cast<std::uint8_t*>(out.data()),
                                         reinterpret_cast<std::uint8_t*>(out.data() + out.size()));
      };
      for (const bool forward : {true, false}) {
        EXPECT_EQ(of(blocks.view(), forward), of(plain, forward)) << forward;
      }
    });
  }
}

MANTISSA_FOR_EACH_BACKEND(Nf4Test);
MANTISSA_FOR_EACH_BACKEND(Nf4Products);

}  // namespace
}  // namespace mantissa
