// Muon's direction of every backend against the CPU's.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kernels/check.h"
#include "kernels/step_end.h"
#include "tests/kernels/side_by_side.h"

namespace mantissa::testing {
namespace {

/// The pairs of one MuonUpdate.
struct MuonPairs {
  const Pair *gradient, *m, *absmax, *direction;
  std::int64_t first;

  MuonUpdate update(const SideBySide::Choose& choose) const {
    return {choose(*gradient),
            {choose(*m), absmax != nullptr ? choose(*absmax) : View()},
            choose(*direction),
            first};
  }
};

class MuonParity : public ::testing::TestWithParam<TestBackend> {
 protected:
  SideBySide both_{GetParam()};
  std::vector<MuonPairs> tensors_;
  std::uint64_t seed_ = 1;

  const Pair* zeros(DType dtype, const Shape& shape, std::uint8_t code = 0) {
    const std::vector<std::uint8_t> bytes(static_cast<std::size_t>(shape.count()) * 4, code);
    return &both_.given(dtype, shape, bytes.data());
  }
  void add(DType gradient, DType m, const Shape& shape) {
    const std::int64_t n = shape.count();
    const bool coded = m == DType::u8;
    tensors_.push_back({&both_.random(gradient, shape, seed_++), zeros(m, {n}, coded ? 127 : 0),
                        coded ? zeros(DType::f32, {ceil_div(n, kMomentBlock)}) : nullptr,
                        zeros(DType::f32, shape), static_cast<std::int64_t>(seed_ * 1013)});
  }
  void run(int steps, const Pair* cell = nullptr) {
    both_.run([&](Kernels& k, const SideBySide::Choose& choose) {
      std::vector<MuonUpdate> all;
      for (const MuonPairs& t : tensors_) {
        all.push_back(t.update(choose));
      }
      for (int step = 1; step <= steps; ++step) {
        k.muon_direction(all, {.grad_scale = 0.37,
                               .key = {7, 1, static_cast<std::uint32_t>(step), 0},
                               .cell = cell != nullptr ? choose(*cell) : View()});
      }
      k.muon_direction({}, {});
    });
  }
  void expect_same() {
    for (const MuonPairs& t : tensors_) {
      both_.expect_same(*t.m, "m");
      both_.expect_same(*t.direction, "direction");
      if (t.absmax != nullptr) {
        both_.expect_same(*t.absmax, "absmax");
      }
    }
  }
};

MANTISSA_FOR_EACH_BACKEND(MuonParity);

TEST_P(MuonParity, EveryStorageMovesTheSameBits) {
  const std::vector<Shape> shapes = {{1, 1}, {2, 257}, {257, 2}, {16, 130}, {31, 33}, {67, 99}};
  for (DType g : {DType::f32, DType::bf16, DType::f16}) {
    for (DType m : {DType::f32, DType::bf16, DType::u8}) {
      add(g, m, shapes[tensors_.size() % shapes.size()]);
    }
  }
  add(DType::f32, DType::f32, {0});
  run(3);
  expect_same();
}

TEST_P(MuonParity, ZeroAndNanStayWhatTheyAre) {
  for (float odd : {0.0F, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> values(35, 0.0F);
    values[11] = odd;
    add(DType::f32, DType::f32, {5, 7});
    tensors_.back().gradient = &both_.given(DType::f32, {5, 7}, values.data());
  }
  run(2);
  expect_same();
}

TEST_P(MuonParity, ACellDecides) {
  for (double steps : {0.0, 1.0}) {
    GroupCell cell;
    cell.steps = steps;
    cell.grad_scale = 0.25;
    cell.update = 9;
    add(DType::bf16, DType::bf16, {13, 21});
    run(2, &both_.given(DType::f64, {kCellNumbers}, &cell));
    expect_same();
  }
}

}  // namespace
}  // namespace mantissa::testing
