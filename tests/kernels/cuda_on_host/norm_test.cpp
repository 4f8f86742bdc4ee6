#include <gtest/gtest.h>

#include "kernels/check.h"
#include "tests/kernels/cuda_on_host/both_backends.h"

namespace mantissa::testing {
namespace {

constexpr DType kDTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16};

struct GroupCase {
  Shape shape;
  int groups;
  std::int64_t gap = 0;
  bool silu = false, wide_parameters = false;
  float offset = 0;
};

const GroupCase kGroupCases[] = {
    {{1, 1, 1, 1}, 1},
    {{2, 3, 5, 7}, 7, 0, true},             // groups of one channel
    {{3, 17}, 1, 3},                        // no space; rows with gaps
    {{1, 1, 1, 64}, 32, 0, true, true},     // one row per sample
    {{2, 4, 4, 32}, 8, 0, true, true},      // whole packs
    {{1, 37, 40}, 4, 0, false, true},       // groups that cut packs
    {{2, 11, 13, 40}, 4, 8, true},          // whole packs with gaps
    {{1, 131, 24}, 3, 1, true, true, 50},   // a mean far from zero; no packs
    {{2, 300, 6}, 2, 0, false, false, -9},  // several pieces
    {{1, 3, 1056}, 33, 0, true},            // several tiles
    {{1, 5, 5, 323}, 19, 0, true},
    {{1, 47, 53, 8}, 2, 0, true, true, 3},
};

class NormOnHost : public ::testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(AllTypes, NormOnHost, ::testing::ValuesIn(kDTypes),
                         [](const auto& info) { return std::string(dtype_name(info.param)); });

TEST_P(NormOnHost, GroupNormIsTheCpus) {
  const DType type = GetParam();
  for (const GroupCase& c : kGroupCases) {
    BothBackends both;
    const DType parameters = c.wide_parameters ? statistics_dtype(type) : type;
    const Twin& x = both.random(type, c.shape, 1, {c.gap, 1, c.offset});
    const Twin& gamma = both.random(parameters, {c.shape.cols()}, 2, {0, 0.5F, 1});
    const Twin& beta = both.random(parameters, {c.shape.cols()}, 3);
    const Twin& out = both.poisoned(type, c.shape, c.gap);
    const Twin& statistics = both.poisoned(statistics_dtype(type), {c.shape[0], c.groups, 2});
    both.run([&](Kernels& k, const auto& at) {
      k.group_norm(at(x), at(gamma), at(beta), at(out), at(statistics), c.groups, 1e-5F, c.silu);
    });
    const std::string what = "group_norm " + c.shape.str();
    both.expect_near(out, rounding_tolerance(type), what);
    both.expect_near(statistics, type == DType::f64 ? 1e-13 : 1e-6, what + " statistics");
  }
}

TEST_P(NormOnHost, GroupNormBackwardIsTheCpus) {
  const DType type = GetParam(), wide = statistics_dtype(type);
  int number = 0;
  for (const GroupCase& c : kGroupCases) {
    BothBackends both;
    const DType parameters = c.wide_parameters ? wide : type;
    const Shape channels{c.shape.cols()};
    const bool gradients = number++ % 3 != 2;
    const Twin& x = both.random(type, c.shape, 1, {c.gap, 1, c.offset});
    const Twin& d_out = both.random(type, c.shape, 4, {c.gap});
    const Twin& gamma = both.random(parameters, channels, 2, {0, 0.5F, 1});
    const Twin& beta = both.random(parameters, channels, 3);
    const Twin& out = both.poisoned(type, c.shape);
    const Twin& statistics = both.poisoned(wide, {c.shape[0], c.groups, 2});
    const Twin& d_x = both.poisoned(type, c.shape, c.gap);
    const Twin& d_gamma = gradients ? both.random(wide, channels, 5) : both.absent();
    const Twin& d_beta = gradients ? both.random(wide, channels, 6) : both.absent();
    both.run([&](Kernels& k, const auto& at) {
      k.group_norm(at(x), at(gamma), at(beta), at(out), at(statistics), c.groups, 1e-5F, c.silu);
      k.group_norm_backward(at(d_out), at(x), at(gamma), at(beta), at(statistics), at(d_x),
                            at(d_gamma), at(d_beta), c.groups, c.silu);
    });
    const std::string what = "group_norm_backward " + c.shape.str();
    both.expect_near(d_x, rounding_tolerance(type), what, 1);
    both.expect_near(d_gamma, type == DType::f64 ? 1e-12 : 1e-5, what + " gamma", 1);
    both.expect_near(d_beta, type == DType::f64 ? 1e-12 : 1e-5, what + " beta", 1);
  }
}

struct RowCase {
  Shape shape;
  std::int64_t gap = 0;
  bool gamma = true, beta = true, wide_parameters = false;
  float offset = 0;
};

const RowCase kRowCases[] = {
    {{1, 1}},
    {{1}},
    {{3, 7}, 2, true, false},
    {{2, 5, 8}, 0, false, false},
    {{9, 32}, 8, true, true, true},
    {{2, 3, 77}, 0, false, true, true, 30},
    {{70, 16}, 0, true, true, true},
    {{5, 640}, 0, true, true},
    {{3, 1152}, 8, true, true, true, 20},
    {{9, 1280}, 0, true, true, true},
    {{2, 1288}, 0, true, true},
    {{2, 1283}, 1, true, true, true, -5},
    {{3, 2056}, 0, true, true},
    {{2, 2311}, 0, true, true, true},
    {{1, 4104}, 0, true, true, true},      // not held in registers in any type
    {{2, 150, 128}, 0, true, true, true},  // heads: several rows in a block
    {{37, 64}, 8, true, true},
    {{19, 31}, 1, false, true, true},
    {{0, 8}},
};

TEST_P(NormOnHost, LayerNormAndRmsNormAreTheCpus) {
  const DType type = GetParam(), wide = statistics_dtype(type);
  const double sums = type == DType::f64 ? 1e-12 : 1e-5;
  for (const RowCase& c : kRowCases) {
    for (const int form : {0, 1, 2}) {
      const bool centered = form == 0, unit_offset = form == 2;
      BothBackends both;
      const DType parameters = c.wide_parameters ? wide : type;
      const Shape columns{c.shape.cols()};
      const Twin& x = both.random(type, c.shape, 1, {c.gap, 1, c.offset});
      const Twin& d_out = both.random(type, c.shape, 4, {c.gap});
      const Twin& gamma =
          c.gamma ? both.random(parameters, columns, 2, {0, 0.5F, 1}) : both.absent();
      const Twin& beta = c.beta ? both.random(parameters, columns, 3) : both.absent();
      const Twin& out = both.poisoned(type, c.shape, c.gap);
      const Twin& statistics = both.poisoned(wide, {c.shape.rows(), 2});
      const bool adds = c.shape.rows() % 2 == 1;
      const Twin& addend = adds ? both.random(type, c.shape, 7, {2 * c.gap}) : both.absent();
      const Twin& d_x = both.poisoned(type, c.shape, c.gap);
      const Twin& d_gamma = c.gamma ? both.random(wide, columns, 5) : both.absent();
      const Twin& d_beta = c.beta && centered ? both.random(wide, columns, 6) : both.absent();
      both.run([&](Kernels& k, const auto& at) {
        if (centered) {
          k.layer_norm(at(x), at(gamma), at(beta), at(out), at(statistics), 1e-5F);
          k.layer_norm_backward(at(d_out), at(x), at(gamma), at(statistics), at(addend), at(d_x),
                                at(d_gamma), at(d_beta));
        } else {
          k.rms_norm(at(x), at(gamma), at(out), at(statistics), 1e-6F, unit_offset);
          k.rms_norm_backward(at(d_out), at(x), at(gamma), at(statistics), at(d_x), at(d_gamma),
                              unit_offset);
        }
      });
      const std::string what = std::string(centered ? "layer_norm " : "rms_norm ") + c.shape.str();
      both.expect_near(out, rounding_tolerance(type), what);
      both.expect_near(statistics, type == DType::f64 ? 1e-13 : 1e-6, what + " statistics");
      both.expect_near(d_x, rounding_tolerance(type), what + " d_x", 1);
      both.expect_near(d_gamma, sums, what + " d_gamma", 1);
      both.expect_near(d_beta, sums, what + " d_beta", 1);
    }
  }
}

TEST(NormOnHost, ALargeMeanCostsNoDigits) {
  // Values about 1000 that differ by 1: in fp32 the squares alone would keep one digit.
  BothBackends both;
  const Twin& x = both.random(DType::f32, {1, 4096, 8}, 1, {0, 1, 1000});
  const Twin& parameters = both.random(DType::f32, {8}, 2, {0, 0.5F, 1});
  const Twin& out = both.poisoned(DType::f32, {1, 4096, 8});
  const Twin& statistics = both.poisoned(DType::f32, {1, 2, 2});
  both.run([&](Kernels& k, const auto& at) {
    k.group_norm(at(x), at(parameters), at(parameters), at(out), at(statistics), 2, 1e-5F, false);
  });
  both.expect_near(statistics, 1e-7, "statistics");
  both.expect_near(out, 1e-6, "out");
}

TEST(NormOnHost, NanShowsInItsGroupAlone) {
  BothBackends both;
  const Twin& x = both.random(DType::f32, {2, 5, 8}, 1);
  const Twin& parameters = both.random(DType::f32, {8}, 2);
  const Twin& out = both.poisoned(DType::f32, {2, 5, 8});
  const Twin& statistics = both.poisoned(DType::f32, {2, 4, 2});
  both.run([&](Kernels& k, const auto& at) {
    if (!k.host_memory()) {
      const float nan = std::numeric_limits<float>::quiet_NaN();
      k.upload(&nan, View(at(x).template as<float>() + 8 * 7 + 3, DType::f32, {1}));
    }
    k.group_norm(at(x), at(parameters), at(parameters), at(out), at(statistics), 4, 1e-5F, true);
  });
  const auto* result = reinterpret_cast<const float*>(out.cuda_result.data());
  for (int i = 0; i < 80; ++i) {
    EXPECT_EQ(std::isnan(result[i]), i >= 40 && i % 8 / 2 == 1) << i;
  }
}

TEST(NormOnHost, RefusesWhatTheCpuRefuses) {
  BothBackends both;
  const Twin& x = both.random(DType::bf16, {2, 5, 8}, 1);
  const Twin& gamma = both.random(DType::f16, {8}, 2);
  const Twin& statistics = both.poisoned(DType::f32, {2, 3, 2});
  try {
    both.cuda().group_norm(x.cuda, gamma.cuda, gamma.cuda, x.cuda, statistics.cuda, 3, 1e-5F, true);
    ADD_FAILURE() << "3 groups of 8 channels were taken";
  } catch (const KernelError& e) {
    EXPECT_STREQ(e.what(), "[group_norm] 8 channels don't divide into 3 groups");
  }
  try {
    both.cuda().layer_norm(x.cuda, gamma.cuda, {}, x.cuda, statistics.cuda, 1e-5F);
    ADD_FAILURE() << "an fp16 gamma was taken for bf16";
  } catch (const KernelError& e) {
    EXPECT_STREQ(e.what(), "[layer_norm] gamma must be bf16 or fp32; it is fp16");
  }
}

}  // namespace
}  // namespace mantissa::testing
