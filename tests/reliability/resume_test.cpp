// A run resumed after any step equals the uninterrupted one bit for bit; samples that fail or crash
// don't affect it.
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class ResumeTest : public TinyRun {
 protected:
  int train(const std::string& out, bool resume, const std::vector<std::string>& more,
            const std::map<std::string, std::string>& shim = {}) const {
    return Mantissa(home_)
        .run(with(arguments(out, resume), more), root_ / (out + ".log"), {}, preloaded(shim))
        .status;
  }
  static std::vector<std::string> steps(long n) {
    return {"--set", "training.steps=" + std::to_string(n), "--set", "output.save_every=0"};
  }
  std::string state(const std::string& out, long step) const {
    char name[64];
    std::snprintf(name, sizeof name, "checkpoints/step-%08ld/state.safetensors", step);
    return sha256_file(folder(out) / name);
  }

  /// The training result; an adapter's file also contains the sample settings.
  std::string trained(const std::string& out) const {
    return state(out, kSteps) + "\n" + losses(out);
  }

  void resume_after_each(long whole, long stride, Report& report) {
    ASSERT_EQ(train("whole", false, steps(whole)), 0) << log("whole");
    const std::string wanted = state("whole", whole), curve = losses("whole", whole);
    for (long k = 1; k < whole && !HasFatalFailure(); k += stride) {
      SCOPED_TRACE("resumed after step " + std::to_string(k));
      ASSERT_EQ(train("part", false, steps(k)), 0) << log("part");
      ASSERT_EQ(train("part", true, steps(whole)), 0) << log("part");
      EXPECT_EQ(state("part", whole), wanted);
      EXPECT_EQ(losses("part", whole), curve);
      fs::remove_all(folder("part"));
      ++report.count;
    }
  }

  static std::vector<std::string> sampling() {
    return {"--on-full-disk",
            "stop",
            "--set",
            "samples.every=1",
            "--set",
            R"(samples.prompts=[{"prompt":"a zorb","width":64,"height":64,"steps":1}])"};
  }

  /// Calls on the samples' folder fail: a different one in each run, in different ways.
  void fail_samples(long times, Report& report) {
    const fs::path file = root_ / "samples.count";
    ASSERT_EQ(train("sampled", false, sampling(),
                    {{"MANTISSA_SHIM_COUNT", file}, {"MANTISSA_SHIM_SCOPE", "/samples"}}),
              0)
        << log("sampled");
    long all = 0;
    std::ifstream(file) >> all;
    ASSERT_GT(all, 20);
    const std::string wanted = trained("straight");
    EXPECT_EQ(trained("sampled"), wanted);
    static constexpr const char* kWays[] = {"EIO", "ENOSPC", "EROFS", "EDQUOT"};
    for (long i = 0; i < times && !HasFatalFailure(); ++i) {
      const long call = 1 + i * all / times;
      const char* key = i % 2 == 0 ? "MANTISSA_FAIL_AT" : "MANTISSA_FAIL_FROM";
      SCOPED_TRACE(std::string(kWays[i % 4]) + " at call " + std::to_string(call));
      ASSERT_EQ(train("failing", false, sampling(),
                      {{key, std::to_string(call)},
                       {"MANTISSA_FAIL", kWays[i % 4]},
                       {"MANTISSA_SHIM_SCOPE", "/samples"}}),
                0)
          << log("failing");
      EXPECT_NE(log("failing").find("no sample at step"), std::string::npos) << log("failing");
      EXPECT_EQ(trained("failing"), wanted);
      fs::remove_all(folder("failing"));
      ++report.count;
    }
    report.notes = std::to_string(all) + " calls";
  }
};

TEST_F(ResumeTest, AfterSomeOfThirtySteps) {
  Report report("14 resume(k) + rest = whole");
  resume_after_each(30, 11, report);
}

TEST_F(ResumeTest, NightlyAfterEachOfAHundredSteps) {
  Report report("14 resume(k) + rest = whole");
  resume_after_each(100, count_of("MANTISSA_RESUME_STRIDE", 1), report);
}

TEST_F(ResumeTest, SamplesThatFailChangeNothing) {
  Report report("16 failing samples");
  fail_samples(6, report);
}

TEST_F(ResumeTest, NightlyHundredSamplesThatFailChangeNothing) {
  Report report("16 failing samples");
  fail_samples(count_of("MANTISSA_SAMPLE_FAULTS", 100), report);
}

}  // namespace
}  // namespace mantissa
