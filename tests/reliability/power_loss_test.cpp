// The power fails at any call: all unsynced changes are lost, or the last write is torn, or some
// sectors and some renames reached the disk. The run resumes from a valid checkpoint, at most one
// save interval is lost, the database is intact and has every step up to there.
#include <algorithm>
#include <sstream>

#include "engine/store/sqlite.h"
#include "tests/reliability/disk_image.h"
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class PowerLossTest : public TinyRun {
 protected:
  static constexpr const char* kOut = "traced";

  void SetUp() override {
    TinyRun::SetUp();
    image_.emplace(home_);
    const fs::path file = root_ / "trace";
    ASSERT_EQ(run(kOut, false, {{"MANTISSA_TRACE", file}, {"MANTISSA_TRACE_ROOT", home_}}), 0)
        << log(kOut);
    ASSERT_EQ(weights(kOut) + "\n" + losses(kOut), reference_);
    trace_ = read_trace(file);
    ASSERT_GT(trace_.size(), 200u);
  }

  /// Step of the latest durable checkpoint.
  std::int64_t durable_step() const {
    for (std::int64_t step = kSteps; step > 0; --step) {
      char name[64];
      std::snprintf(name, sizeof name, "out/%s/checkpoints/step-%08d", kOut,
                    static_cast<int>(step));
      if (image_->is_durable(name)) {
        return step;
      }
    }
    return 0;
  }

  /// A save of step N has begun: the run's progress.
  void note_step(const TracedCall& call) {
    const std::string mark = "/.tmp-step-";
    const std::size_t at = call.path.find(mark);
    if (call.call == FileCall::make_folder && at != std::string::npos) {
      reached_ = std::stoll(call.path.substr(at + mark.size()));
    }
  }

  void expect_sound_database() {
    Database db(home_ / "runs.db", Database::Mode::write);
    Statement check(db, "PRAGMA integrity_check");
    ASSERT_TRUE(check.row());
    EXPECT_EQ(check.text(0), "ok");
  }

  /// The losses of an undisturbed run up to `last`, as TinyRun::losses writes them.
  std::string undisturbed_losses(std::int64_t last) const {
    std::istringstream lines(reference_.substr(reference_.find('\n') + 1));
    std::string text, line;
    while (std::getline(lines, line) && std::stoll(line) <= last) {
      text += line + "\n";
    }
    return text;
  }

  void lose_power_and_recover(Unsynced how, std::mt19937& random, Report& report) {
    ++report.count;
    const std::int64_t durable = durable_step();
    image_->lose_power(how, random);
    expect_sound_database();
    const bool begun = fs::exists(folder(kOut) / "job.json");
    const std::int64_t saved = begun ? newest_step(kOut) : 0;
    ASSERT_GE(saved, durable) << "a checkpoint that was reported as saved is gone";
    report.lost(reached_ - saved);
    if (begun) {
      ASSERT_EQ(losses(kOut, saved), undisturbed_losses(saved))
          << "before anything resumes: metrics up to the checkpoint at step " << saved;
    } else {
      fs::remove_all(folder(kOut));
    }
    const Stopwatch watch;
    ASSERT_EQ(run(kOut, begun), 0) << log(kOut);
    report.recovered(watch.seconds());
    EXPECT_EQ(weights(kOut), reference_.substr(0, reference_.find('\n')));
    if (begun) {  // before there is a run there is nothing to keep
      EXPECT_EQ(losses(kOut), undisturbed_losses(kSteps));
    }
    for (const auto& entry : fs::directory_iterator(home_)) {
      EXPECT_EQ(entry.path().string().find(".corrupt-"), std::string::npos) << entry.path();
    }
  }

  void lose_power_often(long cases, Report& report) {
    std::mt19937 random(test_seed());
    std::vector<std::size_t> points;
    for (long i = 0; i < cases; ++i) {
      points.push_back(1 + random() % trace_.size());
    }
    points.back() = trace_.size();
    std::sort(points.begin(), points.end());
    std::size_t done = 0;
    std::int64_t durable = 0;
    for (std::size_t i = 0; i < points.size() && !HasFatalFailure(); ++i) {
      for (; done < points[i]; ++done) {
        image_->apply(trace_[done]);
        note_step(trace_[done]);
      }
      const auto how = static_cast<Unsynced>(i % 3);
      SCOPED_TRACE("after call " + std::to_string(done) + " of " + std::to_string(trace_.size()) +
                   ", unsynced " + std::to_string(i % 3));
      lose_power_and_recover(how, random, report);
      durable = std::max(durable, durable_step());
    }
    report.notes = std::to_string(trace_.size()) + " calls";
    EXPECT_EQ(durable, kSteps) << "the last point lies behind the last save";
    EXPECT_LE(report.worst_steps_lost, kSaveEvery);
  }

  std::optional<DiskImage> image_;
  std::vector<TracedCall> trace_;
  std::int64_t reached_ = 0;
};

TEST_F(PowerLossTest, ThirtyPointsOfARun) {
  Report report("4 power loss");
  lose_power_often(30, report);
}

TEST_F(PowerLossTest, NightlyThousandPointsOfARun) {
  Report report("4 power loss");
  lose_power_often(count_of("MANTISSA_POWER_LOSSES", 1000), report);
}

}  // namespace
}  // namespace mantissa
