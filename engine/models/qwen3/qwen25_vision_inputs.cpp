#include "engine/models/qwen3/qwen25_vision_inputs.h"

#include <optional>
#include <span>

#include "engine/core/error.h"
#include "engine/models/qwen3/qwen3_vision_inputs.h"

namespace mantissa {
namespace {

/// The released preprocessor's bounds, and CLIP's mean and deviation.
constexpr Qwen3ImageRule kQwen25Images{.least = 3136,
                                       .most = 12845056,
                                       .mean = {0.48145466F, 0.4578275F, 0.40821073F},
                                       .deviation = {0.26862954F, 0.26130258F, 0.27577711F}};

ImageSize qwen25_pixels(ImageSize image, const Qwen25VisionConfig& config) {
  const std::optional<ImageSize> size =
      qwen3_image_size(image, config.patch * config.merge, kQwen25Images);
  if (!size) {
    throw Error(message<"a reference image of {width}x{height} pixels is too narrow for the text "
                        "encoder">(image.width, image.height));
  }
  return *size;
}

/// `values`, of which each token has `each`, in the order of windows.
std::vector<float> by_windows(const std::vector<float>& values, std::size_t each,
                              std::span<const std::int32_t> tokens) {
  std::vector<float> out;
  out.reserve(values.size());
  for (const std::int32_t token : tokens) {
    const auto begin =
        values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(token) * each);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(each));
  }
  return out;
}

}  // namespace

TokenWindows token_windows(int rows, int columns, int side) {
  TokenWindows out;
  const auto add_windows = [&](int top, int left, int height, int width) {
    PatchGroups group{0, std::int64_t{height} * width};
    for (int y = top; height > 0 && y + height <= rows; y += height) {
      for (int x = left; width > 0 && x + width <= columns; x += width) {
        for (int inside = 0; inside < height * width; ++inside) {
          out.tokens.push_back((y + inside / width) * columns + x + inside % width);
        }
        ++group.count;
      }
    }
    if (group.count > 0) {
      out.groups.push_back(group);
    }
  };
  const int low = rows % side, narrow = columns % side;  // of those that an edge cuts
  add_windows(0, 0, side, side);
  add_windows(0, columns - narrow, side, narrow);
  add_windows(rows - low, 0, low, side);
  add_windows(rows - low, columns - narrow, low, narrow);
  return out;
}

SeenSize qwen25_seen_size(ImageSize image, const Qwen25VisionConfig& config) {
  const ImageSize size = qwen25_pixels(image, config);
  const int side = config.patch * config.merge;
  return {size.height / side, size.width / side};
}

Qwen25VisionInputs qwen25_vision_inputs(Graph& graph, const std::string& name, const SeenSize& size,
                                        const Qwen25VisionConfig& config) {
  const std::int64_t each = std::int64_t{config.merge} * config.merge;
  const std::int64_t patches = size.tokens() * each;
  const auto input = [&](const char* what, std::int64_t width) {
    return graph.input(name + what, DType::f32, {1, patches, width});
  };
  Qwen25VisionInputs in{
      .patches = input("_patches", config.patch_values()),
      .cos = input("_cos", config.head_dim() / 2),
      .sin = input("_sin", config.head_dim() / 2),
      .order = graph.input(name + "_order", DType::i32, {1, size.tokens()}),
      .windows = token_windows(size.rows, size.columns, config.window_tokens()).groups};
  for (PatchGroups& group : in.windows) {
    group.patches *= each;
  }
  return in;
}

void feed_qwen25_vision(Executor& executor, const std::string& name, const Image& image,
                        const Qwen25VisionConfig& config) {
  const PatchedImage cut = patched_image(image, qwen25_pixels({image.width, image.height}, config),
                                         config, kQwen25Images);
  const RotaryTables turns = vision_tables(cut.rows, cut.columns, config);
  const std::vector<std::int32_t> windows =
      token_windows(cut.rows / config.merge, cut.columns / config.merge, config.window_tokens())
          .tokens;
  const std::size_t each = static_cast<std::size_t>(config.merge) * config.merge;
  const std::size_t values = each * static_cast<std::size_t>(config.patch_values());
  const std::size_t pairs = each * static_cast<std::size_t>(turns.pairs);
  std::vector<std::int32_t> order(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    order[static_cast<std::size_t>(windows[i])] = static_cast<std::int32_t>(i);
  }
  executor.feed(name + "_patches", by_windows(cut.patches, values, windows));
  executor.feed(name + "_cos", by_windows(turns.cos, pairs, windows));
  executor.feed(name + "_sin", by_windows(turns.sin, pairs, windows));
  executor.feed(name + "_order", order);
}

}  // namespace mantissa
