#include "engine/adapters/dora.h"

#include <optional>

#include "engine/graph/ops.h"

namespace mantissa {

std::int64_t dora_channels(const Shape& weight, DoraAxis axis) {
  return axis == DoraAxis::input ? weight[1] : weight[0];
}

std::vector<float> frozen_values(Kernels& kernels, const Tensor& weight) {
  const WeightOnDevice there(kernels, weight);
  if (there->scale == nullptr) {
    return host_values(kernels, there->view());
  }
  const Shape rows{there->shape[0], there->shape.count() / there->shape[0]};
  const DeviceArray values(kernels, rows);
  kernels.dequantize(View(there->data, there->dtype, rows), there->scale_view(), values.view());
  return host_values(kernels, values.view());
}

namespace {

DoraNormArgs norm_args(const Tensor& weight, DoraAxis axis) {
  DoraNormArgs args;
  args.weight = weight.view();
  if (weight.scale != nullptr) {
    args.weight_scale = weight.scale_view();
  }
  args.per_input = axis == DoraAxis::input;
  return args;
}

}  // namespace

void dora_squares(Kernels& kernels, const Tensor& weight, DoraAxis axis, const View& squares) {
  const WeightOnDevice there(kernels, weight);
  kernels.weight_squares(norm_args(*there, axis), squares);
}

std::vector<float> dora_norms(Kernels& kernels, const Tensor& weight, DoraAxis axis,
                              const View& squares, const View& down, const View& up, float scale) {
  const WeightOnDevice there(kernels, weight);
  DoraNormArgs args = norm_args(*there, axis);
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
  const WeightOnDevice there(kernels, weight);
  DoraNormArgs args = norm_args(*there, axis);
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
