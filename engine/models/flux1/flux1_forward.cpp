#include "engine/models/flux1/flux1_forward.h"

#include <algorithm>
#include <vector>

#include "engine/graph/op_check.h"
#include "engine/graph/ops.h"
#include "engine/nn/tokens.h"

namespace mantissa {
namespace {

constexpr double kFlux1Theta = 10000;

}  // namespace

Value flux1_forward(const std::string& path, DType activations, Value latents, Value text,
                    const Flux1Steps& steps) {
  Graph& graph = latents.graph();
  graph.set_path(path);
  const Value grid = to_patches(cast(latents, activations), kFlux1Patch);
  const Shape s = grid.shape();
  const std::int64_t patches = s[1] * s[2], tokens = text.shape()[1];
  Flux1Streams streams{steps.entry(reshape(grid, {s[0], patches, s[3]})),
                       steps.text_entry(cast(text, activations))};
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
  }
  const Value out = steps.exit(image);
  graph.set_path(path);
  return cast(from_patches(reshape(out, s), kFlux1Patch), latents.dtype());
}

void check_flux1_inputs(const char* transformer, Value latents, Value text,
                        std::int64_t latent_channels, std::int64_t context_channels) {
  const Shape s = latents.shape(), t = text.shape();
  check_op(s.rank() == 4 && s[3] == latent_channels && s[1] % kFlux1Patch == 0 &&
               s[2] % kFlux1Patch == 0,
           transformer, latents, [&] {
             return "latents must be [batch, height, width, " + std::to_string(latent_channels) +
                    "] with even sides; got " + describe(latents);
           });
  check_op(t.rank() == 3 && t[0] == s[0] && t[2] == context_channels, transformer, text, [&] {
    return "text must be [batch, tokens, " + std::to_string(context_channels) + "]; got " +
           describe(text);
  });
}

RotaryTables flux1_rotation(std::int64_t tokens, std::int64_t height, std::int64_t width,
                            const std::array<int, 3>& axes_dims) {
  const std::int64_t rows = height / kFlux1Patch, columns = width / kFlux1Patch;
  std::vector<RotaryAxis> axes;
  for (const int channels : axes_dims) {
    axes.push_back({.width = channels, .theta = kFlux1Theta});
  }
  std::vector<double> positions(static_cast<std::size_t>(3 * tokens), 0.0);
  positions.reserve(static_cast<std::size_t>(3 * (tokens + rows * columns)));
  for (std::int64_t y = 0; y < rows; ++y) {
    for (std::int64_t x = 0; x < columns; ++x) {
      positions.insert(positions.end(), {0, static_cast<double>(y), static_cast<double>(x)});
    }
  }
  return rotary_tables(axes, positions);
}

Flux1Attended flux1_position_inputs(Graph& graph, std::int64_t tokens, Value latents,
                                    int head_dim) {
  const Shape s = latents.shape();
  const Shape table{1, tokens + (s[1] / kFlux1Patch) * (s[2] / kFlux1Patch), head_dim / 2};
  return {
      graph.input("token_cos", DType::f32, table), graph.input("token_sin", DType::f32, table), {}};
}

void feed_flux1_positions(Executor& executor, std::int64_t height, std::int64_t width,
                          const std::array<int, 3>& axes) {
  const std::int64_t patches = (height / kFlux1Patch) * (width / kFlux1Patch);
  const std::int64_t tokens = executor.input("token_cos").shape[1] - patches;
  const RotaryTables tables = flux1_rotation(tokens, height, width, axes);
  executor.feed("token_cos", tables.cos);
  executor.feed("token_sin", tables.sin);
}

std::array<int, 3> usual_flux1_axes(int head_dim) {
  const int pairs = head_dim / 2, first = std::max(1, pairs / 8), rest = pairs - first;
  return {2 * first, 2 * (rest - rest / 2), 2 * (rest / 2)};
}

}  // namespace mantissa
