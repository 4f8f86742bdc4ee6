#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "engine/io/png.h"

namespace mantissa {

namespace {

void append_u32(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += static_cast<char>(value >> shift & 0xff);
  }
}

void append_chunk(std::string& out, const std::string& type, const std::string& data) {
  if (data.size() > 0x7fffffffu) {
    throw Error(message<"a PNG chunk can't hold {bytes} bytes">(data.size()));
  }
  append_u32(out, static_cast<std::uint32_t>(data.size()));
  const std::string body = type + data;
  out += body;
  append_u32(out, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                   static_cast<uInt>(body.size()))));
}

int paeth(int a, int b, int c) {
  const int p = a + b - c;
  const int pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

// One row under filter 0..4 (PNG specification, clause 9).
void filter_row(int filter, const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
                std::string& out) {
  out.assign(1, static_cast<char>(filter));
  for (std::size_t i = 0; i < bytes; ++i) {
    const int a = i >= 3 ? row[i - 3] : 0;
    const int b = above != nullptr ? above[i] : 0;
    const int c = above != nullptr && i >= 3 ? above[i - 3] : 0;
    const std::array<int, 5> guess{0, a, b, (a + b) / 2, paeth(a, b, c)};
    out += static_cast<char>(row[i] - guess[static_cast<std::size_t>(filter)]);
  }
}

// The filter whose differences are smallest in sum usually packs best.
std::string filtered(std::span<const std::uint8_t> pixels, std::size_t row_bytes, int height) {
  std::string result, candidate, best;
  result.reserve((row_bytes + 1) * static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* row = pixels.data() + static_cast<std::size_t>(y) * row_bytes;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int filter = 0; filter < 5; ++filter) {
      filter_row(filter, row, y > 0 ? row - row_bytes : nullptr, row_bytes, candidate);
      std::int64_t sum = 0;
      for (std::size_t i = 1; i < candidate.size(); ++i) {
        sum += std::abs(static_cast<signed char>(candidate[i]));
      }
      if (sum < least) {
        least = sum;
        best.swap(candidate);
      }
    }
    result += best;
  }
  return result;
}

std::string deflated(const std::string& text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()),
                6) != Z_OK) {
    throw Error(message<"zlib could not pack an image">());
  }
  packed.resize(size);
  return packed;
}

}  // namespace

std::string png_bytes(std::span<const std::uint8_t> pixels, int width, int height,
                      const std::map<std::string, std::string>& text) {
  std::string png = "\x89PNG\r\n\x1a\n";
  std::string header;
  append_u32(header, static_cast<std::uint32_t>(width));
  append_u32(header, static_cast<std::uint32_t>(height));
  header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, deflate, filters, no interlace
  append_chunk(png, "IHDR", header);
  for (const auto& [key, value] : text) {
    append_chunk(png, "iTXt", key + std::string(5, '\0') + value);
  }
  append_chunk(png, "IDAT",
               deflated(filtered(pixels, static_cast<std::size_t>(width) * 3, height)));
  append_chunk(png, "IEND", "");
  return png;
}

void write_png(const std::filesystem::path& path, std::span<const std::uint8_t> pixels, int width,
               int height, const std::map<std::string, std::string>& text) {
  if (width < 1 || height < 1 ||
      pixels.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3) {
    throw Error(
        Message::verbatim(fmt::format("can't write '{}': {} bytes are no RGB image of {} x {}",
                                      path_to_utf8(path), pixels.size(), width, height)));
  }
  for (const auto& [key, value] : text) {
    if (key.empty() || key.size() > 79) {
      throw Error(Message::verbatim(
          fmt::format("can't write '{}': the text key '{}' must have 1 to 79 characters",
                      path_to_utf8(path), key)));
    }
  }
  atomic_write(path, std::string_view(png_bytes(pixels, width, height, text)));
}

}  // namespace mantissa
