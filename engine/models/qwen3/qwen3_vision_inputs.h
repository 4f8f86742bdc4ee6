#pragma once
// Images and their places as a Qwen3-VL or a Qwen2.5-VL takes them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/io/image.h"
#include "engine/models/qwen3/qwen3_config.h"
#include "engine/models/qwen3/qwen3_vision_config.h"
#include "engine/nn/rotary.h"

namespace mantissa {

/// Bounds of what an image is scaled to, and how its values enter the network.
struct Qwen3ImageRule {
  std::int64_t least = 65536, most = 16777216;  ///< pixels
  float mean[3] = {0.5F, 0.5F, 0.5F}, deviation[3] = {0.5F, 0.5F, 0.5F};
};

/// The size that an image is scaled to: sides in multiples of `step`, a count of pixels within the
/// bounds, the ratio as close as these leave it. Nothing for an image that is more than 200 times
/// as long as it is wide.
std::optional<ImageSize> qwen3_image_size(ImageSize image, int step, const Qwen3ImageRule& rule);

/// An image cut into patches, in the order in which they are merged: row by row of squares, and row
/// by row in each.
struct PatchedImage {
  int rows = 0, columns = 0;   ///< of patches
  std::vector<float> patches;  ///< [rows·columns, 3·frames·side²]: channel, frame, row, column
};
/// Scales an image to `size` and cuts it.
PatchedImage patched_image(const Image& image, ImageSize size, const QwenVisionConfig& config,
                           const Qwen3ImageRule& rule);

/// The learned positions [side², hidden] at the places of an image's patches, which span the whole
/// square: [patches, hidden].
std::vector<float> vision_positions(std::span<const float> learned, int rows, int columns,
                                    const Qwen3VisionConfig& config);
/// Rotary tables of the patches: rows and columns take half of each head.
RotaryTables vision_tables(int rows, int columns, const QwenVisionConfig& config);

/// Neighbouring tokens of a text, or those of an image: rows·columns after merging.
struct TokenRun {
  std::int64_t tokens = 0;
  int rows = 0, columns = 0;  ///< 0: text
};
/// Places of tokens in time, row and column: [tokens, 3]. Text moves on all three, an image's
/// tokens on two; what follows an image begins behind its longer side.
struct RunPositions {
  std::vector<double> places;
  double next = 0;  ///< of the token behind them
};
RunPositions run_positions(std::span<const TokenRun> runs);
/// The language model's rotary tables by `QwenVisionConfig::sections`. In turns, pairs take time,
/// row and column as far as these go, and time alone behind that.
RotaryTables multimodal_tables(const Qwen3Config& text, const QwenVisionConfig& vision,
                               std::span<const double> places);

}  // namespace mantissa
