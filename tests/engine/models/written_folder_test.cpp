#include <gtest/gtest.h>

#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using namespace testing_support;

TEST(WrittenFolder, ReplacesAnEarlierOne) {
  const test::TempFolder folder;
  write_model(folder / "model", model_contents(WeightSource::open(golden_model("anima"))));
  const ModelContents contents = model_contents(WeightSource::open(folder / "model"));
  ASSERT_FALSE(contents.tokenizers.empty());
  write_model(folder / "copy", contents);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "model")) {
    if (entry.is_regular_file() && entry.path().parent_path().filename() == "tokenizer") {
      const auto copy = folder / "copy" / entry.path().lexically_relative(folder / "model");
      EXPECT_EQ(read_text(copy), read_text(entry.path())) << copy;
      atomic_write(copy, "of an earlier model");
      ++files;
    }
  }
  EXPECT_GT(files, 0);
  write_model(folder / "copy", contents);
  for (const auto& entry : std::filesystem::directory_iterator(folder / "copy/tokenizer")) {
    EXPECT_NE(read_text(entry.path()), "of an earlier model") << entry.path();
  }
}

// Other parts are written by then.
TEST(WrittenFolder, AppearsWholeOrNotAtAll) {
  const test::TempFolder folder;
  ModelContents contents = model_contents(WeightSource::open(golden_model("anima")), DType::f16);
  const std::string last = contents.parts.rbegin()->second.back().name;
  replace_values(contents, contents.parts.rbegin()->first, last, [&] {
    const Shape& shape = contents.parts.rbegin()->second.back().shape;
    return std::vector<float>(static_cast<std::size_t>(shape.count()), 1e6F);
  });
  test::expect_error_with([&] { write_model(folder / "model", contents); }, {last, "can't hold"});
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::filesystem::create_directory(folder / "model");
  atomic_write(folder / "model/model_index.json", "of an earlier model");
  EXPECT_THROW(write_model(folder / "model", contents), Error);
  int entries = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::recursive_directory_iterator(folder / "model")) {
    ++entries;
  }
  EXPECT_EQ(entries, 1);
  EXPECT_EQ(read_text(folder / "model/model_index.json"), "of an earlier model");
}

}  // namespace
}  // namespace mantissa
