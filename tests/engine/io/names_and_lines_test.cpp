// Names in Unicode's forms, lines of long files, shards by their names, the program's own folders.
#include <fstream>
#include <gtest/gtest.h>

#include "engine/core/paths.h"
#include "engine/io/composed_name.h"
#include "engine/io/program_folder.h"
#include "engine/io/shard_files.h"
#include "engine/io/text_lines.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

TEST(ComposedNames, OneTextHasOneName) {
  EXPECT_EQ(composed("zo\u0308rb"), "z\u00f6rb");
  EXPECT_EQ(composed("z\u00f6rb"), "z\u00f6rb");
  EXPECT_EQ(composed("\u1112\u1161\u11ab"), "\ud55c") << "Hangul of syllables";
  EXPECT_NE(composed("z\u00f6rb"), composed("zorb"));
  EXPECT_EQ(composed("caf\xE9"), "caf\xE9") << "not UTF-8: as it is";
  EXPECT_EQ(composed_path(path_from_utf8("a\u0308/o\u0308.png")), "a\u0308/\u00f6.png")
      << "a folder keeps its bytes";
}

std::vector<std::string> lines_of(const fs::path& file, std::size_t most = 1000) {
  TextLines lines(file);
  std::vector<std::string> all;
  for (std::string_view line; lines.next(line, most);) {
    all.emplace_back(std::string(line) + (lines.was_cut() ? "…" : ""));
    EXPECT_EQ(lines.number(), all.size());
  }
  return all;
}

TEST(TextLines, EndInAnyWay) {
  const test::TempFolder folder;
  const fs::path file = folder / "a.txt";
  using Lines = std::vector<std::string>;
  test::write_file(file, "\xEF\xBB\xBFone\ntwo\r\nthree\rfour\n\nsix");
  EXPECT_EQ(lines_of(file), (Lines{"one", "two", "three", "four", "", "six"}));
  test::write_file(file, "one\r\n");
  EXPECT_EQ(lines_of(file), Lines{"one"});
  test::write_file(file, "");
  EXPECT_EQ(lines_of(file), Lines{});
  test::write_file(file, "12345\n123\n");
  EXPECT_EQ(lines_of(file, 4), (Lines{"1234…", "123"}));
  test::expect_error_with([&] { TextLines(folder / "none.txt"); }, {"none.txt"});
}

TEST(TextLines, GoOnBehindTheEndOfABlock) {
  const test::TempFolder folder;
  const fs::path file = folder / "a.txt";
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; text.size() < (5u << 20); ++i) {
    expected.push_back(std::to_string(i) + std::string(static_cast<std::size_t>(i % 997), 'x'));
    text += expected.back() + (i % 2 == 0 ? "\n" : "\r\n");
  }
  test::write_file(file, text);
  EXPECT_EQ(lines_of(file), expected);
  test::write_file(file, std::string(3u << 20, 'a') + "\nb\n");
  EXPECT_EQ(lines_of(file, 2u << 20),
            (std::vector<std::string>{std::string(2u << 20, 'a') + "…", "b"}));
}

TEST(Shards, AreToldByTheirNames) {
  const auto shard = shard_name("model-00002-of-00003.safetensors");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->set, "model");
  EXPECT_EQ(shard->number, 2);
  EXPECT_EQ(shard->count, 3);
  for (const char* other :
       {"model.safetensors", "model-00004-of-00003.safetensors", "model-2-of-3.safetensors",
        "model-00000-of-00003.safetensors", "model-00001-of-00003.bin", "-of-.safetensors",
        "00001-of-00003.safetensors", "best-of-all.safetensors"}) {
    EXPECT_FALSE(shard_name(other)) << other;
  }
}

TEST(Shards, OfOneSetAreAllThereOrNamed) {
  const auto of = [](std::vector<std::string> names) {
    std::vector<fs::path> paths;
    for (const std::string& name : names) {
      paths.push_back(fs::path("m") / name);
    }
    return unindexed_shards(paths);
  };
  const std::string a = "x-00001-of-00002.safetensors", b = "x-00002-of-00002.safetensors";
  EXPECT_EQ(of({b, a}), (std::vector<fs::path>{fs::path("m") / a, fs::path("m") / b}));
  EXPECT_EQ(of({a, b, "x.fp16-00001-of-00009.safetensors"}).size(), 2u) << "a variant";
  EXPECT_TRUE(of({}).empty());
  test::expect_error_with([&] { of({b}); }, {"1 of 2 shards", a});
  test::expect_error_with([&] { of({a, b, "y-00001-of-00001.safetensors"}); }, {"several sets"});
}

TEST(ProgramFolders, AreToldByWhatIsInThem) {
  const test::TempFolder folder;
  fs::create_directories(folder / "run/checkpoints");
  EXPECT_EQ(program_folder(folder / "run"), ProgramFolder::none) << "checkpoints are anybody's";
  test::write_file(folder / "run/run.lock", "");
  EXPECT_EQ(program_folder(folder / "run"), ProgramFolder::run) << "job.json may be gone";
  fs::create_directories(folder / "job");
  test::write_file(folder / "job/job.json", R"({"mine": 1})");
  EXPECT_EQ(program_folder(folder / "job"), ProgramFolder::none) << "another program's job";
  test::write_file(folder / "job/job.json", R"({"mantissa_job": 2})");
  EXPECT_EQ(program_folder(folder / "job"), ProgramFolder::run);
  fs::create_directories(folder / "cache/tensors");
  fs::create_directories(folder / "cache/hashes");
  EXPECT_EQ(program_folder(folder / "cache"), ProgramFolder::cache);
  EXPECT_EQ(program_folder(folder / "missing"), ProgramFolder::none);
  fs::create_directories(folder / "job/peft");
  test::write_file(folder / "job/peft/adapter_config.json", "{}");
  for (const char* own :
       {"samples", "dataset.txt", "lora.safetensors", "peft", "job.damaged-2.json", "moved.json"}) {
    EXPECT_TRUE(is_runs_own(folder / "job" / own)) << own;
  }
  for (const char* other : {"photo.png", "photo.txt", "metadata.jsonl", "photos"}) {
    EXPECT_FALSE(is_runs_own(folder / "job" / other)) << other;
  }
}

}  // namespace
}  // namespace mantissa
