#include "engine/data/duplicates.h"

#include <bit>
#include <ctime>
#include <map>
#include <random>

#include "engine/core/paths.h"
#include "engine/data/image_cut.h"
#include "engine/io/resample.h"
#include "tests/engine/data/image_folders.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = MANTISSA_SOURCE_DIR;

ImageItem item(const std::string& name, const std::string& content, int width = 64,
               int height = 64) {
  ImageItem i;
  i.name = name;
  i.path = "folder/" + name;
  i.content_hash = content;
  i.width = width;
  i.height = height;
  return i;
}

/// The middle of an image without `share` of each side, scaled by `scale`.
Image part(const Image& image, double share, double scale) {
  const auto cut = [&](int side) { return static_cast<int>(side * share); };
  const int width = static_cast<int>(image.width * scale);
  const int height = static_cast<int>(image.height * scale);
  return resize_crop(image, width, height, cut(width), cut(height), width - 2 * cut(width),
                     height - 2 * cut(height));
}

Image brighter(Image image, double factor) {
  for (std::uint8_t& p : image.pixels) {
    p = static_cast<std::uint8_t>(std::min(255.0, p * factor));
  }
  return image;
}

class Duplicates : public testing::Test {
 protected:
  static std::vector<Image> demo() {
    const ImageLibrary library;
    std::vector<Image> images;
    for (int i = 1; i <= 22; ++i) {
      images.push_back(
          load_image(kSource / "resources/demo/images" /
                     ("zorb_" + std::string(i < 10 ? "0" : "") + std::to_string(i) + ".png")));
    }
    return images;
  }
  static Image golden(const std::string& name, int least_side = 0) {
    return load_image(kSource / "tests/golden/duplicates" / name, {.least_side = least_side});
  }
  const ImageLibrary library_;
};

TEST_F(Duplicates, CopiesAreFoundAndOtherDrawingsAreNot) {
  const std::vector<Image> images = demo();
  std::vector<ImageSignature> signatures;
  for (const Image& image : images) {
    signatures.push_back(image_signature(image));
  }
  int farthest = 0;
  for (std::size_t i = 0; i < images.size(); ++i) {
    SCOPED_TRACE("zorb " + std::to_string(i + 1));
    const std::map<std::string, Image> copies{{"half", part(images[i], 0, 0.5)},
                                              {"cropped", part(images[i], 0.02, 1)},
                                              {"brighter", brighter(images[i], 1.1)},
                                              {"darker", brighter(images[i], 0.85)}};
    for (const auto& [what, copy] : copies) {
      const ImageSignature s = image_signature(copy);
      farthest = std::max(farthest, std::popcount(s.hash ^ signatures[i].hash));
      EXPECT_EQ(compare_images(signatures[i], s), DuplicateKind::similar) << what;
      for (std::size_t j = 0; j < images.size(); ++j) {
        EXPECT_TRUE(i == j || !compare_images(signatures[j], s)) << what << " and " << j + 1;
      }
    }
    Image mirrored = images[i];
    mirror(mirrored);
    // A symmetric drawing is similar to its mirror image as it is.
    EXPECT_TRUE(compare_images(signatures[i], image_signature(mirrored)).has_value());
  }
  EXPECT_LE(farthest, 9);
}

TEST_F(Duplicates, AMirroredCopyIsCalledSo) {
  const Image image = demo()[6];
  Image other = brighter(part(image, 0.02, 0.5), 0.9);
  mirror(other);
  const ImageSignature a = image_signature(image), b = image_signature(other);
  EXPECT_EQ(compare_images(a, b), DuplicateKind::mirrored);
  EXPECT_EQ(compare_images(b, a), DuplicateKind::mirrored);
}

TEST_F(Duplicates, JpegCopiesAreFound) {
  const std::vector<Image> images = demo();
  for (const int number : {1, 5, 6, 7, 13, 15, 20, 22}) {
    const std::string name =
        "zorb_" + std::string(number < 10 ? "0" : "") + std::to_string(number) + ".jpg";
    const ImageSignature copy = image_signature(golden(name));
    for (int i = 1; i <= 22; ++i) {
      EXPECT_EQ(compare_images(image_signature(images[static_cast<std::size_t>(i - 1)]), copy)
                    .has_value(),
                i == number)
          << name << " and " << i;
    }
  }
}

TEST_F(Duplicates, LargeFilesAreDecodedAtAFractionOfTheirSize) {
  const Image original = demo()[6];
  for (const char* name : {"large_07.jpg", "large_07.webp"}) {
    const Image whole = golden(name), small = golden(name, 128);
    EXPECT_EQ(whole.width, 5 * original.width) << name;
    EXPECT_EQ(small.width, whole.width / 4) << name;  // an eighth would be below 128
    EXPECT_EQ(golden(name, 400).width, whole.width) << name;
    EXPECT_EQ(compare_images(image_signature(original), image_signature(small)),
              DuplicateKind::similar)
        << name;
  }
}

TEST_F(Duplicates, FlatImagesAreNeverSimilar) {
  Image grey{64, 64, std::vector<std::uint8_t>(std::size_t{64} * 64 * 3, 200), {}};
  grey.pixels[5] = 210;
  const ImageSignature s = image_signature(grey);
  EXPECT_TRUE(s.flat);
  EXPECT_FALSE(compare_images(s, s).has_value());
  EXPECT_FALSE(image_signature(demo()[0]).flat);
}

TEST_F(Duplicates, TheSameFileIsACopyOfTheFirst) {
  const std::vector<ImageItem> items{item("a", "1"), item("b", "2"), item("c", "1"), item("d", "3"),
                                     item("e", "1")};
  const std::vector<DuplicateGroup> expected{
      {0, {{2, DuplicateKind::exact}, {4, DuplicateKind::exact}}}};
  EXPECT_EQ(exact_duplicates(items), expected);
  EXPECT_EQ(duplicates_message(items).text(),
            "2 images are copies of others: c (same as a), e (same as a)");
  EXPECT_EQ(duplicates_message(std::span(items).first(3)).text(),
            "1 image is a copy of another: c (same as a)");
  EXPECT_TRUE(duplicates_message(std::span(items).first(2)).empty());
  const std::vector<ImageItem> many(9, item("a", "1"));
  EXPECT_EQ(duplicates_message(many).values().back().values().size(), 6U);  // five and "3 more"
  EXPECT_NE(duplicates_message(many).text().find("folder/a (same as folder/a)"), std::string::npos);
  EXPECT_NE(duplicates_message(many).text().find("and 3 more"), std::string::npos);
}

TEST_F(Duplicates, GroupsHaveTheLargestAsTheirOriginal) {
  const Image image = demo()[3], other = demo()[8];
  Image turned = image;
  mirror(turned);
  const std::vector<ImageItem> items{item("small", "1", 32, 32),   item("other", "2"),
                                     item("large", "3", 128, 128), item("again", "1", 32, 32),
                                     item("turned", "4"),          item("unread", "3", 128, 128)};
  const std::vector<std::optional<ImageSignature>> signatures{
      image_signature(part(image, 0, 0.5)), image_signature(other),  image_signature(image),
      image_signature(part(image, 0, 0.5)), image_signature(turned), std::nullopt};
  const std::vector<DuplicateGroup> expected{{2,
                                              {{0, DuplicateKind::similar},
                                               {3, DuplicateKind::similar},
                                               {4, DuplicateKind::mirrored},
                                               {5, DuplicateKind::exact}}}};
  EXPECT_EQ(group_duplicates(items, signatures), expected);
}

TEST_F(Duplicates, OfEqualSizesTheCaptionedAndTheLosslessAreKept) {
  std::vector<ImageItem> items{item("a.jpg", "1"), item("b.png", "1"), item("c.jpg", "1"),
                               item("d.jpg", "1", 65)};
  const auto kept = [&] {
    const std::vector<DuplicateGroup> groups = exact_duplicates(items);
    return groups.empty() ? std::string() : items[groups[0].original].name;
  };
  EXPECT_EQ(kept(), "d.jpg");  // pixels first
  items.pop_back();
  EXPECT_EQ(kept(), "b.png");
  items[2].caption = "a red disc";
  items[2].caption_source = "txt";
  EXPECT_EQ(kept(), "c.jpg");
  items[2].caption_source = "folder";  // the folder's name is no caption of its own
  EXPECT_EQ(kept(), "b.png");
  items[1].name = "b.jpg";
  items[1].path = "folder/b.JPG";
  EXPECT_EQ(kept(), "a.jpg");  // then the first
}

/// Each hash has a partner at every distance up to the bound; the tables find what comparing all
/// pairs finds.
TEST_F(Duplicates, TablesMissNothing) {
  std::mt19937_64 random(7);
  const ImageSignature base = image_signature(demo()[2]);
  std::vector<ImageItem> items;
  std::vector<std::optional<ImageSignature>> signatures;
  for (int i = 0; i < 400; ++i) {
    ImageSignature s = base;
    s.hash = random();
    for (int bits = 0; bits <= kSimilarBits + 2; ++bits) {
      items.push_back(item("x", std::to_string(items.size())));
      signatures.emplace_back(s);
      for (int flipped = 0; flipped < bits;) {
        const std::uint64_t bit = std::uint64_t{1} << (random() % 64);
        flipped += ((signatures.back()->hash ^ s.hash) & bit) == 0 ? 1 : 0;
        signatures.back()->hash = (signatures.back()->hash & ~bit) | (~s.hash & bit);
      }
    }
  }
  std::size_t expected = 0;
  std::vector<bool> taken(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = i + 1; !taken[i] && j < items.size(); ++j) {
      if (!taken[j] && compare_images(*signatures[i], *signatures[j])) {
        taken[j] = true;
        ++expected;
      }
    }
  }
  ASSERT_GE(expected, std::size_t{400 * kSimilarBits});
  std::size_t found = 0;
  for (const DuplicateGroup& group : group_duplicates(items, signatures)) {
    found += group.duplicates.size();
  }
  EXPECT_EQ(found, expected);
}

TEST_F(Duplicates, AHundredThousandImagesAreGroupedInSeconds) {
  std::mt19937_64 random(1);
  constexpr std::size_t kCount = 100'000;
  std::vector<ImageItem> items(kCount);
  std::vector<std::optional<ImageSignature>> signatures(kCount);
  const ImageSignature base = image_signature(demo()[2]);
  for (std::size_t i = 0; i < kCount; ++i) {
    items[i] = item("x", std::to_string(i));
    signatures[i] = base;
    signatures[i]->hash = i % 1000 == 1 ? signatures[i - 1]->hash ^ 0x8001000100000001 : random();
  }
  const std::clock_t begin = std::clock();  // the processor's time: others may have it meanwhile
  EXPECT_GE(group_duplicates(items, signatures).size(), kCount / 1000);
  EXPECT_LT(std::clock() - begin, 60 * CLOCKS_PER_SEC);
}

class DuplicateFiles : public testing_support::ImageFolders {};

TEST_F(DuplicateFiles, AreReportedWhereverADataSetIsChecked) {
  add("a.png", 10);
  add("b\u202e31m.png", 10);
  add("c.png", 90);
  const DatasetReport report = scan(root_).report;
  EXPECT_EQ(report.copies.values().size(), 1U);
  EXPECT_NE(report.text().find("1 image is a copy of another: b\\u202e31m.png (same as a.png)"),
            std::string::npos)
      << report.text();
  EXPECT_NE(report.json().find("\"copies\": \"1 image is a copy"), std::string::npos);
}

TEST_F(DuplicateFiles, AreReadOnSeveralThreadsAndCanBeCancelled) {
  fs::copy_file(kSource / "resources/demo/images/zorb_07.png", root_ / "a.png");
  fs::copy_file(kSource / "tests/golden/duplicates/zorb_07.jpg", root_ / "b.jpg");
  fs::copy_file(kSource / "tests/golden/duplicates/large_07.jpg", root_ / "c.jpg");
  fs::copy_file(kSource / "resources/demo/images/zorb_09.png", root_ / "d.png");
  std::vector<ImageItem> items = scan(root_).items;
  items.push_back(item("gone", "none", 2000, 2000));  // removed meanwhile
  const std::vector<DuplicateGroup> expected{
      {2, {{0, DuplicateKind::similar}, {1, DuplicateKind::similar}}}};
  for (const int threads : {1, 3}) {
    std::int64_t done = 0;
    const auto progress = [&](RunPhase, std::int64_t now, std::int64_t total) {
      done = std::max(done, now);
      EXPECT_EQ(total, 5);
    };
    EXPECT_EQ(find_duplicates(items, progress, threads), expected);
    EXPECT_EQ(done, 5);
  }
  const auto cancel = [](RunPhase, std::int64_t, std::int64_t) {
    throw Error(ErrorKind::interrupted, Message::verbatim("enough"));
  };
  EXPECT_THROW(find_duplicates(items, cancel, 2), Error);
}

}  // namespace
}  // namespace mantissa
