// `mantissa train --notify ADDRESS --on-end COMMAND`, with a scripted engine.
#ifndef _WIN32
#include <limits>

#include "engine/core/error.h"
#include "engine/core/system.h"
#include "engine/run/run_folder.h"
#include "engine/store/store.h"
#include "tests/engine/cli/cli_fixture.h"
#include "tests/engine/http/http_server.h"
#include "tests/environment.h"

namespace mantissa {
namespace {
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

class EndNoticeTest : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    train_ = [this](const JobSpec&, RunControl&, RunObserver& o) {
      o.on_state(RunState::training);
      StepRecord step{.step = 7, .loss = 0.5};
      o.on_step(step);
      if (failure_) {
        throw Error(*failure_, Message::verbatim("it broke"));
      }
      return RunResult{"run-1", folder_, folder_ / "lora.safetensors", 7, 0.5};
    };
  }
  void TearDown() override {
    test::set_environment("MANTISSA_NOTIFY", std::nullopt);
    CliTest::TearDown();
  }
  int train(const std::vector<std::string>& more) {
    std::vector<std::string> words{"train", "demo", "--base", "demo", "--images", "demo"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  nlohmann::json told() const {
    return nlohmann::json::parse(server_.posted().empty() ? "{}" : server_.posted().back().body);
  }
  std::string hook() const { return server_.address() + "/hook"; }

  std::optional<ErrorKind> failure_;
  test::HttpServer server_{{}};
};

TEST_F(EndNoticeTest, AFinishedRunIsToldAndRunsTheCommand) {
  const std::string file = path("told");
  ASSERT_EQ(train({"--notify", hook(), "--on-end",
                   "echo \"$MANTISSA_STATE $MANTISSA_RUN $MANTISSA_RESULT\" > " + file}),
            0)
      << err();
  EXPECT_EQ(told()["state"], "finished");
  EXPECT_EQ(told()["adapter"], path("lora.safetensors"));
  std::ifstream text(file);
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "finished run-1 " + path("lora.safetensors"));
}

TEST_F(EndNoticeTest, AFailedAndAStoppedRunAreTold) {
  failure_ = ErrorKind::non_finite;
  EXPECT_EQ(train({"--notify", hook()}), 4);
  EXPECT_EQ(told()["state"], "failed");
  EXPECT_EQ(told()["steps"], 7);
  EXPECT_EQ(told()["message"], "it broke");
  failure_ = ErrorKind::interrupted;
  EXPECT_EQ(train({"--notify", hook()}), 130);
  EXPECT_EQ(told()["state"], "stopped");
}

TEST_F(EndNoticeTest, ARefusedRunIsTold) {
  EXPECT_EQ(run({"train", "no-such-preset", "--base", "demo", "--notify", hook()}), 2);
  EXPECT_EQ(told()["state"], "refused");
  EXPECT_EQ(told()["name"], "no-such-preset");
}

/// In a container every run has the same process id.
TEST_F(EndNoticeTest, ARefusedRunHasNoPlaceOfAnEarlierProcess) {
  const auto record = [this](const char* id, std::int64_t created) {
    RunStore store(folder_ / "runs.db");
    RunRow row;
    row.id = id;
    row.state = "failed";
    row.created = created;  // 0: now
    row.process = process_id();
    row.host = host_name();
    store.create_run(row);
    store.flush();
  };
  record("earlier", 1767225600000);
  EXPECT_EQ(run({"train", "no-such-preset", "--base", "demo", "--notify", hook()}), 2);
  EXPECT_EQ(told()["run"], "");
  failure_ = ErrorKind::non_finite;
  train_ = [&, fails = train_](const JobSpec& job, RunControl& control, RunObserver& o) {
    record("own", 0);
    return fails(job, control, o);
  };
  EXPECT_EQ(train({"--notify", hook()}), 4);
  EXPECT_EQ(told()["run"], "own");
}

/// Refused before it takes one of its own.
TEST_F(EndNoticeTest, ARefusedResumeTellsTheStepsThatItsRunHas) {
  JobSpec job;
  job.base = "demo";
  job.images = {"demo"};
  job.out = folder_ / "earlier";
  const RunFolder folder = RunFolder::create(job);
  {
    RunStore store(folder_ / "runs.db");
    RunRow row;
    row.id = folder.id();
    row.state = "finished";
    store.create_run(row);
    store.add_step(row.id, StepRecord{.step = 9, .loss = 0.25});
    store.flush();
  }
  train_ = [](const JobSpec&, RunControl&, RunObserver&) -> RunResult {
    throw Error(Message::verbatim("its base model was replaced"));
  };
  EXPECT_EQ(run({"train", "--resume", path("earlier"), "--notify", hook()}), 2);
  EXPECT_EQ(told()["state"], "refused");
  EXPECT_EQ(told()["steps"], 9);
  EXPECT_EQ(told()["loss"], 0.25);
}

TEST_F(EndNoticeTest, WhatFailsThenIsAWarningAndTheResultStays) {
  server_.behave({.refuse = 500});
  EXPECT_EQ(train({"--notify", "http://me:hunter2@" + hook().substr(7), "--on-end", "exit 9"}), 0);
  EXPECT_THAT(out(), HasSubstr("warning: the notice was not delivered: " + server_.address()));
  EXPECT_THAT(out(), HasSubstr("failed with status 9"));
  EXPECT_THAT(out() + err(), Not(HasSubstr("hunter2")));
  failure_ = ErrorKind::out_of_memory;
  EXPECT_EQ(train({"--notify", hook(), "--on-end", "exit 9"}), 5);
}

TEST_F(EndNoticeTest, WithJsonStandardOutputHasEventsAlone) {
  server_.behave({.refuse = 500});
  ASSERT_EQ(train({"--json", "--notify", hook()}), 0);
  EXPECT_EQ(events().back()["event"], "done");
  EXPECT_THAT(err(), HasSubstr("was not delivered"));
}

TEST_F(EndNoticeTest, WhatIsNoAddressIsRefusedBeforeTheRun) {
  EXPECT_EQ(train({"--notify", "my-topic"}), 2);
  EXPECT_TRUE(job_.base.empty()) << "it was begun";
  EXPECT_THAT(err(), HasSubstr("no address by http or https"));
}

TEST_F(EndNoticeTest, TheEnvironmentsAddressIsForRunsThatNoProgramShows) {
  test::set_environment("MANTISSA_NOTIFY", hook());
  ASSERT_EQ(train({}), 0);
  EXPECT_EQ(server_.posted().size(), 1U);
  context_.read_request = [](std::chrono::milliseconds) { return std::optional<std::string>(""); };
  ASSERT_EQ(train({"--relay"}), 0);
  EXPECT_EQ(server_.posted().size(), 1U);
}

}  // namespace
}  // namespace mantissa
#endif
