// `mantissa caption` on real images, with a tiny tagger.
#include "engine/core/legacy_text.h"
#include "tests/engine/cli/cli_fixture.h"
#include "tests/environment.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class CaptionTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    test::set_environment("MANTISSA_HOME", path_to_utf8(folder_ / "home"));
    fs::create_directories(images_);
    for (const char* name : {"zorb_01.png", "zorb_02.png", "zorb_03.png"}) {
      fs::copy_file(fs::path(MANTISSA_SOURCE_DIR "/resources/demo/images") / name, images_ / name);
    }
    std::ofstream(images_ / "zorb_02.txt") << "a red zorb\n";
  }
  std::string text(const char* name) const {
    std::ifstream file(images_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int caption(std::vector<std::string> more) {
    std::vector<std::string> words{"caption", path_to_utf8(images_), "--tagger",
                                   MANTISSA_TEST_DATA "/golden/taggers/eva02"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  /// A copy of the tiny Qwen3-VL whose answers end with the token `end`.
  std::string captioner(int end) {
    const fs::path copy = folder_ / "captioner";
    fs::copy(MANTISSA_TEST_DATA "/golden/captioners/qwen3_vl_head", copy);
    std::ofstream(copy / "generation_config.json") << R"({"eos_token_id":[)" << end << "]}";
    return path_to_utf8(copy);
  }

  fs::path images_ = fs::path(testing::TempDir()) / "mantissa-caption-images";
  void TearDown() override {
    fs::remove_all(images_);
    CliTest::TearDown();
  }
};

TEST_F(CaptionTest, WritesWhatIsMissingAndPutsItBack) {
  ASSERT_EQ(caption({"--threshold", "0", "--trigger", "sks"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("3 images: 2 captions written, 1 kept"));
  EXPECT_THAT(text("zorb_01.txt"), StartsWith("sks, "));
  EXPECT_THAT(text("zorb_01.txt"), HasSubstr("^_^"));
  EXPECT_THAT(text("zorb_01.txt"), HasSubstr("long hair"));
  EXPECT_EQ(text("zorb_02.txt"), "a red zorb\n");
  std::ofstream(images_ / "zorb_03.txt") << "mine\n";
  ASSERT_EQ(run({"caption", "--undo"}), 0);
  EXPECT_FALSE(fs::exists(images_ / "zorb_01.txt"));
  EXPECT_EQ(text("zorb_03.txt"), "mine\n") << "edited since";
  EXPECT_THAT(out(), HasSubstr("1 new caption removed, 1 caption edited since and left as it is"));
  EXPECT_NE(run({"caption", "--undo"}), 0) << "there is nothing more";
}

TEST_F(CaptionTest, AddsToWhatIsThereAndPutsThatBack) {
  ASSERT_EQ(caption({"--threshold", "0", "--existing", "append", "--exclude", "^_^"}), 0);
  EXPECT_THAT(text("zorb_02.txt"), StartsWith("a red zorb, "));
  EXPECT_EQ(text("zorb_02.txt").find("^_^"), std::string::npos);
  ASSERT_EQ(run({"caption", "--undo"}), 0);
  EXPECT_THAT(out(), HasSubstr("1 caption restored, 2 new captions removed\n"));
  EXPECT_EQ(text("zorb_02.txt"), "a red zorb\n");
  EXPECT_FALSE(fs::exists(images_ / "zorb_01.txt"));
}

TEST_F(CaptionTest, ATriggerIsAWordNotTheBeginningOfAnother) {
  std::ofstream(images_ / "zorb_01.txt") << "zorbs at sea\n";
  std::ofstream(images_ / "zorb_03.txt") << "zorb, at sea\n";
  ASSERT_EQ(caption({"--threshold", "1", "--existing", "append", "--trigger", "zorb"}), 0);
  EXPECT_EQ(text("zorb_01.txt"), "zorb, zorbs at sea\n");
  EXPECT_EQ(text("zorb_03.txt"), "zorb, at sea\n");
}

TEST_F(CaptionTest, ADryRunWritesNothing) {
  ASSERT_EQ(caption({"--dry-run", "--json"}), 0);
  EXPECT_THAT(out(), HasSubstr(R"("event":"caption")"));
  EXPECT_FALSE(fs::exists(images_ / "zorb_01.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "home" / "captions"));
}

TEST_F(CaptionTest, AnImageThatCannotBeReadIsNamedAndTheOthersAreCaptioned) {
  fs::resize_file(images_ / "zorb_01.png", 2000);
  ASSERT_EQ(caption({}), 0);
  EXPECT_THAT(out(), HasSubstr("zorb_01.png"));
  EXPECT_THAT(out(), HasSubstr("1 caption written, 1 kept, 1 image unreadable"));
}

TEST_F(CaptionTest, NoCaptionAtAllIsAnError) {
  fs::remove(images_ / "zorb_02.txt");
  for (const char* name : {"zorb_01.png", "zorb_02.png", "zorb_03.png"}) {
    fs::resize_file(images_ / name, 2000);
  }
  EXPECT_EQ(caption({}), 2);
  EXPECT_THAT(err(), HasSubstr("no image got a caption"));
}

TEST_F(CaptionTest, AQwen3VlWritesSentencesThatArePutBack) {
  constexpr int kSecondOrThird = 134;  // of what it says of these images
  const std::vector<std::string> words{"caption",     path_to_utf8(images_),
                                       "--captioner", captioner(kSecondOrThird),
                                       "--precision", "fp32"};
  ASSERT_EQ(run(words), 0) << err();
  EXPECT_THAT(out(), HasSubstr("3 images: 2 captions written, 1 kept, 0 without one"));
  EXPECT_GT(text("zorb_01.txt").size(), 2U);
  EXPECT_EQ(text("zorb_02.txt"), "a red zorb\n");
  fs::remove(images_ / "zorb_03.txt");
  const std::string first = text("zorb_01.txt");
  ASSERT_EQ(run(words), 0) << err();
  EXPECT_THAT(out(), HasSubstr("3 images: 1 caption written, 2 kept"));
  EXPECT_EQ(text("zorb_01.txt"), first);
  ASSERT_EQ(run({"caption", "--undo"}), 0);
  EXPECT_FALSE(fs::exists(images_ / "zorb_03.txt"));
  ASSERT_EQ(run({"caption", "--undo"}), 0);
  EXPECT_FALSE(fs::exists(images_ / "zorb_01.txt"));
}

TEST_F(CaptionTest, AnAnswerThatDoesNotEndIsNoCaption) {
  ASSERT_NE(run({"caption", path_to_utf8(images_), "--existing", "replace", "--captioner",
                 captioner(300), "--max-tokens", "4"}),
            0);
  EXPECT_THAT(err(), HasSubstr("3 images in a row got no caption"));
  EXPECT_THAT(err(), HasSubstr("cut at 4 tokens"));
  EXPECT_FALSE(fs::exists(images_ / "zorb_01.txt"));
  EXPECT_NE(run({"caption", path_to_utf8(images_), "--captioner", path_to_utf8(images_)}), 0);
  EXPECT_THAT(err(), HasSubstr("is no Qwen3-VL"));
}

/// Two captions that are not UTF-8: one in Shift-JIS, one in Windows-1252.
class RecodeTest : public CaptionTest {
 protected:
  void SetUp() override {
    CaptionTest::SetUp();
    if (!has_legacy_encoding(LegacyEncoding::shift_jis)) {
      GTEST_SKIP() << "the system has no tables of Shift-JIS";
    }
    std::ofstream(images_ / "zorb_01.txt", std::ios::binary) << kDisc << "\r\n";
    std::ofstream(images_ / "zorb_03.txt", std::ios::binary) << kCafe;
  }
  int recode(const std::vector<std::string>& more) {
    std::vector<std::string> words{"caption", path_to_utf8(images_), "--recode"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  static constexpr const char* kDisc = "\x90\xD4\x82\xA2\x89\x7E\x94\xD5";  // 赤い円盤
  static constexpr const char* kCafe = "caf\xE9";
};

TEST_F(RecodeTest, ShowsHowFilesWouldReadAndWritesNone) {
  ASSERT_EQ(recode({"list"}), 0) << err();
  EXPECT_THAT(unwrapped(), HasSubstr("zorb_01.txt shift-jis 赤い円盤"));
  if (has_legacy_encoding(LegacyEncoding::gb18030)) {
    EXPECT_THAT(unwrapped(), HasSubstr("gb18030 愒偄墌斦"));
  }
  EXPECT_THAT(unwrapped(), HasSubstr("zorb_03.txt windows-1252 café windows-1251 cafй"));
  EXPECT_THAT(out(), HasSubstr("2 files not UTF-8"));
  EXPECT_EQ(out().find("zorb_02"), std::string::npos) << "it is UTF-8";
  ASSERT_EQ(recode({"list", "--json"}), 0);
  EXPECT_EQ(events().at(0)["readings"]["shift-jis"], "赤い円盤");
  ASSERT_EQ(recode({"shift-jis", "--dry-run"}), 0);
  EXPECT_THAT(out(), HasSubstr("zorb_01.txt: 赤い円盤"));
  EXPECT_THAT(out(), HasSubstr("nothing was written"));
  EXPECT_EQ(text("zorb_03.txt"), kCafe);
  EXPECT_THAT(text("zorb_01.txt"), StartsWith(kDisc));
}

TEST_F(RecodeTest, RewritesWhatIsInTheEncodingAndPutsItBack) {
  ASSERT_EQ(recode({"shift-jis"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("zorb_03.txt is not Japanese (Shift-JIS); it stays as it is"));
  EXPECT_THAT(out(),
              HasSubstr("2 files not UTF-8: 1 read as Japanese (Shift-JIS), 1 left as it is"));
  EXPECT_THAT(text("zorb_01.txt"), StartsWith("赤い円盤"));
  EXPECT_EQ(text("zorb_02.txt"), "a red zorb\n");
  EXPECT_EQ(text("zorb_03.txt"), kCafe);
  EXPECT_EQ(recode({"shift-jis"}), 2) << "only the other is left";
  ASSERT_EQ(run({"caption", "--undo"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("1 caption restored"));
  EXPECT_THAT(text("zorb_01.txt"), StartsWith(kDisc)) << "to the byte";
}

TEST_F(RecodeTest, LinesOfMetadataThatAreUtf8Stay) {
  fs::remove(images_ / "zorb_01.txt");
  fs::remove(images_ / "zorb_03.txt");
  const std::string good = "{\"file_name\": \"zorb_03.png\", \"text\": \"caf\xC3\xA9\"}\n";
  const std::string lead(100, 'x');
  const auto line = [](const std::string& said) {
    return R"({"file_name": "zorb_01.png", "text": ")" + said + "\"}\n";
  };
  std::ofstream(images_ / "metadata.jsonl", std::ios::binary) << good << line(lead + kDisc);
  ASSERT_EQ(recode({"list"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("xx赤い円盤\"}")) << "what tells the encodings apart";
  ASSERT_EQ(recode({"shift-jis"}), 0) << err();
  EXPECT_EQ(text("metadata.jsonl"), good + line(lead + "赤い円盤"));
  ASSERT_EQ(recode({"list"}), 0);
  EXPECT_EQ(out(), "Every caption is UTF-8\n");
}

TEST_F(CaptionTest, SaysWhatIsMissing) {
  EXPECT_NE(run({"caption", path_to_utf8(images_)}), 0);
  EXPECT_THAT(err(), HasSubstr("--tagger"));
  EXPECT_NE(run({"caption", path_to_utf8(images_), "--tagger", path_to_utf8(images_)}), 0);
  EXPECT_THAT(err(), HasSubstr("holds no tagger"));
}

}  // namespace
}  // namespace mantissa
