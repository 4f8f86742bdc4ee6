// Every exception as one failure, and back.
#include "engine/run/run_failure.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <system_error>

#include "engine/core/disk_full.h"
#include "engine/plan/device_error.h"
#include "engine/preset/preset_text.h"
#include "engine/ranks/ranks.h"
#include "engine/run/run_identity.h"
#include "kernels/check.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

template <typename Thrown>
RunFailure failure(Thrown&& thrown) {
  return classify(std::make_exception_ptr(std::forward<Thrown>(thrown)));
}

TEST(RunFailure, AnErrorKeepsKindIdAndMessage) {
  for (const ErrorKind kind :
       {ErrorKind::input, ErrorKind::precision, ErrorKind::non_finite, ErrorKind::out_of_memory,
        ErrorKind::out_of_disk, ErrorKind::device_lost, ErrorKind::rank_lost,
        ErrorKind::interrupted, ErrorKind::internal}) {
    const RunFailure found = failure(Error(kind, message<"{folder} is full">("/run"), "S4"));
    EXPECT_EQ(found.kind, kind);
    EXPECT_EQ(found.id, "S4");
    EXPECT_EQ(found.message.source(), "{folder} is full") << "it can be translated";
    EXPECT_TRUE(found.changed.empty() && !found.start_over && !found.lines);
  }
  EXPECT_EQ(failure(DiskFull("/run", 100, message<"full">())).kind, ErrorKind::out_of_disk);
}

TEST(RunFailure, ARefusedResumeTellsTheWaysOut) {
  const RunFailure changed = failure(ResumeRefused(message<"the base differs">(), {"base", "vae"}));
  EXPECT_EQ(changed.kind, ErrorKind::input);
  EXPECT_EQ(changed.changed, (std::vector<std::string>{"base", "vae"}));
  EXPECT_FALSE(changed.start_over);
  const RunFailure damaged = failure(ResumeRefused(message<"no checkpoint is intact">(), {}));
  EXPECT_TRUE(damaged.changed.empty());
  EXPECT_TRUE(damaged.start_over);
}

TEST(RunFailure, SeveralProblemsStayLines) {
  const RunFailure found =
      failure(ProblemList({{1, Message::verbatim("one")}, {2, message<"two">()}}, "p"));
  EXPECT_EQ(found.kind, ErrorKind::input);
  EXPECT_TRUE(found.lines);
  EXPECT_THAT(found.message.text(), HasSubstr("\n"));
}

TEST(RunFailure, CardsAndProcesses) {
  const RunFailure full = failure(OutOfDeviceMemory("the card has no room"));
  EXPECT_EQ(full.kind, ErrorKind::out_of_memory);
  EXPECT_EQ(full.message.text(),
            "the card has no room. Close other programs that use the card, or lower the batch size "
            "or the resolution");
  const RunFailure lost = failure(DeviceLost("an illegal address"));
  EXPECT_EQ(lost.kind, ErrorKind::device_lost);
  EXPECT_THAT(lost.message.text(), HasSubstr("the card stopped working: an illegal address"));
  EXPECT_EQ(failure(RunDeviceLost(message<"cuda:1 stopped">())).message.text(), "cuda:1 stopped");
  const RunFailure other = failure(RankDeviceLost("process 1: device cuda:1 stopped working"));
  EXPECT_EQ(other.kind, ErrorKind::device_lost);
  EXPECT_EQ(other.message.text(), "process 1: device cuda:1 stopped working");
  EXPECT_EQ(failure(RankLost(message<"process 2 is gone">())).kind, ErrorKind::rank_lost);
}

TEST(RunFailure, TheSystem) {
  const RunFailure memory = failure(std::bad_alloc());
  EXPECT_EQ(memory.kind, ErrorKind::out_of_memory);
  EXPECT_THAT(memory.message.text(), HasSubstr("training.gradient_checkpointing"));
  const RunFailure full = failure(std::filesystem::filesystem_error(
      "write", "/run/log.txt", std::make_error_code(std::errc::no_space_on_device)));
  EXPECT_EQ(full.kind, ErrorKind::out_of_disk);
  EXPECT_THAT(full.message.text(), HasSubstr("'/run/log.txt': "));
  EXPECT_EQ(failure(std::filesystem::filesystem_error(
                        "read", std::make_error_code(std::errc::permission_denied)))
                .kind,
            ErrorKind::input);
  const RunFailure threads =
      failure(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)));
  EXPECT_EQ(threads.kind, ErrorKind::out_of_memory);
  EXPECT_THAT(threads.message.text(), HasSubstr("another thread"));
  EXPECT_EQ(failure(std::system_error(std::make_error_code(std::errc::io_error))).kind,
            ErrorKind::input);
}

TEST(RunFailure, OthersAreMistakesOfTheProgram) {
  const RunFailure bug = failure(std::logic_error("a bug"));
  EXPECT_EQ(bug.kind, ErrorKind::internal);
  EXPECT_EQ(bug.message.text(), "internal error: a bug");
  const RunFailure odd = failure(42);
  EXPECT_EQ(odd.kind, ErrorKind::internal);
  EXPECT_FALSE(odd.message.empty());
}

TEST(RunFailure, IsTheSameAfterItIsRaised) {
  const std::vector<RunFailure> failures{
      {.kind = ErrorKind::precision, .id = "S4", .message = message<"refused">()},
      {.kind = ErrorKind::input, .message = message<"changed">(), .changed = {"base"}},
      {.kind = ErrorKind::input, .message = message<"damaged">(), .start_over = true},
      {.kind = ErrorKind::device_lost, .message = message<"stopped">()},
      {.kind = ErrorKind::rank_lost, .message = message<"gone">()},
      {.kind = ErrorKind::interrupted, .message = message<"stopped while saving">()},
      failure(std::bad_alloc()),
      failure(std::logic_error("a bug"))};
  for (const RunFailure& one : failures) {
    SCOPED_TRACE(one.message.text());
    try {
      raise(one);
      FAIL() << "nothing was thrown";
    } catch (...) {
      const RunFailure again = classify(std::current_exception());
      EXPECT_EQ(again.kind, one.kind);
      EXPECT_EQ(again.id, one.id);
      EXPECT_EQ(again.message, one.message);
      EXPECT_EQ(again.changed, one.changed);
      EXPECT_EQ(again.start_over, one.start_over);
    }
  }
}

}  // namespace
}  // namespace mantissa
