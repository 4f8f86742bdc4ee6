#include "engine/run/run_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace mantissa {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Makes what is asked of `near` of `far`.
void pass_on(RequestLines& lines, RunControl& near, RunControl& far) {
  for (const std::string& line : lines.take(near)) {
    apply_request(line, far);
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
  RunControl near, far;
  RequestLines lines;
  near.request_pause();
  near.request_save();
  near.request_folder("/mnt/other disk/ä");
  Preset preset;
  preset.training.steps = 1234;
  preset.name = "\"zorb\" ä";
  near.request_settings(preset);
  pass_on(lines, near, far);
  EXPECT_TRUE(far.pause_requested());
  EXPECT_TRUE(far.take_save_request());
  EXPECT_FALSE(far.take_sample_request());
  const auto settings = far.take_settings();
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->training.steps, 1234);
  EXPECT_EQ(settings->name, preset.name);
  const RunControl::RoomAnswer answer = far.wait_for_room(std::chrono::milliseconds(0), 0);
  EXPECT_EQ(answer.folder, std::filesystem::path("/mnt/other disk/ä"));
  EXPECT_FALSE(answer.retry);
  near.request_resume();
  near.request_stop(RunControl::Stop::discard);
  pass_on(lines, near, far);
  EXPECT_FALSE(far.pause_requested());
  EXPECT_EQ(far.stop_requested(), RunControl::Stop::discard);
  EXPECT_FALSE(far.waits_refused());
}

TEST(RunRequests, ChangesAreMadeToWhatWasAskedBefore) {
  RunControl near, far;
  RequestLines lines;
  Preset preset;
  preset.training.steps = 1234;
  near.request_changes({"training.steps=1"});
  near.request_settings(preset);  // all of them: nothing is left of the earlier change
  near.request_changes({"training.steps=2", "output.save_every=7"});
  near.request_changes({"output.save_every=8"});
  pass_on(lines, near, far);
  EXPECT_EQ(far.take_settings().value().training.steps, 1234);
  EXPECT_EQ(far.take_changes(), (std::vector<std::string>{"training.steps=2", "output.save_every=7",
                                                          "output.save_every=8"}));
  EXPECT_TRUE(far.take_changes().empty());
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
