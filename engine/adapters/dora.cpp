#include "engine/adapters/dora.h"

#include <algorithm>
#include <optional>

#include "engine/graph/ops.h"

namespace mantissa {

std::int64_t dora_channels(const Shape& weight, DoraAxis axis) {
  return axis == DoraAxis::input ? weight[1] : weight[0];
}

namespace {

/// A quantised weight's values as fp32.
DeviceArray dequantized(Kernels& kernels, const Tensor& weight) {
  const Shape rows{weight.shape[0], weight.shape.count() / weight.shape[0]};
  DeviceArray values(kernels, rows);
  kernels.dequantize(View(weight.data, weight.dtype, rows), weight.scale_view(), values.view());
  return values;
}

/// The weight as norms read it.
class NormWeight {
 public:
  NormWeight(Kernels& kernels, const Tensor& weight, DoraAxis axis) : there_(kernels, weight) {
    args_.weight = there_->view();
    args_.weight_scale = there_->scale_view();
    args_.per_input = axis == DoraAxis::input;
    if (is_grouped(weight.dtype)) {
      values_.emplace(dequantized(kernels, *there_));
      args_.weight = View(values_->view().data, DType::f32, weight.shape);
      args_.weight_scale = {};
    }
  }
  const DoraNormArgs& args() const { return args_; }

 private:
  WeightOnDevice there_;
  std::optional<DeviceArray> values_;
  DoraNormArgs args_;
};

}  // namespace

std::int64_t empty_channels(std::span<const float> values, const Shape& weight, DoraAxis axis) {
  const auto channels = static_cast<std::size_t>(dora_channels(weight, axis));
  const std::size_t run = axis == DoraAxis::input
                              ? values.size() / static_cast<std::size_t>(weight[0]) / channels
                              : values.size() / channels;
  std::vector<double> squares(channels);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(values[i]);
    squares[i / run % channels] += x * x;
  }
  const double least = static_cast<double>(kDoraLeastNorm) * static_cast<double>(kDoraLeastNorm);
  return std::ranges::count_if(squares, [&](double square) { return square < least; });
}

std::vector<float> frozen_values(Kernels& kernels, const Tensor& weight) {
  const WeightOnDevice there(kernels, weight);
  return there->quantized() ? host_values(kernels, dequantized(kernels, *there).view())
                            : host_values(kernels, there->view());
}

void dora_squares(Kernels& kernels, const Tensor& weight, DoraAxis axis, const View& squares) {
  kernels.weight_squares(NormWeight(kernels, weight, axis).args(), squares);
}

std::vector<float> dora_norms(Kernels& kernels, const Tensor& weight, DoraAxis axis,
                              const View& squares, const View& down, const View& up, float scale) {
  const NormWeight read(kernels, weight, axis);
  DoraNormArgs args = read.args();
  args.squares = squares;
  args.scale = scale;
  args.down = down;
  args.up = up;
  std::optional<DeviceArray> wide_down, wide_up;
  if (weight.dtype == DType::f64) {
    wide_down.emplace(kernels, down.shape, DType::f64);
    wide_up.emplace(kernels, up.shape, DType::f64);
    kernels.copy(down, wide_down->view());
    kernels.copy(up, wide_up->view());
    args.down = wide_down->view();
    args.up = wide_up->view();
  }
  const DeviceArray norm(kernels, squares.shape, squares.dtype);
  kernels.dora_norm(args, norm.view());
  return host_values(kernels, norm.view());
}

std::vector<float> changed_norms(Kernels& kernels, const Tensor& weight, DoraAxis axis,
                                 const View& change) {
  const NormWeight read(kernels, weight, axis);
  DoraNormArgs args = read.args();
  args.down = change;
  const DType type = weight.dtype == DType::f64 ? DType::f64 : DType::f32;
  std::optional<DeviceArray> wide;
  if ((change.dtype == DType::f64) != (type == DType::f64)) {
    wide.emplace(kernels, change.shape, type);
    kernels.copy(change, wide->view());
    args.down = wide->view();
  }
  const DeviceArray norm(kernels, {dora_channels(weight.shape, axis)}, type);
  kernels.dora_norm(args, norm.view());
  return host_values(kernels, norm.view());
}

std::vector<float> dora_factors(std::span<const float> magnitude, std::span<const float> norms,
                                std::span<const float> squares) {
  std::vector<float> factors(magnitude.size());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool vanishes = norms[i] < kDoraLeastNorm || squares[i] < kDoraLeastNorm * kDoraLeastNorm;
    factors[i] = vanishes ? 1.0F : magnitude[i] / norms[i];
  }
  return factors;
}

}  // namespace mantissa
