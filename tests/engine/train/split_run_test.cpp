// A run whose layers are split over several devices: the same to the bit as on one, wherever it is
// cut.
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/names.h"
#include "engine/train/checkpoint.h"
#include "tests/engine/train/run_fixture.h"

namespace mantissa {
namespace {

class SplitRecorder : public testing_support::HealthRecorder {
 public:
  void on_plan(const PlanReport& r) override { plan = r; }
  void on_sample(const SampleRecord& r) override { samples.push_back(r); }
  void on_validation(const ValidationRecord& r) override { validation.push_back(r.loss); }
  PlanReport plan;
  std::vector<SampleRecord> samples;
  std::vector<double> validation;
};

class SplitRunTest : public testing_support::RunFixture {
 protected:
  static constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40;

  struct Result {
    SplitRecorder seen;
    std::string adapter, state;
    std::string cut;  ///< the line of the log
  };
  /// Devices of these budgets, or one without any.
  Result trained(const char* folder, const std::vector<std::uint64_t>& budgets) const {
    JobSpec job = job_into(folder);
    for (const std::uint64_t budget : budgets) {
      job.split.push_back({"cpu", budget});
    }
    Result result;
    const RunResult run = RunFixture::run(job, result.seen);
    result.adapter = read_text(run.adapter);
    result.state = last_state(job.out);
    const std::string& log = result.seen.log;
    const std::size_t at = log.find("the layers are split");
    result.cut = at == std::string::npos ? "" : log.substr(at, log.find('\n', at) - at);
    return result;
  }
  static std::string last_state(const std::filesystem::path& run) {
    const auto newest = CheckpointFolder(run / "checkpoints").newest_valid([](const Message&) {});
    return newest ? read_text(*newest / "state.safetensors") : "";
  }

  /// Every number that a run tells, and its files.
  static void expect_same(const Result& split, const Result& whole) {
    ASSERT_EQ(split.seen.steps.size(), whole.seen.steps.size());
    for (std::size_t i = 0; i < whole.seen.steps.size(); ++i) {
      const StepRecord &a = split.seen.steps[i], &b = whole.seen.steps[i];
      EXPECT_EQ(a.loss, b.loss) << i;
      EXPECT_EQ(a.grad_norm, b.grad_norm) << i;
      EXPECT_EQ(a.skipped, b.skipped) << i;
      EXPECT_EQ(a.clipped, b.clipped) << i;
      EXPECT_EQ(a.loss_scale, b.loss_scale) << i;
      EXPECT_EQ(a.lost_update, b.lost_update) << i;
      EXPECT_EQ(a.update_ratio, b.update_ratio) << i;
    }
    EXPECT_EQ(split.adapter, whole.adapter);
    EXPECT_EQ(split.state, whole.state);
    EXPECT_EQ(split.seen.validation, whole.seen.validation);
    ASSERT_EQ(split.seen.samples.size(), whole.seen.samples.size());
    for (std::size_t i = 0; i < whole.seen.samples.size(); ++i) {
      EXPECT_EQ(read_text(split.seen.samples[i].path), read_text(whole.seen.samples[i].path));
    }
    ASSERT_EQ(split.seen.health.size(), whole.seen.health.size());
    for (std::size_t i = 0; i < whole.seen.health.size(); ++i) {
      const auto &a = split.seen.health[i].rows, &b = whole.seen.health[i].rows;
      ASSERT_EQ(a.size(), b.size());
      const auto amax_of = [](const HealthRow& row) {
        return row.layer + std::string(health_kind_name(row.kind)) +
               std::to_string(row.statistics.amax);
      };
      std::multiset<std::string> mine, other;
      std::ranges::transform(a, std::inserter(mine, mine.end()), amax_of);
      std::ranges::transform(b, std::inserter(other, other.end()), amax_of);
      EXPECT_EQ(mine, other);
    }
  }

  /// On one device, and cut at several places; with three devices too.
  void expect_every_cut_is_the_same(std::size_t least_cuts = 3) {
    const Result whole = trained("whole", {});
    const std::uint64_t peak = whole.seen.plan.peak_bytes + (32 << 20);
    std::set<std::string> cuts;
    int number = 0;
    for (const std::vector<double>& shares :
         {std::vector{1e3, 1e3}, {0.45, 1e3}, {1e3, 0.45}, {0.7, 0.7}, {0.5, 0.5, 0.5}}) {
      std::vector<std::uint64_t> budgets;
      for (const double share : shares) {
        budgets.push_back(static_cast<std::uint64_t>(share * static_cast<double>(peak)));
      }
      const Result split = trained(("split" + std::to_string(number++)).c_str(), budgets);
      SCOPED_TRACE(split.cut);
      EXPECT_NE(split.cut, "");
      cuts.insert(split.cut.substr(0, split.cut.find(" MB")));
      expect_same(split, whole);
    }
    EXPECT_GE(cuts.size(), least_cuts);
  }
};

TEST_F(SplitRunTest, LoraInFp32) {
  job_.preset.precision.compute = ComputeType::fp32;
  expect_every_cut_is_the_same();
}

}  // namespace
}  // namespace mantissa
