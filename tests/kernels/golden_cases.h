#pragma once
// The cases of tests/golden/make_kernels.py.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace mantissa::testing {

/// Memory with a view on it.
struct Tensor {
  std::vector<std::uint8_t> bytes;
  View view;
  Tensor() = default;
  Tensor(DType dtype, const Shape& shape);
  Tensor(Tensor&&) = default;
  Tensor& operator=(Tensor&&) = default;
  double get(std::int64_t i) const;
  void set(std::int64_t i, double value);
};

/// The input values of both sides: uniform in [-1, 1)·scale + offset by an integer hash.
std::vector<float> hash_values(std::uint64_t seed, std::int64_t count, float scale = 1.0F,
                               float offset = 0.0F);
/// A tensor of hash_values rounded to `dtype`.
Tensor hash_tensor(DType dtype, const Shape& shape, std::uint64_t seed, float scale = 1.0F,
                   float offset = 0.0F);

/// One half of the columns of [..., 2c].
View half_of(const View& both, int which);

struct GoldenCase {
  struct Input {
    Shape shape;
    std::uint64_t seed = 0;
    float scale = 1.0F, offset = 0.0F;
  };
  struct Output {
    Shape shape;
    std::string start;  ///< the input it is initialised from, or empty
    std::vector<double> expected;
  };
  std::string op, title;
  std::map<std::string, std::string> options;
  std::map<std::string, Input> inputs;
  std::map<std::string, std::vector<std::int32_t>> ids;
  std::map<std::string, Output> outputs;
  double number(const std::string& key) const;
};

std::vector<GoldenCase> load_golden_cases();

using Results = std::map<std::string, Tensor>;

/// Options for run_case's inputs.
struct RunOptions {
  std::string poison;             ///< the input whose first element becomes NaN
  DType rounded_to = DType::f64;  ///< inputs are rounded to this first
  std::string positive;           ///< the input whose elements lose their signs
};

/// Runs `c` in `dtype` (statistics and losses in fp32 or fp64).
Results run_case(Kernels& kernels, const GoldenCase& c, DType dtype,
                 const RunOptions& options = {});

/// The ops supported by run_case.
std::vector<std::string> known_ops();

}  // namespace mantissa::testing
