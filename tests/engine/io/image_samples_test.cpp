// TIFFs by the type of their samples.
#include <bit>
#include <cstring>
#include <gtest/gtest.h>

#include "engine/io/image.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

struct Samples {
  std::uint16_t bits, kind;  ///< kind: 1 unsigned, 2 signed, 3 floating-point
  std::string white;         ///< one sample, little-endian
};

void put(std::string& to, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) {
    to += static_cast<char>(value >> (8 * i) & 0xff);
  }
}

/// A white image of 8 x 8 pixels with 1 or 3 channels.
std::string tiff(const Samples& samples, std::uint16_t channels) {
  constexpr std::uint32_t kSide = 8, kFields = 11, kData = 8 + 2 + 12 * kFields + 4;
  // Bits and kind of three channels don't fit into a field: they stand behind the fields.
  const std::uint32_t behind = channels == 3 ? 12 : 0;
  const std::uint32_t bytes = kSide * kSide * channels * samples.bits / 8u;
  std::string file("II*\0", 4);
  put(file, 8, 4);
  put(file, kFields, 2);
  const auto field = [&file](std::uint16_t tag, std::uint16_t type, std::uint32_t count,
                             std::uint32_t value) {
    put(file, tag, 2);
    put(file, type, 2);
    put(file, count, 4);
    put(file, value, 4);
  };
  field(256, 4, 1, kSide);
  field(257, 4, 1, kSide);
  field(258, 3, channels, behind > 0 ? kData : samples.bits);
  field(259, 3, 1, 1);
  field(262, 3, 1, channels == 3 ? 2 : 1);
  field(273, 4, 1, kData + behind);
  field(277, 3, 1, channels);
  field(278, 4, 1, kSide);
  field(279, 4, 1, bytes);
  field(284, 3, 1, 1);
  field(339, 3, channels, behind > 0 ? kData + 6 : samples.kind);
  put(file, 0, 4);
  for (const std::uint16_t value : {samples.bits, samples.kind}) {
    for (int i = 0; behind > 0 && i < 3; ++i) {
      put(file, value, 2);
    }
  }
  for (std::uint32_t i = 0; i < bytes / samples.white.size(); ++i) {
    file += samples.white;
  }
  return file;
}

template <typename T>
std::string coded(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(ImageSamples, OfKnownRangeAreReadRightAndOthersRefusedByName) {
  const ImageLibrary library;
  for (const std::uint16_t channels : {1, 3}) {
    for (const Samples& known : {Samples{8, 1, "\xff"}, Samples{16, 1, std::string("\xff\xff")}}) {
      SCOPED_TRACE(std::to_string(known.bits) + " x " + std::to_string(channels));
      const std::string file = tiff(known, channels);
      const Image image = decode_image(bytes_of(file), "im.tif", {});
      for (const std::uint8_t value : image.pixels) {
        ASSERT_EQ(value, 255);
      }
    }
    for (const auto& [other, what] :
         {std::pair{Samples{32, 3, coded(1.0F)}, "floating-point"},
          std::pair{Samples{32, 2, coded(std::int32_t{0x7fffffff})}, "signed or 32-bit"},
          std::pair{Samples{32, 1, coded(~std::uint32_t{0})}, "signed or 32-bit"},
          std::pair{Samples{16, 2, coded(std::int16_t{0x7fff})}, "signed or 32-bit"},
          std::pair{Samples{8, 2, coded(std::int8_t{0x7f})}, "signed or 32-bit"}}) {
      SCOPED_TRACE(std::to_string(other.bits) + " x " + std::to_string(channels) + " " + what);
      const std::string file = tiff(other, channels);
      test::expect_error_with([&] { decode_image(bytes_of(file), "im.tif", {}); },
                              {"im.tif", what, "save it again"});
    }
  }
}

}  // namespace
}  // namespace mantissa
