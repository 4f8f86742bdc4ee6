#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "kernels/dtype.h"

namespace mantissa {

/// Extents of a tensor, outermost first; rank 0 to 5. Rank 0 is a scalar.
class Shape {
 public:
  static constexpr int kMaxRank = 5;
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> dims) {
    for (std::int64_t d : dims) {
      push_back(d);
    }
  }
  int rank() const { return rank_; }
  /// Extent of dimension `i`; negative counts from the end.
  std::int64_t operator[](int i) const {
    return dims_[static_cast<std::size_t>(i < 0 ? rank_ + i : i)];
  }
  std::int64_t& operator[](int i) { return dims_[static_cast<std::size_t>(i < 0 ? rank_ + i : i)]; }
  void push_back(std::int64_t d) {
    if (rank_ == kMaxRank) {
      throw std::length_error("Shape: rank above 5");
    }
    dims_[static_cast<std::size_t>(rank_++)] = d;
  }
  /// Number of elements (1 for a scalar).
  std::int64_t count() const {
    std::int64_t n = 1;
    for (int i = 0; i < rank_; ++i) {
      n *= dims_[static_cast<std::size_t>(i)];
    }
    return n;
  }
  /// Elements of the last dimension (1 for a scalar) and how many such rows there are.
  std::int64_t cols() const { return rank_ == 0 ? 1 : dims_[static_cast<std::size_t>(rank_ - 1)]; }
  std::int64_t rows() const { return cols() == 0 ? 0 : count() / cols(); }
  /// Extents behind the rank are 0 in every shape.
  bool operator==(const Shape&) const = default;
  /// "[1, 64, 64, 320]"
  std::string str() const {
    std::string s = "[";
    for (int i = 0; i < rank_; ++i) {
      s += (i != 0 ? ", " : "") + std::to_string((*this)[i]);
    }
    return s + "]";
  }

 private:
  std::array<std::int64_t, kMaxRank> dims_{};
  int rank_ = 0;
};

/// A typed, non-owning view of memory. Elements are row-major; consecutive rows (vectors of the
/// last dimension) lie `row_stride` elements apart, so that a view can name a slice of channels
/// inside a wider tensor. Outer dimensions are packed.
struct View {
  void* data = nullptr;
  DType dtype = DType::f32;
  Shape shape;
  std::int64_t row_stride = 0;
  /// Non-zero: the content never changes during this id's lifetime (a frozen weight), so a backend
  /// may cache a packed copy under it until `Kernels::release_constants`.
  std::uint64_t constant_id = 0;
  /// Scales of codes passed as a weight (Kernels::decodes_weights), one per index of the first
  /// dimension. Blocks have theirs behind them, so such a view is always a whole tensor.
  const float* scale = nullptr;

  View() = default;
  View(void* d, DType t, Shape s) : data(d), dtype(t), shape(s), row_stride(s.cols()) {}

  explicit operator bool() const { return data != nullptr; }
  bool contiguous() const { return row_stride == shape.cols(); }
  std::int64_t count() const { return shape.count(); }
  std::int64_t rows() const { return shape.rows(); }
  std::int64_t cols() const { return shape.cols(); }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

}  // namespace mantissa
