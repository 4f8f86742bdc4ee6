#include "engine/io/sheet.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <vips/vips.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

/// For Pango, which reads markup.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

[[noreturn]] void refuse_text() {
  std::string why = vips_error_buffer();
  vips_error_clear();
  while (!why.empty() && why.back() == '\n') {
    why.pop_back();
  }
  throw Error(message<"labels can't be drawn: {reason}">(why));
}

}  // namespace

TextImage draw_text(const std::string& text, int size, int width, int lines) {
  if (std::all_of(text.begin(), text.end(), [](unsigned char c) { return c <= ' '; })) {
    return {};
  }
  VipsImage* made = nullptr;
  const std::string font = fmt::format("sans {}", size);
  if (vips_text(&made, escaped(text).c_str(), "font", font.c_str(), "width", width, "dpi", 72,
                nullptr) != 0) {
    refuse_text();
  }
  const std::unique_ptr<VipsImage, void (*)(VipsImage*)> image(
      made, [](VipsImage* i) { g_object_unref(i); });
  std::size_t bytes = 0;
  const std::unique_ptr<void, void (*)(void*)> memory(
      vips_image_write_to_memory(image.get(), &bytes), &g_free);
  if (!memory) {
    refuse_text();
  }
  const int whole = vips_image_get_width(image.get()), bands = vips_image_get_bands(image.get());
  TextImage drawn;
  drawn.width = std::min(whole, width);
  drawn.height = std::min(vips_image_get_height(image.get()), lines * line_height(size));
  const auto* from = static_cast<const std::uint8_t*>(memory.get());
  for (int y = 0; y < drawn.height; ++y) {
    for (int x = 0; x < drawn.width; ++x) {
      drawn.coverage.push_back(from[(static_cast<std::size_t>(y) * whole + x) * bands]);
    }
  }
  return drawn;
}

Sheet::Sheet(int width, int height)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3, 255) {}

void Sheet::paste(const Image& image, int left, int top) {
  const int columns = std::min(image.width, width_ - left);
  for (int y = 0; y < std::min(image.height, height_ - top) && columns > 0; ++y) {
    const auto* row = image.pixels.data() + static_cast<std::size_t>(y) * image.width * 3;
    const std::size_t at = (static_cast<std::size_t>(top + y) * width_ + left) * 3;
    std::copy(row, row + static_cast<std::size_t>(columns) * 3,
              pixels_.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void Sheet::write(const TextImage& text, int left, int top) {
  for (int y = 0; y < std::min(text.height, height_ - top); ++y) {
    for (int x = 0; x < std::min(text.width, width_ - left); ++x) {
      const int covered = text.coverage[static_cast<std::size_t>(y) * text.width + x];
      const std::size_t at = (static_cast<std::size_t>(top + y) * width_ + left + x) * 3;
      for (std::size_t band = 0; band < 3; ++band) {
        pixels_[at + band] = static_cast<std::uint8_t>(pixels_[at + band] * (255 - covered) / 255);
      }
    }
  }
}

void Sheet::save(const std::filesystem::path& file,
                 const std::map<std::string, std::string>& text) const {
  write_png(file, pixels_, width_, height_, text);
}

}  // namespace mantissa
