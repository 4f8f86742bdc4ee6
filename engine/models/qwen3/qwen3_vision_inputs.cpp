#include "engine/models/qwen3/qwen3_vision_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/io/pillow_resize.h"
#include "engine/models/qwen3/qwen3_inputs.h"

namespace mantissa {
namespace {

constexpr int kMostRatio = 200;

/// Calls f(row, column) for each patch in the order of merging.
template <typename F>
void each_patch(int rows, int columns, int merge, F&& f) {
  for (int row = 0; row < rows; row += merge) {
    for (int column = 0; column < columns; column += merge) {
      for (int inside = 0; inside < merge * merge; ++inside) {
        f(row + inside / merge, column + inside % merge);
      }
    }
  }
}

/// Two neighbours of a place on an axis of learned positions, and how much of the second counts.
struct Neighbours {
  int first = 0, second = 0;
  float share = 0;
};

Neighbours neighbours_of(int index, int size, int side) {
  const float place =
      static_cast<float>(index * (side - 1)) / static_cast<float>(std::max(size - 1, 1));
  const float below = std::floor(place);
  const int first = static_cast<int>(below);
  return {first, std::min(first + 1, side - 1), place - below};
}

}  // namespace

std::optional<ImageSize> qwen3_image_size(ImageSize image, int step, const Qwen3ImageRule& rule) {
  const double width = image.width, height = image.height;
  if (std::max(width, height) > kMostRatio * std::min(width, height)) {
    return std::nullopt;
  }
  const auto sized = [&](double side, double factor, auto round) {
    return static_cast<int>(round(side * factor / step)) * step;
  };
  const auto nearest = [](double x) { return std::nearbyint(x); };  // halves to even
  const auto down = [](double x) { return std::floor(x); };
  const auto up = [](double x) { return std::ceil(x); };
  ImageSize size{sized(width, 1, nearest), sized(height, 1, nearest)};
  const std::int64_t pixels = std::int64_t{size.width} * size.height;
  if (pixels > rule.most) {
    const double shrink = std::sqrt(height * width / static_cast<double>(rule.most));
    size.width = std::max(step, static_cast<int>(down(width / shrink / step)) * step);
    size.height = std::max(step, static_cast<int>(down(height / shrink / step)) * step);
  } else if (pixels < rule.least) {
    const double grow = std::sqrt(static_cast<double>(rule.least) / (height * width));
    size.width = sized(width, grow, up);
    size.height = sized(height, grow, up);
  }
  return size;
}

PatchedImage patched_image(const Image& image, ImageSize size, const QwenVisionConfig& config,
                           const Qwen3ImageRule& rule) {
  const Image scaled = pillow_resize(image, size.width, size.height, PillowFilter::bicubic);
  const int side = config.patch;
  PatchedImage out{size.height / side, size.width / side, {}};
  out.patches.reserve(scaled.pixels.size() * static_cast<std::size_t>(config.frames));
  each_patch(out.rows, out.columns, config.merge, [&](int row, int column) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t begin = out.patches.size();
      for (int y = row * side; y < (row + 1) * side; ++y) {
        for (int x = column * side; x < (column + 1) * side; ++x) {
          const std::size_t at =
              (static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
               static_cast<std::size_t>(x)) *
                  3 +
              c;
          const auto level = static_cast<float>(scaled.pixels[at]);
          out.patches.push_back((level / 255.0F - rule.mean[c]) / rule.deviation[c]);
        }
      }
      const std::vector<float> frame(out.patches.begin() + static_cast<std::ptrdiff_t>(begin),
                                     out.patches.end());
      for (int again = 1; again < config.frames; ++again) {
        out.patches.insert(out.patches.end(), frame.begin(), frame.end());
      }
    }
  });
  return out;
}

std::vector<float> vision_positions(std::span<const float> learned, int rows, int columns,
                                    const Qwen3VisionConfig& config) {
  const auto width = static_cast<std::size_t>(config.hidden);
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * width);
  each_patch(rows, columns, config.merge, [&](int row, int column) {
    const Neighbours y = neighbours_of(row, rows, config.side);
    const Neighbours x = neighbours_of(column, columns, config.side);
    const auto at = [&](int r, int c) {
      return learned.subspan(static_cast<std::size_t>(r * config.side + c) * width, width);
    };
    const std::span<const float> corners[] = {at(y.first, x.first), at(y.first, x.second),
                                              at(y.second, x.first), at(y.second, x.second)};
    const float shares[] = {(1 - y.share) * (1 - x.share), (1 - y.share) * x.share,
                            y.share * (1 - x.share), y.share * x.share};
    for (std::size_t c = 0; c < width; ++c) {
      out.push_back(corners[0][c] * shares[0] + corners[1][c] * shares[1] +
                    corners[2][c] * shares[2] + corners[3][c] * shares[3]);
    }
  });
  return out;
}

RotaryTables vision_tables(int rows, int columns, const QwenVisionConfig& config) {
  const RotaryAxis half{.width = config.head_dim() / 2, .theta = config.rope_theta};
  const std::array axes{half, half};
  std::vector<double> places;
  each_patch(rows, columns, config.merge, [&](int row, int column) {
    places.insert(places.end(), {static_cast<double>(row), static_cast<double>(column)});
  });
  return rotary_tables(axes, places);
}

RunPositions run_positions(std::span<const TokenRun> runs) {
  RunPositions out;
  for (const TokenRun& run : runs) {
    if (run.rows == 0) {
      for (std::int64_t i = 0; i < run.tokens; ++i, ++out.next) {
        out.places.insert(out.places.end(), 3, out.next);
      }
      continue;
    }
    for (int row = 0; row < run.rows; ++row) {
      for (int column = 0; column < run.columns; ++column) {
        out.places.insert(out.places.end(), {out.next, out.next + row, out.next + column});
      }
    }
    out.next += std::max(run.rows, run.columns);
  }
  return out;
}

RotaryTables multimodal_tables(const Qwen3Config& text, const QwenVisionConfig& vision,
                               std::span<const double> places) {
  RotaryTables result;
  std::size_t before = 0;  // pairs of the axes before this one
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<double> along;
    for (std::size_t i = axis; i < places.size(); i += 3) {
      along.push_back(places[i]);
    }
    const RotaryTables tables = qwen3_tables(text, along);
    const auto pairs = static_cast<std::size_t>(tables.pairs);
    const auto own = static_cast<std::size_t>(vision.sections.at(axis));
    const std::size_t begin = vision.in_turns ? axis : before;
    const std::size_t end = std::min(pairs, vision.in_turns ? 3 * own : before + own);
    before += own;
    if (axis == 0) {
      result = tables;
      continue;
    }
    for (std::size_t row = 0; row < along.size(); ++row) {
      for (std::size_t pair = begin; pair < end; pair += vision.in_turns ? 3 : 1) {
        result.cos[row * pairs + pair] = tables.cos[row * pairs + pair];
        result.sin[row * pairs + pair] = tables.sin[row * pairs + pair];
      }
    }
  }
  return result;
}

}  // namespace mantissa
