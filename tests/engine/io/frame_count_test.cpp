// Frames of animations: of the files of tests/cases/outside, and of files put together here.
#include "engine/io/frame_count.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/image.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

const fs::path kAnimations = fs::path(MANTISSA_SOURCE_DIR) / "tests/cases/outside/animations";

std::span<const std::byte> raw_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> shift & 0xFF);
  }
  return text;
}

std::string chunk(const std::string& name, const std::string& content) {
  return big_endian(static_cast<std::uint32_t>(content.size())) + name + content + "CRC!";
}

std::string box(const std::string& name, const std::string& content) {
  return big_endian(static_cast<std::uint32_t>(content.size() + 8)) + name + content;
}

std::string track(const std::string& handler, std::uint32_t samples) {
  const std::string zero(4, '\0');
  const std::string sizes = box("stsz", zero + zero + big_endian(samples));
  return box("trak",
             box("mdia", box("hdlr", zero + zero + handler) + box("minf", box("stbl", sizes))));
}

TEST(FrameCount, OfAnimationsIsNoticedAsOfGif) {
  const ImageLibrary library;
  for (const char* name : {"apng/img.png", "avif/img.avif"}) {
    const fs::path file = kAnimations / name;
    const int pages = probe_image(file).pages;
    EXPECT_GT(pages, 1) << name;
    EXPECT_EQ(load_image(file).notice, pages_notice(pages)) << name;
  }
  EXPECT_EQ(probe_image(kAnimations / "apng/img.png").pages, 2);
}

TEST(FrameCount, OfPngCountsAStillImageThatIsNoFrame) {
  const std::string start = "\x89PNG\r\n\x1a\n" + chunk("IHDR", std::string(13, '\0'));
  const std::string control = chunk("acTL", big_endian(5) + big_endian(0));
  const std::string frame = chunk("fcTL", std::string(26, '\0')), image = chunk("IDAT", "x");
  EXPECT_EQ(png_frames(raw_bytes(start + image)), 1);
  EXPECT_EQ(png_frames(raw_bytes(start + control + frame + image)), 5);
  EXPECT_EQ(png_frames(raw_bytes(start + control + image + frame)), 6);
  EXPECT_EQ(png_frames(raw_bytes(start + image + control)), 1) << "too late to count";
  EXPECT_EQ(png_frames(raw_bytes(start + control.substr(0, 9))), 1) << "cut";
  EXPECT_EQ(png_frames(raw_bytes(start + big_endian(0xFFFFFFFF) + "acTL" + big_endian(5))), 1);
}

TEST(FrameCount, OfHeifIsOfThePictureTracks) {
  const std::string type = box("ftyp", "avis");
  EXPECT_EQ(heif_frames(raw_bytes(type + box("meta", "x"))), 1);
  EXPECT_EQ(heif_frames(raw_bytes(type + box("moov", track("pict", 12)))), 12);
  EXPECT_EQ(heif_frames(raw_bytes(type + box("moov", track("auxv", 40) + track("pict", 3)))), 3);
  EXPECT_EQ(heif_frames(raw_bytes(type + box("moov", track("soun", 900)))), 1);
  const std::string whole = type + box("moov", track("pict", 12));
  for (std::size_t length = 0; length < whole.size(); ++length) {  // cut anywhere
    EXPECT_EQ(heif_frames(raw_bytes(whole.substr(0, length))), 1) << length;
  }
  std::string endless = whole;
  endless[type.size() + 3] = '\0';  // up to the end of the file
  EXPECT_EQ(heif_frames(raw_bytes(endless)), 12);
  EXPECT_EQ(heif_frames(raw_bytes(type + box("moov", track("pict", 0xFFFFFFFF)))), 2147483647);
}

}  // namespace
}  // namespace mantissa
