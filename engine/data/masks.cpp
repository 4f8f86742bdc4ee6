#include "engine/data/masks.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <string_view>

#include "engine/core/ascii.h"
#include "engine/core/paths.h"
#include "engine/data/image_cut.h"

namespace mantissa {

namespace {

/// Extensions under which programs write images that stand beside others.
constexpr std::string_view kImageExtensions[] = {".png",  ".jpg",  ".jpeg", ".jpe",  ".jfif",
                                                 ".webp", ".avif", ".tif",  ".tiff", ".bmp",
                                                 ".gif",  ".jxl",  ".heic", ".heif"};

/// The file's path without extension and this end of its name; empty if it has another.
std::optional<std::filesystem::path> without_end(const std::filesystem::path& file,
                                                 std::string_view end) {
  const std::string stem = path_to_utf8(file.stem());
  if (!has_image_extension(file) || stem.size() <= end.size() ||
      !lower_ascii(stem).ends_with(end)) {
    return std::nullopt;
  }
  return file.parent_path() / path_from_utf8(stem.substr(0, stem.size() - end.size()));
}

}  // namespace

bool has_image_extension(const std::filesystem::path& file) {
  const std::string extension = lower_ascii(path_to_utf8(file.extension()));
  return std::ranges::find(kImageExtensions, extension) != std::end(kImageExtensions);
}

std::optional<std::filesystem::path> masked_name(const std::filesystem::path& file) {
  return without_end(file, "-masklabel");
}

bool is_condition(const std::filesystem::path& file) {
  return without_end(file, "-condlabel").has_value();
}

bool is_preferred_mask(const std::filesystem::path& file, const std::filesystem::path& other) {
  const auto is_png = [](const std::filesystem::path& path) {
    return lower_ascii(path_to_utf8(path.extension())) == ".png";
  };
  return is_png(file) && !is_png(other);
}

std::filesystem::path mask_path(const std::filesystem::path& image) {
  return image.parent_path() / path_from_utf8(path_to_utf8(image.stem()) + "-masklabel.png");
}

bool is_black(const Image& mask) {
  return std::ranges::all_of(mask.pixels, [](std::uint8_t value) { return value == 0; });
}

Message mask_notice(const std::filesystem::path& file, const Image& mask) {
  return is_black(mask) ? message<
                              "its mask {file} is all black: no part of the image counts for "
                              "more than data.unmasked_weight">(path_to_utf8(file.filename()))
                        : Message{};
}

Message check_mask(const ImageItem& item) {
  const ImageInfo info = probe_image(item.mask);
  if (have_one_shape(info.width, info.height, item.width, item.height)) {
    return {};
  }
  return message<"its mask {file} is {size} pixels, another shape than the image's {expected}">(
      path_to_utf8(item.mask.filename()), fmt::format("{}x{}", info.width, info.height),
      fmt::format("{}x{}", item.width, item.height));
}

HostTensor load_mask(const ImageItem& item, MaskMode mode, const Placement& p, int factor) {
  const Image whole = mode == MaskMode::alpha ? load_alpha(item.path) : load_image(item.mask);
  const Image cut = cut_part(whole, p);
  const int height = cut.height / factor;
  const int width = cut.width / factor;
  HostTensor mask{{height, width}, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int dy = 0; dy < factor; ++dy) {
        const std::size_t row =
            static_cast<std::size_t>(y * factor + dy) * static_cast<std::size_t>(cut.width) +
            static_cast<std::size_t>(x * factor);
        for (std::size_t i = 3 * row; i < 3 * (row + static_cast<std::size_t>(factor)); ++i) {
          sum += cut.pixels[i];
        }
      }
      mask.data.push_back(static_cast<float>(sum) / static_cast<float>(255 * 3 * factor * factor));
    }
  }
  return mask;
}

std::vector<float> mask_weights(const HostTensor& mask, double least, bool flipped) {
  std::vector<float> weights;
  const auto width = static_cast<std::size_t>(mask.shape[1]);
  for (std::size_t i = 0; i < mask.data.size(); ++i) {
    const std::size_t x = i % width;
    const float value = mask.data[flipped ? i - x + (width - 1 - x) : i];
    weights.push_back(std::max(value, static_cast<float>(least)));
  }
  return weights;
}

}  // namespace mantissa
