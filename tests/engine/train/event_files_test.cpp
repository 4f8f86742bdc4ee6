// Runs write event files for TensorBoard if they are asked to.
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "engine/io/file.h"
#include "engine/run/event_file.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class EventFiles : public testing_support::RunFixture {
 protected:
  void SetUp() override {
    RunFixture::SetUp();
    job_.preset.output.tensorboard = true;
    job_.preset.data.validation_share = 0.3;
    job_.preset.samples.every = 2;
    job_.preset.samples.prompts = {{.prompt = "a zorb", .width = 64, .height = 64, .steps = 2}};
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(job_.out / "tensorboard")) {
      found.push_back(entry.path());
    }
    return found;
  }
  /// The messages of a file's records, which are framed whole.
  static std::vector<std::string> records(const fs::path& file) {
    const std::string text = read_text(file);
    std::vector<std::string> list;
    std::size_t at = 0;
    while (at + 12 <= text.size()) {
      std::uint64_t size = 0;
      std::memcpy(&size, text.data() + at, sizeof size);
      list.push_back(text.substr(at + 12, size));
      at += 16 + size;
    }
    EXPECT_EQ(at, text.size()) << file;
    return list;
  }
  static int with(const std::vector<std::string>& records, const char* tag) {
    int count = 0;
    for (const std::string& record : records) {
      count += record.find(tag) != std::string::npos ? 1 : 0;
    }
    return count;
  }
};

TEST_F(EventFiles, HoldWhatTheRunMeasures) {
  testing_support::HealthRecorder recorder;
  run(job_, recorder);
  ASSERT_EQ(files().size(), 1U);
  EXPECT_TRUE(files()[0].filename().string().starts_with("events.out.tfevents."));
  const auto found = records(files()[0]);
  EXPECT_EQ(with(found, "brain.Event:2"), 1);
  EXPECT_EQ(with(found, "train/loss"), 4);
  EXPECT_EQ(with(found, "learning_rate/unet"), 4);
  EXPECT_EQ(with(found, "samples/1"), 3);
  EXPECT_GE(with(found, "validation/loss"), 2);
}

TEST_F(EventFiles, AResumedRunBeginsAnotherOne) {
  job_.preset.output.save_every = 2;
  testing_support::HealthRecorder recorder;
  run(job_, recorder);
  const fs::path first = files()[0];
  const std::string before = read_text(first);
  JobSpec more = job_;
  more.resume = job_.out;
  more.preset.training.steps = 6;
  run(more, recorder);
  EXPECT_EQ(read_text(first), before);
  ASSERT_EQ(files().size(), 2U);
  const auto second = records(files()[0] == first ? files()[1] : files()[0]);
  EXPECT_EQ(with(second, "train/loss"), 2);
}

TEST_F(EventFiles, HaveANameEachWithinASecondToo) {
  const fs::path first = unused_event_file(home_, 1.25);
  append_text(first, "");
  const fs::path second = unused_event_file(home_, 1.25);
  EXPECT_NE(first, second);
  EXPECT_FALSE(fs::exists(second));
}

TEST_F(EventFiles, AreNotWrittenUnasked) {
  job_.preset.output.tensorboard = false;
  testing_support::HealthRecorder recorder;
  run(job_, recorder);
  EXPECT_FALSE(fs::exists(job_.out / "tensorboard"));
}

}  // namespace
}  // namespace mantissa
