#include "engine/io/image.h"

#include <barrier>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <span>
#include <thread>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/io/pillow_resize.h"
#include "engine/io/resample.h"
#include "tests/test_util.h"

// Of libvips, whose headers only engine/io has.
extern "C" void* vips_image_new_from_buffer(const void* bytes, std::size_t size,
                                            const char* options, ...);
extern "C" void* vips_image_new_from_file(const char* name, ...);
extern "C" void vips_error_clear();

namespace mantissa {
namespace {

namespace fs = std::filesystem;

const fs::path kImages = fs::path(MANTISSA_TEST_DATA) / "golden/images";

class ImageTest : public ::testing::Test {
 protected:
  const ImageLibrary library_;
};

TEST_F(ImageTest, NoOtherDecoderOfTheLibraryCanBeReached) {
  for (const std::string& other :
       {std::string("P6 1 1 255\nabc"), std::string("P2 1 1 255\n7"), std::string("1 2\n3 4\n"),
        std::string("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'></svg>"),
        std::string("%PDF-1.4\n%%EOF")}) {
    EXPECT_EQ(vips_image_new_from_buffer(other.data(), other.size(), "", nullptr), nullptr)
        << other;
    vips_error_clear();
  }
  // libvips itself distrusts the decoders above, but not this one.
  const test::TempFolder folder;
  std::ofstream(folder / "matrix.mat") << "1 2\n3\n4\n";
  EXPECT_EQ(vips_image_new_from_file(path_to_utf8(folder / "matrix.mat").c_str(), nullptr),
            nullptr);
  vips_error_clear();
  EXPECT_NO_THROW(load_image(kImages / "rgb.png"));
}

// libvips has one buffer for the errors of all threads.
TEST_F(ImageTest, DamageIsToldInTheSameWordsWhateverOtherThreadsDecode) {
  const fs::path files[] = {kImages / "cut60.png", kImages / "cut60.jpg", kImages / "cut60.webp"};
  std::vector<std::string> alone;
  for (const fs::path& file : files) {
    alone.push_back(test::message_of([&] { load_image(file); }));
  }
  constexpr int kThreads = 8, kTimes = 25;
  std::barrier together(kThreads);
  std::vector<std::vector<std::string>> told(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      together.arrive_and_wait();
      for (int n = 0; n < kTimes; ++n) {
        told[static_cast<std::size_t>(i)].push_back(test::message_of(
            [&] { load_image(files[static_cast<std::size_t>(i) % std::size(files)]); }));
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    for (const std::string& text : told[i]) {
      EXPECT_EQ(text, alone[i % alone.size()]);
    }
  }
}

// ctest runs it alone, where nothing has started the library before.
TEST(ImageLibraryStart, TakesManyThreadsAtOnce) {
  constexpr int kThreads = 16;
  std::barrier together(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      together.arrive_and_wait();
      const ImageLibrary library;
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  const test::TempFolder folder;
  write_png(folder / "x.png", std::vector<std::uint8_t>(3 * 8 * 8), 8, 8);
}

nlohmann::json expectations() {
  return read_json(kImages / "expected.json");
}

TEST_F(ImageTest, EveryFixtureIsReadRightOrRefusedByName) {
  const nlohmann::json all = expectations();
  ASSERT_GE(all.size(), 40u);
  for (const auto& [name, expected] : all.items()) {
    SCOPED_TRACE(name);
    const fs::path path = kImages / name;
    if (expected.contains("error")) {
      const std::string message = test::message_of([&] { load_image(path); });
      EXPECT_NE(message.find(expected["error"].get<std::string>()), std::string::npos) << message;
      EXPECT_NE(message.find(name), std::string::npos) << message;
      continue;
    }
    const ImageInfo info = probe_image(path);
    EXPECT_EQ(info.width, expected["width"]);
    EXPECT_EQ(info.height, expected["height"]);
    EXPECT_EQ(info.pages, expected["pages"]);
    EXPECT_EQ(info.format, expected["format"]);
    const Image image = load_image(path);
    ASSERT_EQ(image.width, info.width);
    ASSERT_EQ(image.height, info.height);
    ASSERT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width * image.height * 3));
    const auto notice = expected["notice"].get<std::string>();
    EXPECT_EQ(image.notice.empty(), notice.empty()) << image.notice;
    EXPECT_NE(image.notice.text().find(notice), std::string::npos) << image.notice;
    for (const auto& sample : expected["samples"]) {
      const int x = sample[0], y = sample[1];
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(image.pixels[static_cast<std::size_t>((y * image.width + x) * 3 + c)],
                    sample[static_cast<std::size_t>(2 + c)].get<int>(),
                    expected["tolerance"].get<int>())
            << "pixel " << x << "," << y << " channel " << c;
      }
    }
  }
}

TEST_F(ImageTest, BombsAreRefusedFromTheHeader) {
  for (const char* name : {"bomb.png", "bomb.bmp"}) {
    test::expect_error_with([&] { probe_image(kImages / name); }, {name, "65000 x 65000"});
  }
}

TEST_F(ImageTest, TransparencyLiesOverTheChosenColour) {
  ImageOptions options;
  options.background = {10, 20, 30};
  for (const char* name : {"rgba.png", "rgba16.png", "rgba.webp"}) {
    const Image image = load_image(kImages / name, options);
    const std::uint8_t* clear = &image.pixels[static_cast<std::size_t>((4 * image.width + 12) * 3)];
    EXPECT_NEAR(clear[0], 10, 1) << name;
    EXPECT_NEAR(clear[1], 20, 1) << name;
    EXPECT_NEAR(clear[2], 30, 1) << name;
  }
}

TEST_F(ImageTest, MissingFileAndFolderAreNamed) {
  test::expect_error_with([] { probe_image("no/such.png"); }, {"no/such.png"});
  test::expect_error_with([] { load_image(kImages); }, {"images"});
}

TEST_F(ImageTest, DamageWithoutAReasonOfTheLibraryNamesTheFormatAlone) {
  const test::TempFolder folder;
  const fs::path junk = folder.path() / "junk.png";
  test::write_file(junk, "\x89PNG\r\n\x1a\njunk");
  const std::string why = test::message_of([&] { load_image(junk); });
  EXPECT_NE(why.find("(png)"), std::string::npos) << why;
}

TEST_F(ImageTest, DecodingIsTheSameFromManyThreads) {
  const Image alone = load_image(kImages / "profile.jpg");
  std::vector<std::thread> threads;
  std::vector<int> same(8, 0);
  for (std::size_t t = 0; t < same.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        same[t] += load_image(kImages / "profile.jpg").pixels == alone.pixels ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(same, std::vector<int>(8, 10));
}

TEST_F(ImageTest, MutatedFilesNeverCrash) {
  std::uint32_t state = 12345;
  const auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
  int read = 0, refused = 0;
  for (const char* name : {"rgb.png", "exif6.png", "progressive.jpg", "palette.bmp", "rgb.bmp",
                           "lossless.webp", "still.gif", "rgb16.tiff", "profile.png"}) {
    const std::string original = read_text(kImages / name);
    for (int round = 0; round < 60; ++round) {
      std::string bytes = original;
      for (std::uint32_t i = 0; i <= next() % 4; ++i) {
        bytes[next() % bytes.size()] = static_cast<char>(next());
      }
      if (round % 4 == 0) {
        bytes.resize(next() % bytes.size());
      }
      try {
        const Image image = decode_image(std::as_bytes(std::span(bytes)), name);
        EXPECT_EQ(image.pixels.size(), static_cast<std::size_t>(image.width) *
                                           static_cast<std::size_t>(image.height) * 3);
        ++read;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_EQ(read + refused, 9 * 60);
  EXPECT_GT(refused, 100);
}

TEST_F(ImageTest, ResizeMatchesPillowsLanczos) {
  const Image source = load_image(kImages / "resize_source.png");
  for (const auto& [w, h] : {std::pair{17, 23}, {55, 41}, {40, 30}, {7, 60}}) {
    const Image expected =
        load_image(kImages / ("resize_" + std::to_string(w) + "x" + std::to_string(h) + ".png"));
    const Image got = resize_crop(source, w, h, 0, 0, w, h);
    ASSERT_EQ(got.pixels.size(), expected.pixels.size());
    int worst = 0;
    for (std::size_t i = 0; i < got.pixels.size(); ++i) {
      worst = std::max(worst, std::abs(got.pixels[i] - expected.pixels[i]));
    }
    EXPECT_LE(worst, 1) << w << "x" << h;
  }
}

// Both of its passes, either one alone, larger and smaller.
TEST_F(ImageTest, PillowResizeHasPillowsBytes) {
  const Image source = load_image(kImages / "resize_source.png");
  const nlohmann::json sums = read_json(kImages / "resize_bytes.json");
  for (const auto& [w, h] : {std::pair{17, 23}, {55, 41}, {40, 60}, {7, 30}}) {
    const Image got = pillow_resize(source, w, h, PillowFilter::lanczos);
    const std::string size = std::to_string(w) + "x" + std::to_string(h);
    EXPECT_EQ(sha256_hex(std::as_bytes(std::span(got.pixels))), sums.at(size)) << size;
  }
}

TEST_F(ImageTest, CroppingEqualsCuttingTheWholeResize) {
  const Image source = load_image(kImages / "resize_source.png");
  const Image whole = resize_crop(source, 55, 41, 0, 0, 55, 41);
  const Image cut = resize_crop(source, 55, 41, 11, 7, 20, 30);
  for (int y = 0; y < 30; ++y) {
    for (int x = 0; x < 60; ++x) {
      ASSERT_EQ(cut.pixels[static_cast<std::size_t>(y * 60 + x)],
                whole.pixels[static_cast<std::size_t>((y + 7) * 165 + 33 + x)]);
    }
  }
  test::expect_error_with([&] { resize_crop(source, 55, 41, 40, 0, 20, 30); }, {"55 x 41"});
  test::expect_error_with([&] { resize_crop(source, 55, 41, -1, 0, 20, 30); }, {"(-1, 0)"});
}

TEST_F(ImageTest, FloatsSpanMinusOneToOne) {
  const Image image{2, 1, {0, 255, 51, 102, 0, 255}, {}};
  const std::vector<float> values = to_float(image);
  EXPECT_EQ(values[0], -1.0f);
  EXPECT_EQ(values[1], 1.0f);
  EXPECT_FLOAT_EQ(values[2], -0.6f);
}

TEST_F(ImageTest, PngRoundTripWithText) {
  const test::TempFolder folder;
  const Image source = load_image(kImages / "resize_source.png");
  write_png(folder / "a.png", source.pixels, source.width, source.height,
            {{"prompt", "ein Fuchs 🦊"}, {"seed", "7"}});
  write_png(folder / "b.png", source.pixels, source.width, source.height,
            {{"prompt", "ein Fuchs 🦊"}, {"seed", "7"}});
  EXPECT_EQ(load_image(folder / "a.png").pixels, source.pixels);
  const std::string bytes = read_text(folder / "a.png");
  EXPECT_EQ(bytes, read_text(folder / "b.png"));
  EXPECT_NE(bytes.find("ein Fuchs 🦊"), std::string::npos);
  test::expect_error_with([&] { write_png(folder / "c.png", source.pixels, 3, 3); }, {"c.png"});
}

}  // namespace
}  // namespace mantissa
