#include "engine/readers/reader_delta.h"

#include <cmath>
#include <cstdint>

#include "engine/adapters/adapter_forms.h"

namespace mantissa {
namespace {

/// A tensor as rows [dims[0], all the rest].
struct Dense {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;

  double* row(std::size_t i) { return values.data() + i * cols; }
  const double* row(std::size_t i) const { return values.data() + i * cols; }
};

Dense zeros(std::size_t rows, std::size_t cols) {
  return {rows, cols, std::vector<double>(rows * cols, 0.0)};
}

std::int64_t row_count(const TensorInfo& tensor) {
  return tensor.dims.empty() ? 1 : tensor.dims[0];
}
std::int64_t col_count(const TensorInfo& tensor) {
  return row_count(tensor) == 0 ? 0 : tensor.count() / row_count(tensor);
}

/// Computes one module's change.
class Computation {
 public:
  Computation(const ReaderModule& module, const std::string& file) : module_(module), file_(file) {}

  Dense matrix(AdapterRole role) const {
    const TensorInfo& tensor = *module_.find(role);
    const std::vector<float> values = tensor_floats(tensor, file_);
    return {static_cast<std::size_t>(row_count(tensor)),
            static_cast<std::size_t>(col_count(tensor)),
            {values.begin(), values.end()}};
  }

  /// The change before its scale, flat.
  std::vector<double> unscaled() const {
    if (module_.has(AdapterRole::up)) {
      return product(matrix(AdapterRole::up), down()).values;
    }
    if (module_.has(AdapterRole::hada_w1_a)) {
      Dense first =
          hadamard_factor(AdapterRole::hada_w1_a, AdapterRole::hada_w1_b, AdapterRole::hada_t1);
      const Dense second =
          hadamard_factor(AdapterRole::hada_w2_a, AdapterRole::hada_w2_b, AdapterRole::hada_t2);
      for (std::size_t i = 0; i < first.values.size(); ++i) {
        first.values[i] *= second.values[i];
      }
      return first.values;
    }
    if (module_.has(AdapterRole::diff)) {
      return matrix(AdapterRole::diff).values;
    }
    return kronecker();
  }

  /// The number that alpha is divided by; empty for a form that ignores alpha.
  std::optional<double> rank() const {
    for (const AdapterRole role : {AdapterRole::down, AdapterRole::hada_w1_b,
                                   AdapterRole::lokr_w2_b, AdapterRole::lokr_w1_b}) {
      if (const TensorInfo* tensor = module_.find(role)) {
        return static_cast<double>(row_count(*tensor));
      }
    }
    return std::nullopt;
  }

 private:
  static Dense product(const Dense& left, const Dense& right) {
    Dense out = zeros(left.rows, right.cols);
    for (std::size_t i = 0; i < left.rows; ++i) {
      for (std::size_t k = 0; k < left.cols; ++k) {
        const double factor = left.row(i)[k];
        for (std::size_t j = 0; j < right.cols; ++j) {
          out.row(i)[j] += factor * right.row(k)[j];
        }
      }
    }
    return out;
  }

  /// core [a, b, kh, kw] as rows, right [b, in] -> [a, in·kh·kw].
  static Dense through(const Dense& core, std::size_t area, const Dense& right) {
    Dense out = zeros(core.rows, right.cols * area);
    for (std::size_t a = 0; a < core.rows; ++a) {
      for (std::size_t b = 0; b < right.rows; ++b) {
        for (std::size_t k = 0; k < area; ++k) {
          const double factor = core.row(a)[b * area + k];
          for (std::size_t j = 0; j < right.cols; ++j) {
            out.row(a)[j * area + k] += factor * right.row(b)[j];
          }
        }
      }
    }
    return out;
  }

  std::size_t area(AdapterRole role) const {
    const auto& dims = module_.find(role)->dims;
    return dims.size() < 4 ? 1 : static_cast<std::size_t>(dims[2] * dims[3]);
  }

  Dense down() const {
    return module_.has(AdapterRole::mid) ? through(matrix(AdapterRole::mid), area(AdapterRole::mid),
                                                   matrix(AdapterRole::down))
                                         : matrix(AdapterRole::down);
  }

  static Dense transposed(const Dense& m) {
    Dense out = zeros(m.cols, m.rows);
    for (std::size_t i = 0; i < m.rows; ++i) {
      for (std::size_t j = 0; j < m.cols; ++j) {
        out.row(j)[i] = m.row(i)[j];
      }
    }
    return out;
  }

  /// a·b, or of LyCORIS's Tucker form aᵀ·core·b.
  Dense hadamard_factor(AdapterRole a, AdapterRole b, AdapterRole core) const {
    return module_.has(core)
               ? product(transposed(matrix(a)), through(matrix(core), area(core), matrix(b)))
               : product(matrix(a), matrix(b));
  }

  std::vector<double> kronecker() const {
    const Dense first = module_.has(AdapterRole::lokr_w1) ? matrix(AdapterRole::lokr_w1)
                                                          : product(matrix(AdapterRole::lokr_w1_a),
                                                                    matrix(AdapterRole::lokr_w1_b));
    const Dense second =
        module_.has(AdapterRole::lokr_w2)
            ? matrix(AdapterRole::lokr_w2)
            : hadamard_factor(AdapterRole::lokr_w2_a, AdapterRole::lokr_w2_b, AdapterRole::lokr_t2);
    Dense out = zeros(first.rows * second.rows, first.cols * second.cols);
    for (std::size_t i = 0; i < first.rows; ++i) {
      for (std::size_t k = 0; k < second.rows; ++k) {
        double* row = out.row(i * second.rows + k);
        for (std::size_t j = 0; j < first.cols; ++j) {
          for (std::size_t l = 0; l < second.cols; ++l) {
            row[j * second.cols + l] = first.row(i)[j] * second.row(k)[l];
          }
        }
      }
    }
    return out.values;
  }

  const ReaderModule& module_;
  const std::string& file_;
};

/// The scale that a reader gives a module.
double scale_of(const ReaderModule& module, const ReaderForm& form,
                std::optional<double> config_scale, const std::string& file) {
  const Computation c(module, file);
  const TensorInfo* alpha = module.find(AdapterRole::alpha);
  if (module.has(AdapterRole::diff) || form.scale == ReaderScale::none) {
    return 1;
  }
  if (form.scale == ReaderScale::config) {
    return config_scale.value_or(1);
  }
  const auto rank = c.rank();
  return alpha != nullptr && alpha->count() > 0 && rank
             ? static_cast<double>(tensor_floats(*alpha, file).at(0)) / *rank
             : 1;
}

/// A weight [out, in, area] whose rows or input channels have norms.
struct Grid {
  std::size_t out, in, area;

  std::size_t input(std::size_t i) const { return i / area % in; }
  std::size_t output(std::size_t i) const { return i / (in * area); }
};

std::vector<double> norms(std::span<const double> values, const Grid& grid, bool per_input) {
  std::vector<double> sums(per_input ? grid.in : grid.out, 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[per_input ? grid.input(i) : grid.output(i)] += values[i] * values[i];
  }
  for (double& x : sums) {
    x = std::sqrt(x);
  }
  return sums;
}

/// How magnitudes of these dimensions broadcast over a weight: along which axis they vary.
enum class Varies { output, input, nowhere };
Varies varies(const TensorInfo& magnitude, const Grid& grid, ReaderDora dora) {
  std::vector<std::int64_t> dims = magnitude.dims;
  if (dora == ReaderDora::per_output) {  // a vector, or one shaped for a convolution's outputs
    return magnitude.count() == static_cast<std::int64_t>(grid.out) ? Varies::output
                                                                    : Varies::nowhere;
  }
  const std::int64_t first = dims.size() > 1 ? dims[0] : 1;
  const std::int64_t second = dims.size() > 1 ? dims[1] : dims.empty() ? 1 : dims[0];
  if (first == static_cast<std::int64_t>(grid.out) && second == 1) {
    return Varies::output;
  }
  return first == 1 && second == static_cast<std::int64_t>(grid.in) ? Varies::input
                                                                    : Varies::nowhere;
}

/// Whether the shapes of a module's tensors fit each other and the weight.
class Fitting {
 public:
  Fitting(const ReaderModule& module, const Shape& weight)
      : module_(module), out_(weight[0]), cols_(weight.count() / weight[0]) {}

  std::optional<std::string> low_rank() const {
    const auto size = of_pair(AdapterRole::up, AdapterRole::down, AdapterRole::mid, false);
    return size && size->rows == out_ && size->cols == cols_ ? std::nullopt
                                                             : wrong(AdapterRole::up);
  }

  std::optional<std::string> hadamard() const {
    const auto first =
        of_pair(AdapterRole::hada_w1_a, AdapterRole::hada_w1_b, AdapterRole::hada_t1, true);
    const auto second =
        of_pair(AdapterRole::hada_w2_a, AdapterRole::hada_w2_b, AdapterRole::hada_t2, true);
    const bool fits = first && second && first->rows == out_ && second->rows == out_ &&
                      first->cols == cols_ && second->cols == cols_;
    return fits ? std::nullopt : wrong(AdapterRole::hada_w1_a);
  }

  std::optional<std::string> kronecker() const {
    const auto first = whole_or_pair(AdapterRole::lokr_w1, AdapterRole::lokr_w1_a,
                                     AdapterRole::lokr_w1_b, std::nullopt);
    const auto second = whole_or_pair(AdapterRole::lokr_w2, AdapterRole::lokr_w2_a,
                                      AdapterRole::lokr_w2_b, AdapterRole::lokr_t2);
    const bool fits = first && second && first->rows * second->rows == out_ &&
                      first->cols * second->cols == cols_;
    return fits ? std::nullopt : wrong(AdapterRole::lokr_w1);
  }

 private:
  struct Size {
    std::int64_t rows, cols;
  };

  /// The size of a·b, or with a core in four dimensions of a·core·b, with `transposed` aᵀ·core·b.
  /// Empty if they don't fit each other, or one is missing.
  std::optional<Size> of_pair(AdapterRole a, AdapterRole b, std::optional<AdapterRole> core,
                              bool transposed) const {
    const TensorInfo *left = module_.find(a), *right = module_.find(b);
    if (left == nullptr || right == nullptr) {
      return std::nullopt;
    }
    const TensorInfo* middle = core ? module_.find(*core) : nullptr;
    if (middle == nullptr) {
      return col_count(*left) == row_count(*right)
                 ? std::optional(Size{row_count(*left), col_count(*right)})
                 : std::nullopt;
    }
    const Size outer = transposed ? Size{col_count(*left), row_count(*left)}
                                  : Size{row_count(*left), col_count(*left)};
    const bool fits = middle->dims.size() == 4 && middle->dims[0] == outer.cols &&
                      middle->dims[1] == row_count(*right);
    return fits ? std::optional(
                      Size{outer.rows, col_count(*right) * middle->dims[2] * middle->dims[3]})
                : std::nullopt;
  }

  std::optional<Size> whole_or_pair(AdapterRole whole, AdapterRole a, AdapterRole b,
                                    std::optional<AdapterRole> core) const {
    const TensorInfo* one = module_.find(whole);
    return one != nullptr ? std::optional(Size{row_count(*one), col_count(*one)})
                          : of_pair(a, b, core, true);
  }

  /// A tensor to name: the first of the module, `usual` if it has that.
  std::optional<std::string> wrong(AdapterRole usual) const {
    const TensorInfo* named = module_.find(usual);
    return named != nullptr ? named->name : module_.tensors.begin()->second->name;
  }

  const ReaderModule& module_;
  std::int64_t out_, cols_;
};

}  // namespace

std::optional<std::string> misfit(const ReaderModule& module, const Shape& weight) {
  const Fitting fitting(module, weight);
  if (module.has(AdapterRole::up) || module.has(AdapterRole::down)) {
    return fitting.low_rank();
  }
  if (module.has(AdapterRole::hada_w1_a) || module.has(AdapterRole::hada_w2_a)) {
    return fitting.hadamard();
  }
  if (const TensorInfo* diff = module.find(AdapterRole::diff)) {
    return diff->count() == weight.count() ? std::nullopt : std::optional(diff->name);
  }
  return fitting.kronecker();
}

std::optional<std::vector<float>> reader_delta(const ReaderModule& module, const ReaderForm& form,
                                               std::optional<double> config_scale,
                                               const Shape& shape, std::span<const float> weight,
                                               const std::string& file) {
  std::vector<double> v = Computation(module, file).unscaled();
  const double scale = scale_of(module, form, config_scale, file);
  for (double& x : v) {
    x *= scale;
  }
  const TensorInfo* magnitude = module.find(AdapterRole::magnitude);
  if (magnitude == nullptr || form.dora == ReaderDora::none) {
    return std::vector<float>(v.begin(), v.end());
  }
  const Grid grid{static_cast<std::size_t>(shape[0]),
                  shape.rank() > 1 ? static_cast<std::size_t>(shape[1]) : 1,
                  shape.rank() > 3 ? static_cast<std::size_t>(shape[2] * shape[3]) : 1};
  const Varies along = varies(*magnitude, grid, form.dora);
  if (along == Varies::nowhere) {
    return std::nullopt;
  }
  const std::vector<double> base(weight.begin(), weight.end());
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] += base[i];
  }
  // By which axis the norms are taken is told by the first dimension alone.
  const bool first_is_out =
      !magnitude->dims.empty() && magnitude->dims[0] == static_cast<std::int64_t>(grid.out);
  const bool norms_per_input =
      form.dora == ReaderDora::per_input || (form.dora != ReaderDora::per_output && !first_is_out);
  const bool of_base = form.dora == ReaderDora::base_norms && !norms_per_input;
  const std::vector<double> lengths = norms(of_base ? base : v, grid, norms_per_input);
  const std::vector<float> m = tensor_floats(*magnitude, file);
  std::vector<float> delta(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double length = lengths[norms_per_input ? grid.input(i) : grid.output(i)];
    const double factor =
        static_cast<double>(m[along == Varies::input ? grid.input(i) : grid.output(i)]) / length;
    delta[i] = static_cast<float>(v[i] * factor - base[i]);
  }
  return delta;
}

}  // namespace mantissa
