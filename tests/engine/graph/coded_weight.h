#pragma once
// Graphs with a weight of codes, and their results in fp64.
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/graph/ops.h"
#include "kernels/cpu/cpu.h"

namespace mantissa::testing_support {

inline constexpr std::int64_t kRows = 5, kIn = 32, kOut = 16;

inline std::vector<float> wave(std::int64_t count, float scale, float phase) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = scale * std::sin(static_cast<float>(i * 37 % 101) + phase);
  }
  return values;
}

/// A frozen weight of codes, and their values.
class CodedWeight {
 public:
  /// Codes of `count` layers of the same size, one after the other.
  explicit CodedWeight(Kernels& kernels, DType type = DType::f8_e4m3, std::int64_t count = 1)
      : layers(static_cast<std::size_t>(count)),
        values(static_cast<std::size_t>(count * kOut * kIn)),
        codes_(stored_bytes(type, count * kOut * kIn)),
        scales_(static_cast<std::size_t>(count * kOut)) {
    const Shape matrix{count * kOut, kIn};
    std::vector<float> source = wave(matrix.count(), 0.02F, 1.0F);
    for (std::int64_t i = 0; i < kIn; ++i) {
      source[static_cast<std::size_t>(i)] *= 50.0F;  // a row of another magnitude
    }
    tensor.name = "w";
    tensor.dtype = type;
    tensor.shape = matrix;
    tensor.data = codes_.data();
    tensor.scale = tensor.has_scale() ? scales_.data() : nullptr;
    kernels.quantize(View(source.data(), DType::f32, matrix), {}, tensor.view(),
                     tensor.scale_view(), {});
    kernels.dequantize(tensor.view(), tensor.scale_view(), View(values.data(), DType::f32, matrix));
    for (std::size_t i = 0; count > 1 && i < layers.size(); ++i) {
      Tensor& layer = layers[i] = tensor;
      layer.shape = {kOut, kIn};
      layer.data = codes_.data() + i * stored_bytes(type, kOut * kIn);
      layer.scale = scales_.data() + i * kOut;
    }
    for (std::size_t i = 0; count > 1 && i < layers.size(); ++i) {
      tensor.parts.push_back(&layers[i]);
    }
  }
  Tensor tensor;
  std::vector<Tensor> layers;  ///< the parts of `tensor`, if there are several
  std::vector<float> values;

 private:
  std::vector<std::uint8_t> codes_;
  std::vector<float> scales_;
};

/// Runs graphs that end in an output "y" and take "x" and the loss seed "d_y".
class QuantGraph : public ::testing::Test {
 protected:
  std::unique_ptr<Kernels> kernels = make_cpu_kernels(2);
  std::unique_ptr<Graph> owner = std::make_unique<Graph>();

  /// Σ d_y·y as the loss, so that the gradient of y is d_y.
  void close(Value y, bool checkpointing = false) {
    Graph& graph = *owner;
    graph.output("y", y);
    const Value wide = cast(y, DType::f32);
    const Value d_y = graph.input("d_y", DType::f32, wide.shape());
    const Value flat = reshape(multiply(wide, d_y), {1, wide.shape().count()});
    const Value ones = constant(graph, DType::f32, {wide.shape().count(), 1}, 1.0F);
    graph.backward(reshape(matmul(flat, ones, {}), Shape{}), checkpointing);
  }
  void run(const std::vector<float>& x, const std::vector<float>& d_y) {
    const Graph& graph = *owner;
    plan = make_plan(graph);
    arena.emplace(*kernels);
    executor.emplace(graph, plan, *kernels, *arena);
    feed("x", x);
    feed("d_y", d_y);
    executor->run({});
  }
  void feed(const char* name, const std::vector<float>& values) {
    const View to = executor->input(name);
    kernels->copy(View(const_cast<float*>(values.data()), DType::f32, to.shape), to);
  }
  std::vector<float> read(const char* name) {
    const View from = executor->output(name);
    std::vector<float> values(static_cast<std::size_t>(from.count()));
    kernels->copy(from, View(values.data(), DType::f32, from.shape));
    return values;
  }
  Plan plan;
  std::optional<Arena> arena;
  std::optional<Executor> executor;
};

/// y = x·Wᵀ and d_x = d_y·W in fp64.
inline std::vector<double> product(const std::vector<float>& x, const std::vector<float>& w,
                                   bool backward) {
  const std::int64_t n = backward ? kIn : kOut, k = backward ? kOut : kIn;
  std::vector<double> y(static_cast<std::size_t>(kRows * n));
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < k; ++j) {
        y[static_cast<std::size_t>(r * n + i)] +=
            static_cast<double>(x[static_cast<std::size_t>(r * k + j)]) *
            w[static_cast<std::size_t>(backward ? j * kIn + i : i * kIn + j)];
      }
    }
  }
  return y;
}

inline double relative_error(const std::vector<float>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

}  // namespace mantissa::testing_support
