#include "engine/data/image_scan.h"

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/image.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

class Concepts : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { static const ImageLibrary library; }

  void SetUp() override {
    root_ = fs::temp_directory_path() / "mantissa concepts é" /
            ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write_image(const std::string& name, int width = 32, int height = 24) const {
    const fs::path path = root_ / path_from_utf8(name);
    fs::create_directories(path.parent_path());
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) *
                                     static_cast<std::size_t>(height) * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      pixels[i] = static_cast<std::uint8_t>(i * 37 + name.size());
    }
    const fs::path temporary = root_ / "temporary.png";
    write_png(temporary, pixels, width, height);
    fs::rename(temporary, path);
  }
  void text(const std::string& name, const std::string& content) const {
    const fs::path path = root_ / path_from_utf8(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
  }
  Dataset scan(const ScanOptions& options = {}) const {
    const std::vector<fs::path> folders{root_};
    return scan_images(folders, options);
  }
  static std::vector<std::string> names(const Dataset& d) {
    std::vector<std::string> list;
    for (const ImageItem& item : d.items) {
      list.push_back(item.name);
    }
    return list;
  }
  // The reason a file was skipped for, or "" when it wasn't.
  static std::string reason(const Dataset& d, const std::string& file) {
    for (const SkippedFile& s : d.report.skipped) {
      if (path_to_utf8(s.path.filename()) == file) {
        return s.reason.empty() ? "no reason" : s.reason.text();
      }
    }
    return {};
  }
  static bool noticed(const Dataset& d, const std::string& part) {
    for (const Message& n : d.report.notices) {
      if (n.text().find(part) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  fs::path root_;
};

TEST_F(Concepts, FindsImagesInFixedOrderWithSizeAndHash) {
  write_image("b.png", 40, 30);
  write_image("a/z.png");
  write_image("a/deep/er/x.png");
  write_image("C.png");
  write_image("写真.png");
  const Dataset d = scan();
  EXPECT_EQ(names(d),
            (std::vector<std::string>{"C.png", "a/deep/er/x.png", "a/z.png", "b.png", "写真.png"}));
  EXPECT_EQ(d.items[3].width, 40);
  EXPECT_EQ(d.items[3].height, 30);
  EXPECT_EQ(d.items[3].content_hash, sha256_file(root_ / "b.png"));
  EXPECT_EQ(d.report.images, 5);
  EXPECT_EQ(d.report.files, 5);
  EXPECT_TRUE(d.report.skipped.empty());
  ScanOptions many;
  many.threads = 4;
  const Dataset again = scan(many);
  EXPECT_EQ(names(again), names(d));
  EXPECT_EQ(again.fingerprint(), d.fingerprint());
  EXPECT_EQ(again.report.json(), d.report.json());
}

TEST_F(Concepts, CaptionsComeFromTextThenMetadataThenFolder) {
  write_image("dog/1.png");
  text("dog/1.txt",
       "\xEF\xBB\xBF"
       "a dog\r\n");
  write_image("dog/2.png");
  write_image("dog/3.png");
  write_image("dog/4.png");
  text("dog/4.txt", "");
  write_image("dog/in/5.png");
  write_image("dog/in/6.png");
  text("dog/metadata.jsonl",
       "{\"file_name\": \"1.png\", \"text\": \"overruled\"}\n\n"
       "{\"file_name\": \"2.png\", \"text\": \" two dogs \", \"more\": 1}\r\n"
       "{\"file_name\": \"./in/5.png\", \"text\": \"far\"}\n"
       "{\"file_name\": \"in/6.png\", \"text\": \"six\"}");
  text("dog/in/metadata.jsonl", "{\"file_name\": \"5.png\", \"text\": \"near\"}\n");
  const Dataset d = scan();
  ASSERT_EQ(d.items.size(), 6u);
  EXPECT_EQ(d.items[0].caption, "a dog");
  EXPECT_EQ(d.items[0].caption_source, "txt");
  EXPECT_EQ(d.items[1].caption, "two dogs");
  EXPECT_EQ(d.items[1].caption_source, "jsonl");
  EXPECT_EQ(d.items[2].caption, "dog");
  EXPECT_EQ(d.items[2].caption_source, "folder");
  EXPECT_EQ(d.items[3].caption, "");  // an empty caption is a caption
  EXPECT_EQ(d.items[3].caption_source, "txt");
  EXPECT_EQ(d.items[4].caption, "near");
  EXPECT_EQ(d.items[5].caption, "six");
  EXPECT_TRUE(d.report.skipped.empty()) << d.report.text();
  EXPECT_EQ(d.report.captions, 2);
}

TEST_F(Concepts, FolderNameHoldsWithoutTrailingSlashToo) {
  write_image("x.png");
  const std::string name = path_to_utf8(root_.filename());
  for (const fs::path& folder : {root_, root_ / "", root_ / "."}) {
    const std::vector<fs::path> folders{folder};
    EXPECT_EQ(scan_images(folders).items.at(0).caption, name);
  }
}

TEST_F(Concepts, BadCaptionsSkipTheirImageByName) {
  write_image("ok.png");
  write_image("latin.png");
  text("latin.txt", "caf\xE9");
  write_image("zero.png");
  text("zero.txt", "a\0b"s);
  write_image("long.png");
  text("long.txt", std::string(70'000, 'a'));
  write_image("huge.png");
  text("huge.txt", std::string(10 << 20, 'a'));
  write_image("wide.png");
  text("wide.txt",
       "\xFF\xFE"
       "a\0b\0"s);
  text("alone.txt", "nobody's");
  const Dataset d = scan();
  EXPECT_EQ(names(d), (std::vector<std::string>{"ok.png", "wide.png"}));
  EXPECT_EQ(d.items[1].caption, "ab");
  EXPECT_TRUE(noticed(d, "wide.txt: converted from UTF-16"));
  EXPECT_NE(reason(d, "latin.png").find("latin.txt isn't valid UTF-8"), std::string::npos);
  EXPECT_NE(reason(d, "latin.png").find("`mantissa caption --recode`"), std::string::npos);
  for (const SkippedFile& s : d.report.skipped) {
    EXPECT_EQ(!s.legacy.empty(), s.path.filename() == "latin.png") << s.path;
  }
  EXPECT_NE(reason(d, "zero.png").find("NUL"), std::string::npos);
  EXPECT_NE(reason(d, "long.png").find("64 KB"), std::string::npos);
  EXPECT_NE(reason(d, "huge.png"), "");
  EXPECT_NE(reason(d, "alone.txt").find("without an image"), std::string::npos);
  EXPECT_EQ(d.report.files, static_cast<std::int64_t>(d.items.size() * 2 + 8));
}

TEST_F(Concepts, BadMetadataLinesAreNamed) {
  write_image("a.png");
  write_image("b.png");
  text("metadata.jsonl",
       "{\"file_name\": \"a.png\", \"text\": \"first\"}\n"
       "{broken\n"
       "{\"file_name\": \"b.png\"}\n"
       "[1]\n"
       "{\"file_name\": \"../b.png\", \"text\": \"outside\"}\n"
       "{\"file_name\": \"/etc/b.png\", \"text\": \"outside\"}\n"
       "{\"file_name\": \"b.png\", \"text\": 5}\n"
       "{\"file_name\": \"gone.png\", \"text\": \"x\"}\n"
       "{\"file_name\": \"a.png\", \"text\": \"second\"}\n"
       "{\"file_name\": \"b.png\", \"text\": \"nul \\u0000 here\"}\n");
  const Dataset d = scan();
  ASSERT_EQ(d.items.size(), 2u);
  EXPECT_EQ(d.items[0].caption, "second");
  EXPECT_EQ(d.items[1].caption_source, "folder");
  const std::string all = d.report.text();
  for (const int line : {2, 3, 4, 5, 6, 7, 8, 9, 10}) {
    EXPECT_NE(all.find("metadata.jsonl line " + std::to_string(line)), std::string::npos) << line;
  }
  EXPECT_EQ(d.report.skipped.size(), 7u) << all;
}

TEST_F(Concepts, EverySkippedFileHasItsReason) {
  write_image("ok.png");
  write_image("tiny.png", 4, 40);
  text("notes.md", "no image");
  text("empty.png", "");
  text("fake.jpg", "not a jpeg");
  text("model.safetensors", std::string(100, '\0'));
  write_image("cut.png", 200, 200);
  const auto size = fs::file_size(root_ / "cut.png");
  fs::resize_file(root_ / "cut.png", size / 2);
  write_image("really.jpg");  // a PNG under another name is fine
  text(".hidden.png", "x");
  write_image(".thumbs/t.png");
  write_image(".thumbs/u.png");
  const Dataset d = scan();
  EXPECT_EQ(names(d), (std::vector<std::string>{"ok.png", "really.jpg"}));
  EXPECT_NE(reason(d, "tiny.png").find("too small: 4x40"), std::string::npos);
  for (const char* name : {"notes.md", "empty.png", "fake.jpg", "model.safetensors", "cut.png"}) {
    EXPECT_NE(reason(d, name), "") << name;
  }
  EXPECT_EQ(d.report.hidden_files, 1);
  EXPECT_EQ(d.report.hidden_folders, 1);
  EXPECT_EQ(d.report.files, static_cast<std::int64_t>(d.items.size() + d.report.skipped.size()));
  const auto json = nlohmann::json::parse(d.report.json());
  EXPECT_EQ(json["skipped"].size(), d.report.skipped.size());
  EXPECT_EQ(json["images"], 2);
  for (const SkippedFile& s : d.report.skipped) {
    EXPECT_NE(d.report.text().find(path_to_utf8(s.path)), std::string::npos);
  }
}

TEST_F(Concepts, SkippedFilesAreToldApartByKind) {
  write_image("ok.png");
  write_image("tiny.png", 4, 40);
  text("notes.md", "no image");
  text("empty.png", "");
  write_image("cut.png", 200, 200);
  fs::resize_file(root_ / "cut.png", fs::file_size(root_ / "cut.png") / 2);
  text("cut.txt", "of the damaged one");
  write_image("latin.png");
  text("latin.txt", "caf\xE9");
  text("alone.txt", "nobody's");
  write_image("lost-masklabel.png");
  text("metadata.jsonl", "{broken\n");
  const Dataset d = scan();
  std::map<std::string, SkipKind> kinds;
  for (const SkippedFile& s : d.report.skipped) {
    kinds[path_to_utf8(s.path.filename())] = s.kind;
  }
  const std::map<std::string, SkipKind> expected{{"tiny.png", SkipKind::too_small},
                                                 {"notes.md", SkipKind::no_image},
                                                 {"empty.png", SkipKind::damaged},
                                                 {"cut.png", SkipKind::damaged},
                                                 {"latin.png", SkipKind::caption},
                                                 {"alone.txt", SkipKind::lone_caption},
                                                 {"lost-masklabel.png", SkipKind::lone_mask},
                                                 {"metadata.jsonl", SkipKind::metadata}};
  EXPECT_EQ(kinds, expected) << d.report.text();
  EXPECT_EQ(d.report.skipped_files() + 1, std::ssize(d.report.skipped)) << "a line is no file";
}

TEST_F(Concepts, TablesOfCaptionsAreNamedAsSuch) {
  write_image("a.png");
  text("metadata.csv", "file_name,text\na.png,a cat\n");
  text("meta_cap.json", "{\"a\": {\"caption\": \"a cat\"}}");
  text("a.json", "{\"caption\": \"a cat\"}");
  text("captions.JSONL", "{\"file_name\": \"a.png\", \"text\": \"a cat\"}\n");
  text("notes.md", "no table");
  write_image("picture.json");
  const Dataset d = scan();
  EXPECT_EQ(names(d), (std::vector<std::string>{"a.png", "picture.json"}));
  for (const char* name : {"metadata.csv", "meta_cap.json", "a.json", "captions.JSONL"}) {
    EXPECT_NE(reason(d, name).find("captions aren't read from"), std::string::npos) << name;
    EXPECT_NE(reason(d, name).find("metadata.jsonl"), std::string::npos) << name;
  }
  EXPECT_EQ(reason(d, "notes.md").find("captions"), std::string::npos);
}

TEST_F(Concepts, TrustedImagesAreNotDecoded) {
  write_image("cut.png", 200, 200);
  write_image("ok.png");
  fs::resize_file(root_ / "cut.png", fs::file_size(root_ / "cut.png") / 2);
  EXPECT_EQ(scan().items.size(), 1u);
  ScanOptions options;
  options.trusted = [](const ImageItem& item) {
    return item.name == "cut.png" && item.content_hash.size() == 64;
  };
  EXPECT_EQ(scan(options).items.size(), 2u);
}

#ifndef _WIN32
TEST_F(Concepts, LinksDoNotLoopOrRepeat) {
  write_image("real/a.png");
  fs::create_directory_symlink(root_, root_ / "real" / "up");
  fs::create_directory_symlink(root_ / "real", root_ / "twin");
  fs::create_symlink(root_ / "nowhere.png", root_ / "dangling.png");
  const Dataset d = scan();
  EXPECT_EQ(names(d), (std::vector<std::string>{"real/a.png"}));
  EXPECT_NE(reason(d, "up").find("already"), std::string::npos);
  EXPECT_NE(reason(d, "twin").find("already"), std::string::npos);
  EXPECT_NE(reason(d, "dangling.png").find("doesn't exist"), std::string::npos);
}
#endif

TEST_F(Concepts, SeveralFoldersKeepTheirOrder) {
  write_image("two/a.png");
  write_image("one/b.png");
  const std::vector<fs::path> folders{root_ / "two", root_ / "one", root_ / "two"};
  const Dataset d = scan_images(folders);
  EXPECT_EQ(names(d), (std::vector<std::string>{"a.png", "b.png"}));
  EXPECT_EQ(d.items[0].caption, "two");
  EXPECT_EQ(d.report.skipped.size(), 1u);
}

TEST_F(Concepts, EmptyOrMissingFoldersAreErrors) {
  const auto message = [&](const fs::path& folder) -> std::string {
    const std::vector<fs::path> folders{folder};
    try {
      scan_images(folders);
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  };
  const std::string empty = message(root_);
  EXPECT_NE(empty.find(path_to_utf8(root_)), std::string::npos) << empty;
  EXPECT_NE(empty.find("PNG"), std::string::npos) << empty;
  text("notes.md", "x");
  EXPECT_NE(message(root_).find("notes.md"), std::string::npos);
  EXPECT_NE(message(root_ / "missing").find("doesn't exist"), std::string::npos);
  EXPECT_NE(message(root_ / "notes.md").find("is a file"), std::string::npos);
}

TEST_F(Concepts, ProgressMayCancel) {
  for (int i = 0; i < 12; ++i) {
    write_image("p" + std::to_string(i) + ".png");
  }
  ScanOptions options;
  options.threads = 3;
  std::int64_t last = 0;
  options.progress = [&](RunPhase phase, std::int64_t done, std::int64_t total) {
    EXPECT_EQ(phase, RunPhase::scanning);
    EXPECT_EQ(total, 12);
    last = done;
  };
  scan(options);
  EXPECT_EQ(last, 12);
  options.progress = [](RunPhase, std::int64_t, std::int64_t) {
    throw Error(ErrorKind::interrupted, Message::verbatim("stop"));
  };
  EXPECT_THROW(scan(options), Error);
}

TEST_F(Concepts, RejectMovesAnItemToTheReport) {
  write_image("a.png");
  write_image("b.png");
  Dataset d = scan();
  const std::string before = d.fingerprint();
  d.reject(0, SkipKind::damaged, Message::verbatim("its latents hold NaN"));
  EXPECT_EQ(names(d), (std::vector<std::string>{"b.png"}));
  EXPECT_EQ(d.report.images, 1);
  EXPECT_EQ(reason(d, "a.png"), "its latents hold NaN");
  EXPECT_NE(d.fingerprint(), before);
}

/// Batches, and whether a run can be resumed, depend on it.
TEST(Fingerprint, EveryFieldOfAnItemCounts) {
  ImageItem item;
  item.name = "a.png";
  item.caption = "a cat";
  item.content_hash = "00ff";
  const auto of = [](const ImageItem& i) {
    Dataset d;
    d.items = {i};
    return d.fingerprint();
  };
  std::map<std::string, std::string> seen{{of(item), "the item itself"}};
  const auto expect_another = [&](const char* field, const auto& change) {
    ImageItem changed = item;
    change(changed);
    const auto [at, is_new] = seen.emplace(of(changed), field);
    EXPECT_TRUE(is_new) << field << " gives the fingerprint of " << at->second;
  };
  expect_another("name", [](ImageItem& i) { i.name = "b.png"; });
  expect_another("caption", [](ImageItem& i) { i.caption = "a dog"; });
  expect_another("content", [](ImageItem& i) { i.content_hash = "00fe"; });
  expect_another("mask", [](ImageItem& i) { i.mask_hash = "11"; });
  expect_another("prior", [](ImageItem& i) { i.prior = true; });
  expect_another("repeats", [](ImageItem& i) { i.repeats = 2; });
  expect_another("weight", [](ImageItem& i) { i.weight = 0.5; });
  expect_another("a letter in the next field", [](ImageItem& i) {
    i.name = "a.pnga";
    i.caption = " cat";
  });
}

}  // namespace
}  // namespace mantissa
