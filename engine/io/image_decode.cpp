#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vips/vips.h>

#include "engine/core/amount_text.h"
#include "engine/core/paths.h"
#include "engine/core/system.h"
#include "engine/io/bmp.h"
#include "engine/io/frame_count.h"
#include "engine/io/image.h"
#include "engine/io/mapped_file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kImageLibraryBytes = 256u << 20;
constexpr std::uint64_t kDecoderBytes = 128u << 20;  // of an image, while others are decoded too

/// libvips and its libraries crash on failed allocations: check the address space first.
void require_address_space(std::uint64_t need) {
  if (const std::uint64_t free = free_address_space(); free < need) {
    throw Error(
        ErrorKind::out_of_memory,
        message<"reading images needs {need} of address space, {free} are left under "
                "this process's limit; raise it (ulimit -v)">(bytes_text(need), bytes_text(free)));
  }
}

/// Leaves of libvips's loaders those that format_of names: of what else it was built with, nothing
/// can be reached, whatever a file says that it is.
void block_other_loaders() {
  vips_block_untrusted_set(TRUE);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  for (const char* format : {"Jpeg", "Png", "Webp", "Tiff", "Nsgif", "Heif"}) {
    const std::string loader = std::string("VipsForeignLoad") + format + "Buffer";
    vips_operation_block_set(loader.c_str(), FALSE);
  }
}

void start_library() {
  require_address_space(kImageLibraryBytes);
  // If libvips is not installed, it searches for its modules around the program named here: a bare
  // name would be searched in the current folder.
  const fs::path program = fs::path("/") / executable_folder() / "mantissa";
  if (vips_init(path_to_utf8(program).c_str()) != 0) {
    throw Error(
        message<"the image library libvips does not start; reinstall the program's libraries">());
  }
  block_other_loaders();
  vips_concurrency_set(1);
  // Operations are never repeated on the same input, and cached ones would keep files in memory.
  vips_cache_set_max(0);
  // Warnings of decoders would land on stderr; errors that matter become an Error.
  g_log_set_handler(
      "VIPS", G_LOG_LEVEL_WARNING, [](const gchar*, GLogLevelFlags, const gchar*, gpointer) {},
      nullptr);
}

}  // namespace

ImageLibrary::ImageLibrary() {
  // libvips calls itself started before it is: a second thread would use what isn't there yet.
  static std::once_flag started;
  std::call_once(started, start_library);
}

namespace {

struct Unref {
  void operator()(VipsImage* image) const { g_object_unref(image); }
};
using Handle = std::unique_ptr<VipsImage, Unref>;

struct Format {
  const char* name;
  const char* loader;    // operation that decodes from memory; null: decoded here
  bool shrinks = false;  // can decode a fraction of the size
};

bool has_at(std::span<const std::byte> bytes, std::size_t at, std::string_view magic) {
  return bytes.size() >= at + magic.size() &&
         std::memcmp(bytes.data() + at, magic.data(), magic.size()) == 0;
}

// The type by content. Only these decoders are ever called, regardless of what else the library
// could load.
std::optional<Format> format_of(std::span<const std::byte> bytes) {
  using namespace std::string_view_literals;
  if (has_at(bytes, 0, "\xff\xd8\xff"sv)) {
    return Format{"jpeg", "jpegload_buffer", true};
  }
  if (has_at(bytes, 0, "\x89PNG\r\n\x1a\n"sv)) {
    return Format{"png", "pngload_buffer"};
  }
  if (has_at(bytes, 0, "RIFF"sv) && has_at(bytes, 8, "WEBP"sv)) {
    return Format{"webp", "webpload_buffer", true};
  }
  if (has_at(bytes, 0, "II*\0"sv) || has_at(bytes, 0, "MM\0*"sv)) {
    return Format{"tiff", "tiffload_buffer"};
  }
  if (has_at(bytes, 0, "GIF87a"sv) || has_at(bytes, 0, "GIF89a"sv)) {
    return Format{"gif", "gifload_buffer"};
  }
  if (has_at(bytes, 4, "ftyp"sv)) {
    for (std::string_view brand : {"avif"sv, "avis"sv, "heic"sv, "heix"sv, "mif1"sv, "msf1"sv}) {
      if (has_at(bytes, 8, brand)) {
        return Format{"heif", "heifload_buffer"};
      }
    }
  }
  if (has_at(bytes, 0, "BM"sv)) {
    return Format{"bmp", nullptr};
  }
  return std::nullopt;
}

std::string library_message() {
  constexpr std::size_t kLongestName = 24;  ///< of a part of libvips
  std::string text = vips_error_buffer();
  vips_error_clear();
  // "vipspng: libpng read error": who says so is no part of the reason.
  if (const std::size_t colon = text.find(": "); text.starts_with("vips") && colon < kLongestName) {
    text.erase(0, colon + 2);
  }
  for (char& c : text) {
    c = c == '\n' ? ' ' : static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  while (!text.empty() && text.back() == ' ') {
    text.pop_back();
  }
  return text.substr(0, 200);
}

[[noreturn]] void undecodable(const std::string& label, const char* format) {
  const std::string why = library_message();
  // A lack of resources is not the image's fault.
  for (const char* lack : {"Error creating thread", "out of memory"}) {
    if (why.find(lack) != std::string::npos) {
      throw Error(
          ErrorKind::out_of_memory,
          message<"'{file}' could not be decoded: the system refuses another thread or more memory "
                  "({reason}); raise the limits (ulimit -u, ulimit -v)">(label, why));
    }
  }
  throw ImageError(label,
                   message<"is truncated or damaged and was not used ({reason}); replace the file">(
                       why.empty() ? std::string(format) : format + (": " + why)));
}

/// libvips keeps the errors of all threads in one buffer, so a message may hold another image's or
/// be taken by another thread: what fails is decoded again while nothing else is.
std::shared_mutex& decoding() {
  static std::shared_mutex mutex;
  return mutex;
}
template <typename Decode>
auto with_own_message(Decode&& decode) {
  {
    const std::shared_lock together(decoding());
    try {
      return decode();
    } catch (const Error&) {
    }
  }
  const std::unique_lock alone(decoding());
  vips_error_clear();
  return decode();
}

// Any libvips step: takes ownership of the image and returns the result.
template <typename Step>
bool apply(Handle& image, Step&& step) {
  VipsImage* out = nullptr;
  if (step(image.get(), &out) != 0) {
    return false;
  }
  image.reset(out);
  return true;
}

void check_started() {
  if (g_type_from_name("VipsImage") == 0) {
    throw Error(
        Message::verbatim("the program used images before it made an ImageLibrary; this is a bug"));
  }
}

Format known_format(std::span<const std::byte> bytes, const std::string& label) {
  if (bytes.empty()) {
    throw ImageError(label, message<"is empty (0 bytes); replace the file">());
  }
  if (bytes.size() > kMaxImageBytes) {
    throw ImageError(label,
                     message<"has {bytes} bytes; image files may have at most {most}">(
                         bytes.size(), kMaxImageBytes),
                     ImageFault::too_large);
  }
  const auto format = format_of(bytes);
  if (!format) {
    throw ImageError(
        label,
        message<"is no image by its content; JPEG, PNG, WebP, AVIF, TIFF, BMP and GIF are read">(),
        ImageFault::no_image);
  }
  return *format;
}

// For other sample types no file says which value is white, or which curve encoded them.
void require_known_range(const VipsImage* image, const std::string& label) {
  const bool known =
      image->BandFmt == VIPS_FORMAT_UCHAR || image->BandFmt == VIPS_FORMAT_USHORT ||
      (image->BandFmt == VIPS_FORMAT_SHORT && image->Type == VIPS_INTERPRETATION_LABS);
  if (known) {
    return;
  }
  throw ImageError(
      label,
      vips_band_format_isint(image->BandFmt) == 0
          ? message<"holds floating-point samples, for which no file says which value is white; "
                    "save it again with 8 or 16 bits a channel">()
          : message<"holds signed or 32-bit samples, for which no file says which value is white; "
                    "save it again with 8 or 16 bits a channel">());
}

// Reads the header; pixels follow on demand while `bytes` live. `shrink`: 1, 2, 4 or 8.
Handle open_image(std::span<const std::byte> bytes, const Format& format, const std::string& label,
                  int shrink = 1) {
  require_address_space(kDecoderBytes);
  VipsBlob* blob = vips_blob_new(nullptr, bytes.data(), bytes.size());
  VipsImage* out = nullptr;
  const auto open = [&](auto... how) {
    return vips_call(format.loader, blob, &out, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                     VIPS_FAIL_ON_ERROR, how..., nullptr);
  };
  const int failed = shrink == 1                               ? open()
                     : std::string_view(format.name) == "jpeg" ? open("shrink", shrink)
                                                               : open("scale", 1.0 / shrink);
  vips_area_unref(VIPS_AREA(blob));
  if (failed != 0) {
    undecodable(label, format.name);
  }
  Handle image(out);
  require_known_range(image.get(), label);
  return image;
}

void check_pixels(std::int64_t width, std::int64_t height, const std::string& label) {
  if (width < 1 || height < 1 || width * height > kMaxImagePixels) {
    throw ImageError(
        label,
        message<"has {width} x {height} pixels; at most {most} are read, make it smaller">(
            width, height, kMaxImagePixels),
        ImageFault::too_large);
  }
}

// The largest that leaves both sides `least` pixels.
int shrink_to(const VipsImage* image, int least) {
  int shrink = 1;
  while (shrink < 8 && std::min(image->Xsize, image->Ysize) / (2 * shrink) >= least) {
    shrink *= 2;
  }
  return shrink;
}

// Frames or pages, of which one is read; libvips doesn't know those of PNG and of HEIF's sequences.
int pages_of(VipsImage* image, std::span<const std::byte> bytes, const Format& format) {
  int pages = 1;
  if (vips_image_get_typeof(image, VIPS_META_N_PAGES) != 0) {
    vips_image_get_int(image, VIPS_META_N_PAGES, &pages);
  }
  const std::string_view name(format.name);
  const int frames = name == "png" ? png_frames(bytes) : name == "heif" ? heif_frames(bytes) : 1;
  return std::max({1, pages, frames});
}

bool has_usable_profile(VipsImage* image) {
  const void* profile = nullptr;
  std::size_t size = 0;
  return vips_image_get_blob(image, VIPS_META_ICC_NAME, &profile, &size) == 0 &&
         vips_icc_is_compatible_profile(image, profile, size) != 0;
}

// Any colour space to 8-bit sRGB; alpha stays as an extra band.
bool to_srgb(Handle& image, std::vector<Message>& notices) {
  if (vips_image_get_typeof(image.get(), VIPS_META_ICC_NAME) != 0) {
    if (has_usable_profile(image.get())) {
      return apply(image, [](VipsImage* in, VipsImage** out) {
        return vips_icc_transform(in, out, "srgb", "embedded", TRUE, "intent", VIPS_INTENT_RELATIVE,
                                  "depth", 8, nullptr);
      });
    }
    vips_error_clear();
    notices.push_back(message<"its colour profile can't be used and was ignored">());
    vips_image_remove(image.get(), VIPS_META_ICC_NAME);
  }
  return apply(image, [](VipsImage* in, VipsImage** out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, nullptr);
  });
}

bool flatten(Handle& image, const ImageOptions& options) {
  if (vips_image_hasalpha(image.get())) {
    const std::array<double, 3> colour{double(options.background[0]), double(options.background[1]),
                                       double(options.background[2])};
    VipsArrayDouble* background = vips_array_double_new(colour.data(), 3);
    const bool done = apply(image, [&](VipsImage* in, VipsImage** out) {
      return vips_flatten(in, out, "background", background, "max_alpha", 255.0, nullptr);
    });
    vips_area_unref(VIPS_AREA(background));
    if (!done) {
      return false;
    }
  }
  if (image->Bands > 3 && !apply(image, [](VipsImage* in, VipsImage** out) {
        return vips_extract_band(in, out, 0, "n", 3, nullptr);
      })) {
    return false;
  }
  return image->BandFmt == VIPS_FORMAT_UCHAR || apply(image, [](VipsImage* in, VipsImage** out) {
           return vips_cast(in, out, VIPS_FORMAT_UCHAR, nullptr);
         });
}

ImageInfo probe(std::span<const std::byte> bytes, const std::string& label) {
  const Format format = known_format(bytes, label);
  if (format.loader == nullptr) {
    const BmpHeader header = read_bmp_header(bytes, label);
    check_pixels(header.width, header.height, label);
    return {header.width, header.height, 1, format.name, header.masks[3] != 0};
  }
  const Handle image = open_image(bytes, format, label);
  check_pixels(image->Xsize, image->Ysize, label);
  ImageInfo info{image->Xsize, image->Ysize, pages_of(image.get(), bytes, format), format.name,
                 vips_image_hasalpha(image.get()) != 0};
  if (vips_image_get_orientation_swap(image.get())) {
    std::swap(info.width, info.height);
  }
  return info;
}

Image decode(std::span<const std::byte> bytes, const std::string& label,
             const ImageOptions& options) {
  const Format format = known_format(bytes, label);
  if (format.loader == nullptr) {
    const BmpHeader header = read_bmp_header(bytes, label);
    check_pixels(header.width, header.height, label);
    return decode_bmp(bytes, label, options);
  }
  Handle image = open_image(bytes, format, label);
  check_pixels(image->Xsize, image->Ysize, label);
  if (const int shrink = shrink_to(image.get(), options.least_side);
      options.least_side > 0 && format.shrinks && shrink > 1) {
    image = open_image(bytes, format, label, shrink);
  }
  std::vector<Message> notices;
  if (Message notice = pages_notice(pages_of(image.get(), bytes, format)); !notice.empty()) {
    notices.push_back(std::move(notice));
  }
  if (!to_srgb(image, notices) || !flatten(image, options)) {
    undecodable(label, format.name);
  }
  if (image->Bands != 3) {
    throw ImageError(
        label,
        message<"has {count} colour bands after conversion; 3 are expected, save it again as RGB">(
            image->Bands));
  }
  // Rows are streamed up to here; rotating needs the whole image in memory.
  const auto to_memory = [](VipsImage* in, VipsImage** out) {
    *out = vips_image_copy_memory(in);
    return *out == nullptr ? -1 : 0;
  };
  const auto upright = [](VipsImage* in, VipsImage** out) {
    return vips_autorot(in, out, nullptr);
  };
  if (!apply(image, to_memory) || !apply(image, upright)) {
    undecodable(label, format.name);
  }
  Image result;
  result.width = image->Xsize;
  result.height = image->Ysize;
  std::size_t size = 0;
  const std::unique_ptr<void, decltype(&g_free)> memory(
      vips_image_write_to_memory(image.get(), &size), &g_free);
  if (memory == nullptr || size != static_cast<std::size_t>(result.width) *
                                       static_cast<std::size_t>(result.height) * 3) {
    undecodable(label, format.name);
  }
  const auto* first = static_cast<const std::uint8_t*>(memory.get());
  result.pixels.assign(first, first + size);
  result.notice = joined<"; ">(std::move(notices));
  return result;
}

}  // namespace

Message pages_notice(int pages) {
  return pages > 1 ? message<"only the first of its {count} frames or pages is used">(pages)
                   : Message{};
}

ImageInfo probe_image(const fs::path& path) {
  check_started();
  return with_mapped(path, [&](std::span<const std::byte> bytes) {
    return with_own_message([&] { return probe(bytes, path_to_utf8(path)); });
  });
}

Image load_image(const fs::path& path, const ImageOptions& options) {
  return with_mapped(path, [&](std::span<const std::byte> bytes) {
    return decode_image(bytes, path_to_utf8(path), options);
  });
}

Image decode_image(std::span<const std::byte> bytes, const std::string& label,
                   const ImageOptions& options) {
  check_started();
  return with_own_message([&] { return decode(bytes, label, options); });
}

}  // namespace mantissa
