#include "engine/cli/signal.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#include "tests/engine/cli/cli_fixture.h"

namespace mantissa {
namespace {

#ifndef _WIN32

void wait_for(const std::atomic<bool>& flag) {
  for (int i = 0; i < 500 && !flag; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST(Signal, TheFirstInterruptIsARequest) {
  std::atomic<bool> asked{false};
  {
    InterruptGuard guard([&] { asked = true; });
    std::raise(SIGINT);
    wait_for(asked);
    EXPECT_TRUE(asked);
  }
  asked = false;
  {
    InterruptGuard guard([&] { asked = true; });
    std::raise(SIGTERM);
    wait_for(asked);
    EXPECT_TRUE(asked);
  }
}

TEST(Signal, TheSecondInterruptEndsAtOnceWith130) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        InterruptGuard guard([] {});
        std::raise(SIGINT);
        std::raise(SIGINT);
        std::exit(0);
      },
      testing::ExitedWithCode(130), "");
}

TEST(Signal, WithoutARunItEndsTheProcessAndSaysSo) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        prepare_signals();
        std::raise(SIGTERM);
      },
      testing::ExitedWithCode(130), "nothing was written");
}

/// Launchers end every process when the first has ended, and one of them told why.
TEST(Signal, AfterTheEndOfACommandItSaysNothing) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        prepare_signals();
        silence_interrupts();
        std::raise(SIGTERM);
      },
      testing::ExitedWithCode(130), "^$");
}

TEST(Signal, AfterASavedRunItSaysNothing) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        prepare_signals();
        {
          InterruptGuard guard([] {});
        }
        std::raise(SIGTERM);
      },
      testing::ExitedWithCode(130), "^$");
}

using SignalCommandTest = CliTest;

TEST_F(SignalCommandTest, TrainAsksTheRunToSaveAndEndsWith130) {
  context_.handle_signals = true;
  train_ = [](const JobSpec&, RunControl& control, RunObserver& o) -> RunResult {
    std::raise(SIGINT);
    for (int i = 0; i < 500 && control.stop_requested() == RunControl::Stop::none; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(control.stop_requested(), RunControl::Stop::save);
    o.on_log(LogLevel::info, Message::verbatim("interrupted, saved"));
    throw Error(ErrorKind::interrupted, Message::verbatim("interrupted, saved"));
  };
  EXPECT_EQ(run({"train", "demo", "--base", "demo", "--json"}), 130);
  EXPECT_EQ(events().at(0)["exit"], 130);
  EXPECT_THAT(err(), testing::HasSubstr("Press Ctrl+C again"));
  EXPECT_THAT(err(), testing::HasSubstr("interrupted, saved"));
}

#endif

}  // namespace
}  // namespace mantissa
