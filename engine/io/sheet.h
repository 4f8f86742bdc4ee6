#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/io/image.h"

namespace mantissa {

/// A text as drawn: how much of each pixel it covers, 0 to 255.
struct TextImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> coverage;  ///< [height, width]
};

/// Pixels from one line of text of this size to the next.
constexpr int line_height(int size) {
  return size * 3 / 2;
}

/// Draws a text (UTF-8) with the system's fonts, `size` pixels high, in lines of at most `width`
/// pixels and at most `lines` of them: what exceeds that is cut. Needs a live ImageLibrary. Throws
/// Error if the library can't draw.
TextImage draw_text(const std::string& text, int size, int width, int lines);

/// A white page of images and texts.
class Sheet {
 public:
  Sheet(int width, int height);
  /// What lies beyond the page is cut.
  void paste(const Image& image, int left, int top);
  /// In black.
  void write(const TextImage& text, int left, int top);
  void save(const std::filesystem::path& file,
            const std::map<std::string, std::string>& text = {}) const;

 private:
  int width_, height_;
  std::vector<std::uint8_t> pixels_;  // [height, width, 3]
};

}  // namespace mantissa
