// The end of a step on every backend: verdict, clip factor and loss scale bit-identical, and
// updates driven by a cell equal to those driven by the host.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/check.h"
#include "kernels/update_rule.h"
#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

class StepEnd : public ::testing::TestWithParam<TestBackend> {
 protected:
  SideBySide both_{GetParam()};

  /// Small integers, whose squares sum exactly in any order; `broken` is one of them.
  const Pair& gradient(DType dtype, std::int64_t n, float broken) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n) * dtype_size(dtype));
    dispatch_float(dtype, [&]<typename T>() {
      for (std::int64_t i = 0; i < n; ++i) {
        reinterpret_cast<T*>(bytes.data())[i] =
            T(static_cast<accumulator_t<T>>(i == n / 2 ? broken : static_cast<float>(i % 7 - 3)));
      }
    });
    return both_.given(dtype, {n}, bytes.data());
  }
  const Pair& cells(const StepCell& step, std::size_t groups) {
    std::vector<double> numbers(static_cast<std::size_t>(cells_shape(groups).count()), -1.0);
    std::memcpy(numbers.data(), &step, sizeof(step));
    return both_.given(DType::f64, cells_shape(groups), numbers.data());
  }
  const Pair& cell(const GroupCell& group) {
    return both_.given(DType::f64, {kCellNumbers}, &group);
  }
  /// `update` with an idle cell, with `moving`, and without one: the first leaves `state`
  /// unchanged, the second updates it like the third. `host` has the cell's values, `overruled`
  /// other ones.
  template <typename Options, typename Update>
  void expect_follows(const GroupCell& moving, const Options& overruled, const Options& host,
                      const std::vector<const Pair*>& state, Update&& update) {
    GroupCell resting = moving;
    resting.steps = 0;
    const Pair &moves = cell(moving), &rests = cell(resting);
    std::vector<std::vector<std::uint8_t>> moved;
    for (const Pair* follows : {&rests, &moves, static_cast<const Pair*>(nullptr)}) {
      both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
        Options o = follows != nullptr ? overruled : host;
        o.cell = follows != nullptr ? choose(*follows) : View();
        update(k, choose, o);
      });
      for (std::size_t i = 0; i < state.size(); ++i) {
        both_.expect_same(*state[i], "state " + std::to_string(i));
        const auto& now = state[i]->cpu_memory;
        if (follows == &rests) {
          EXPECT_EQ(now, state[i]->start) << "a cell that rests, state " << i;
        } else if (follows == &moves) {
          moved.push_back(now);
        } else {
          EXPECT_EQ(now, moved[i]) << "by the host's options, state " << i;
        }
      }
    }
    EXPECT_NE(moved[0], state[0]->start);
  }
};

MANTISSA_FOR_EACH_BACKEND(StepEnd);

TEST_P(StepEnd, IsDecidedAlike) {
  for (const StepCell& start :
       {StepCell{1, 0, 0, 0}, StepCell{65536, 5, 1, 0}, StepCell{65536, 1999, 1, 1.0},
        StepCell{3, 0, 1, 0.25}, StepCell{1, 0, 1, 0.25}, StepCell{16777216, 1999, 1, 1e9}}) {
    for (const auto& broken :
         std::vector<std::vector<float>>{{1, 1, 1}, {1, kInf, 1}, {kNan, kInf, -kInf}}) {
      for (float loss : {0.5F, kNan}) {
        const Pair &a = gradient(DType::f32, 5000, broken[0]),
                   &b = gradient(DType::bf16, 333, broken[1]),
                   &c = gradient(DType::f16, 1, broken[2]), &state = cells(start, 3),
                   &given_loss = both_.given(DType::f32, Shape{}, &loss);
        both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
          k.decide_step(std::vector<View>{choose(a), choose(b), choose(c)}, choose(given_loss),
                        choose(state));
        });
        both_.expect_same(state, "cells");
        const StepCell& step = *step_cell(state.cpu);
        const GroupCell* groups = group_cells(state.cpu);
        const bool overflow = !std::isfinite(broken[1]);
        EXPECT_EQ(step.skipped != 0, overflow);
        EXPECT_EQ(step.loss_finite != 0, std::isfinite(loss));
        for (int g = 0; g < 3; ++g) {
          const bool bad = !std::isfinite(broken[static_cast<std::size_t>(g)]);
          EXPECT_EQ(groups[g].steps != 0,
                    std::isfinite(loss) && !bad && !(overflow && start.max_norm > 0));
          EXPECT_EQ(std::isfinite(groups[g].norm), !bad);
        }
        if (start.dynamic == 0 || !std::isfinite(loss)) {
          EXPECT_EQ(step.scale, start.scale);
        } else if (overflow) {
          EXPECT_EQ(step.scale, std::max(1.0, start.scale / 2));
          EXPECT_EQ(step.clean, 0);
        } else if (start.clean == 1999) {
          EXPECT_EQ(step.scale, std::min(16777216.0, start.scale * 2));
          EXPECT_EQ(step.clean, 0);
        } else {
          EXPECT_EQ(step.clean, start.clean + 1);
        }
        if (!overflow && start.max_norm > 0) {
          EXPECT_NEAR(step.clip_factor, std::min(1.0, start.max_norm / step.grad_norm), 1e-5);
          EXPECT_EQ(groups[0].grad_scale,
                    static_cast<double>(static_cast<float>(1 / start.scale)) * step.clip_factor);
        }
      }
    }
  }
}

TEST_P(StepEnd, ElementwiseUpdatesFollowACell) {
  const GroupCell moving{0.01, 1 - 0.9 * 0.9 * 0.9, 0.003, 0.25, 3, 1, 0.37, 1};
  for (UpdateRule rule : kUpdateRules) {
    if (!stands_alone(rule)) {
      continue;
    }
    for (DType parameters : {DType::f32, DType::bf16}) {
      const Pair &p = both_.random(parameters, {1031}, 1), &g = both_.random(DType::f32, {1031}, 2),
                 &m = both_.random(DType::f32, {1031}, 3, {.scale = 0.1F}),
                 &v = both_.random(DType::f32, {1031}, 4, {.scale = 0.01F, .offset = 0.02F});
      UpdateOptions overruled{.rule = rule, .weight_decay = 0.1, .grad_scale = 9};
      overruled.rounding = Rounding::stochastic;
      overruled.key = {77, 11, 12345, 8};
      overruled.learning_rate = 5;
      UpdateOptions host = overruled;
      host.grad_scale = moving.grad_scale;
      host.correction1 = moving.correction1;
      host.correction2 = moving.correction2;
      host.averaging = moving.averaging;
      host.key.step = 3;
      host.learning_rate = moving.learning_rate;
      expect_follows(moving, overruled, host, {&p, &m, &v},
                     [&](Kernels& k, const SideBySide::Choose& choose, const UpdateOptions& o) {
                       ParameterUpdate u;
                       u.parameter = choose(p);
                       u.gradient = choose(g);
                       u.m.values = choose(m);
                       u.v.values = choose(v);
                       u.rate_ratio = 2;
                       u.first = 5;
                       k.optimizer_step(std::vector<ParameterUpdate>{u}, o);
                     });
    }
  }
}

TEST_P(StepEnd, FactoredUpdatesFollowACell) {
  const GroupCell moving{0.01, 1, 1, 0.6, 4, 1, 0.37, 1};
  for (FactoredRule rule : kFactoredRules) {
    const PairOptions squares{.scale = 0.01F, .offset = 0.02F};
    const Pair &p = both_.random(DType::bf16, {33, 20}, 1),
               &g = both_.random(DType::f32, {33, 20}, 2),
               &m = both_.random(DType::f32, {33, 20}, 3, {.scale = 0.1F}),
               &row = both_.random(DType::f32, {33}, 4, squares),
               &col = both_.random(DType::f32, {20}, 5, squares),
               &other_row = both_.random(DType::f32, {33}, 6, squares),
               &other_col = both_.random(DType::f32, {20}, 7, squares);
    FactoredOptions overruled;
    overruled.rule = rule;
    overruled.weight_decay = 0.1;
    overruled.learning_rate = 5;
    overruled.rounding = Rounding::stochastic;
    overruled.key = {77, 11, 12345, 8};
    FactoredOptions host = overruled;
    host.beta2 = moving.averaging;
    host.grad_scale = moving.grad_scale;
    host.key.step = 4;
    host.learning_rate = moving.learning_rate;
    expect_follows(moving, overruled, host, {&p, &m, &row, &col, &other_row, &other_col},
                   [&](Kernels& k, const SideBySide::Choose& choose, const FactoredOptions& o) {
                     FactoredUpdate u;
                     u.parameter = choose(p);
                     u.gradient = choose(g);
                     u.m.values = choose(m);
                     u.row = choose(row);
                     u.col = choose(col);
                     u.residual_row = choose(other_row);
                     u.residual_col = choose(other_col);
                     u.rate_ratio = 2;
                     k.factored_step(std::vector<FactoredUpdate>{u}, o);
                   });
  }
}

TEST_P(StepEnd, RefusesCellsOfAnotherForm) {
  const Pair &g = both_.random(DType::f32, {10}, 1), &few = cells({}, 0),
             &floats = both_.random(DType::f32, cells_shape(1), 2);
  both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
    const std::vector<View> gradients{choose(g)};
    EXPECT_THROW(k.decide_step(gradients, {}, choose(few)), KernelError);
    EXPECT_THROW(k.decide_step(gradients, {}, choose(floats)), KernelError);
    EXPECT_THROW(k.optimizer_step({}, {.cell = choose(floats)}), KernelError);
  });
}

}  // namespace
}  // namespace mantissa::testing
