// TerminateProcess at several points of a run, also inside a save: a resumed run ends with the
// exact bits of an undisturbed one.
#include <chrono>
#include <thread>

#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class WindowsKill : public TinyRun {
 protected:
  void recover(const std::string& out, Report& report) {
    ++report.count;
    const Stopwatch watch;
    const bool begun = fs::exists(folder(out) / "job.json");
    if (!begun) {
      fs::remove_all(folder(out));  // killed before there was a run: nothing to resume
    }
    ASSERT_EQ(run(out, begun), 0) << log(out);
    report.recovered(watch.seconds());
    EXPECT_EQ(fingerprint(out), reference_);
    fs::remove_all(folder(out));
  }
};

TEST_F(WindowsKill, AtTimesOfARun) {
  Report report("1 killed on Windows, by time");
  const long kills = count_of("MANTISSA_KILLS", 8);
  const Stopwatch watch;
  ASSERT_EQ(run("timed", false), 0);
  const double seconds = watch.seconds();
  for (long i = 0; i < kills && !HasFatalFailure(); ++i) {
    const double after = seconds * (static_cast<double>(i) + 0.5) / static_cast<double>(kills);
    SCOPED_TRACE("after " + std::to_string(after) + " s");
    const std::string out = "kill" + std::to_string(i);
    Process child = Mantissa(home_).start(arguments(out, false), root_ / (out + ".log"));
    std::this_thread::sleep_for(std::chrono::duration<double>(after));
    child.kill();
    recover(out, report);
  }
}

TEST_F(WindowsKill, InsideSaves) {
  Report report("1 killed on Windows, inside a save");
  const long kills = count_of("MANTISSA_KILLS", 4);
  long inside = 0;
  for (long i = 0; i < kills && !HasFatalFailure(); ++i) {
    // A save is a folder of this name, until it is complete; its files appear one by one.
    const std::string step = "step-0000000" + std::to_string(2 + 2 * (i % 4));
    SCOPED_TRACE(step);
    const std::string out = "save" + std::to_string(i);
    const fs::path saved = folder(out) / "checkpoints";
    Process child = Mantissa(home_).start(arguments(out, false), root_ / (out + ".log"));
    std::error_code none;
    while (child.is_running() && !fs::exists(saved / (".tmp-" + step), none) &&
           !fs::exists(saved / step, none)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
    child.kill();
    inside += fs::exists(saved / (".tmp-" + step), none) ? 1 : 0;
    recover(out, report);
  }
  report.notes = std::to_string(inside) + " left an incomplete checkpoint";
}

}  // namespace
}  // namespace mantissa
