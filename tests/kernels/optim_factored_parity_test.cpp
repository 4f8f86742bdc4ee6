// Adafactor and CAME of every backend against the CPU's.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/check.h"
#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

struct Storage {
  DType parameter, gradient, m;
};

/// The pairs of one FactoredUpdate.
struct FactoredPairs {
  const Pair *parameter, *gradient, *compensation, *row, *col, *square, *m, *absmax, *residual_row,
      *residual_col;
  std::int64_t first;
  double rate_ratio = 1;

  FactoredUpdate update(const SideBySide::Choose& choose) const {
    const auto at = [&](const Pair* t) { return t != nullptr ? choose(*t) : View(); };
    return {at(parameter), at(gradient),        at(compensation), at(row),          at(col),
            at(square),    {at(m), at(absmax)}, at(residual_row), at(residual_col), rate_ratio,
            first};
  }
};

class FactoredParity : public ::testing::TestWithParam<TestBackend> {
 protected:
  SideBySide both_{GetParam()};
  std::vector<FactoredPairs> tensors_;
  std::uint64_t seed_ = 1;

  const Pair* zeros(DType dtype, const Shape& shape, std::uint8_t code = 0) {
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(shape.count()) * 4, code);
    return &both_.given(dtype, shape, bytes.data());
  }
  void add(const Storage& s, const Shape& shape, bool matrix) {
    const std::int64_t n = shape.count();
    FactoredPairs t{};
    t.parameter = &both_.random(s.parameter, shape, seed_++);
    t.gradient = &both_.random(s.gradient, shape, seed_++, {.scale = 0.1F});
    t.compensation = zeros(DType::bf16, shape);
    if (matrix) {
      t.row = zeros(DType::f32, {shape.rows()});
      t.col = zeros(DType::f32, {shape.cols()});
      t.residual_row = zeros(DType::f32, {shape.rows()});
      t.residual_col = zeros(DType::f32, {shape.cols()});
    } else {
      t.square = zeros(DType::f32, {n});
    }
    t.m = zeros(s.m, {n}, s.m == DType::u8 ? 127 : 0);
    t.absmax = s.m == DType::u8 ? zeros(DType::f32, {ceil_div(n, kMomentBlock)}) : nullptr;
    t.first = static_cast<std::int64_t>(seed_ * 1013);
    tensors_.push_back(t);
  }
  std::vector<FactoredUpdate> updates(const SideBySide::Choose& choose) const {
    std::vector<FactoredUpdate> all;
    for (const FactoredPairs& t : tensors_) {
      all.push_back(t.update(choose));
    }
    return all;
  }
  void run(FactoredRule rule, Rounding rounding, int steps) {
    both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
      const std::vector<FactoredUpdate> all = updates(choose);
      for (int step = 1; step <= steps; ++step) {
        FactoredOptions o;
        o.rule = rule;
        o.learning_rate = 0.003;
        o.beta2 = rule == FactoredRule::adafactor ? 1 - std::pow(step, -0.8) : 0.999;
        o.weight_decay = 0.1;
        o.grad_scale = 0.37;
        o.rounding = rounding;
        o.key = {0x123456789abcdefu, 11, static_cast<std::uint32_t>(step), 8};
        k.factored_step(all, o);
      }
    });
  }
  void expect_same(const std::string& what) {
    for (const FactoredPairs& t : tensors_) {
      for (const auto& [pair, name] : {std::pair(t.parameter, "parameter"),
                                       {t.compensation, "compensation"},
                                       {t.row, "row"},
                                       {t.col, "col"},
                                       {t.square, "square"},
                                       {t.m, "m"},
                                       {t.absmax, "absmax"},
                                       {t.residual_row, "residual_row"},
                                       {t.residual_col, "residual_col"}}) {
        if (pair != nullptr) {
          both_.expect_same(*pair, what + ", " + name);
        }
      }
    }
  }
};

MANTISSA_FOR_EACH_BACKEND(FactoredParity);

TEST_P(FactoredParity, EveryStorageMovesTheSameBits) {
  const std::vector<Shape> shapes = {{1, 1}, {1, 257}, {257, 1},     {16, 130}, {130, 16},
                                     {5, 3}, {31, 33}, {7, 5, 3, 3}, {255, 8}};
  std::size_t i = 0;
  for (DType p : {DType::f32, DType::bf16}) {
    for (DType g : {DType::f32, DType::bf16, DType::f16}) {
      for (DType m : {DType::f32, DType::bf16, DType::u8}) {
        add({p, g, m}, shapes[i % shapes.size()], i % 4 != 3);
        ++i;
      }
    }
  }
  add({DType::f32, DType::f32, DType::f32}, {0}, false);
  for (FactoredRule rule : kFactoredRules) {
    for (auto rounding : {Rounding::nearest, Rounding::stochastic, Rounding::kahan}) {
      run(rule, rounding, 3);
      expect_same("rule " + std::to_string(static_cast<int>(rule)));
    }
  }
}

TEST_P(FactoredParity, BandsOfWideAndTallMatrices) {
  const Storage s{DType::f32, DType::f32, DType::f32};
  add(s, {3, 17001}, true);
  add(s, {17001, 3}, true);
  add(s, {129, 300}, true);
  add(s, {5003}, false);
  for (FactoredRule rule : kFactoredRules) {
    run(rule, Rounding::nearest, 2);
    expect_same("bands");
  }
}

TEST_P(FactoredParity, LongTracesStayTogether) {
  for (const Storage& s :
       {Storage{DType::f32, DType::f32, DType::f32}, Storage{DType::bf16, DType::f16, DType::u8}}) {
    add(s, {16, 21}, true);
    add(s, {21, 16}, true);
    add(s, {45}, false);
  }
  for (FactoredRule rule : kFactoredRules) {
    run(rule, Rounding::stochastic, 60);
    expect_same("60 steps");
  }
}

TEST_P(FactoredParity, NanAndInfinityStayVisible) {
  for (float odd :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 0.0F}) {
    std::vector<float> values(35, odd == 0.0F ? 0.0F : 0.5F);
    values[11] = odd;
    for (bool matrix : {true, false}) {
      add({DType::f32, DType::f32, DType::u8}, {5, 7}, matrix);
      tensors_.back().gradient = &both_.given(DType::f32, {5, 7}, values.data());
    }
  }
  for (FactoredRule rule : kFactoredRules) {
    run(rule, Rounding::nearest, 2);
    expect_same("odd values");
  }
}

}  // namespace
}  // namespace mantissa::testing
