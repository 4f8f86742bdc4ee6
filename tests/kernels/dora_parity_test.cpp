// DoRA's norms and scaling of channels of every backend against the CPU's.
#include <cmath>
#include <gtest/gtest.h>

#include "kernels/check.h"
#include "kernels/weight_codes.h"
#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

/// Accumulated error of the longest chain of additions, in half ulps of the whole sum: errors of
/// either sign grow like the root of their number.
constexpr double kRoundings = 8;

class DoraParity : public ::testing::TestWithParam<TestBackend> {};
MANTISSA_FOR_EACH_BACKEND(DoraParity);

/// A random weight of any float type, or by finite codes.
const Pair& random_weight(SideBySide& both, DType dtype, const Shape& shape, std::uint64_t seed) {
  if (dtype_size(dtype) > 1) {
    return both.random(dtype, shape, seed, {.scale = 0.5F});
  }
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<std::uint8_t>((i * 2654435761u + seed * 97) >> 7);
    codes[i] &= (codes[i] & 0x7f) >= 0x7c ? 0xbf : 0xff;  // no NaN, no infinity
  }
  return both.given(dtype, shape, codes.data());
}

/// Element i of a packed pair of floats or codes, before a run.
double start_value(const Pair& p, std::int64_t i) {
  const auto at = [&]<typename T>(T) {
    return static_cast<double>(static_cast<accumulator_t<T>>(
        reinterpret_cast<const T*>(p.start.data())[static_cast<std::size_t>(i)]));
  };
  double value = 0;
  const auto read = [&]<typename T>() { value = at(T()); };
  is_coded(p.cpu.dtype) ? dispatch_codes(p.cpu.dtype, read) : dispatch_float(p.cpu.dtype, read);
  return value;
}

/// Per channel the sum of magnitudes of all terms of its squared norm:
/// ‖W‖² + s·Σ B∘(2·W·Aᵀ + s·B·A·Aᵀ) with every number made positive, ‖|W| + s·|B|·|A|‖².
std::vector<double> norm_terms(const Pair& w, const Pair* codes, const Pair& down, const Pair& up,
                               double scale, bool per_input) {
  const Shape& shape = w.cpu.shape;
  const std::int64_t out = shape[0], k = shape.count() / out, area = k / shape[1];
  const std::int64_t rank = down.cpu.shape[0];
  std::vector<double> terms(static_cast<std::size_t>(per_input ? shape[1] : out));
  for (std::int64_t row = 0; row < out; ++row) {
    const double code = codes != nullptr ? start_value(*codes, row) : 1.0;
    for (std::int64_t i = 0; i < k; ++i) {
      double size = std::fabs(code * start_value(w, row * k + i));
      for (std::int64_t j = 0; j < rank; ++j) {
        size += scale * std::fabs(start_value(up, row * rank + j) * start_value(down, j * k + i));
      }
      terms[static_cast<std::size_t>(per_input ? i / area : row)] += size * size;
    }
  }
  return terms;
}

/// Both norms' squares are sums of the same terms in fp32 (fp64 for fp64) in different orders: they
/// differ by a fraction of the terms' magnitudes, regardless of cancellation.
void expect_same_norms(const Pair& norm, const std::vector<double>& terms,
                       const std::string& what) {
  const bool wide = norm.cpu.dtype == DType::f64;
  const double share = kRoundings * (wide ? 0x1p-53 : 0x1p-24);
  for (std::int64_t i = 0; i < norm.cpu.count(); ++i) {
    const auto value = [&](const std::vector<std::uint8_t>& memory) {
      return wide ? reinterpret_cast<const double*>(memory.data())[i]
                  : static_cast<double>(reinterpret_cast<const float*>(memory.data())[i]);
    };
    const double a = value(norm.other_memory), b = value(norm.cpu_memory);
    const double size = terms[static_cast<std::size_t>(i)];
    EXPECT_LE(std::fabs(a * a - b * b), share * size)
        << what << ", channel " << i << ": " << a << ", the CPU has " << b << "; terms " << size;
  }
}

struct NormCase {
  DType weight, factor;
};

TEST_P(DoraParity, OfEveryStorageShapeAndAxis) {
  SideBySide both(GetParam());
  std::uint64_t seed = 1;
  for (const NormCase& c :
       {NormCase{DType::f64, DType::f64}, NormCase{DType::f32, DType::f32},
        NormCase{DType::bf16, DType::f32}, NormCase{DType::f16, DType::bf16},
        NormCase{DType::bf16, DType::f16}, NormCase{DType::f8_e4m3, DType::f32},
        NormCase{DType::f8_e5m2, DType::f16}, NormCase{DType::i8, DType::f32}}) {
    for (const Shape& shape : {Shape{1, 1}, Shape{5, 7}, Shape{65, 33}, Shape{33, 257},
                               Shape{257, 9}, Shape{20, 6, 3, 3}, Shape{9, 40, 1, 1}}) {
      for (std::int64_t rank : {1, 4, 33}) {
        // The rank changes the sums of the factors, which are the same for every narrow storage.
        if (rank != 4 && dtype_size(c.weight) < 4) {
          continue;
        }
        const bool narrow = dtype_size(c.weight) == 1;
        const DType type = c.weight == DType::f64 ? DType::f64 : DType::f32;
        Shape down_shape = shape;
        down_shape[0] = rank;
        const Pair &w = random_weight(both, c.weight, shape, seed++),
                   &down = both.random(c.factor, down_shape, seed++, {.scale = 0.4F}),
                   &up = both.random(c.factor, {shape[0], rank}, seed++, {.scale = 0.4F}),
                   &codes = both.random(DType::f32, {shape[0]}, seed++,
                                        {.scale = 0.001F, .offset = 0.004F});
        for (bool per_input : {false, true}) {
          const Shape channels{per_input ? shape[1] : shape[0]};
          const Pair &squares = both.poisoned(type, channels),
                     &norm = both.poisoned(type, channels);
          both.run([&](Kernels& k, const SideBySide::Choose& choose) {
            DoraNormArgs args{
                choose(w), narrow ? choose(codes) : View(), choose(down), choose(up), {}, 0.75F,
                per_input};
            k.weight_squares(args, choose(squares));
            args.squares = choose(squares);
            k.dora_norm(args, choose(norm));
          });
          const std::string what = "rank " + std::to_string(rank) + ", weight " + shape.str() +
                                   " " + std::string(dtype_name(c.weight)) +
                                   (per_input ? " per input" : " per output");
          both.expect_near(squares, type == DType::f64 ? 1e-14 : 1e-7, what);
          expect_same_norms(
              norm, norm_terms(w, narrow ? &codes : nullptr, down, up, 0.75, per_input), what);
        }
      }
    }
  }
}

TEST_P(DoraParity, OfAWholeChange) {
  SideBySide both(GetParam());
  std::uint64_t seed = 1;
  for (const NormCase& c :
       {NormCase{DType::f64, DType::f64}, NormCase{DType::f32, DType::f32},
        NormCase{DType::bf16, DType::bf16}, NormCase{DType::f16, DType::f16},
        NormCase{DType::f8_e4m3, DType::bf16}, NormCase{DType::i8, DType::f32}}) {
    for (const Shape& shape : {Shape{1, 1}, Shape{65, 33}, Shape{33, 257}, Shape{20, 6, 3, 3}}) {
      const bool narrow = dtype_size(c.weight) == 1;
      const DType type = c.weight == DType::f64 ? DType::f64 : DType::f32;
      const Pair &w = random_weight(both, c.weight, shape, seed++),
                 &change = both.random(c.factor, shape, seed++, {.scale = 0.4F}),
                 &codes = both.random(DType::f32, {shape[0]}, seed++,
                                      {.scale = 0.001F, .offset = 0.004F});
      for (bool per_input : {false, true}) {
        const Pair& norm = both.poisoned(type, {per_input ? shape[1] : shape[0]});
        both.run([&](Kernels& k, const SideBySide::Choose& choose) {
          k.dora_norm({choose(w),
                       narrow ? choose(codes) : View(),
                       choose(change),
                       {},
                       {},
                       0.75F,
                       per_input},
                      choose(norm));
        });
        both.expect_near(norm, type == DType::f64 ? 1e-14 : 3e-7,
                         "weight " + shape.str() + " " + std::string(dtype_name(c.weight)) +
                             (per_input ? " per input" : " per output"));
      }
    }
  }
}

TEST_P(DoraParity, WithoutAnUpdateItIsTheWeightsToTheBit) {
  SideBySide both(GetParam());
  for (DType weight : {DType::f32, DType::bf16, DType::f8_e4m3, DType::i8}) {
    for (bool per_input : {false, true}) {
      const std::vector<float> none(40 * 4);
      const Pair &w = random_weight(both, weight, {40, 50}, 1),
                 &down = both.random(DType::f32, {4, 50}, 2),
                 &up = both.given(DType::f32, {40, 4}, none.data()),
                 &codes = both.random(DType::f32, {40}, 3),
                 &squares = both.poisoned(DType::f32, {per_input ? 50 : 40}),
                 &norm = both.poisoned(DType::f32, {per_input ? 50 : 40});
      both.run([&](Kernels& k, const SideBySide::Choose& choose) {
        DoraNormArgs args{choose(w),    is_coded(weight) ? choose(codes) : View(),
                          choose(down), choose(up),
                          {},           0.75F,
                          per_input};
        k.weight_squares(args, choose(squares));
        args.squares = choose(squares);
        k.dora_norm(args, choose(norm));
      });
      const auto* s = reinterpret_cast<const float*>(squares.other_memory.data());
      const auto* n = reinterpret_cast<const float*>(norm.other_memory.data());
      for (std::int64_t i = 0; i < squares.cpu.count(); ++i) {
        ASSERT_EQ(n[i], std::sqrt(s[i]));
      }
    }
  }
}

TEST_P(DoraParity, VanishingAndNanChannels) {
  SideBySide both(GetParam());
  const float nan = std::nanf("");
  const float numerator[] = {1, 2, 3, 4, 5, nan}, norm[] = {2, 1e-9F, 4, nan, 0, 1},
              squares[] = {4, 1, 1e-30F, 1, 0, 1};
  const Pair &a = both.given(DType::f32, {6}, numerator), &b = both.given(DType::f32, {6}, norm),
             &c = both.given(DType::f32, {6}, squares), &out = both.poisoned(DType::f32, {6});
  const Pair &a64 = both.random(DType::f64, {300}, 1), &b64 = both.random(DType::f64, {300}, 2),
             &c64 = both.random(DType::f64, {300}, 3), &out64 = both.poisoned(DType::f64, {300});
  both.run([&](Kernels& k, const SideBySide::Choose& choose) {
    k.divide_by_norm(choose(a), choose(b), choose(c), 1e-6F, 7.0F, choose(out));
    k.divide_by_norm(choose(a64), choose(b64), choose(c64), 1e-6F, 7.0F, choose(out64));
  });
  both.expect_same(out, "divide_by_norm");
  both.expect_same(out64, "divide_by_norm");
}

TEST_P(DoraParity, ScalesChannelsOfEveryOperandShapeAndLayout) {
  SideBySide both(GetParam());
  std::uint64_t seed = 1;
  for (DType type : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    const DType wide = statistics_dtype(type);
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{2, 5, 64}, Shape{131, 40},
                               Shape{65, 257}, Shape{1, 320}}) {
      for (std::int64_t gap : {0, 3, 8}) {
        const PairOptions layout{.gap = gap};
        const Pair &z = both.random(type, shape, seed++, layout),
                   &v = both.random(type, shape, seed++, layout),
                   &addend = both.random(type, shape, seed++, layout),
                   &bias = both.random(type, {shape.cols()}, seed++),
                   &wide_bias = both.random(wide, {shape.cols()}, seed++),
                   &factor = both.random(wide, {shape.cols()}, seed++, {.offset = 1}),
                   &d_out = both.random(type, shape, seed++, layout);
        const Pair &out = both.poisoned(type, shape, gap), &d_v = both.poisoned(type, shape, gap),
                   &d_factor = both.poisoned(wide, {shape.cols()});
        for (int mode = 0; mode < 6; ++mode) {
          for (bool in_place : {false, true}) {
            both.run([&](Kernels& k, const SideBySide::Choose& choose) {
              const View has_v = mode == 1 ? choose(v) : View();
              const View has_bias = mode == 2   ? choose(bias)
                                    : mode >= 4 ? choose(wide_bias)
                                                : View();
              const View has_addend = mode == 3 || mode == 5 ? choose(addend) : View();
              // Backward first: forward may overwrite z.
              k.scale_channels_backward(choose(d_out), choose(z), has_v, has_bias, has_addend,
                                        choose(factor),
                                        in_place    ? choose(d_out)
                                        : mode == 4 ? View()
                                                    : choose(d_v),
                                        choose(d_factor));
              k.scale_channels(choose(z), has_v, has_bias, has_addend, choose(factor),
                               in_place ? choose(z) : choose(out));
            });
            const std::string what = "mode " + std::to_string(mode) + (in_place ? " in place" : "");
            if (!in_place) {
              both.expect_same(out, what);
              if (mode != 4) {
                both.expect_same(d_v, what);
              }
            }
            both.expect_same(z, what);
            both.expect_same(d_out, what);
            both.expect_near(d_factor, type == DType::f64 ? 1e-14 : 3e-6, what, 1);
            both.run([&](Kernels& k, const SideBySide::Choose& choose) {
              k.scale_channels(choose(z), choose(v), {}, {}, {},
                               in_place ? choose(v) : choose(out));
            });
            both.expect_same(in_place ? v : out, what + ", a sum");
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace mantissa::testing
