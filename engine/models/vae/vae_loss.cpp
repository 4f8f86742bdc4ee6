#include "engine/models/vae/vae_loss.h"

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"

namespace mantissa {
namespace {

/// Mean of all values, []: rows are summed first, so that each sum has at most a few thousand
/// terms.
Value mean_of(Value x) {
  const std::int64_t count = x.shape().count(), rows = x.shape()[0] * x.shape()[1];
  const std::int64_t cols = count / rows;
  const Value sums = reshape(column_sums(reshape(x, {rows, cols})), {1, cols});
  const Value ones = constant(x.graph(), x.dtype(), {cols, 1}, 1.0F);
  return reshape(matmul(sums, ones, {.alpha = 1.0F / static_cast<float>(count)}), Shape{});
}

Value mean_error(Value difference) {
  return mean_of(unary(Unary::absolute, difference));
}

/// x[i + step] - x[i] along the last dimension.
Value neighbours(Value x, std::int64_t step) {
  const std::int64_t count = x.shape().cols() - step;
  return add(slice_channels(x, step, count), scale(slice_channels(x, 0, count), -1.0F));
}

}  // namespace

Value posterior_mean(Value moments) {
  return slice_channels(moments, 0, moments.shape().cols() / 2);
}

VaeLoss vae_loss(Graph& graph, const Autoencoder& vae, Value image, Value noise, float kl_weight) {
  VaeLoss result;
  const Value moments = vae.encode(graph, image);
  const std::int64_t channels = moments.shape().cols() / 2;
  const Value mean = posterior_mean(moments);
  const Value log_variance =
      unary(Unary::log_variance, slice_channels(moments, channels, channels));
  check_op(noise.shape() == mean.shape(), "vae_loss", noise, [&] {
    return "expected noise like the latents " + describe(mean) + "; got " + describe(noise);
  });
  const Value deviation = unary(Unary::exponential, scale(log_variance, 0.5F));
  result.reconstructed = vae.decode(graph, add(mean, multiply(deviation, noise)));
  graph.set_path("vae");

  const Shape s = image.shape();  // [b, h, w, c]
  const std::int64_t row = s[2] * s[3];
  const Value difference = add(result.reconstructed, scale(image, -1.0F));
  result.pixels = mean_error(reshape(difference, {s[0], s[1], row}));
  result.squares = mean_of(reshape(multiply(difference, difference), {s[0], s[1], row}));
  const Value across = neighbours(reshape(difference, {s[0], s[1], row}), s[3]);
  const Value down = neighbours(reshape(difference, {s[0], s[1] * row}), row);
  result.edges = add(mean_error(across), mean_error(reshape(down, {s[0], s[1] - 1, row})));

  const Value squares = add(multiply(mean, mean), multiply(deviation, deviation));
  const Value half = scale(mean_of(add(squares, scale(log_variance, -1.0F))), 0.5F);
  result.divergence = add(half, constant(graph, half.dtype(), Shape{}, -0.5F));
  const Value errors = add(result.pixels, scale(result.squares, kSquareWeight));
  result.loss =
      add(add(errors, scale(result.edges, kEdgeWeight)), scale(result.divergence, kl_weight));
  return result;
}

}  // namespace mantissa
