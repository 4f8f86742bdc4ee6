#include "engine/run/run_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Makes what is asked of `asker` of `runner`.
void pass_on(RequestLines& lines, RunControl& asker, RunControl& runner) {
  for (const std::string& line : lines.take(asker)) {
    apply_request(line, runner);
  }
}

TEST(RunRequests, EachIsALine) {
  RunControl control;
  RequestLines lines;
  EXPECT_THAT(lines.take(control), IsEmpty());
  control.request_pause();
  control.request_save();
  control.request_sample();
  EXPECT_THAT(lines.take(control), ElementsAre("save", "sample", "pause"));
  EXPECT_THAT(lines.take(control), IsEmpty()) << "each once";
  control.request_resume();
  control.request_retry();
  EXPECT_THAT(lines.take(control), ElementsAre("retry", "resume"));
  control.request_stop(RunControl::Stop::save);
  EXPECT_THAT(lines.take(control), ElementsAre("stop"));
  control.request_stop(RunControl::Stop::discard);
  control.refuse_waits();
  EXPECT_THAT(lines.take(control), ElementsAre("refuse_waits", "discard"));
}

TEST(RunRequests, ArriveAtTheOtherEnd) {
  RunControl asker, runner;
  RequestLines lines;
  asker.request_pause();
  asker.request_save();
  asker.request_folder("/mnt/other disk/ä");
  Preset preset;
  preset.training.steps = 1234;
  preset.name = "\"zorb\" ä";
  asker.request_settings(preset);
  pass_on(lines, asker, runner);
  EXPECT_TRUE(runner.pause_requested());
  EXPECT_TRUE(runner.take_save_request());
  EXPECT_FALSE(runner.take_sample_request());
  const auto settings = runner.take_settings();
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->training.steps, 1234);
  EXPECT_EQ(settings->name, preset.name);
  const RunControl::RoomAnswer answer = runner.wait_for_room(std::chrono::milliseconds(0), 0);
  EXPECT_EQ(answer.folder, std::filesystem::path("/mnt/other disk/ä"));
  EXPECT_FALSE(answer.retry);
  asker.request_resume();
  asker.request_stop(RunControl::Stop::discard);
  pass_on(lines, asker, runner);
  EXPECT_FALSE(runner.pause_requested());
  EXPECT_EQ(runner.stop_requested(), RunControl::Stop::discard);
  EXPECT_FALSE(runner.waits_refused());
}

TEST(RunRequests, ChangesAreMadeToWhatWasAskedBefore) {
  RunControl asker, runner;
  RequestLines lines;
  Preset preset;
  preset.training.steps = 1234;
  asker.request_changes({"training.steps=1"});
  asker.request_settings(preset);  // all of them: nothing is left of the earlier change
  asker.request_changes({"training.steps=2", "output.save_every=7"});
  asker.request_changes({"output.save_every=8"});
  pass_on(lines, asker, runner);
  EXPECT_EQ(runner.take_settings().value().training.steps, 1234);
  EXPECT_EQ(
      runner.take_changes(),
      (std::vector<std::string>{"training.steps=2", "output.save_every=7", "output.save_every=8"}));
  EXPECT_TRUE(runner.take_changes().empty());
}

TEST(RunRequests, AnythingElseIsRefused) {
  RunControl control;
  for (const char* line : {"", "stopp", "pause ", "folder", "folder /mnt", "settings {\"x\": 1}",
                           "change [\"training.steps=many\"]", "change [\"no.setting=1\"]"}) {
    EXPECT_ANY_THROW(apply_request(line, control)) << line;
  }
  EXPECT_EQ(control.stop_requested(), RunControl::Stop::none);
  for (const char* line : {"folder 5", "folder {", "folder [\"/mnt\"]", "pause now", "change",
                           "change []", "change {", "change [5]"}) {
    try {
      apply_request(line, control);
      FAIL() << line;
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find("'" + std::string(line) + "' is no request"), 0U)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace mantissa
