// What is told of a run's end: to a server on this machine, and to a command.
#ifndef _WIN32
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/io/file.h"
#include "engine/notify/end_command.h"
#include "engine/notify/notice_post.h"
#include "tests/engine/http/http_server.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
using namespace std::chrono_literals;
using test::HttpServer;
using testing::HasSubstr;
using testing::Not;
using Form = NoticeAddress::Form;

RunNotice finished() {
  return {.outcome = RunOutcome::finished,
          .name = "Zorb",
          .run_id = "zorb-1",
          .folder = "/runs/zorb-1",
          .adapter = "/runs/zorb-1/zorb.safetensors",
          .steps = 300,
          .loss = 0.08125};
}

RunNotice failed(ErrorKind kind, std::int64_t steps) {
  RunNotice notice{.name = "Zorb", .steps = steps};
  set_failure(notice, {.kind = kind, .message = Message::verbatim("no room\x1b[2J")});
  return notice;
}

class NoticePostTest : public testing::Test {
 protected:
  NoticeAddress json() const { return parse_notice_address(server_.address() + "/hook"); }
  NoticeAddress text() const { return parse_notice_address("ntfy:" + server_.address() + "/top"); }
  test::HttpPosted only_post() const {
    EXPECT_EQ(server_.posted().size(), 1U);
    return server_.posted().empty() ? test::HttpPosted() : server_.posted().front();
  }
  HttpServer server_{{}};
};

TEST_F(NoticePostTest, NtfyGetsTextWithATitle) {
  post_notice(text(), finished());
  const test::HttpPosted posted = only_post();
  EXPECT_EQ(posted.path, "/top");
  EXPECT_EQ(posted.header("Title"), "Run finished: Zorb");
  EXPECT_EQ(posted.header("Priority"), "default");
  EXPECT_THAT(posted.header("Content-Type"), HasSubstr("text/plain"));
  EXPECT_EQ(posted.body, "step 300, loss 0.08125\n/runs/zorb-1/zorb.safetensors");
}

TEST_F(NoticePostTest, AFailureIsUrgentAndCannotAddHeaders) {
  RunNotice notice = failed(ErrorKind::non_finite, 12);
  notice.name = "Zorb\r\nX-Evil: 1";
  post_notice(text(), notice);
  const test::HttpPosted posted = only_post();
  EXPECT_EQ(posted.header("Priority"), "high");
  EXPECT_EQ(posted.header("X-Evil"), "");
  EXPECT_EQ(posted.body, "no room\\x1b[2J\nstep 12");
}

TEST_F(NoticePostTest, OthersGetAnObject) {
  post_notice(json(), finished());
  const test::HttpPosted posted = only_post();
  EXPECT_EQ(posted.header("Content-Type"), "application/json");
  const auto object = nlohmann::json::parse(posted.body);
  EXPECT_EQ(object["event"], "run_ended");
  EXPECT_EQ(object["state"], "finished");
  EXPECT_EQ(object["run"], "zorb-1");
  EXPECT_EQ(object["adapter"], "/runs/zorb-1/zorb.safetensors");
  EXPECT_EQ(object["steps"], 300);
  EXPECT_EQ(object["loss"], 0.08125);
  EXPECT_THAT(object["text"].get<std::string>(), HasSubstr("Run finished: Zorb\nstep 300"));
}

TEST_F(NoticePostTest, ARefusedRunIsTold) {
  post_notice(json(), failed(ErrorKind::out_of_memory, 0));
  const auto object = nlohmann::json::parse(only_post().body);
  EXPECT_EQ(object["state"], "refused");
  EXPECT_TRUE(object["loss"].is_null());
  EXPECT_THAT(object["message"].get<std::string>(), HasSubstr("no room"));
}

TEST_F(NoticePostTest, ARefusalOfTheServerIsASentenceWithoutTheTopic) {
  server_.behave({.refuse = 403});
  const std::string address = "ntfy:http://me:hunter2@" + server_.address().substr(7) + "/my-topic";
  try {
    post_notice(parse_notice_address(address), finished());
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr(server_.address() + "/… answered with status 403"));
    EXPECT_THAT(e.what(), Not(HasSubstr("hunter2")));
    EXPECT_THAT(e.what(), Not(HasSubstr("my-topic")));
  }
}

TEST_F(NoticePostTest, ASlowServerIsNotWaitedFor) {
  server_.behave({.wait = 20s});
  const auto begun = std::chrono::steady_clock::now();
  test::expect_error_with([&] { post_notice(json(), finished(), {}, {}, 400ms); },
                          {"the notice was not delivered", "0.4 seconds"});
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 1500ms);
}

TEST(NoticeAddressTest, TellsItsForm) {
  EXPECT_EQ(parse_notice_address("https://ntfy.sh/zorb").form, Form::text);
  EXPECT_EQ(parse_notice_address("https://ntfy.sh.example/zorb").form, Form::json);
  EXPECT_EQ(parse_notice_address("https://hooks.example/a/b").form, Form::json);
  const NoticeAddress own = parse_notice_address(" ntfy:http://10.0.0.2:81/zorb\n");
  EXPECT_EQ(own.form, Form::text);
  EXPECT_EQ(own.url, "http://10.0.0.2:81/zorb");
  for (const char* none : {"my-secret-topic", "ntfy:my-secret-topic", "file:///etc/my-secret"}) {
    try {
      parse_notice_address(none);
      ADD_FAILURE() << none;
    } catch (const Error& e) {
      EXPECT_THAT(e.what(), Not(HasSubstr("my-secret")));
    }
  }
}

TEST(RunOutcomeTest, IsRefusedOnlyBeforeTheFirstStepAndForWhatCanBeMended) {
  EXPECT_EQ(failed(ErrorKind::precision, 0).outcome, RunOutcome::refused);
  EXPECT_EQ(failed(ErrorKind::out_of_disk, 5).outcome, RunOutcome::failed);
  EXPECT_EQ(failed(ErrorKind::internal, 0).outcome, RunOutcome::failed);
  EXPECT_EQ(failed(ErrorKind::interrupted, 0).outcome, RunOutcome::stopped);
}

TEST(EndCommand, KnowsTheRunByItsEnvironment) {
  const test::TempFolder folder;
  const std::string file = (folder / "told").string();
  RunNotice notice = finished();
  notice.name = "it's \"Zorb\"; rm -rf $HOME";
  EXPECT_TRUE(run_end_command("printf '%s|%s|%s|%s|%s' \"$MANTISSA_STATE\" \"$MANTISSA_RUN\" "
                              "\"$MANTISSA_RESULT\" \"$MANTISSA_STEPS\" \"$MANTISSA_NAME\" > " +
                                  file,
                              notice)
                  .empty());
  EXPECT_EQ(read_text(file),
            "finished|zorb-1|/runs/zorb-1/zorb.safetensors|300|it's \"Zorb\"; rm -rf $HOME");
  EXPECT_EQ(std::getenv("MANTISSA_STATE"), nullptr) << "this process's own stays";
}

TEST(EndCommand, PrintsToStandardErrorAndTellsItsFailure) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Message problem = run_end_command("echo heard; exit 3", finished());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "heard\n");
  EXPECT_THAT(problem.text(), HasSubstr("status 3"));
  EXPECT_THAT(run_end_command("kill -TERM $$", finished()).text(), HasSubstr("status 143"));
}

}  // namespace
}  // namespace mantissa
#endif
