#pragma once
// A Qwen3-VL that reads a text with reference images in it.

#include <cstdint>
#include <span>

#include "engine/graph/executor.h"
#include "engine/io/image.h"
#include "engine/models/qwen3/qwen3.h"
#include "engine/models/qwen3/qwen3_vision.h"
#include "engine/models/qwen3/reference_sequence.h"

namespace mantissa {

/// What the text encoder gives for a sequence whose references are in tokens of its own, squares of
/// `merge` patches: [1, sequence.count(), text.width()], with inputs that `feed_seen_text` fills.
Value seen_text(Graph& graph, const Qwen3Text& text, const Qwen3Vision& vision,
                const ReferenceSequence& sequence);

/// `learned`: the tower's positions; `ids` of the text alone; `references` are scaled to the sizes
/// in the sequence.
void feed_seen_text(Executor& executor, const Qwen3Config& text, const Qwen3VisionConfig& tower,
                    std::span<const float> learned, const ReferenceSequence& sequence,
                    std::span<const std::int32_t> ids, std::span<const Image> references);

}  // namespace mantissa
