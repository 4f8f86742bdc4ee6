#include "kernels/dtype.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <vector>

#include "kernels/cpu/cpu.h"
#include "tests/kernels/golden_cases.h"

namespace mantissa::testing {
namespace {

std::uint32_t decoded_bits(float f) {
  return std::isnan(f) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(f);
}

template <typename T>
T from_code(std::uint32_t code) {
  T t;
  t.bits = static_cast<decltype(t.bits)>(code);
  return t;
}

/// The tables of tests/golden/make_dtypes.py, read in order.
class Tables {
 public:
  Tables() {
    std::ifstream file(std::string(MANTISSA_TEST_DATA) + "/golden/dtypes.bin", std::ios::binary);
    data_.assign(std::istreambuf_iterator<char>(file), {});
  }
  template <typename U>
  U next() {
    U value{};
    if (at_ + sizeof value > data_.size()) {
      throw std::runtime_error("dtypes.bin is too short");
    }
    std::memcpy(&value, data_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  bool done() const { return at_ == data_.size(); }

 private:
  std::vector<char> data_;
  std::size_t at_ = 0;
};

template <typename T>
void check_type(Tables& tables, int width) {
  if (width == 8) {
    for (std::uint32_t code = 0; code < 256; ++code) {
      ASSERT_EQ(decoded_bits(static_cast<float>(from_code<T>(code))), tables.next<std::uint32_t>())
          << code;
    }
  } else {
    for (std::uint32_t block = 0; block < 256; ++block) {
      std::uint64_t hash = 0xCBF29CE484222325u;
      for (std::uint32_t code = block * 256; code < (block + 1) * 256; ++code) {
        const std::uint32_t bits = decoded_bits(static_cast<float>(from_code<T>(code)));
        for (int shift = 0; shift < 32; shift += 8) {
          hash = (hash ^ ((bits >> shift) & 0xffu)) * 0x100000001B3u;
        }
      }
      ASSERT_EQ(hash, tables.next<std::uint64_t>()) << "codes from " << block * 256;
    }
  }
  const auto inputs = tables.next<std::uint32_t>();
  ASSERT_GT(inputs, 300u);
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const float value = std::bit_cast<float>(tables.next<std::uint32_t>());
    const auto code = tables.next<std::uint16_t>();
    const T encoded(value);
    if (code == 0xffff) {
      ASSERT_TRUE(std::isnan(static_cast<float>(encoded))) << value;
    } else {
      ASSERT_EQ(encoded.bits, code) << value;
    }
  }
  // Every number survives the round trip.
  for (std::uint32_t code = 0; code < (1u << width); ++code) {
    const float f = static_cast<float>(from_code<T>(code));
    if (!std::isnan(f)) {
      ASSERT_EQ(T(f).bits, code);
    }
  }
}

TEST(Dtype, ConversionsMatchPyTorch) {
  Tables tables;
  check_type<float16>(tables, 16);
  check_type<bfloat16>(tables, 16);
  check_type<float8_e4m3>(tables, 8);
  check_type<float8_e5m2>(tables, 8);
  EXPECT_TRUE(tables.done());
}

/// The copy op's vector conversions give the bits of the scalar ones.
void check_copies(CpuIsa isa) {
  const auto k = make_cpu_kernels(2, isa);
  std::vector<float> values;
  for (std::uint32_t i = 0; i < 70000; ++i) {
    values.push_back(std::bit_cast<float>(i * 61357u));
  }
  const Shape shape{static_cast<std::int64_t>(values.size())};
  const View in(values.data(), DType::f32, shape);
  const auto check = [&]<typename T>(DType dtype) {
    Tensor narrow(dtype, shape), back(DType::f32, shape);
    k->copy(in, narrow.view);
    k->copy(narrow.view, back.view);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T expected(values[i]);
      if (std::isnan(static_cast<float>(expected))) {
        ASSERT_TRUE(std::isnan(back.view.as<float>()[i]));
        continue;
      }
      ASSERT_EQ(narrow.view.as<T>()[i].bits, expected.bits) << values[i];
      ASSERT_EQ(decoded_bits(back.view.as<float>()[i]), decoded_bits(static_cast<float>(expected)));
    }
  };
  check.template operator()<float16>(DType::f16);
  check.template operator()<bfloat16>(DType::bf16);
  check.template operator()<float8_e4m3>(DType::f8_e4m3);
  check.template operator()<float8_e5m2>(DType::f8_e5m2);
}

TEST(Dtype, CopyConvertsLikeTheScalars) {
  check_copies(CpuIsa::best);
}
TEST(Dtype, CopyConvertsLikeTheScalarsOnAvx2) {
  check_copies(CpuIsa::avx2);
}

TEST(Dtype, DoubleRoundsToHalfOnce) {
  const auto k = make_cpu_kernels(1);
  // Just above the middle of two fp16 numbers, by less than fp32 can show.
  double values[] = {1.0 + 0x1p-11 + 0x1p-40, 1.0 + 0x1p-11, 1.0 + 0x1p-11 - 0x1p-40,
                     -(1.0 + 0x1p-11 + 0x1p-40)};
  Tensor half(DType::f16, {4});
  k->copy(View(values, DType::f64, {4}), half.view);
  EXPECT_EQ(half.get(0), 1.0 + 0x1p-10);
  EXPECT_EQ(half.get(1), 1.0);
  EXPECT_EQ(half.get(2), 1.0);
  EXPECT_EQ(half.get(3), -(1.0 + 0x1p-10));
}

/// Known answers of the Random123 distribution for Philox4x32-10.
TEST(Philox, KnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

}  // namespace
}  // namespace mantissa::testing
