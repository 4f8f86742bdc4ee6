#pragma once
// What the transformers made of FLUX.1's blocks do around them.

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "engine/graph/executor.h"
#include "engine/graph/graph.h"
#include "engine/models/flux1/flux1_blocks.h"
#include "engine/models/references.h"
#include "engine/nn/linear.h"

namespace mantissa {

/// The steps of such a transformer. The blocks know their modulations; each is one checkpointing
/// segment.
struct Flux1Steps {
  const Linear &entry, &text_entry;
  std::size_t double_blocks = 0, single_blocks = 0;  ///< of the latter there may be none
  std::function<Flux1Streams(std::size_t block, const Flux1Streams& x)> double_block;
  std::function<Value(std::size_t block, Value x)> single_block;
  std::function<Value(Value image)> exit;  ///< tokens [b, patches, width] -> [b, patches, in]
};

/// latents [b, h, w, in/4] (NHWC; even sides) and text [b, tokens, context channels] -> the
/// latents' shape. `path` is the transformer's. References [b, h, w, in/4] are more tokens of the
/// image's stream, whose outputs aren't used.
Value flux1_forward(const std::string& path, DType activations, Value latents, Value text,
                    const Flux1Steps& steps, std::span<const Value> references = {});
/// RoPE of a text of `tokens`, which has no position, and after it of an image of latents and of
/// its references; `axes` are the channels that turn with each axis: image, row, column. The first
/// is 0 in the image and 1 in each reference.
RotaryTables flux1_rotation(std::int64_t tokens, LatentSize image, const std::array<int, 3>& axes,
                            std::span<const LatentSize> references = {});
/// Inputs of a graph for these tables, sized by `latents` and `references`, and what fills them.
Flux1Attended flux1_position_inputs(Graph& graph, std::int64_t tokens, Value latents, int head_dim,
                                    std::span<const Value> references = {});
void feed_flux1_positions(Executor& executor, std::int64_t height, std::int64_t width,
                          const std::array<int, 3>& axes);
/// An eighth of a head for the axis that nothing turns with, the rest in halves, each of whole
/// pairs: 16, 56 and 56 of 128.
std::array<int, 3> usual_flux1_axes(int head_dim);

}  // namespace mantissa
