// Signals and lost output: a run is saved and ends with 130, anything else reports what happened;
// no command ends with 0 if its output was lost.
#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

#include "engine/io/file.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class OutputTest : public testing::Test {
 protected:
  void SetUp() override {
    test::write_file(folder_ / "preset.json", R"({"mantissa_preset": 1, "name": "output test",
      "adapter": {"rank": 2}, "data": {"resolution": 64, "batch_size": 1},
      "training": {"steps": 100000}, "output": {"name": "a", "save_every": 0}})");
  }

  std::vector<std::string> train(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"train",    (folder_ / "preset.json").string(),
                                       "--base",   "demo",
                                       "--images", "demo",
                                       "--out",    run().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  fs::path run() const { return folder_ / "run"; }
  std::string errors() const { return read_text(folder_ / "errors"); }
  std::size_t checkpoints() const {
    std::error_code none;
    return static_cast<std::size_t>(std::distance(
        fs::directory_iterator(run() / "checkpoints", none), fs::directory_iterator()));
  }

  /// Waits until the run has printed a step. False after a minute.
  bool has_begun() const {
    for (int i = 0; i < 600; ++i) {
      if (fs::exists(folder_ / "output") &&
          read_text(folder_ / "output").find("Step ") != std::string::npos) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return false;
  }

  /// Runs with a small pipe as stdout that is closed once `seen` was read from it.
  int run_until_the_reader_leaves(const std::vector<std::string>& arguments,
                                  const std::string& seen) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    fcntl(ends[0], F_SETPIPE_SZ, 4096);
    const pid_t child = program_.start(arguments, folder_ / "output", folder_ / "errors", {}, [&] {
      dup2(ends[1], STDOUT_FILENO);
      close(ends[0]);
      close(ends[1]);
      alarm(120);
    });
    close(ends[1]);
    std::string text;
    std::array<char, 64> part{};
    for (ssize_t n = 1; n > 0 && text.find(seen) == std::string::npos;) {
      n = read(ends[0], part.data(), part.size());
      text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    }
    EXPECT_NE(text.find(seen), std::string::npos) << text;
    close(ends[0]);
    return Mantissa::wait(child).status;
  }

  test::TempFolder temp_;
  const fs::path folder_ = temp_.path();
  const Mantissa program_{folder_ / "home"};
};

TEST_F(OutputTest, ARunIsSavedOnEverySignalThatAsksItToEnd) {
  for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
    fs::remove_all(run());
    fs::remove(folder_ / "output");
    const pid_t child = program_.start(train(), folder_ / "output", folder_ / "errors");
    ASSERT_TRUE(has_begun());
    kill(child, signal);
    EXPECT_EQ(Mantissa::wait(child).status, 130) << strsignal(signal);
    EXPECT_EQ(checkpoints(), 1U) << strsignal(signal);
    EXPECT_THAT(read_text(folder_ / "output") + errors(), HasSubstr("--resume"));
  }
}

TEST_F(OutputTest, AHangupThatIsIgnoredFromTheStartStaysIgnored) {
  const pid_t child = program_.start(train({"--set", "training.steps=400"}), folder_ / "output",
                                     folder_ / "errors", {}, [] { signal(SIGHUP, SIG_IGN); });
  ASSERT_TRUE(has_begun());
  kill(child, SIGHUP);
  EXPECT_EQ(Mantissa::wait(child).status, 0) << errors();
}

TEST_F(OutputTest, ASignalWithoutARunIsToldAndEndsWith130) {
  for (const int signal : {SIGHUP, SIGTERM, SIGINT}) {
    const std::vector<std::string> arguments{"sample",
                                             "--base",
                                             "demo",
                                             "--prompt",
                                             "x",
                                             "--steps",
                                             "1000",
                                             "--width",
                                             "64",
                                             "--height",
                                             "64",
                                             "--out",
                                             (folder_ / "x.png").string()};
    fs::remove(folder_ / "output");
    const pid_t child = program_.start(arguments, folder_ / "output", folder_ / "errors");
    for (int i = 0;
         i < 600 && (!fs::exists(folder_ / "output") || fs::file_size(folder_ / "output") == 0);
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    kill(child, signal);
    EXPECT_EQ(Mantissa::wait(child).status, 130) << strsignal(signal);
    EXPECT_THAT(errors(), HasSubstr("interrupted"));
    EXPECT_FALSE(fs::exists(folder_ / "x.png"));
  }
}

TEST_F(OutputTest, AReaderThatHasSeenEnoughIsToldNothing) {
  EXPECT_EQ(run_until_the_reader_leaves({"presets", "schema", "--markdown"}, "#"), 2);
  EXPECT_EQ(errors(), "");
}

TEST_F(OutputTest, WithoutStandardStreamsNothingIsPrintedIntoAFile) {
  const auto close_all = [] {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      close(stream);
    }
  };
  const int status = program_
                         .run(train({"--set", "training.steps=2", "--set", "output.save_every=1"}),
                              folder_ / "output", folder_ / "errors", {}, close_all)
                         .status;
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(fs::exists(run() / "a.safetensors"));
  EXPECT_EQ(fs::file_size(run() / "run.lock"), 0U) << read_text(run() / "run.lock");
  for (const auto& entry : fs::recursive_directory_iterator(run())) {
    if (entry.is_regular_file() && entry.path().filename() != "log.txt") {
      EXPECT_EQ(read_text(entry.path()).find("Step 1"), std::string::npos) << entry.path();
    }
  }
}

TEST_F(OutputTest, ADatabaseBeyondTheFileSizeLimitIsFullDiskSpace) {
  const int status =
      program_
          .run(train({"--set", "training.steps=2"}), folder_ / "output", folder_ / "errors", {},
               [] {
                 const rlimit small{40 << 10, 40 << 10};
                 setrlimit(RLIMIT_FSIZE, &small);
               })
          .status;
  EXPECT_EQ(status, 6) << errors();
  EXPECT_THAT(errors(), HasSubstr("runs.db"));
  EXPECT_THAT(errors(), HasSubstr("ulimit -f"));
}

TEST_F(OutputTest, ARunWhosePipeIsClosedIsSavedAndStops) {
  for (const bool json : {true, false}) {
    fs::remove_all(run());
    EXPECT_EQ(run_until_the_reader_leaves(json ? train({"--json"}) : train(),
                                          json ? "\"event\":\"step\"" : "Step "),
              130);
    EXPECT_EQ(checkpoints(), 1U);
    EXPECT_THAT(errors(), HasSubstr("saving and stopping"));
  }
}

TEST_F(OutputTest, AFullDiskBehindStandardOutputIsNoSuccess) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"devices"},
        {"--version"},
        {"--help"},
        {"presets", "list"},
        {"presets", "list", "--json"},
        {"presets", "schema"},
        {"runs", "list"},
        {"check", "demo", "--base", "demo", "--images", "demo"}}) {
    EXPECT_EQ(program_.run(command, "/dev/full", folder_ / "errors").status, 6) << command[0];
    EXPECT_THAT(errors(), HasSubstr("standard output could not be written"));
  }
  EXPECT_NE(program_.run({"devices", "--json"}, folder_ / "output", "/dev/full").status, 1);
}

TEST_F(OutputTest, ARunBehindAFullStandardOutputStopsAndSaysWhatIsSaved) {
  EXPECT_EQ(program_.run(train(), "/dev/full", folder_ / "errors").status, 130);
  EXPECT_THAT(errors(), HasSubstr("saving and stopping"));
  EXPECT_THAT(errors(),
              testing::AnyOf(HasSubstr("No checkpoint was saved"), HasSubstr("--resume")));
}

TEST_F(OutputTest, AFileSizeLimitIsAnErrorThatNamesTheFile) {
  ASSERT_EQ(program_.run({"runs", "list"}, folder_ / "output", folder_ / "errors").status, 0);
  const int status = program_
                         .run(train({"--set", "training.steps=2", "--set", "adapter.rank=256"}),
                              folder_ / "output", folder_ / "errors", {},
                              [] {
                                const rlimit small{6 << 20, 6 << 20};
                                setrlimit(RLIMIT_FSIZE, &small);
                              })
                         .status;
  EXPECT_EQ(status, 6) << errors();
  EXPECT_THAT(read_text(folder_ / "output") + errors(), HasSubstr("ulimit -f"));
}

}  // namespace
}  // namespace mantissa
