// The optimizer of every backend: the same bits as the CPU's, over all storage and awkward sizes.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/check.h"
#include "kernels/update_rule.h"
#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

/// Storage types of one tensor.
struct Storage {
  DType parameter, gradient, m, v;
};

/// The pairs of one ParameterUpdate.
struct TrainedPairs {
  const Pair *parameter, *gradient, *compensation, *m, *m_absmax, *v, *v_absmax, *s, *s_absmax,
      *start;
  double rate_ratio;
  std::int64_t first;

  static MomentView moment(const Pair* values, const Pair* absmax,
                           const SideBySide::Choose& choose) {
    return {choose(*values), absmax != nullptr ? choose(*absmax) : View()};
  }
  ParameterUpdate update(const SideBySide::Choose& choose) const {
    return {choose(*parameter),
            choose(*gradient),
            choose(*compensation),
            moment(m, m_absmax, choose),
            moment(v, v_absmax, choose),
            moment(s, s_absmax, choose),
            choose(*start),
            rate_ratio,
            first,
            /*factor=*/0.7};
  }
};

class OptimParity : public ::testing::TestWithParam<TestBackend> {
 protected:
  SideBySide both_{GetParam()};
  std::vector<TrainedPairs> tensors_;
  std::uint64_t seed_ = 1;

  /// A moment that starts at zero.
  const Pair* moment(DType dtype, std::int64_t n, bool with_sign, const Pair** absmax) {
    const bool coded = dtype == DType::u8;
    const std::int64_t blocks = ceil_div(n, kMomentBlock);
    std::vector<std::uint8_t> zeros(static_cast<std::size_t>(n) * 4, coded && with_sign ? 127 : 0);
    const std::vector<float> no_size(static_cast<std::size_t>(blocks));
    *absmax = coded ? &both_.given(DType::f32, {blocks}, no_size.data()) : nullptr;
    return &both_.given(dtype, {n}, zeros.data());
  }
  void add(const Storage& storage, const Shape& shape) {
    const std::int64_t n = shape.count();
    TrainedPairs t{};
    t.parameter = &both_.random(storage.parameter, shape, seed_);
    t.start = &both_.random(storage.parameter, shape, seed_);
    t.gradient = &both_.random(storage.gradient, shape, seed_ + 1, {.scale = 0.1F});
    const std::vector<bfloat16> lost(static_cast<std::size_t>(n), bfloat16(0.0F));
    t.compensation = &both_.given(DType::bf16, shape, lost.data());
    t.m = moment(storage.m, n, true, &t.m_absmax);
    t.v = moment(storage.v, n, false, &t.v_absmax);
    t.s = moment(storage.m, n, true, &t.s_absmax);
    t.rate_ratio = 3 + static_cast<double>(tensors_.size());
    t.first = static_cast<std::int64_t>(seed_ * 1009);  // not a multiple of eight
    tensors_.push_back(t);
    seed_ += 2;
  }
  std::vector<ParameterUpdate> updates(const SideBySide::Choose& choose) const {
    std::vector<ParameterUpdate> all;
    for (const TrainedPairs& t : tensors_) {
      all.push_back(t.update(choose));
    }
    return all;
  }
  void expect_same(const std::string& what) {
    for (const TrainedPairs& t : tensors_) {
      for (const auto& [pair, name] : {std::pair(t.parameter, "parameter"),
                                       {t.compensation, "compensation"},
                                       {t.m, "m"},
                                       {t.m_absmax, "m's absmax"},
                                       {t.v, "v"},
                                       {t.v_absmax, "v's absmax"},
                                       {t.s, "s"},
                                       {t.s_absmax, "s's absmax"}}) {
        if (pair != nullptr) {
          both_.expect_same(*pair, what + ", " + name);
        }
      }
    }
  }
  static UpdateOptions options(UpdateRule rule, Rounding rounding, int step) {
    UpdateOptions o;
    o.rule = rule;
    o.learning_rate = 0.001;
    o.weight_decay = 0.1;
    o.grad_scale = 0.37;
    o.correction1 = 1 - std::pow(o.beta1, step);
    o.correction2 = 1 - std::pow(o.beta2, step);
    o.averaging = 1.0 / step;
    o.rounding = rounding;
    o.key = {0x123456789abcdefu, 11, static_cast<std::uint32_t>(step), 8};
    return o;
  }
};

MANTISSA_FOR_EACH_BACKEND(OptimParity);

/// Around the blocks of 8-bit moments and the chunks of a launch.
const std::vector<Shape> kSizes = {{1},    {7},    {255},  {256},     {257},
                                   {2047}, {2048}, {2049}, {1, 4099}, {3, 5, 2, 2}};

TEST_P(OptimParity, EveryRuleStorageAndRoundingMovesTheSameBits) {
  for (DType p : {DType::f32, DType::bf16}) {
    for (DType g : {DType::f32, DType::bf16, DType::f16}) {
      for (DType m : {DType::f32, DType::bf16, DType::u8}) {
        // Any v with any m, but not every combination with the rest: the three alternate.
        const DType v = m == DType::f32 ? (g == DType::f32 ? DType::f32 : DType::u8)
                        : m == DType::u8 && g == DType::f16 ? DType::bf16
                                                            : m;
        add({p, g, m, v}, kSizes[tensors_.size() % kSizes.size()]);
      }
    }
  }
  for (UpdateRule rule : kUpdateRules) {
    for (auto rounding : {Rounding::nearest, Rounding::stochastic, Rounding::kahan}) {
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        const std::vector<ParameterUpdate> all = updates(choose);
        for (int step = 1; step <= 3; ++step) {
          if (!stands_alone(rule)) {
            const bool free = is_schedule_free(rule);
            std::vector<double> squares(free ? all.size() : 0);
            k.prodigy_observe(all,
                              {.schedule_free = free,
                               .eps = 1e-8,
                               .d = 1e-3,
                               .gain = 0.01,
                               .grad_scale = 0.37,
                               .key = {7, 1, static_cast<std::uint32_t>(step), 0}},
                              squares);
          }
          k.optimizer_step(all, options(rule, rounding, step));
        }
      });
      expect_same("rule " + std::to_string(static_cast<int>(rule)) + ", rounding " +
                  std::to_string(static_cast<int>(rounding)));
    }
  }
}

TEST_P(OptimParity, AllSizesInOneCall) {
  for (const Storage& s : {Storage{DType::f32, DType::f32, DType::f32, DType::f32},
                           Storage{DType::bf16, DType::bf16, DType::u8, DType::u8}}) {
    for (const Shape& size : kSizes) {
      add(s, size);
    }
    add(s, {0});
  }
  both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
    k.optimizer_step(updates(choose), options(UpdateRule::adamw, Rounding::stochastic, 1));
    k.optimizer_step({}, options(UpdateRule::adamw, Rounding::stochastic, 1));
  });
  expect_same("sizes");
}

TEST_P(OptimParity, LongTracesStayTogether) {
  for (const Storage& s : {Storage{DType::f32, DType::f32, DType::f32, DType::f32},
                           Storage{DType::f32, DType::f16, DType::u8, DType::u8},
                           Storage{DType::bf16, DType::f32, DType::bf16, DType::bf16}}) {
    add(s, {67, 5});
  }
  for (UpdateRule rule : kUpdateRules) {
    if (!stands_alone(rule)) {
      continue;
    }
    both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
      const std::vector<ParameterUpdate> all = updates(choose);
      for (int step = 1; step <= 60; ++step) {
        k.optimizer_step(all, options(rule, Rounding::stochastic, step));
      }
    });
    expect_same("60 steps of rule " + std::to_string(static_cast<int>(rule)));
  }
  // Prodigy's rate comes back from the card: the sums must agree to fp32 precision.
  double d[3] = {};
  int run = 0;
  both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
    std::vector<ParameterUpdate> all = updates(choose);
    for (ParameterUpdate& t : all) {
      t.rate_ratio = 1;
    }
    double rate = 1e-4, numerator = 0;
    for (int step = 1; step <= 60; ++step) {
      const double beta3 = std::sqrt(0.999), gain = rate / 1e-4 * rate;
      const ProdigySums sums =
          k.prodigy_observe(all,
                            {.beta3 = beta3,
                             .d = rate,
                             .gain = gain,
                             .grad_scale = 0.5,
                             .key = {7, 1, static_cast<std::uint32_t>(step), 0}},
                            {});
      numerator = beta3 * numerator + gain * sums.agreement;
      rate = std::max(rate, numerator / sums.path);
      UpdateOptions o = options(UpdateRule::prodigy, Rounding::stochastic, step);
      o.eps = rate * 1e-8;
      o.learning_rate = rate;
      k.optimizer_step(all, o);
    }
    d[run++] = rate;
  });
  expect_same("60 steps of Prodigy");
  EXPECT_GT(d[0], 2e-4) << "the rate never moved: nothing was shown";
  EXPECT_EQ(d[0], d[1]);
  EXPECT_NEAR(d[0], d[2], 1e-12 * d[2]);
}

TEST_P(OptimParity, ScheduleFreeProdigyObservesTheSame) {
  for (const Shape& size : kSizes) {
    add({DType::f32, DType::f32, DType::f32, DType::f32}, size);
    add({DType::bf16, DType::f16, DType::bf16, DType::u8}, size);
  }
  add({DType::f32, DType::f32, DType::f32, DType::f32}, {0});
  std::vector<double> squares[3];
  ProdigySums sums[3];
  int run = 0;
  both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
    const std::vector<ParameterUpdate> all = updates(choose);
    std::vector<double>& mine = squares[run];
    mine.assign(all.size(), -1);
    ProdigyOptions o{.schedule_free = true, .eps = 1e-8, .d = 1e-2, .gain = 0.01};
    sums[run++] = k.prodigy_observe(all, o, mine);
  });
  expect_same("the state it observes");
  EXPECT_NEAR(sums[0].agreement, sums[2].agreement, 1e-12 * std::fabs(sums[2].agreement));
  EXPECT_NEAR(sums[0].path, sums[2].path, 1e-12 * sums[2].path);
  EXPECT_EQ(squares[2].back(), 0) << "an empty tensor";
  for (std::size_t i = 0; i < squares[0].size(); ++i) {
    EXPECT_EQ(squares[0][i], squares[1][i]);
    EXPECT_NEAR(squares[0][i], squares[2][i], 1e-12 * squares[2][i]);
    EXPECT_TRUE(squares[2][i] > 0 || tensors_[i].parameter->cpu.count() == 0);
  }
}

TEST_P(OptimParity, NanAndInfinityStayVisible) {
  const std::vector<float> odd = {1, kNan, -2, kInf, -kInf, 0, -0.0F, 1e-40F, 3e38F};
  for (DType m : {DType::f32, DType::bf16, DType::u8}) {
    for (DType p : {DType::f32, DType::bf16}) {
      add({p, DType::f32, m, m}, {9});
      tensors_.back().gradient = &both_.given(DType::f32, {9}, odd.data());
    }
  }
  for (UpdateRule rule : kUpdateRules) {
    if (!stands_alone(rule)) {
      continue;
    }
    for (auto rounding : {Rounding::nearest, Rounding::stochastic, Rounding::kahan}) {
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        k.optimizer_step(updates(choose), options(rule, rounding, 1));
        k.optimizer_step(updates(choose), options(rule, rounding, 2));
      });
      expect_same("odd values");
    }
  }
}

TEST_P(OptimParity, NormsCountsAndAverages) {
  for (std::int64_t n : {0, 1, 2, 31, 255, 1000, 8191, 16411}) {
    // Maximum number of additions per square, each rounded by half an ulp of at most the whole sum:
    // on the CPU a sixteenth of 16,384 plus the tree above, on a card 64 in a thread, 8 in its
    // block and 10 over the blocks. Errors are one-sided here: squares of k·2⁻²³ are 0 or 1 modulo
    // 4, so that long chains always round down.
    const double additions = static_cast<double>(std::min<std::int64_t>(n, 16384)) / 16 + 5 + 82;
    for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
      const Pair& x = both_.random(dtype, {n + 3}, seed_++);
      double squares[3] = {};
      std::int64_t count[3] = {};
      int run = 0;
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        View v = choose(x);
        v.data = v.as<char>() + dtype_size(dtype);  // no pack is aligned
        v.shape = {n};
        v.row_stride = n;
        squares[run] = k.sum_of_squares(v);
        count[run++] = k.count_non_finite(v);
      });
      EXPECT_EQ(squares[0], squares[1]);
      EXPECT_NEAR(squares[0], squares[2], additions * 0x1p-53 * squares[2]) << n;
      EXPECT_EQ(count[0], 0);
      EXPECT_EQ(count[2], 0);
    }
  }
  std::vector<float> values(5000, 0.5F);
  for (std::size_t i : {0u, 17u, 2048u, 4999u}) {
    values[i] = i % 2 == 0 ? kNan : -kInf;
  }
  for (DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16}) {
    std::vector<std::uint8_t> bytes(values.size() * dtype_size(dtype));
    dispatch_float(dtype, [&]<typename T>() {
      for (std::size_t i = 0; i < values.size(); ++i) {
        reinterpret_cast<T*>(bytes.data())[i] = T(static_cast<accumulator_t<T>>(values[i]));
      }
    });
    const Pair& x = both_.given(dtype, {5000}, bytes.data());
    both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
      EXPECT_EQ(k.count_non_finite(choose(x)), 4);
      EXPECT_TRUE(std::isnan(k.sum_of_squares(choose(x))));
    });
  }
  for (DType dtype : {DType::f32, DType::bf16}) {
    const Pair &x = both_.random(dtype, {1031}, 3), &average = both_.random(DType::f32, {1031}, 4);
    both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
      for (int step = 0; step < 5; ++step) {
        k.ema(choose(x), 0.999, choose(average));
      }
    });
    both_.expect_same(average, "ema");
  }
}

TEST_P(OptimParity, MovementsOfEachTensor) {
  const std::vector<std::int64_t> ends = {1, 1, 300, 5000, 5001, 9999};
  for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    const Pair& before = both_.random(DType::f32, {10000}, 1);
    std::vector<float> moved(10000), pull(10000);
    std::vector<std::uint8_t> gradient(10000 * dtype_size(dtype));
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] = reinterpret_cast<const float*>(before.start.data())[i] +
                 (i % 3 == 0 ? 0.0F : 1e-3F * static_cast<float>(i % 7));
      dispatch_float(dtype, [&]<typename T>() {
        reinterpret_cast<T*>(gradient.data())[i] = T(i % 5 == 0 ? 0.0F : i % 11 == 0 ? kNan : 1.0F);
      });
    }
    const Pair &after = both_.given(DType::f32, {10000}, moved.data()),
               &g = both_.given(dtype, {10000}, gradient.data());
    std::vector<Movement> got[3];
    int run = 0;
    both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
      std::vector<Movement>& result = got[run++];
      result.assign(ends.size(), Movement{-1, -1, -1, -1});
      k.measure_update(choose(before), choose(after), choose(g), ends, result);
      k.measure_update(choose(before), choose(after), choose(g), {}, {});
    });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      EXPECT_EQ(got[0][i].moved, got[1][i].moved);
      EXPECT_NEAR(got[0][i].moved, got[2][i].moved, 1e-13 * got[2][i].moved);
      EXPECT_NEAR(got[0][i].size, got[2][i].size, 1e-13 * got[2][i].size);
      EXPECT_EQ(got[0][i].with_gradient, got[2][i].with_gradient);
      EXPECT_EQ(got[0][i].unmoved, got[2][i].unmoved);
    }
  }
}

/// Each backend's error for a bad call.
void expect_same_error(SideBySide& both,
                       const std::function<void(Kernels&, const SideBySide::Choose&)>& call) {
  std::string text[3];
  int run = 0;
  both.run([&](Kernels& k, const SideBySide::Choose& choose) {
    try {
      call(k, choose);
    } catch (const KernelError& error) {
      text[run] = error.what();
    }
    ++run;
  });
  EXPECT_NE(text[2], "");
  EXPECT_EQ(text[0], text[2]);
}

TEST_P(OptimParity, RefusesWhatTheCpuRefuses) {
  add({DType::f32, DType::f32, DType::f32, DType::f32}, {300});
  const Pair &short_m = both_.random(DType::f32, {299}, 9),
             &f64 = both_.random(DType::f64, {300}, 9);
  const auto with = [&](auto change) {
    return [this, change](Kernels& k, const SideBySide::Choose& choose) {
      std::vector<ParameterUpdate> all = updates(choose);
      change(all[0], choose);
      k.optimizer_step(all, options(UpdateRule::adamw, Rounding::nearest, 1));
    };
  };
  expect_same_error(
      both_, with([&](ParameterUpdate& t, const auto& choose) { t.m.values = choose(short_m); }));
  expect_same_error(
      both_, with([&](ParameterUpdate& t, const auto& choose) { t.gradient = choose(f64); }));
  expect_same_error(both_, with([&](ParameterUpdate& t, const auto&) { t.v.values = {}; }));
  expect_same_error(
      both_, [&](Kernels& k, const auto& choose) { k.ema(choose(f64), 0.9, choose(short_m)); });
  expect_same_error(both_, [&](Kernels& k, const auto& choose) {
    std::vector<Movement> result(2);
    const std::int64_t ends[] = {300};
    k.measure_update(choose(short_m), choose(short_m), choose(short_m), ends, result);
  });
}

}  // namespace
}  // namespace mantissa::testing
