// Runs read their files back by other programs' rules, and keep what these make of the result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/checkpoint_choice.h"
#include "engine/store/reader.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

using testing_support::HealthRecorder;

class ResultStamp : public testing_support::RunFixture {
 protected:
  nlohmann::json stamp() const {
    std::ifstream file(job_.out / "result.json");
    return file ? nlohmann::json::parse(file) : nlohmann::json();
  }
};

TEST_F(ResultStamp, HoldsTheVerdictOfEveryProgram) {
  for (const MasterType dtype : {MasterType::fp32, MasterType::bf16}) {
    job_ = job_into(dtype == MasterType::fp32 ? "fp32" : "bf16");
    job_.preset.output.dtype = dtype;
    HealthRecorder recorder;
    run(job_, recorder);
    const nlohmann::json result = stamp();
    EXPECT_EQ(result.at("file"), "test.safetensors");
    EXPECT_EQ(result.at("step"), 4);
    EXPECT_EQ(result.at("readers").size(), 5U);
    for (const auto& reader : result.at("readers")) {
      EXPECT_EQ(reader.at("outcome"), "as_meant") << reader;
    }
    EXPECT_THAT(recorder.log, testing::HasSubstr("Read back by the rules of ComfyUI, Forge"));
  }
}

TEST_F(ResultStamp, SaysWhichProgramsReadItOtherwise) {
  job_.preset.adapter.type = AdapterType::dora;
  HealthRecorder recorder;
  run(job_, recorder);
  const nlohmann::json result = stamp();
  for (const auto& reader : result.at("readers")) {
    const bool per_input = job_.preset.adapter.dora_axis == DoraAxis::input;
    if (reader.at("reader") == "comfyui") {
      EXPECT_EQ(reader.at("outcome"), per_input ? "as_meant" : "differs") << reader;
    }
    if (reader.at("reader") == "diffusers") {
      EXPECT_EQ(reader.at("outcome"), "differs") << reader;
    }
  }
  EXPECT_THAT(recorder.log, testing::HasSubstr("diffusers loads the file, but its change of"));
}

TEST_F(ResultStamp, ThereIsNoneOfFolders) {
  job_.preset.output.format = OutputFormat::peft;
  HealthRecorder recorder;
  run(job_, recorder);
  EXPECT_FALSE(std::filesystem::exists(job_.out / "result.json"));
}

TEST_F(ResultStamp, SuggestsACheckpoint) {
  job_.preset.data.validation_share = 0.3;
  job_.preset.output.save_every = 2;
  HealthRecorder recorder;
  run(job_, recorder);
  const nlohmann::json choice = stamp().at("suggested_checkpoint");
  RunReader reader(home_ / "runs.db");
  const std::string id = reader.list_runs().front().id;
  const auto wanted = choose_checkpoint(reader.validation(id), reader.checkpoints(id));
  ASSERT_TRUE(wanted.has_value());
  EXPECT_EQ(choice.at("step"), wanted->step);
  EXPECT_EQ(choice.at("text"), wanted->text().text());
  EXPECT_THAT(recorder.log, testing::HasSubstr(wanted->text().text()));
}

TEST_F(ResultStamp, SuggestsNothingWithoutAValidation) {
  HealthRecorder recorder;
  run(job_, recorder);
  EXPECT_FALSE(stamp().contains("suggested_checkpoint"));
}

}  // namespace
}  // namespace mantissa
