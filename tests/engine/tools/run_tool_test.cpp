// Tools on tiny models: their counts, and what a cancelled one leaves.
#include "engine/tools/run_tool.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <set>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

const std::string kBase = MANTISSA_TEST_DATA "/golden/models/a.safetensors";
const std::string kAdapters = MANTISSA_TEST_DATA "/golden/adapters/";

struct Stopped : std::exception {};

class RunTool : public testing::Test {
 protected:
  ToolRequest request(const char* out) const {
    ToolRequest request;
    request.base = kBase;
    request.out = path_to_utf8(folder_ / out);
    request.rank = 2;
    return request;
  }
  /// The request of each tool that takes its time.
  std::vector<std::pair<Tool, ToolRequest>> long_ones() {
    ToolRequest merge = request("merged.safetensors");
    merge.adapters = {{kAdapters + "diffusers.safetensors", 1}};
    ToolRequest resize = request("resized.safetensors");
    resize.file = kAdapters + "diffusers.safetensors";
    ToolRequest quantise = request("quantised.safetensors");
    quantise.weights = "int8";
    ToolRequest extract = request("extracted.safetensors");
    ToolRequest tuned = merge;
    tuned.out = extract.tuned = path_to_utf8(folder_ / "tuned.safetensors");
    run_tool(Tool::merge, tuned, {});
    return {{Tool::merge, merge},
            {Tool::resize, resize},
            {Tool::quantise, quantise},
            {Tool::extract, extract}};
  }
  test::TempFolder folder_;
};

TEST_F(RunTool, EachCountsWhatItDoes) {
  for (const auto& [tool, request] : long_ones()) {
    std::int64_t calls = 0, all = 0;
    ToolWatch watch;
    watch.progress = [&](std::int64_t done, std::int64_t total) {
      ++calls;
      all = total;
      EXPECT_TRUE(done >= 0 && done < total) << done << " of " << total;
    };
    const ToolResult result = run_tool(tool, request, watch);
    EXPECT_GE(calls, all) << tool_row(tool).name;
    EXPECT_GT(all, 3) << tool_row(tool).name;
    EXPECT_TRUE(fs::exists(request.out));
    EXPECT_EQ(result.path, request.out);
    EXPECT_FALSE(result.summary.empty());
  }
}

TEST_F(RunTool, ACancelledOneLeavesNothing) {
  for (const auto& [tool, request] : long_ones()) {
    ToolWatch watch;
    watch.progress = [&](std::int64_t done, std::int64_t) {
      if (done == 2) {
        throw Stopped();
      }
    };
    const auto entries = [&] {
      return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
    };
    const auto before = entries();
    EXPECT_THROW(run_tool(tool, request, watch), Stopped) << tool_row(tool).name;
    EXPECT_EQ(entries(), before) << tool_row(tool).name;
  }
}

TEST_F(RunTool, InspectNamesWhatAFileHolds) {
  ToolRequest request;
  request.file = kAdapters + "loha.safetensors";
  ToolWatch watch;
  watch.size_text = [](std::uint64_t) { return std::string("small"); };
  const ToolResult result = run_tool(Tool::inspect, request, watch);
  const auto value = [&](const char* name) {
    const auto row = std::ranges::find_if(
        result.rows, [&](const auto& each) { return each.first.text() == name; });
    return row == result.rows.end() ? std::string() : row->second.text();
  };
  EXPECT_EQ(value("Holds"), "adapter");
  EXPECT_EQ(value("Form"), "LoHa");
  EXPECT_EQ(value("Size"), "small");
  request.readers = {"all"};
  request.base = kBase;
  EXPECT_GT(run_tool(Tool::inspect, request, watch).verdicts.size(), 3U);
}

TEST(ToolTable, NamesAndFieldsAreOnce) {
  for (const ToolRow& row : tool_table()) {
    std::set<ToolField> fields;
    std::set<std::string_view> names;
    for (const ToolOption& option : row.options) {
      EXPECT_TRUE(fields.insert(option.field).second) << row.name << option.name;
      EXPECT_TRUE(names.insert(option.name).second) << row.name << option.name;
      EXPECT_FALSE(option.help.empty() || option.label.empty()) << option.name;
    }
  }
}

}  // namespace
}  // namespace mantissa
