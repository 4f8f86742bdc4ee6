#pragma once
// One call on a backend and on the CPU, and their comparison.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/kernels/backends.h"

namespace mantissa::testing {

/// A tensor on both sides, with `gap` elements between rows that must not be written.
struct Pair {
  View cpu, other;
  std::vector<std::uint8_t> start;  ///< initial content of both before a run
  std::vector<std::uint8_t> cpu_memory, other_memory;
};

struct PairOptions {
  std::int64_t gap = 0;
  float scale = 1, offset = 0;  ///< values are uniform in [-1, 1)·scale + offset
};

class SideBySide {
 public:
  explicit SideBySide(const TestBackend& backend);

  /// All pairs live as long as this. Random values of fp64, fp32, fp16 or bf16.
  const Pair& random(DType dtype, const Shape& shape, std::uint64_t seed, PairOptions options = {});
  /// Packed elements of any type, copied.
  const Pair& given(DType dtype, const Shape& shape, const void* values, std::int64_t gap = 0);
  /// NaNs everywhere: an output. Of other types, all bits are ones.
  const Pair& poisoned(DType dtype, const Shape& shape, std::int64_t gap = 0);

  /// Selects one of a pair's two views for a call.
  using Choose = std::function<View(const Pair&)>;
  /// Runs `call` twice on the backend, which must give the same bits, then on the CPU; each time
  /// from the start values.
  void run(const std::function<void(Kernels&, const Choose&)>& call);

  /// After a run: both hold the same bits, with all NaNs equal; the gaps are unchanged.
  void expect_same(const Pair& pair, const std::string& what);
  /// After a run: |other - cpu| <= tolerance·(the largest |cpu|, at least `floor`) everywhere; the
  /// gaps are unchanged.
  void expect_near(const Pair& pair, double tolerance, const std::string& what, double floor = 0);

 private:
  Pair& make(DType dtype, const Shape& shape, std::int64_t gap);
  void restart();

  std::unique_ptr<Kernels> cpu_, other_;
  std::deque<Pair> pairs_;
};

}  // namespace mantissa::testing
