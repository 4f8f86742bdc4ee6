// What other programs make of an adapter: inspect --for and convert --for.
#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

class ReaderCommands : public CliTest {
 protected:
  static std::string form(const std::string& name) {
    return MANTISSA_TEST_DATA "/golden/reader_forms/" + name + ".safetensors";
  }
  std::string made(const std::string& name) const { return path_to_utf8(folder_ / name); }
  /// The events of the last command.
  std::vector<nlohmann::json> lines() const {
    std::vector<nlohmann::json> list;
    std::istringstream text(out());
    for (std::string line; std::getline(text, line);) {
      list.push_back(nlohmann::json::parse(line));
    }
    return list;
  }

  std::string base_ = MANTISSA_SOURCE_DIR "/resources/demo/mini-sdxl.safetensors";
};

TEST_F(ReaderCommands, InspectSaysWhatEveryProgramMakesOfAFile) {
  ASSERT_EQ(run({"inspect", form("sdxl-kohya"), "--base", base_, "--for", "all", "--json"}), 0)
      << err();
  const auto events = lines();
  ASSERT_EQ(events.size(), 5U);
  for (const auto& event : events) {
    EXPECT_EQ(event.at("event"), "read_as");
    EXPECT_EQ(event.at("outcome"), "as_meant") << event;
    EXPECT_EQ(event.at("convert"), "");
    EXPECT_FALSE(event.at("rules").empty());
  }
}

TEST_F(ReaderCommands, InspectNamesTheCommandThatWritesAFormThatWorks) {
  ASSERT_EQ(run({"inspect", form("sdxl-peft"), "--base", base_, "--for", "comfyui"}), 0) << err();
  EXPECT_THAT(out(), testing::StartsWith("fails ComfyUI ignores 4 of 6 tensors"));
  EXPECT_THAT(out(), testing::HasSubstr("--for comfyui --out FILE.safetensors"));
}

TEST_F(ReaderCommands, ConvertWritesWhatTheProgramReads) {
  ASSERT_EQ(run({"convert", form("sdxl-peft"), "--base", base_, "--for", "comfyui", "--out",
                 made("x.safetensors")}),
            0)
      << err();
  EXPECT_THAT(out(), testing::HasSubstr("ComfyUI reads all 9 tensors"));
  ASSERT_EQ(run({"inspect", made("x.safetensors"), "--base", base_, "--for", "comfyui"}), 0);
  EXPECT_THAT(out(), testing::StartsWith("ok "));
}

TEST_F(ReaderCommands, WhatIsMissingIsSaid) {
  EXPECT_EQ(run({"inspect", form("sdxl-peft"), "--for", "comfyui"}), 2);
  EXPECT_THAT(err(), testing::HasSubstr("--for needs --base"));
  EXPECT_EQ(run({"inspect", form("sdxl-peft"), "--base", base_, "--for", "comfy"}), 2);
  EXPECT_THAT(err(), testing::HasSubstr("comfyui"));
  EXPECT_EQ(run({"convert", form("sdxl-peft"), "--base", base_, "--for", "comfyui", "--format",
                 "kohya", "--out", made("x.safetensors")}),
            2);
}

}  // namespace
}  // namespace mantissa
