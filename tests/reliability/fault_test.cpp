// Every call that changes a run's files fails once, in every possible way: the run either ends as
// if nothing happened, or stops with one error that names the file and resumes from a valid
// checkpoint once the disk works again.
#include <algorithm>

#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

struct Fault {
  const char* name;
  bool harmless;  ///< the program retries without effect
  bool disk_full;
};
constexpr Fault kFaults[] = {{"EINTR", true, false},  {"short", true, false},
                             {"EIO", false, false},   {"EROFS", false, false},
                             {"ENOSPC", false, true}, {"EDQUOT", false, true}};

class FaultTest : public TinyRun {
 protected:
  FaultTest() {
    // A simulated full disk never gets more room: there is nothing to wait for.
    more_ = {"--on-full-disk", "stop"};
  }

  std::map<std::string, std::string> checkpoints(const std::string& out) const {
    std::map<std::string, std::string> hashes;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder(out) / "checkpoints", none)) {
      if (entry.path().filename().string().starts_with("step-")) {
        hashes[entry.path().filename().string()] = sha256_file(entry.path() / "state.safetensors");
      }
    }
    return hashes;
  }

  /// A run with the fault; then, if it stopped, without.
  void fail_and_go_on(const std::string& out, const Fault& fault,
                      std::map<std::string, std::string> shim, Report& report) {
    ++report.count;
    shim["MANTISSA_FAIL"] = fault.name;
    const int status = run(out, false, shim);
    const std::string said = log(out);
    ASSERT_TRUE(status == 0 || status == 2 || status == 6) << status << "\n" << said;
    if (fault.harmless) {
      EXPECT_EQ(status, 0) << said;
    }
    if (status != 0) {
      ++stopped_;
      EXPECT_NE(said.find("mantissa: "), std::string::npos) << said;
      EXPECT_NE(said.find(home_.string()), std::string::npos) << said;
      if (fault.disk_full) {
        EXPECT_EQ(status, 6) << said;
      }
      const bool begun = fs::exists(folder(out) / "job.json");
      const auto before = checkpoints(out);
      if (begun) {
        report.lost(std::max<std::int64_t>(0, last_step(out) - newest_step(out)));
      } else {
        fs::remove_all(folder(out));
      }
      const Stopwatch watch;
      ASSERT_EQ(run(out, begun), 0) << log(out);
      report.recovered(watch.seconds());
      const auto after = checkpoints(out);
      for (const auto& [name, hash] : before) {
        if (after.contains(name)) {
          EXPECT_EQ(after.at(name), hash) << name << " was written again";
        }
      }
    }
    EXPECT_EQ(fingerprint(out), reference_);
    fs::remove_all(folder(out));
  }

  std::int64_t last_step(const std::string& out) const {
    RunReader reader(home_ / "runs.db");
    const auto rows = reader.metrics(id_of(folder(out)));
    return rows.empty() ? 0 : rows.back().step;
  }

  /// Calls 1, 1 + stride, … on paths with `scope`, each with every fault. `key`: one call, or all
  /// from there on.
  void fail_each(const std::string& scope, const char* key, long stride, Report& report) {
    const long all = calls("count", scope);
    ASSERT_GT(all, 20);
    for (long call = 1; call <= all && !HasFatalFailure(); call += stride) {
      for (const Fault& fault : kFaults) {
        const bool for_ever = std::string(key) == "MANTISSA_FAIL_FROM";
        if (for_ever && fault.harmless) {
          continue;
        }
        SCOPED_TRACE(std::string(fault.name) + " at call " + std::to_string(call) + " of '" +
                     scope + "'");
        fail_and_go_on("fault", fault,
                       {{key, std::to_string(call)}, {"MANTISSA_SHIM_SCOPE", scope}}, report);
      }
    }
    report.notes = std::to_string(all) + " calls, " + std::to_string(stopped_) + " runs stopped";
  }

  long stopped_ = 0;
};

TEST_F(FaultTest, SomeCallsOfASaveFail) {
  Report report("6 failing calls of the run folder");
  fail_each("/out/", "MANTISSA_FAIL_AT", 401, report);
}

TEST_F(FaultTest, NoRunEndsByAStatusThatCantBeWritten) {
  Report report("6 failing calls of the status");
  for (const Fault& fault : kFaults) {
    if (!fault.harmless) {
      SCOPED_TRACE(fault.name);
      fail_and_go_on("fault", fault,
                     {{"MANTISSA_FAIL_FROM", "1"}, {"MANTISSA_SHIM_SCOPE", "status.jsonl"}},
                     report);
    }
  }
  EXPECT_EQ(stopped_, 0);
}

TEST_F(FaultTest, NightlyEachCallOnTheRunFolderFails) {
  Report report("6 failing calls of the run folder");
  fail_each("/out/", "MANTISSA_FAIL_AT", count_of("MANTISSA_FAULT_STRIDE", 1), report);
}

TEST_F(FaultTest, NightlyEachCallOnTheDatabaseFails) {
  Report report("6 failing calls of the database");
  fail_each("runs.db", "MANTISSA_FAIL_AT", count_of("MANTISSA_FAULT_STRIDE", 1), report);
}

TEST_F(FaultTest, NightlyTheDiskStaysBroken) {
  Report report("6 a disk that stays broken");
  fail_each("/home/", "MANTISSA_FAIL_FROM", 20 * count_of("MANTISSA_FAULT_STRIDE", 1), report);
}

}  // namespace
}  // namespace mantissa
