#pragma once
// One call on the CPU's kernels and on CUDA's, and their comparison.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/cuda/backend.h"

namespace mantissa::testing {

/// A tensor on both backends, with `gap` elements between rows that must not be written.
struct Twin {
  View cpu, cuda;
  std::vector<std::uint8_t> start;  ///< initial content of both before a run
  std::vector<std::uint8_t> cpu_memory, cuda_result;
};

struct TwinOptions {
  std::int64_t gap = 0;
  float scale = 1, offset = 0;  ///< values are uniform in [-1, 1)·scale + offset
};

class BothBackends {
 public:
  /// Creates the libraries for CudaKernels; without one there is no cuDNN.
  using MakeDnn = std::function<std::unique_ptr<cuda::Dnn>(const cuda::Context&)>;
  /// `part_bytes`: see Context; 0: default.
  explicit BothBackends(std::size_t part_bytes = 0, const MakeDnn& make_dnn = {});
  ~BothBackends();
  BothBackends(const BothBackends&) = delete;
  BothBackends& operator=(const BothBackends&) = delete;

  /// Both live as long as this.
  const Twin& random(DType dtype, const Shape& shape, std::uint64_t seed, TwinOptions options = {});
  /// Packed elements of any type; both sides have a copy.
  const Twin& given(DType dtype, const Shape& shape, const void* values, std::int64_t gap = 0);
  /// NaNs everywhere: an output. Of other types, all bits are ones.
  const Twin& poisoned(DType dtype, const Shape& shape, std::int64_t gap = 0);
  /// An absent twin.
  const Twin& absent() const { return absent_; }

  /// Selects one of a twin's two views for a call.
  using Choose = std::function<View(const Twin&)>;
  /// Runs `call` on the CPU, and on CUDA's kernels in two orders of blocks and threads that must
  /// give the same bits, each time from the start values.
  void run(const std::function<void(Kernels&, const Choose&)>& call);

  /// After a run: |cuda - cpu| <= tolerance·(the largest |cpu|, at least `floor`) everywhere, and
  /// the gaps are unchanged.
  void expect_near(const Twin& twin, double tolerance, const std::string& what, double floor = 0);

  /// After a run: both hold the same bits, with all NaNs equal; the gaps are unchanged.
  void expect_same(const Twin& twin, const std::string& what);

  Kernels& cuda() { return *cuda_; }

 private:
  Twin& make(DType dtype, const Shape& shape, std::int64_t gap);
  void restart(Twin& twin);
  void fetch(Twin& twin);

  std::unique_ptr<Kernels> cpu_, cuda_;
  std::deque<Twin> twins_;
  Twin absent_;
};

/// Tolerance of half an ulp of the result, for a sum of a few fp32 roundings.
double rounding_tolerance(DType dtype);

}  // namespace mantissa::testing
