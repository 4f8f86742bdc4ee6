// Roundings of the optimizer kernels: stochastic, Kahan and 8-bit, element by element against their
// definitions.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "kernels/check.h"
#include "kernels/dynamic_map.h"
#include "kernels/rounding.h"
#include "kernels/update_rule.h"
#include "tests/kernels/backends.h"

namespace mantissa {
namespace {

float as_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

TEST(StochasticRounding, GoesUpInProportion) {
  // 1 + 1/4 of a bf16 step: up for a quarter of all random bits, exactly.
  const float x = 1.0F + 0x1p-7F / 4;
  int up = 0;
  for (std::uint32_t r = 0; r < 65536; ++r) {
    const auto rounded = static_cast<float>(round_stochastic(x, r));
    ASSERT_TRUE(rounded == 1.0F || rounded == 1.0F + 0x1p-7F);
    ASSERT_EQ(static_cast<float>(round_stochastic(-x, r)), -rounded);
    up += rounded > 1.0F ? 1 : 0;
  }
  EXPECT_EQ(up, 16384);
}

TEST(StochasticRounding, KeepsWhatNeedsNoRoundingAndWhatIsNoNumber) {
  for (std::uint32_t high = 0; high < 65536; high += 7) {
    const float x = as_float(high << 16);
    const bfloat16 rounded = round_stochastic(x, 0xffff);
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(rounded)));
    } else {
      EXPECT_EQ(rounded.bits, high);
    }
  }
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(static_cast<float>(round_stochastic(kInf, 0xffff)), kInf);
  EXPECT_EQ(static_cast<float>(round_stochastic(-kInf, 0xffff)), -kInf);
  EXPECT_TRUE(std::isnan(static_cast<float>(round_stochastic(as_float(0x7f800001), 0))))
      << "a NaN whose upper half is an infinity";
  constexpr float kMax = std::numeric_limits<float>::max();
  EXPECT_EQ(round_stochastic(kMax, 0xffff).bits, 0x7f7f) << "the carry stops below infinity";
  EXPECT_EQ(round_stochastic(-kMax, 0xffff).bits, 0xff7f);
}

TEST(DynamicMap, CodesAreTheNearestOfAll) {
  for (const DynamicQuantizer* map : {&kSignedMap, &kUnsignedMap}) {
    const auto& values = map->values();
    const bool with_sign = map == &kSignedMap;
    EXPECT_EQ(values[255], 1.0F);
    EXPECT_EQ(values[with_sign ? 127 : 0], 0.0F);
    for (std::size_t c = 0; c < 256; ++c) {
      EXPECT_EQ(map->code(values[c]), c) << "a code's own value";
      EXPECT_TRUE(c == 0 || values[c - 1] < values[c]);
    }
    for (std::uint64_t bits = 0; bits <= 0x3f800000u; bits += 4099) {
      for (float sign : {1.0F, -1.0F}) {
        const float x = sign * as_float(static_cast<std::uint32_t>(bits));
        if (sign < 0 && !with_sign) {
          continue;
        }
        const float got = values[map->code(x)];
        float nearest = values[0];
        for (float v : values) {
          nearest = std::fabs(v - x) < std::fabs(nearest - x) ? v : nearest;
        }
        ASSERT_LE(std::fabs(static_cast<double>(got) - x),
                  std::fabs(static_cast<double>(nearest) - x) * (1 + 1e-6))
            << x;
      }
    }
  }
}

/// One AdamW step over n elements in the test's dtypes, and the same step in fp32 only.
struct Step {
  static constexpr std::int64_t kCount = 700;  ///< two blocks and a part
  std::vector<float> start, gradient, p, m, v;
  UpdateOptions options;

  Step() {
    for (std::int64_t i = 0; i < kCount; ++i) {
      start.push_back(std::sin(static_cast<float>(i)));
      gradient.push_back(std::cos(0.37F * static_cast<float>(i)) *
                         std::exp(-0.01F * static_cast<float>(i)));
    }
    options.learning_rate = 0.01;
    options.weight_decay = 0.1;
    options.correction1 = 0.1;
    options.correction2 = 0.001;
    options.key = {99, 11, 3, 8};
  }
  static View view(std::vector<float>& x) {
    return View(x.data(), DType::f32, {static_cast<std::int64_t>(x.size())});
  }
  ParameterUpdate fp32() {
    p = start;
    m.assign(kCount, 0.0F);
    v.assign(kCount, 0.0F);
    ParameterUpdate u;
    u.parameter = view(p);
    u.gradient = view(gradient);
    u.m.values = view(m);
    u.v.values = view(v);
    return u;
  }
};

class OptimKernels : public ::testing::TestWithParam<testing::TestBackend> {
 protected:
  std::unique_ptr<Kernels> kernels_ = GetParam().make();
};
MANTISSA_FOR_EACH_BACKEND(OptimKernels);

// Gradients about as small as ε: if added before the bias correction, ε would weigh up to 30 times.
TEST_P(OptimKernels, EpsilonIsAddedBehindTheBiasCorrection) {
  // torch.optim.AdamW(lr=1e-2, betas=(0.9, 0.999), eps=1e-8, weight_decay=0) in fp64, from zeros;
  // the gradient of every third step is a quarter.
  struct Expected {
    int step;
    float p[4];
  };
  constexpr Expected kTorch[] = {
      {1, {-0.00909090909F, -0.005F, -0.000909090909F, 0.000291262136F}},
      {2, {-0.0181818182F, -0.01F, -0.00181818182F, 0.000582524272F}},
      {10, {-0.0828554884F, -0.0433065496F, -0.00751308311F, 0.00239086847F}}};
  const std::vector<float> usual{1e-7F, 1e-8F, 1e-9F, -3e-10F};
  std::vector<float> p(4, 0.0F), m(p), v(p), g(p);
  ParameterUpdate u;
  u.parameter = Step::view(p);
  u.gradient = Step::view(g);
  u.m.values = Step::view(m);
  u.v.values = Step::view(v);
  const Expected* next = kTorch;
  for (int step = 1; step <= 10; ++step) {
    for (std::size_t i = 0; i < 4; ++i) {
      g[i] = step % 3 == 0 ? 0.25F * usual[i] : usual[i];
    }
    UpdateOptions o;
    o.learning_rate = 0.01;
    o.correction1 = 1 - std::pow(o.beta1, step);
    o.correction2 = 1 - std::pow(o.beta2, step);
    kernels_->optimizer_step({&u, 1}, o);
    if (step == next->step) {
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(p[i] / next->p[i], 1, 1e-6) << "element " << i << " after step " << step;
      }
      ++next;
    }
  }
  EXPECT_EQ(next, std::end(kTorch));
}

TEST_P(OptimKernels, EveryBufferIsRoundedWithItsOwnBits) {
  Step step;
  std::vector<bfloat16> p, m(Step::kCount, bfloat16(0.0F)), v(m);
  for (float& x : step.start) {
    p.push_back(bfloat16(x));
    x = static_cast<float>(p.back());
  }
  ParameterUpdate u = step.fp32();
  kernels_->optimizer_step({&u, 1}, step.options);
  u.parameter = View(p.data(), DType::bf16, {Step::kCount});
  u.m.values = View(m.data(), DType::bf16, {Step::kCount});
  u.v.values = View(v.data(), DType::bf16, {Step::kCount});
  u.first = 13;  // not on a boundary of the random blocks
  step.options.rounding = Rounding::stochastic;
  kernels_->optimizer_step({&u, 1}, step.options);
  RandomKey keys[3] = {step.options.key, step.options.key, step.options.key};
  ++keys[1].sample;
  keys[2].sample += 2;
  for (std::size_t i = 0; i < Step::kCount; ++i) {
    EXPECT_EQ(p[i].bits, round_stochastic(step.p[i], rounding_bits(keys[0], 13 + i)).bits) << i;
    EXPECT_EQ(m[i].bits, round_stochastic(step.m[i], rounding_bits(keys[1], 13 + i)).bits) << i;
    EXPECT_EQ(v[i].bits, round_stochastic(step.v[i], rounding_bits(keys[2], 13 + i)).bits) << i;
  }
}

TEST_P(OptimKernels, KahanKeepsWhatWasCutOff) {
  Step step;
  std::vector<bfloat16> p, lost(Step::kCount, bfloat16(0.0F));
  for (float& x : step.start) {
    p.push_back(bfloat16(x));
    x = static_cast<float>(p.back());
  }
  ParameterUpdate u = step.fp32();
  kernels_->optimizer_step({&u, 1}, step.options);
  const std::vector<float> exact = step.p;
  u = step.fp32();
  u.parameter = View(p.data(), DType::bf16, {Step::kCount});
  u.compensation = View(lost.data(), DType::bf16, {Step::kCount});
  step.options.rounding = Rounding::kahan;
  kernels_->optimizer_step({&u, 1}, step.options);
  for (std::size_t i = 0; i < Step::kCount; ++i) {
    EXPECT_NEAR(static_cast<float>(p[i]), exact[i], 0x1p-8F * std::fabs(exact[i])) << i;
    EXPECT_NEAR(static_cast<float>(p[i]) + static_cast<float>(lost[i]), exact[i], 2e-5F) << i;
  }
}

TEST_P(OptimKernels, EightBitMomentsAreTheNearestCodesOfTheirBlock) {
  Step step;
  ParameterUpdate u = step.fp32();
  kernels_->optimizer_step({&u, 1}, step.options);
  const std::vector<float> p = step.p, m = step.m, v = step.v;
  u = step.fp32();
  std::vector<std::uint8_t> codes_m(Step::kCount, 7), codes_v(Step::kCount, 7);
  std::vector<float> absmax_m(3, 0.0F), absmax_v(3, 0.0F);
  u.m = {View(codes_m.data(), DType::u8, {Step::kCount}), Step::view(absmax_m)};
  u.v = {View(codes_v.data(), DType::u8, {Step::kCount}), Step::view(absmax_v)};
  kernels_->optimizer_step({&u, 1}, step.options);
  EXPECT_EQ(step.p, p) << "an absmax of zero is a zero, whatever the code";
  for (std::size_t block = 0; block < 3; ++block) {
    float top_m = 0, top_v = 0;
    for (std::size_t i = block * 256; i < std::min<std::size_t>(700, block * 256 + 256); ++i) {
      top_m = std::max(top_m, std::fabs(m[i]));
      top_v = std::max(top_v, v[i]);
    }
    EXPECT_EQ(absmax_m[block], top_m);
    EXPECT_EQ(absmax_v[block], top_v);
  }
  for (std::size_t i = 0; i < Step::kCount; ++i) {
    EXPECT_EQ(codes_m[i], kSignedMap.code(m[i] / absmax_m[i / 256])) << i;
    EXPECT_EQ(codes_v[i], std::max<int>(1, kUnsignedMap.code(v[i] / absmax_v[i / 256])))
        << i << ": a second moment never becomes zero";
  }
}

TEST_P(OptimKernels, NanAndInfinityStayVisible) {
  for (UpdateRule rule : kUpdateRules) {
    if (!stands_alone(rule)) {
      continue;
    }
    for (bool eight_bit : {false, true}) {
      Step step;
      step.gradient[300] = std::numeric_limits<float>::quiet_NaN();
      ParameterUpdate u = step.fp32();
      std::vector<std::uint8_t> codes(Step::kCount), codes_v(Step::kCount);
      std::vector<float> absmax(3), absmax_v(3);
      if (eight_bit) {
        u.m = {View(codes.data(), DType::u8, {Step::kCount}), Step::view(absmax)};
        u.v = {View(codes_v.data(), DType::u8, {Step::kCount}), Step::view(absmax_v)};
      }
      step.options.rule = rule;
      kernels_->optimizer_step({&u, 1}, step.options);
      EXPECT_TRUE(std::isnan(step.p[300]));
      EXPECT_FALSE(std::isnan(step.p[299]));
      EXPECT_TRUE(!moves_first(rule) || std::isnan(eight_bit ? absmax[1] : step.m[300]));
      EXPECT_FALSE(eight_bit && std::isnan(absmax[0]));
    }
  }
}

TEST_P(OptimKernels, FactoredRulesShowNan) {
  for (FactoredRule rule : kFactoredRules) {
    std::vector<float> p(60, 1.0F), g(60, 0.5F), row(6), col(10), m(60), r2(6), c2(10);
    g[17] = std::numeric_limits<float>::quiet_NaN();
    FactoredUpdate u;
    u.parameter = View(p.data(), DType::f32, {6, 10});
    u.gradient = View(g.data(), DType::f32, {6, 10});
    u.row = Step::view(row);
    u.col = Step::view(col);
    u.m.values = Step::view(m);
    u.residual_row = Step::view(r2);
    u.residual_col = Step::view(c2);
    FactoredOptions o;
    o.learning_rate = 0.1;
    o.rule = rule;
    kernels_->factored_step({&u, 1}, o);
    EXPECT_TRUE(std::isnan(p[17]));
  }
}

TEST_P(OptimKernels, EmaOfBf16IsKeptInFp32) {
  std::vector<bfloat16> x(333, bfloat16(1.0F));
  std::vector<float> average(333, 0.0F);
  for (int i = 0; i < 1000; ++i) {
    kernels_->ema(View(x.data(), DType::bf16, {333}), 0.999, Step::view(average));
  }
  for (float a : average) {
    EXPECT_NEAR(a, 1 - std::pow(0.999, 1000), 1e-4) << "B4: in bf16 it would stop at once";
  }
}

TEST_P(OptimKernels, BadViewsAreNamedBeforeAnyWrite) {
  Step step;
  const auto message = [&](const ParameterUpdate& u, Rounding rounding = Rounding::nearest) {
    step.options.rounding = rounding;
    try {
      kernels_->optimizer_step({&u, 1}, step.options);
    } catch (const KernelError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  ParameterUpdate u = step.fp32();
  u.parameter.dtype = DType::f16;
  EXPECT_NE(message(u).find("parameter must be fp32 or bf16; it is fp16"), std::string::npos);
  u = step.fp32();
  u.gradient.dtype = DType::f8_e5m2;
  EXPECT_NE(message(u).find("gradient must be fp32 or bf16 or fp16"), std::string::npos);
  u = step.fp32();
  u.v.values.shape = {699};
  EXPECT_NE(message(u).find("v must have 700 elements; it has 699"), std::string::npos);
  u = step.fp32();
  u.m.values.dtype = DType::u8;
  EXPECT_NE(message(u).find("absmax has no data"), std::string::npos);
  u = step.fp32();
  u.parameter.dtype = DType::bf16;
  EXPECT_NE(message(u, Rounding::kahan).find("compensation has no data"), std::string::npos);
  EXPECT_EQ(step.p, step.start);
}

}  // namespace
}  // namespace mantissa
