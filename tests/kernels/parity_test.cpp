#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/cpu/cpu.h"
#include "kernels/statistics.h"
#include "tests/kernels/backends.h"
#include "tests/kernels/golden_cases.h"

// Every backend's kernels against the CPU's over awkward shapes: single elements, primes, tails of
// packs, slices of wider tensors, empty ones. Outputs start as NaNs, and elements between the rows
// of a slice must not change.

namespace mantissa::testing {
namespace {

constexpr DType kFloats[] = {DType::f64, DType::f32, DType::f16, DType::bf16};
constexpr DType kAllFloats[] = {DType::f64,  DType::f32,     DType::f16,
                                DType::bf16, DType::f8_e4m3, DType::f8_e5m2};

/// Columns around a slice.
struct Margin {
  std::int64_t before = 0, after = 0;
};
constexpr Margin kMargins[] = {{0, 0}, {0, 3}, {8, 8}, {1, 0}};

/// A view on some columns of a wider tensor.
struct Slice {
  Tensor memory;
  View view;
  Slice() = default;
  Slice(DType dtype, const Shape& shape, Margin margin, std::uint64_t seed) {
    const std::int64_t wide = shape.cols() + margin.before + margin.after;
    memory = hash_tensor(dtype, {shape.count() == 0 ? 0 : shape.rows(), wide}, seed, 3.0F);
    view =
        View(memory.view.as<char>() + margin.before * static_cast<std::int64_t>(dtype_size(dtype)),
             dtype, shape);
    view.row_stride = margin.before + margin.after == 0 ? shape.cols() : wide;
  }
  /// Every bit set: a NaN.
  void poison() { std::fill(memory.bytes.begin(), memory.bytes.end(), std::uint8_t{0xff}); }
};

/// Tolerance of results: ulps of the value, or of the tensor's largest if differences of large
/// numbers are small.
struct Tolerance {
  double ulps = 0;
  bool of_top = false;
};
constexpr Tolerance kExact{};

/// The calls of one op: inputs first, the output last.
using Call = std::function<void(Kernels&, const std::vector<View>& in, const View& out)>;

class KernelParity : public ::testing::TestWithParam<TestBackend> {
 protected:
  std::unique_ptr<Kernels> device = GetParam().make();
  std::unique_ptr<Kernels> cpu = make_cpu_kernels(1);

  void compare(const Slice& got, const Slice& expected, Tolerance tolerance) {
    ASSERT_EQ(got.memory.bytes.size(), expected.memory.bytes.size());
    if (tolerance.ulps == 0 || got.memory.bytes == expected.memory.bytes) {
      ASSERT_EQ(got.memory.bytes, expected.memory.bytes);
      return;
    }
    const double unit = std::ldexp(1.0, -float_format(got.view.dtype).mantissa_bits);
    const std::int64_t wide = got.memory.view.cols();
    const std::int64_t first = (got.view.as<char>() - got.memory.view.as<char>()) /
                               static_cast<std::int64_t>(dtype_size(got.view.dtype));
    double top = 0;
    for (std::int64_t i = 0; i < got.memory.view.count(); ++i) {
      const double e = expected.memory.get(i);
      top = std::isfinite(e) ? std::max(top, std::fabs(e)) : top;
    }
    for (std::int64_t i = 0; i < got.memory.view.count(); ++i) {
      const std::int64_t col = i % wide - first;
      const double g = got.memory.get(i), e = expected.memory.get(i);
      if (col < 0 || col >= got.view.cols()) {
        ASSERT_TRUE(std::isnan(g)) << "written between the rows, at " << i;
      } else {
        const double size = tolerance.of_top ? top : std::fabs(e) + 1e-3 * std::min(1.0, top);
        ASSERT_LE(std::fabs(g - e), tolerance.ulps * unit * size)
            << "element " << i << ": " << g << ", " << e;
      }
    }
  }

  /// Runs `call` with inputs of `shapes` on both backends; packed if `margins` is off.
  void check(DType dtype, const std::vector<Shape>& in_shapes, const Shape& out_shape,
             Tolerance tolerance, const Call& call, bool margins = true,
             DType out_type = DType::i32) {
    const DType to = out_type == DType::i32 ? dtype : out_type;
    for (const Margin& margin : kMargins) {
      SCOPED_TRACE(std::string(dtype_name(dtype)) + " -> " + out_shape.str() + " margins " +
                   std::to_string(margin.before) + ", " + std::to_string(margin.after));
      std::vector<Slice> in;
      std::vector<View> views;
      for (std::size_t i = 0; i < in_shapes.size(); ++i) {
        in.emplace_back(dtype, in_shapes[i], margin, i + 1);
        views.push_back(in.back().view);
      }
      Slice got(to, out_shape, margin, 99), expected(to, out_shape, margin, 99);
      got.poison();
      expected.poison();
      call(*cpu, views, expected.view);
      call(*device, views, got.view);
      compare(got, expected, tolerance);
      if (HasFatalFailure() || !margins) {
        return;
      }
    }
  }
};
MANTISSA_FOR_EACH_BACKEND(KernelParity);

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> kShapes = {{1, 1},        {1, 7}, {3, 1},     {5, 13},   {7, 64},
                                             {2, 3, 33},    {0, 8}, {1000, 3},  {2, 4099}, {3, 0},
                                             {1, 2, 2, 40}, {17},   {2, 2, 256}};
  return kShapes;
}

TEST_P(KernelParity, CopiesConvertEveryPairOfTypes) {
  // Every bfloat16 number and its neighbours in fp32, ties of narrow types among them.
  std::vector<double> values;
  for (std::uint32_t high = 0; high < 0x10000u; high += 7) {
    for (std::uint32_t low : {0u, 1u, 0x7fffu, 0x8000u, 0x1000u}) {
      values.push_back(static_cast<double>(std::bit_cast<float>(high << 16 | low)));
    }
  }
  for (double tie : {1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-8, 1 + 0x1p-8 - 0x1p-40, 1e300,
                     -1e300, 1e-300, 0x1p-25, 0x1p-25 + 0x1p-60, 65520.0, 65519.999999}) {
    values.push_back(tie);
  }
  const Shape shape{static_cast<std::int64_t>(values.size())};
  Tensor source(DType::f64, shape);
  std::memcpy(source.view.data, values.data(), source.bytes.size());
  for (DType from : kAllFloats) {
    Tensor in(from, shape);
    cpu->copy(source.view, in.view);
    for (DType to : kAllFloats) {
      Tensor got(to, shape), expected(to, shape);
      cpu->copy(in.view, expected.view);
      device->copy(in.view, got.view);
      // A NaN's payload is free.
      Tensor wide(DType::f64, shape), wide_got(DType::f64, shape);
      cpu->copy(expected.view, wide.view);
      cpu->copy(got.view, wide_got.view);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t at = i * dtype_size(to);
        if (std::isnan(wide.get(static_cast<std::int64_t>(i)))) {
          ASSERT_TRUE(std::isnan(wide_got.get(static_cast<std::int64_t>(i)))) << values[i];
        } else {
          ASSERT_EQ(std::memcmp(got.bytes.data() + at, expected.bytes.data() + at, dtype_size(to)),
                    0)
              << dtype_name(from) << " to " << dtype_name(to) << ": " << values[i];
        }
      }
    }
  }
}

TEST_P(KernelParity, CopiesOfSlices) {
  for (const Shape& shape : shapes()) {
    for (DType from : kFloats) {
      for (DType to : kFloats) {
        check(
            from, {shape}, shape, kExact,
            [](Kernels& k, const auto& in, const View& out) { k.copy(in[0], out); }, true, to);
      }
    }
  }
  for (DType type : {DType::u8, DType::i32, DType::i64}) {
    std::vector<std::uint8_t> in(8 * 33), got(in.size(), 9), expected(got);
    std::iota(in.begin(), in.end(), std::uint8_t{0});
    const auto slice = [&](std::vector<std::uint8_t>& bytes) {
      View v(bytes.data(), type, {3, 5});
      v.row_stride = 8;
      return v;
    };
    cpu->copy(slice(in), slice(expected));
    device->copy(slice(in), slice(got));
    EXPECT_EQ(got, expected);
  }
}

TEST_P(KernelParity, Elementwise) {
  for (const Shape& s : shapes()) {
    for (DType t : kFloats) {
      check(t, {}, s, kExact,
            [](Kernels& k, const auto&, const View& out) { k.fill(out, -1.37F); });
      check(t, {s, s}, s, kExact,
            [](Kernels& k, const auto& in, const View& out) { k.add(in[0], in[1], out); });
      check(t, {s, s}, s, kExact,
            [](Kernels& k, const auto& in, const View& out) { k.multiply(in[0], in[1], out); });
      check(t, {s}, s, kExact,
            [](Kernels& k, const auto& in, const View& out) { k.scale(in[0], 0.3F, out); });
      check(
          t, {s}, s, kExact,
          [](Kernels& k, const auto& in, const View& out) {
            k.dropout(in[0], 0.3F, {5, 1, 2, 3}, out);
          },
          false);
    }
  }
}

TEST_P(KernelParity, InPlace) {
  for (const Shape& s : shapes()) {
    for (DType t : kFloats) {
      check(t, {s}, s, kExact, [](Kernels& k, const auto& in, const View& out) {
        k.copy(in[0], out);
        k.add(out, in[0], out);
        k.multiply(in[0], out, out);
        k.add(out, out, out);
        k.scale(out, 0.7F, out);
      });
      check(t, {s}, s, {8, true}, [](Kernels& k, const auto& in, const View& out) {
        k.copy(in[0], out);
        k.unary_backward(Unary::silu, out, in[0], out);
        k.unary(Unary::gelu_erf, out, out);
      });
    }
  }
}

TEST_P(KernelParity, SlicesOfOneTensor) {
  // Rows of one slice are between those of the others.
  for (DType t : kFloats) {
    for (std::int64_t c : {1, 5, 16}) {
      Tensor got = hash_tensor(t, {7, 3 * c}, 1), expected = hash_tensor(t, {7, 3 * c}, 1);
      const auto slice = [&](const Tensor& memory, std::int64_t i) {
        View v(memory.view.as<char>() + i * c * static_cast<std::int64_t>(dtype_size(t)), t,
               {7, c});
        v.row_stride = 3 * c;
        return v;
      };
      for (auto [k, m] : {std::pair(device.get(), &got), std::pair(cpu.get(), &expected)}) {
        k->add(slice(*m, 0), slice(*m, 2), slice(*m, 1));
        k->multiply(slice(*m, 1), slice(*m, 0), slice(*m, 0));
      }
      EXPECT_EQ(got.bytes, expected.bytes) << dtype_name(t) << " " << c;
    }
  }
}

TEST_P(KernelParity, Activations) {
  for (const Shape& s : shapes()) {
    Shape twice = s;
    twice[-1] *= 2;
    for (DType t : kFloats) {
      const Tolerance tolerance{8, true};
      for (Unary kind : kUnaries) {
        check(t, {s}, s, tolerance,
              [&](Kernels& k, const auto& in, const View& out) { k.unary(kind, in[0], out); });
        check(t, {s, s}, s, tolerance, [&](Kernels& k, const auto& in, const View& out) {
          k.unary_backward(kind, in[0], in[1], out);
        });
      }
      for (Unary kind : {Unary::silu, Unary::gelu_erf}) {
        check(t, {twice}, s, tolerance, [&](Kernels& k, const auto& in, const View& out) {
          k.glu(kind, half_of(in[0], 1), half_of(in[0], 0), out);
        });
        check(t, {s, twice}, twice, tolerance, [&](Kernels& k, const auto& in, const View& out) {
          k.glu_backward(kind, in[0], half_of(in[1], 1), half_of(in[1], 0), half_of(out, 1),
                         half_of(out, 0));
        });
      }
    }
  }
}

TEST_P(KernelParity, ActivationsOfLargeAndSpecialValues) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> x{0.0F,  -0.0F,  1e-30F, -1e-30F, 5.0F, -5.0F, 12.0F, -12.0F,
                       80.0F, -80.0F, 90.0F,  -90.0F,  1e4F, -1e4F, 1e30F, std::nanf("")};
  std::vector<float> d(x.size(), 1.0F), got(x.size()), expected(x.size());
  const auto view = [](std::vector<float>& v) {
    return View(v.data(), DType::f32, {static_cast<std::int64_t>(v.size())});
  };
  for (Unary kind : kUnaries) {
    if (kind == Unary::exponential) {
      continue;  // infinite where these are large
    }
    for (bool backward : {false, true}) {
      for (auto [k, out] : {std::pair(cpu.get(), &expected), std::pair(device.get(), &got)}) {
        backward ? k->unary_backward(kind, view(d), view(x), view(*out))
                 : k->unary(kind, view(x), view(*out));
      }
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (backward && std::fabs(x[i]) > 1e9F) {
          continue;  // x² overflows, where the two round differently
        }
        EXPECT_EQ(std::isnan(got[i]), std::isnan(expected[i])) << x[i];
        if (!std::isnan(expected[i])) {
          EXPECT_NEAR(got[i], expected[i], 1e-6F * std::fabs(expected[i]) + 1e-7F) << x[i];
        }
        EXPECT_FALSE(got[i] == kInf && std::fabs(x[i]) < 1e9F) << x[i];
      }
    }
  }
}

TEST_P(KernelParity, PerSample) {
  for (const Shape& s :
       {Shape{1, 1}, Shape{1, 5, 7}, Shape{3, 1, 64}, Shape{2, 11, 13}, Shape{4, 3, 5, 40},
        Shape{2, 700, 33}, Shape{0, 4, 8}, Shape{2, 0, 8}, Shape{1, 3000, 8}}) {
    for (std::int64_t batch : {s[0], std::int64_t{1}}) {
      const Shape vector{batch, s.cols()};
      for (DType t : kFloats) {
        SCOPED_TRACE(s.str());
        check(t, {s, vector}, s, kExact, [](Kernels& k, const auto& in, const View& out) {
          k.add_per_sample(in[0], in[1], out);
        });
        check(t, {s, vector, vector}, s, kExact, [](Kernels& k, const auto& in, const View& out) {
          k.modulate(in[0], in[1], in[2], out);
        });
        check(t, {s, vector}, s, kExact, [](Kernels& k, const auto& in, const View& out) {
          k.modulate(in[0], in[1], {}, out);
        });
        check(t, {s, s, vector}, s, kExact, [](Kernels& k, const auto& in, const View& out) {
          k.gated_add(in[0], in[1], in[2], out);
        });
        check(t, {s, vector}, s, kExact, [](Kernels& k, const auto& in, const View& out) {
          k.gated_add({}, in[0], in[1], out);
        });
        for (DType to : {t, t == DType::f64 ? DType::f64 : DType::f32}) {
          const Tolerance tolerance{16, true};
          check(
              t, {s}, vector, tolerance,
              [](Kernels& k, const auto& in, const View& out) {
                k.sum_per_sample(in[0], out, false);
                k.sum_per_sample(in[0], out, true);
              },
              true, to);
          check(
              t, {s, s}, vector, tolerance,
              [](Kernels& k, const auto& in, const View& out) {
                k.dot_per_sample(in[0], in[1], out);
              },
              true, to);
        }
      }
    }
  }
}

TEST_P(KernelParity, TokensAndEmbeddings) {
  std::vector<std::int32_t> index{2, 0, 4}, ids{5, 1, 5, 0, 5, 1, 9};
  const View index_view(index.data(), DType::i32, {3}), ids_view(ids.data(), DType::i32, {7});
  for (std::int64_t width : {1, 7, 32, 300}) {
    for (DType t : kFloats) {
      check(t, {{3, 5, width}}, {3, width}, kExact,
            [&](Kernels& k, const auto& in, const View& out) {
              k.gather_tokens(in[0], index_view, out);
            });
      check(t, {{3, width}}, {3, 5, width}, kExact,
            [&](Kernels& k, const auto& in, const View& out) {
              k.scatter_tokens(in[0], index_view, out);
            });
      check(t, {{10, width}}, {7, width}, kExact, [&](Kernels& k, const auto& in, const View& out) {
        k.embedding(in[0], ids_view, out);
      });
      for (DType to : {t, t == DType::f64 ? DType::f64 : DType::f32}) {
        // A narrow table is rounded once here, after each row there.
        check(
            t, {{7, width}}, {10, width},
            to == t && dtype_size(t) == 2 ? Tolerance{4, true} : kExact,
            [&](Kernels& k, const auto& in, const View& out) {
              k.fill(out, 0.5F);
              k.embedding_backward(in[0], ids_view, out);
            },
            true, to);
      }
      // The narrow ones have more rows than a thread takes at once.
      const std::int64_t m = width == 1 ? 130 : 3, n = width == 1 ? 170 : 5;
      check(
          t, {{2, m, n, width}}, {2, n, m, width}, kExact,
          [](Kernels& k, const auto& in, const View& out) { k.swap_middle(in[0], out); }, false);
    }
  }
  std::vector<float> t{0.0F, 1.0F, 17.5F, 999.0F};
  std::vector<double> wide(t.begin(), t.end());
  for (DType type : kFloats) {
    const View steps =
        type == DType::f64 ? View(wide.data(), type, {4}) : View(t.data(), DType::f32, {4});
    // A frequency may differ in its last bit, and the angle is up to 999 times that.
    const double ulps = type == DType::f64 ? 999 : 2;
    for (std::int64_t width : {2, 10, 320}) {
      check(type, {}, {4, width}, {ulps, true},
            [&](Kernels& k, const auto&, const View& out) { k.timestep_embedding(steps, out); });
    }
  }
}

TEST_P(KernelParity, Resampling) {
  for (const auto& [small, large] : {std::pair(Shape{1, 1, 1, 1}, Shape{1, 1, 1, 1}),
                                     std::pair(Shape{2, 3, 5, 8}, Shape{2, 6, 10, 8}),
                                     std::pair(Shape{1, 4, 3, 7}, Shape{1, 7, 5, 7}),
                                     std::pair(Shape{2, 2, 2, 40}, Shape{2, 5, 2, 40}),
                                     std::pair(Shape{0, 2, 2, 4}, Shape{0, 4, 4, 4})}) {
    for (DType t : kFloats) {
      check(t, {small}, large, kExact,
            [](Kernels& k, const auto& in, const View& out) { k.upsample_nearest(in[0], out); });
      check(t, {large}, small, kExact, [](Kernels& k, const auto& in, const View& out) {
        k.upsample_nearest_backward(in[0], out);
      });
    }
  }
}

TEST_P(KernelParity, NoiseAndLoss) {
  for (const Shape& s : {Shape{1}, Shape{1, 7}, Shape{3, 13}, Shape{2, 5, 64}, Shape{3, 9001}}) {
    for (DType t : kFloats) {
      const DType wide = t == DType::f64 ? DType::f64 : DType::f32;
      const Tensor a = hash_tensor(wide, {s[0]}, 5), w = hash_tensor(wide, {s[0]}, 6);
      const Tensor width = hash_tensor(wide, {s[0]}, 8, 0.5F, 0.75F);
      const Tensor d_loss = hash_tensor(wide, {}, 7, 100.0F);
      check(
          t, {}, s, kExact,
          [](Kernels& k, const auto&, const View& out) {
            k.normal(out, {9, 8, 7, 6});
          },
          false);
      check(
          t, {s, s}, s, kExact,
          [&](Kernels& k, const auto& in, const View& out) {
            k.add_noise(in[0], in[1], a.view, w.view, out);
          },
          false);
      check(
          t, {s, s}, {s[0]}, {16, true},
          [&](Kernels& k, const auto& in, const View& out) {
            Tensor loss(wide, {});
            k.mse_loss(in[0], in[1], w.view, out, loss.view);
            double mean = 0;
            for (std::int64_t b = 0; b < s[0]; ++b) {
              mean += (wide == DType::f64 ? out.as<double>()[b] : out.as<float>()[b]) /
                      static_cast<double>(s[0]);
            }
            EXPECT_NEAR(loss.get(0), mean, 1e-6 * (1 + std::fabs(mean)));
          },
          false, wide);
      check(
          t, {s, s}, s, kExact,
          [&](Kernels& k, const auto& in, const View& out) {
            k.mse_loss_backward(d_loss.view, in[0], in[1], w.view, out);
          },
          false);
      check(
          t, {s, s}, {s[0]}, {16, true},
          [&](Kernels& k, const auto& in, const View& out) {
            Tensor loss(wide, {});
            k.huber_loss(in[0], in[1], w.view, width.view, out, loss.view);
          },
          false, wide);
      check(
          t, {s, s}, s, {16, true},
          [&](Kernels& k, const auto& in, const View& out) {
            k.huber_loss_backward(d_loss.view, in[0], in[1], w.view, width.view, out);
          },
          false);
    }
  }
}

TEST_P(KernelParity, LargeTensorsTakeManyBlocks) {
  const Shape s{2, 3, 700001};  // more packs than threads of a grid, and a tail
  for (DType t : {DType::f32, DType::bf16}) {
    check(
        t, {s, s}, s, kExact,
        [](Kernels& k, const auto& in, const View& out) { k.add(in[0], in[1], out); }, false);
    check(
        t, {s}, s, kExact,
        [](Kernels& k, const auto& in, const View& out) {
          k.dropout(in[0], 0.5F, {1, 2, 3, 4}, out);
        },
        false);
  }
}

}  // namespace
}  // namespace mantissa::testing
