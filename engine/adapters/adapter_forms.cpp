#include "engine/adapters/adapter_forms.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "engine/adapters/delta.h"
#include "engine/core/error.h"

namespace mantissa {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::int64_t kMaxRank = 1 << 20;

/// up [out, rank], down [rank, in·area]: the common result of all forms.
struct Factors {
  Matrix up, down;
  Shape kernel;  ///< {kh, kw} of a convolution
};

class Reader {
 public:
  Reader(const std::string& path, const ModuleTensors& tensors, const std::string& file)
      : path_(path), tensors_(tensors), file_(file) {}

  /// `Text` begins with {file}: {module}.
  template <Literal Text, typename... Values>
  [[noreturn]] void fail(Values&&... values) const {
    throw Error(message<Text>(file_, path_, std::forward<Values>(values)...));
  }
  bool has(AdapterRole role) const { return tensors_.has(role); }
  const TensorInfo& need(AdapterRole role) const {
    const TensorInfo* tensor = tensors_.find(role);
    if (tensor == nullptr) {
      if (role == AdapterRole::down) {
        fail<"{file}: {module} has no down matrix; the file is incomplete">();
      }
      if (role == AdapterRole::up) {
        fail<"{file}: {module} has no up matrix; the file is incomplete">();
      }
      fail<"{file}: {module} has no {tensor}; the file is incomplete">(
          tensor_suffix(role, TensorNames::kohya).substr(1));
    }
    return *tensor;
  }
  Shape shape(AdapterRole role) const { return need(role).shape(); }
  /// [shape[0], all the rest].
  Matrix matrix(AdapterRole role) const {
    const TensorInfo& tensor = need(role);
    const Shape shape = tensor.shape();
    if (shape.rank() < 2 || shape[0] < 1) {
      fail<"{file}: {module} has {tensor} of shape {shape}; expected a matrix">(tensor.name,
                                                                                shape.str());
    }
    const std::vector<float> values = tensor_floats(tensor, file_);
    const std::int64_t rows = shape[0], cols = shape.count() / rows;
    return Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
               values.data(), rows, cols)
        .cast<double>();
  }
  void require(bool fits, AdapterRole a, AdapterRole b) const {
    if (!fits) {
      fail<
          "{file}: {module} has {tensor} {shape} and {other} {other_shape}, which don't fit each "
          "other">(need(a).name, shape(a).str(), need(b).name, shape(b).str());
    }
  }

 private:
  const std::string& path_;
  const ModuleTensors& tensors_;
  const std::string& file_;
};

Shape kernel_of(const Shape& shape) {
  return shape.rank() == 4 ? Shape{shape[2], shape[3]} : Shape{};
}

/// core [a, b, kh, kw], right [b, in] -> [a, in·kh·kw].
Matrix through_core(const Matrix& core, const Shape& shape, const Matrix& right) {
  const std::int64_t a = shape[0], b = shape[1], area = shape[2] * shape[3], in = right.cols();
  Matrix result = Matrix::Zero(a, in * area);
  for (std::int64_t k = 0; k < area; ++k) {
    Matrix slice(a, b);
    for (std::int64_t i = 0; i < a; ++i) {
      for (std::int64_t j = 0; j < b; ++j) {
        slice(i, j) = core(i, j * area + k);
      }
    }
    const Matrix product = slice * right;
    for (std::int64_t i = 0; i < a; ++i) {
      for (std::int64_t j = 0; j < in; ++j) {
        result(i, j * area + k) = product(i, j);
      }
    }
  }
  return result;
}

Factors read_lora_factors(const Reader& r) {
  Factors f;
  const Shape down = r.shape(AdapterRole::down), up = r.shape(AdapterRole::up);
  f.up = r.matrix(AdapterRole::up);
  f.down = r.matrix(AdapterRole::down);
  f.kernel = kernel_of(down);
  if (!r.has(AdapterRole::mid)) {
    if (down.rank() < 2 || up.rank() < 2 || down[0] != up[1] || down[0] > kMaxRank ||
        up.count() != up[0] * up[1]) {
      r.fail<"{file}: {module} has down {down} and up {up}; expected [rank, in] and [out, rank]">(
          down.str(), up.str());
    }
    return f;
  }
  const Shape mid = r.shape(AdapterRole::mid);
  r.require(mid.rank() == 4 && mid[1] == down[0] && mid[0] == up[1] && up.count() == up[0] * up[1],
            AdapterRole::mid, AdapterRole::down);
  f.down = through_core(r.matrix(AdapterRole::mid), mid, f.down);
  f.kernel = kernel_of(mid);
  return f;
}

/// One of the two matrices of a LoHa: a [out, r]·b [r, in…], or with a core t [r, r, kh, kw] the
/// LyCORIS form with a [r, out].
Factors hada_half(const Reader& r, AdapterRole a, AdapterRole b, AdapterRole t,
                  const Shape& kernel) {
  Factors f;
  f.kernel = kernel;
  if (r.has(t)) {
    const Shape core = r.shape(t);
    r.require(core.rank() == 4 && core[0] == r.shape(a)[0] && core[1] == r.shape(b)[0], t, a);
    f.up = r.matrix(a).transpose();
    f.down = through_core(r.matrix(t), core, r.matrix(b));
    f.kernel = kernel_of(core);
    return f;
  }
  f.up = r.matrix(a);
  f.down = r.matrix(b);
  r.require(f.up.cols() == f.down.rows(), a, b);
  return f;
}

Factors read_loha_factors(const Reader& r) {
  const Factors one =
      hada_half(r, AdapterRole::hada_w1_a, AdapterRole::hada_w1_b, AdapterRole::hada_t1, {});
  const Factors two =
      hada_half(r, AdapterRole::hada_w2_a, AdapterRole::hada_w2_b, AdapterRole::hada_t2, {});
  r.require(one.up.rows() == two.up.rows() && one.down.cols() == two.down.cols(),
            AdapterRole::hada_w1_a, AdapterRole::hada_w2_a);
  // (Σ u_i v_iᵀ)∘(Σ s_j t_jᵀ) = Σ_ij (u_i∘s_j)(v_i∘t_j)ᵀ.
  Factors f;
  f.kernel = one.kernel;
  const Eigen::Index p = one.up.cols(), q = two.up.cols();
  f.up.resize(one.up.rows(), p * q);
  f.down.resize(p * q, one.down.cols());
  for (Eigen::Index i = 0; i < p; ++i) {
    for (Eigen::Index j = 0; j < q; ++j) {
      f.up.col(i * q + j) = one.up.col(i).cwiseProduct(two.up.col(j));
      f.down.row(i * q + j) = one.down.row(i).cwiseProduct(two.down.row(j));
    }
  }
  return f;
}

/// w1 [a, b] ⊗ (w2_up [c, r]·w2_down [r, d·area]), with the smaller side of w1 as identity.
Factors kronecker(const Matrix& w1, const Matrix& up, const Matrix& down, std::int64_t area) {
  const Eigen::Index a = w1.rows(), b = w1.cols(), c = up.rows(), r = up.cols();
  const Eigen::Index d = down.cols() / area;
  const bool left = a <= b;  // the identity's side
  const Eigen::Index n = left ? a : b;
  Factors f;
  f.up = Matrix::Zero(a * c, n * r);
  f.down = Matrix::Zero(n * r, b * d * area);
  for (Eigen::Index i = 0; i < a; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) {
      const double factor = left ? (i == k ? 1.0 : 0.0) : w1(i, k);
      f.up.block(i * c, k * r, c, r) = factor * up;
    }
  }
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index j = 0; j < b; ++j) {
      const double factor = left ? w1(k, j) : (j == k ? 1.0 : 0.0);
      f.down.block(k * r, j * d * area, r, d * area) = factor * down;
    }
  }
  return f;
}

Factors read_lokr_factors(const Reader& r) {
  const Matrix w1 =
      r.has(AdapterRole::lokr_w1)
          ? r.matrix(AdapterRole::lokr_w1)
          : Matrix(r.matrix(AdapterRole::lokr_w1_a) * r.matrix(AdapterRole::lokr_w1_b));
  Matrix up, down;
  Shape kernel;
  if (r.has(AdapterRole::lokr_w2)) {
    // A full w2 is its own up; the identity down has the kernel's area in its columns.
    const Shape shape = r.shape(AdapterRole::lokr_w2);
    kernel = kernel_of(shape);
    const Matrix w2 = r.matrix(AdapterRole::lokr_w2);
    const bool tall = w2.rows() > w2.cols();
    up = tall ? w2 : Matrix(Matrix::Identity(w2.rows(), w2.rows()));
    down = tall ? Matrix(Matrix::Identity(w2.cols(), w2.cols())) : w2;
  } else if (r.has(AdapterRole::lokr_t2)) {
    const Shape core = r.shape(AdapterRole::lokr_t2);
    r.require(core.rank() == 4 && core[0] == r.shape(AdapterRole::lokr_w2_a)[0] &&
                  core[1] == r.shape(AdapterRole::lokr_w2_b)[0],
              AdapterRole::lokr_t2, AdapterRole::lokr_w2_a);
    kernel = kernel_of(core);
    up = r.matrix(AdapterRole::lokr_w2_a).transpose();
    down = through_core(r.matrix(AdapterRole::lokr_t2), core, r.matrix(AdapterRole::lokr_w2_b));
  } else {
    up = r.matrix(AdapterRole::lokr_w2_a);
    down = r.matrix(AdapterRole::lokr_w2_b);
    kernel = kernel_of(r.shape(AdapterRole::lokr_w2_b));
    r.require(up.cols() == down.rows(), AdapterRole::lokr_w2_a, AdapterRole::lokr_w2_b);
  }
  Factors f = kronecker(w1, up, down, kernel.rank() == 2 ? kernel[0] * kernel[1] : 1);
  f.kernel = kernel;
  return f;
}

std::vector<float> rounded(const Matrix& m) {
  std::vector<float> values(static_cast<std::size_t>(m.size()));
  for (Eigen::Index i = 0; i < m.size(); ++i) {
    values[static_cast<std::size_t>(i)] = static_cast<float>(m.data()[i]);
  }
  return values;
}

/// [first, second(, kernel)].
Shape with_kernel(std::int64_t first, std::int64_t second, const Shape& kernel) {
  return kernel.rank() == 2 ? Shape{first, second, kernel[0], kernel[1]} : Shape{first, second};
}

AdapterModule from_factors(const std::string& path, const Factors& f, bool plain) {
  AdapterModule m;
  m.path = path;
  const std::int64_t area = f.kernel.rank() == 2 ? f.kernel[0] * f.kernel[1] : 1;
  const std::int64_t out = f.up.rows(), in = f.down.cols() / area, rank = f.up.cols();
  const bool conv = f.kernel.rank() == 2;
  m.rank = static_cast<int>(rank);
  // The factors are larger than the change: store the change itself.
  if (!plain && rank * (out + in * area) > out * in * area) {
    m.dense = rounded(f.up * f.down);
    m.rank = 0;
  } else {
    m.down = rounded(f.down);
    m.up = rounded(f.up);
  }
  m.down_shape = with_kernel(m.rank, in, f.kernel);
  m.up_shape = conv ? Shape{out, m.rank, 1, 1} : Shape{out, m.rank};
  return m;
}

/// The file's rank, the divisor of alpha; 0 if the form has none.
double stored_rank(const Reader& r) {
  const auto rows = [&](AdapterRole role) { return static_cast<double>(r.shape(role)[0]); };
  if (r.has(AdapterRole::hada_w1_b)) {
    return rows(AdapterRole::hada_w1_b);
  }
  if (r.has(AdapterRole::lokr_w1_b)) {
    return rows(AdapterRole::lokr_w1_b);
  }
  return r.has(AdapterRole::lokr_w2_b) ? rows(AdapterRole::lokr_w2_b) : 0;
}

AdapterModule read_diff(const std::string& path, const Reader& r) {
  const Shape shape = r.shape(AdapterRole::diff);
  AdapterModule m;
  m.path = path;
  m.dense = rounded(r.matrix(AdapterRole::diff));
  m.down_shape = shape;
  m.down_shape[0] = 0;
  m.up_shape = shape.rank() == 4 ? Shape{shape[0], 0, 1, 1} : Shape{shape[0], 0};
  return m;
}

/// The factors themselves, if training has their form: without cores, w1 whole.
std::optional<ProductModule> product_of(bool loha, int rank, double scale,
                                        const ModuleTensors& tensors, const std::string& file) {
  ProductModule product{.type = loha ? AdapterType::loha : AdapterType::lokr};
  product.rank = std::max(rank, 1);
  product.alpha = scale * product.rank;
  for (const auto& [role, tensor] : tensors.by_role) {
    switch (role) {
      case AdapterRole::hada_w1_a:
      case AdapterRole::hada_w1_b:
      case AdapterRole::hada_w2_a:
      case AdapterRole::hada_w2_b:
      case AdapterRole::lokr_w1:
      case AdapterRole::lokr_w2:
      case AdapterRole::lokr_w2_a:
      case AdapterRole::lokr_w2_b:
        product.members.push_back({role, tensor->shape(), tensor_floats(*tensor, file)});
        break;
      case AdapterRole::alpha:
      case AdapterRole::magnitude:
        break;
      default:
        return std::nullopt;
    }
  }
  return product;
}

/// The member as a tensor of a file in memory.
TensorInfo file_tensor(const ProductModule::Member& member) {
  TensorInfo info;
  info.name = tensor_suffix(member.role, TensorNames::kohya);
  info.dtype = "F32";
  info.type = DType::f32;
  for (int i = 0; i < member.shape.rank(); ++i) {
    info.dims.push_back(member.shape[i]);
  }
  info.data = reinterpret_cast<const std::byte*>(member.values.data());
  info.bytes = member.values.size() * sizeof(float);
  return info;
}

}  // namespace

std::vector<float> tensor_floats(const TensorInfo& tensor, const std::string& file) {
  const auto count = static_cast<std::size_t>(tensor.count());
  std::vector<float> out(count);
  const auto convert = [&]<typename T>() {
    for (std::size_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, tensor.data + i * sizeof(T), sizeof(T));
      out[i] = static_cast<float>(value);
    }
  };
  const std::optional<DType> type = tensor.type;
  if (type == DType::f8_e4m3) {
    convert.template operator()<float8_e4m3>();
  } else if (type == DType::f8_e5m2) {
    convert.template operator()<float8_e5m2>();
  } else if (type && is_float(*type)) {
    dispatch_float(*type, convert);
  } else {
    throw Error(message<"{file}: {tensor} has type {type}; a LoRA holds floating-point tensors">(
        file, tensor.name, tensor.dtype));
  }
  return out;
}

/// One number of a file, whole or not: some trainers save alpha as an integer.
static std::optional<double> number_of(const TensorInfo* tensor, const std::string& file) {
  if (tensor == nullptr) {
    return std::nullopt;
  }
  if (tensor->count() != 1) {
    throw Error(message<"{file}: {tensor} must be one number">(file, tensor->name));
  }
  const auto whole = [&]<typename T>() {
    T value;
    std::memcpy(&value, tensor->data, sizeof value);
    return static_cast<double>(value);
  };
  const std::string& type = tensor->dtype;
  return type == "I64"   ? whole.template operator()<std::int64_t>()
         : type == "I32" ? whole.template operator()<std::int32_t>()
         : type == "I16" ? whole.template operator()<std::int16_t>()
         : type == "I8"  ? whole.template operator()<std::int8_t>()
         : type == "U8"  ? whole.template operator()<std::uint8_t>()
                         : static_cast<double>(tensor_floats(*tensor, file)[0]);
}

std::optional<double> alpha_with_scalar(const ModuleTensors& tensors, const std::string& file) {
  const auto scalar = number_of(tensors.find(BesideRole::scalar), file);
  const Reader r("", tensors, file);
  const double rank = r.has(AdapterRole::down) ? static_cast<double>(r.shape(AdapterRole::down)[0])
                                               : stored_rank(r);
  if (!scalar || r.has(AdapterRole::diff) || rank == 0) {
    return std::nullopt;
  }
  return *scalar * number_of(tensors.find(AdapterRole::alpha), file).value_or(rank);
}

AdapterModule adapter_module(const std::string& path, const ModuleTensors& tensors,
                             std::optional<double> given_scale, const std::string& file) {
  const Reader r(path, tensors, file);
  if (r.has(AdapterRole::diff)) {
    AdapterModule whole = read_diff(path, r);
    ModuleTensors factors = tensors;
    factors.by_role.erase(AdapterRole::diff);
    const auto is_factor = [](const auto& entry) {
      return entry.first != AdapterRole::alpha && entry.first != AdapterRole::magnitude;
    };
    if (std::ranges::any_of(factors.by_role, is_factor)) {  // both change the weight
      const std::vector<float> none(whole.dense.size(), 0.0F);
      const std::vector<float> more =
          weight_delta(adapter_module(path, factors, given_scale, file), none);
      std::ranges::transform(whole.dense, more, whole.dense.begin(), std::plus<>());
    }
    return whole;
  }
  const std::optional<double> alpha = number_of(tensors.find(AdapterRole::alpha), file);
  const double scalar = number_of(tensors.find(BesideRole::scalar), file).value_or(1);
  const bool loha = r.has(AdapterRole::hada_w1_a) || r.has(AdapterRole::hada_w1_b);
  const bool lokr = r.has(AdapterRole::lokr_w1) || r.has(AdapterRole::lokr_w1_a);
  if (!loha && !lokr) {
    AdapterModule module = from_factors(path, read_lora_factors(r), true);
    module.alpha = scalar * alpha.value_or(given_scale.value_or(1) * module.rank);
    if (!r.has(AdapterRole::mid)) {
      module.up_shape = r.shape(AdapterRole::up);
      module.down_shape = r.shape(AdapterRole::down);
    }
    return module;
  }
  const double rank = stored_rank(r);
  // LyCORIS knows no alpha where both factors are whole; PEFT's scale holds for any.
  const double scale = scalar * (alpha ? (rank > 0 ? *alpha / rank : 1) : given_scale.value_or(1));
  AdapterModule module =
      from_factors(path, loha ? read_loha_factors(r) : read_lokr_factors(r), false);
  for (float& x : module.dense) {
    x = static_cast<float>(scale * static_cast<double>(x));
  }
  module.alpha = scale * module.rank;
  module.product = product_of(loha, static_cast<int>(rank), scale, tensors, file);
  return module;
}

AdapterModule expanded(const AdapterModule& module) {
  if (!module.product || module.rank > 0 || !module.dense.empty()) {
    return module;
  }
  std::vector<TensorInfo> tensors;
  tensors.reserve(module.product->members.size());
  ModuleTensors found{.name = module.path};
  for (const ProductModule::Member& member : module.product->members) {
    found.by_role[member.role] = &tensors.emplace_back(file_tensor(member));
  }
  AdapterModule result =
      adapter_module(module.path, found, module.product->alpha / module.product->rank, module.path);
  // Factors are flat: a convolution's shape is the module's own.
  result.down_shape = module.down_shape;
  result.down_shape[0] = result.rank;
  result.up_shape = module.up_shape;
  result.up_shape[1] = result.rank;
  result.dora_axis = module.dora_axis;
  result.magnitude = module.magnitude;
  return result;
}

}  // namespace mantissa
