#pragma once
// Images as a Qwen2.5-VL's vision tower takes them: window by window.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph/executor.h"
#include "engine/io/image.h"
#include "engine/models/qwen3/qwen25_vision.h"
#include "engine/models/qwen3/qwen25_vision_config.h"

namespace mantissa {

/// The tokens of an image by the windows that they are in, of `side` tokens. Windows of one size
/// follow each other: whole ones, then those that the right and the bottom edge cut.
struct TokenWindows {
  std::vector<std::int32_t> tokens;  ///< their numbers, row by row, in the order of windows
  std::vector<PatchGroups> groups;   ///< of tokens
};
TokenWindows token_windows(int rows, int columns, int side);

/// Rows and columns of the tokens that an image becomes.
struct SeenSize {
  int rows = 0, columns = 0;
  std::int64_t tokens() const { return std::int64_t{rows} * columns; }
};
/// Throws Error if it is too narrow.
SeenSize qwen25_seen_size(ImageSize image, const Qwen25VisionConfig& config);

/// Declares a tower's inputs for an image of so many tokens: "<name>_patches", "_cos", "_sin" and
/// "_order".
Qwen25VisionInputs qwen25_vision_inputs(Graph& graph, const std::string& name, const SeenSize& size,
                                        const Qwen25VisionConfig& config);
/// Feeds them: the image scaled to the tokens that it becomes.
void feed_qwen25_vision(Executor& executor, const std::string& name, const Image& image,
                        const Qwen25VisionConfig& config);

}  // namespace mantissa
