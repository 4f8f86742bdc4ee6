#include "engine/io/bmp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace mantissa {

namespace {

std::uint32_t little(std::span<const std::byte> bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) {
    value = value << 8 | static_cast<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

[[noreturn]] void fail(const std::string& label, const Message& why) {
  throw ImageError(label, message<"can't be read as BMP: {reason}; save it again as PNG">(why));
}

// A channel's bits, scaled to 0..255.
std::uint8_t channel(std::uint32_t value, std::uint32_t mask) {
  if (mask == 0) {
    return 0;
  }
  const int shift = std::countr_zero(mask);
  const std::uint64_t most = mask >> shift;
  return static_cast<std::uint8_t>(((value & mask) >> shift) * std::uint64_t{255} / most);
}

}  // namespace

BmpHeader read_bmp_header(std::span<const std::byte> bytes, const std::string& label) {
  if (bytes.size() < 26) {
    fail(label, message<"the header is cut off">());
  }
  BmpHeader header;
  header.pixels = little(bytes, 10, 4);
  const std::size_t size = little(bytes, 14, 4);
  if (size > bytes.size() - 14 || (size != 12 && size < 40)) {
    fail(label, message<"the header has an unknown size of {bytes}">(size));
  }
  std::int64_t width = 0, height = 0;
  std::uint32_t compression = 0, colours = 0;
  if (size == 12) {
    width = little(bytes, 18, 2);
    height = little(bytes, 20, 2);
    header.bits = static_cast<int>(little(bytes, 24, 2));
    header.palette_step = 3;
  } else {
    width = static_cast<std::int32_t>(little(bytes, 18, 4));
    height = static_cast<std::int32_t>(little(bytes, 22, 4));
    header.bits = static_cast<int>(little(bytes, 28, 2));
    compression = little(bytes, 30, 4);
    colours = little(bytes, 46, 4);
  }
  header.top_down = height < 0;
  height = std::abs(height);
  if (width < 1 || height < 1 || width > 1'000'000 || height > 1'000'000) {
    fail(label, message<"its size is {width} x {height}">(width, height));
  }
  header.width = static_cast<int>(width);
  header.height = static_cast<int>(height);
  const int bits = header.bits;
  constexpr std::uint32_t kPlain = 0, kMasks = 3, kAlphaMasks = 6;
  if (bits != 1 && bits != 4 && bits != 8 && bits != 16 && bits != 24 && bits != 32) {
    fail(label, message<"{bits} bits a pixel are not supported">(bits));
  }
  const bool masked = (compression == kMasks || compression == kAlphaMasks) && bits >= 16;
  if (compression != kPlain && !masked) {
    fail(label, message<"compression {number} is not supported">(compression));
  }
  std::size_t after = 14 + size;
  if (bits == 16) {
    header.masks[0] = 0x7c00;
    header.masks[1] = 0x03e0;
    header.masks[2] = 0x001f;
  } else if (bits == 32) {
    header.masks[0] = 0xff0000;
    header.masks[1] = 0xff00;
    header.masks[2] = 0xff;
  }
  if (masked) {
    // With a 40-byte header the masks follow it; larger headers contain them at the same offset.
    const bool inside = size >= 52;
    const std::size_t count = (inside ? size >= 56 : compression == kAlphaMasks) ? 4 : 3;
    if (bytes.size() < 54 + 4 * count) {
      fail(label, message<"the colour masks are cut off">());
    }
    for (std::size_t i = 0; i < count; ++i) {
      header.masks[i] = little(bytes, 54 + 4 * i, 4);
    }
    after = inside ? after : 54 + 4 * count;
  }
  if (bits <= 8) {
    const std::uint32_t most = 1u << bits;
    header.palette_size = static_cast<int>(colours == 0 ? most : std::min(colours, most));
    header.palette = after;
    if (bytes.size() <
        after + static_cast<std::size_t>(header.palette_size * header.palette_step)) {
      fail(label, message<"the palette is cut off">());
    }
  }
  return header;
}

Image decode_bmp(std::span<const std::byte> bytes, const std::string& label,
                 const ImageOptions& options) {
  const BmpHeader header = read_bmp_header(bytes, label);
  const auto row_bytes =
      (static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.bits) + 31) / 32 *
      4;
  const auto rows = static_cast<std::size_t>(header.height);
  if (header.pixels > bytes.size() || bytes.size() - header.pixels < row_bytes * rows) {
    fail(label,
         message<"the file is truncated ({bytes} bytes of pixels expected)">(row_bytes * rows));
  }
  Image image{header.width, header.height, {}, {}};
  image.pixels.resize(static_cast<std::size_t>(header.width) * rows * 3);
  const int step = header.bits / 8;
  for (std::size_t y = 0; y < rows; ++y) {
    const std::size_t line = header.top_down ? y : rows - 1 - y;
    const std::size_t at = header.pixels + line * row_bytes;
    std::uint8_t* out = image.pixels.data() + y * static_cast<std::size_t>(header.width) * 3;
    for (int x = 0; x < header.width; ++x, out += 3) {
      if (header.bits <= 8) {
        const auto bit = static_cast<std::size_t>(x) * static_cast<std::size_t>(header.bits);
        const std::uint32_t byte = little(bytes, at + bit / 8, 1);
        const auto index = static_cast<int>(byte >> (8 - header.bits - static_cast<int>(bit % 8)) &
                                            ((1u << header.bits) - 1));
        if (index >= header.palette_size) {
          fail(label, message<"a pixel names colour {index} of a palette of {count}">(
                          index, header.palette_size));
        }
        const std::size_t colour =
            header.palette + static_cast<std::size_t>(index * header.palette_step);
        for (std::size_t c = 0; c < 3; ++c) {
          out[c] = static_cast<std::uint8_t>(bytes[colour + 2 - c]);
        }
      } else if (header.bits == 24) {
        for (std::size_t c = 0; c < 3; ++c) {
          out[c] = static_cast<std::uint8_t>(bytes[at + static_cast<std::size_t>(x) * 3 + 2 - c]);
        }
      } else {
        const std::uint32_t value =
            little(bytes, at + static_cast<std::size_t>(x) * static_cast<std::size_t>(step), step);
        const int alpha = header.masks[3] == 0 ? 255 : channel(value, header.masks[3]);
        for (std::size_t c = 0; c < 3; ++c) {
          const int over =
              channel(value, header.masks[c]) * alpha + options.background[c] * (255 - alpha);
          out[c] = static_cast<std::uint8_t>((over + 127) / 255);
        }
      }
    }
  }
  return image;
}

}  // namespace mantissa
