#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/core/error.h"

namespace mantissa {

/// Starts the image library, once, whichever thread comes first. Make one in main (or in a test's
/// set-up) before any other function of this header; those throw Error without it. Decoding uses
/// one thread per image: callers provide the pool.
class ImageLibrary {
 public:
  ImageLibrary();
};

/// Sides in pixels.
struct ImageSize {
  int width = 0, height = 0;
  bool operator==(const ImageSize&) const = default;
};

struct ImageInfo {
  int width = 0, height = 0;  ///< pixels, upright (after EXIF orientation)
  int pages = 1;              ///< frames of an animation
  std::string format;  ///< by content: "jpeg", "png", "webp", "heif", "tiff", "gif", "bmp", …
  bool alpha = false;  ///< has an alpha channel
};

/// An upright sRGB image, 8 bits, [height, width, 3].
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
  Message notice;  ///< for the caller to report (see pages_notice), else empty
};

/// Why a file isn't a usable image.
enum class ImageFault { no_image, too_large, damaged };

/// An image file that can't be used. `reason` completes the sentence that begins with its name.
class ImageError : public Error {
 public:
  ImageError(const std::string& label, const Message& reason,
             ImageFault fault = ImageFault::damaged)
      : Error(mantissa::message<"'{file}' {problem}">(label, reason)),
        reason_(reason),
        fault_(fault) {}
  const Message& reason() const { return reason_; }
  ImageFault fault() const { return fault_; }

 private:
  Message reason_;
  ImageFault fault_;
};

/// The notice about an image of several frames or pages; empty for one.
Message pages_notice(int pages);

struct ImageOptions {
  std::array<std::uint8_t, 3> background{255, 255, 255};  ///< colour behind transparency
  /// JPEG and WebP may be decoded at 1/2, 1/4 or 1/8 of their size, several times as fast, as long
  /// as both sides keep this many pixels; 0: never. Other formats have no such way.
  int least_side = 0;
};

constexpr std::int64_t kMaxImagePixels = 200'000'000;
constexpr std::uint64_t kMaxImageBytes = 512u << 20;

/// Reads the header only. The type is detected by content, never by extension. Throws ImageError if
/// it is no image, of an unsupported type, or above kMaxImagePixels or kMaxImageBytes.
ImageInfo probe_image(const std::filesystem::path& path);

/// Decodes: EXIF orientation applied, ICC profile and CMYK, 16-bit, grey and palette to sRGB 8-bit,
/// transparency over the background, first frame of an animation. A truncated or corrupt file is an
/// ImageError; a partial image is never returned.
Image load_image(const std::filesystem::path& path, const ImageOptions& options = {});
/// Decodes an image in memory as load_image does; `label` names it in errors.
Image decode_image(std::span<const std::byte> bytes, const std::string& label,
                   const ImageOptions& options = {});

/// The alpha channel as a grey image, upright: white where opaque, all white without alpha. Throws
/// as load_image.
Image load_alpha(const std::filesystem::path& path);

/// [height, width, 3] in [-1, 1]: value / 127.5 - 1.
std::vector<float> to_float(const Image& image);

/// Writes an 8-bit RGB PNG atomically, with text chunks. Pixels are [height, width, 3].
void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> pixels, int width,
               int height, const std::map<std::string, std::string>& text = {});

}  // namespace mantissa
