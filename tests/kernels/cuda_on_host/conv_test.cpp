#include <gtest/gtest.h>

#include "tests/kernels/cuda_on_host/both_backends.h"

#include "cuda_on_host.h"

namespace mantissa::testing {
namespace {

constexpr DType kDTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16};

struct ConvCase {
  Shape x;
  std::int64_t co, kh, kw;
  int stride = 1, top = 0, left = 0, bottom = 0, right = 0;
  bool bias = false, accumulate = false;
  std::int64_t gap = 0;
  std::size_t part_bytes = 0;
  bool tf32 = false;
};

const ConvCase kCases[] = {
    {{1, 1, 1, 1}, 1, 1, 1},
    {{2, 5, 3, 7}, 11, 1, 1, 1, 0, 0, 0, 0, true, true, 2},
    {{2, 5, 6, 4}, 5, 1, 1, 2},  // one tap, but not in place
    {{2, 7, 5, 8}, 16, 3, 3, 1, 1, 1, 1, 1, true},
    {{1, 6, 9, 3}, 5, 3, 3, 1, 1, 1, 1, 1, false, true},
    {{2, 8, 7, 16}, 8, 3, 3, 2, 1, 1, 1, 1, true, true, 8},
    {{1, 8, 8, 8}, 8, 3, 3, 2, 0, 0, 1, 1, true},             // the VAE's padding
    {{2, 5, 9, 5}, 3, 2, 5, 3, 2, 0, 1, 4, false, false, 1},  // taps not used by some pixels
    {{1, 4, 4, 4}, 8, 4, 4, 4},                               // a patch embedding
    {{1, 3, 3, 2}, 2, 1, 1, 3, 0, 0, 0, 0, false, true},
    {{2, 9, 6, 8}, 6, 3, 3, 1, 1, 1, 1, 1, true, true, 0, 2000},  // parts of pixels
    {{1, 5, 5, 3}, 4, 3, 3, 1, 1, 1, 1, 1, true, false, 0, 1},    // a pixel per part
    {{1, 6, 5, 8}, 4, 3, 3, 1, 1, 1, 1, 1, true, false, 0, 0, true},
};

ConvOptions options_of(const ConvCase& c) {
  ConvOptions o;
  o.stride = c.stride;
  o.pad_top = c.top;
  o.pad_left = c.left;
  o.pad_bottom = c.bottom;
  o.pad_right = c.right;
  o.tf32 = c.tf32;
  return o;
}

Shape out_shape(const ConvCase& c) {
  return {c.x[0], (c.x[1] + c.top + c.bottom - c.kh) / c.stride + 1,
          (c.x[2] + c.left + c.right - c.kw) / c.stride + 1, c.co};
}

/// A fake cuDNN with plain loops, for half types only: it checks the weight's layout.
class DnnOnHost final : public cuda::Dnn {
 public:
  explicit DnnOnHost(const cuda::Context& context) : context_(context) {}
  std::string version() const override { return "loops"; }

  bool conv2d(const View& x, const View& w, const View& bias, const View& out, const ConvOptions& o,
              bool accumulate) override {
    if (x.dtype != DType::bf16) {
      return false;
    }
    cuda_on_host::enqueue(context_.stream(), [=] {
      std::vector<float> sums(static_cast<std::size_t>(out.count()));
      each_product(x, w, out, o, [&](bfloat16* from, bfloat16* weight, bfloat16*, std::size_t i) {
        sums[i] += static_cast<float>(*from) * static_cast<float>(*weight);
      });
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto row = static_cast<std::int64_t>(i) / out.cols();
        const auto column = static_cast<std::int64_t>(i) % out.cols();
        bfloat16& to = out.as<bfloat16>()[row * out.row_stride + column];
        to = bfloat16(sums[i] + (accumulate ? static_cast<float>(to) : 0) +
                      (bias ? static_cast<float>(bias.as<bfloat16>()[column]) : 0));
      }
    });
    return true;
  }
  bool conv2d_backward_data(const View& d_out, const View& w, const View& d_x, const ConvOptions& o,
                            bool accumulate) override {
    if (d_x.dtype != DType::bf16) {
      return false;
    }
    cuda_on_host::enqueue(context_.stream(), [=] {
      std::vector<float> sums(
          static_cast<std::size_t>(d_x.shape[0] * d_x.shape[1] * d_x.shape[2] * d_x.row_stride));
      each_product(d_x, w, d_out, o, [&](bfloat16* to, bfloat16* weight, bfloat16* d, std::size_t) {
        sums[static_cast<std::size_t>(to - d_x.as<bfloat16>())] +=
            static_cast<float>(*d) * static_cast<float>(*weight);
      });
      for (std::int64_t i = 0; i < d_x.count(); ++i) {
        const std::int64_t at = i / d_x.cols() * d_x.row_stride + i % d_x.cols();
        bfloat16& to = d_x.as<bfloat16>()[at];
        to = bfloat16(sums[static_cast<std::size_t>(at)] +
                      (accumulate ? static_cast<float>(to) : 0));
      }
    });
    return true;
  }
  bool conv2d_backward_weight(const View&, const View&, const View&, const ConvOptions&,
                              bool) override {
    return false;
  }
  bool attention(const View&, const View&, const View&, const View&, const View&,
                 const AttentionOptions&) override {
    return false;
  }
  bool attention_backward(const View&, const View&, const View&, const View&, const View&,
                          const View&, const View&, const View&, const View&,
                          const AttentionOptions&) override {
    return false;
  }

 private:
  /// f(x element, weight element, out element, out's packed index) for each product of a forward.
  template <typename F>
  static void each_product(const View& x, const View& w, const View& out, const ConvOptions& o,
                           F&& f) {
    std::size_t index = 0;
    for (std::int64_t row = 0; row < out.rows(); ++row) {
      const std::int64_t ox = row % out.shape[2], oy = row / out.shape[2] % out.shape[1];
      const std::int64_t sample = row / out.shape[2] / out.shape[1];
      for (std::int64_t co = 0; co < out.shape[3]; ++co, ++index) {
        for (std::int64_t tap = 0; tap < w.shape[1] * w.shape[2]; ++tap) {
          const std::int64_t y = oy * o.stride - o.pad_top + tap / w.shape[2];
          const std::int64_t px = ox * o.stride - o.pad_left + tap % w.shape[2];
          if (y < 0 || y >= x.shape[1] || px < 0 || px >= x.shape[2]) {
            continue;
          }
          for (std::int64_t c = 0; c < w.shape[3]; ++c) {
            f(x.as<bfloat16>() + ((sample * x.shape[1] + y) * x.shape[2] + px) * x.row_stride + c,
              w.as<bfloat16>() + (co * w.shape[1] * w.shape[2] + tap) * w.shape[3] + c,
              out.as<bfloat16>() + row * out.row_stride + co, index);
          }
        }
      }
    }
  }

  const cuda::Context& context_;
};

void check_conv(DType type, const BothBackends::MakeDnn& make_dnn) {
  const DType wide = statistics_dtype(type);
  for (const ConvCase& c : kCases) {
    BothBackends both(c.part_bytes, make_dnn);
    const Shape weight_shape{c.co, c.x[3], c.kh, c.kw};
    const ConvOptions o = options_of(c);
    const auto result = [&](const Shape& shape, std::uint64_t seed) -> const Twin& {
      return c.accumulate ? both.random(type, shape, seed, {c.gap})
                          : both.poisoned(type, shape, c.gap);
    };
    const Twin& x = both.random(type, c.x, 1, {c.gap});
    const Twin& weight = both.random(type, weight_shape, 2);
    const Twin& bias = c.bias ? both.random(type, {c.co}, 3) : both.absent();
    const Twin& d_out = both.random(type, out_shape(c), 4, {c.gap});
    const Twin& out = result(out_shape(c), 5);
    const Twin& d_x = result(c.x, 6);
    const Twin& d_weight =
        c.accumulate ? both.random(wide, weight_shape, 7) : both.poisoned(wide, weight_shape);
    both.run([&](Kernels& k, const auto& at) {
      k.conv2d(at(x), at(weight), at(bias), at(out), o, c.accumulate);
      k.conv2d_backward_data(at(d_out), at(weight), at(d_x), o, c.accumulate);
      k.conv2d_backward_weight(at(x), at(d_out), at(d_weight), o, c.accumulate);
    });
    const std::string what = "conv2d " + c.x.str() + " by " + weight_shape.str();
    both.expect_near(out, rounding_tolerance(type), what);
    both.expect_near(d_x, rounding_tolerance(type), what + " d_x");
    both.expect_near(d_weight, type == DType::f64 ? 1e-13 : 2e-6, what + " d_weight");
  }
}

class ConvOnHost : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(AllTypes, ConvOnHost, ::testing::ValuesIn(kDTypes),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

TEST_P(ConvOnHost, IsTheCpus) {
  check_conv(GetParam(), {});
}

TEST(ConvOnHost, GivesCudnnItsLayout) {
  check_conv(DType::bf16,
             [](const cuda::Context& context) { return std::make_unique<DnnOnHost>(context); });
}

TEST(ConvOnHost, NoPixelsGiveAWeightGradientOfZero) {
  BothBackends both;
  const Twin& x = both.random(DType::f32, {0, 3, 3, 2}, 1);
  const Twin& d_out = both.random(DType::f32, {0, 3, 3, 4}, 2);
  const Twin& d_weight = both.poisoned(DType::f32, {4, 2, 1, 1});
  both.run([&](Kernels& k, const auto& at) {
    k.conv2d_backward_weight(at(x), at(d_out), at(d_weight), {}, false);
  });
  both.expect_near(d_weight, 0, "d_weight");
}

}  // namespace
}  // namespace mantissa::testing
