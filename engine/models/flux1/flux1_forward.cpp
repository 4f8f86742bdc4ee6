#include "engine/models/flux1/flux1_forward.h"

#include <algorithm>
#include <vector>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr double kFlux1Theta = 10000;

std::int64_t patches_of(const LatentSize& image) {
  return (image.height / kFlux1Patch) * (image.width / kFlux1Patch);
}

LatentSize latent_size(Value latents) {
  return {latents.shape()[1], latents.shape()[2]};
}

/// [b, h/2, w/2, in]
Value patch_grid(Value latents, DType activations) {
  return to_patches(cast(latents, activations), kFlux1Patch);
}

Value in_one_row(Value grid) {
  const Shape s = grid.shape();
  return reshape(grid, {s[0], s[1] * s[2], s[3]});
}

}  // namespace

Value flux1_forward(const std::string& path, DType activations, Value latents, Value text,
                    const Flux1Steps& steps, std::span<const Value> references) {
  Graph& graph = latents.graph();
  graph.set_path(path);
  const Value grid = patch_grid(latents, activations);
  const Shape s = grid.shape();
  const std::int64_t patches = s[1] * s[2], tokens = text.shape()[1];
  Value all = in_one_row(grid);
  for (const Value reference : references) {
    all = join_tokens(all, in_one_row(patch_grid(reference, activations)));
  }
  Flux1Streams streams{steps.entry(all), steps.text_entry(cast(text, activations))};
  for (std::size_t i = 0; i < steps.double_blocks; ++i) {
    const Segment segment(graph);
    streams = steps.double_block(i, streams);
  }
  graph.set_path(path);
  Value image = streams.image;
  if (steps.single_blocks > 0) {
    Value x = join_tokens(streams.text, streams.image);
    for (std::size_t i = 0; i < steps.single_blocks; ++i) {
      const Segment segment(graph);
      x = steps.single_block(i, x);
    }
    graph.set_path(path);
    image = take_tokens(x, tokens, patches);
  } else if (!references.empty()) {
    image = take_tokens(image, 0, patches);
  }
  const Value out = steps.exit(image);
  graph.set_path(path);
  return cast(from_patches(reshape(out, s), kFlux1Patch), latents.dtype());
}

RotaryTables flux1_rotation(std::int64_t tokens, LatentSize image,
                            const std::array<int, 3>& axes_dims,
                            std::span<const LatentSize> references) {
  std::vector<RotaryAxis> axes;
  for (const int channels : axes_dims) {
    axes.push_back({.width = channels, .theta = kFlux1Theta});
  }
  std::vector<double> positions(static_cast<std::size_t>(3 * tokens), 0.0);
  const auto add_image = [&](const LatentSize& size, double place) {
    for (std::int64_t y = 0; y < size.height / kFlux1Patch; ++y) {
      for (std::int64_t x = 0; x < size.width / kFlux1Patch; ++x) {
        positions.insert(positions.end(), {place, static_cast<double>(y), static_cast<double>(x)});
      }
    }
  };
  add_image(image, 0);
  for (const LatentSize& reference : references) {
    add_image(reference, 1);
  }
  return rotary_tables(axes, positions);
}

Flux1Attended flux1_position_inputs(Graph& graph, std::int64_t tokens, Value latents, int head_dim,
                                    std::span<const Value> references) {
  tokens += patches_of(latent_size(latents));
  for (const Value reference : references) {
    tokens += patches_of(latent_size(reference));
  }
  const Shape table{1, tokens, head_dim / 2};
  return {
      graph.input("token_cos", DType::f32, table), graph.input("token_sin", DType::f32, table), {}};
}

void feed_flux1_positions(Executor& executor, std::int64_t height, std::int64_t width,
                          const std::array<int, 3>& axes) {
  const LatentSize image{height, width};
  const std::vector<LatentSize> references = reference_sizes(executor);
  std::int64_t tokens = executor.input("token_cos").shape[1] - patches_of(image);
  for (const LatentSize& reference : references) {
    tokens -= patches_of(reference);
  }
  const RotaryTables tables = flux1_rotation(tokens, image, axes, references);
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

std::array<int, 3> usual_flux1_axes(int head_dim) {
  const int pairs = head_dim / 2, first = std::max(1, pairs / 8), rest = pairs - first;
  return {2 * first, 2 * (rest - rest / 2), 2 * (rest / 2)};
}

}  // namespace mantissa
