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

}  // namespace
}  // namespace mantissa
