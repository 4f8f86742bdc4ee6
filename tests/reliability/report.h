#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <string>

namespace mantissa {

/// How often a case is repeated: `otherwise`, or the environment variable `name`.
inline long count_of(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

/// Seed of a test's random draws: MANTISSA_SEED, or 20.
inline std::uint32_t test_seed() {
  return static_cast<std::uint32_t>(count_of("MANTISSA_SEED", 20));
}

/// One line of the table in resources/docs/evidence/reliability.md: printed when the test ends, and
/// appended to the file that MANTISSA_RELIABILITY_REPORT names. Failures are those of the test so
/// far.
class Report {
 public:
  explicit Report(std::string what) : what_(std::move(what)) {}
  ~Report() {
    const auto* result = testing::UnitTest::GetInstance()->current_test_info()->result();
    for (int i = 0; i < result->total_part_count(); ++i) {
      failures_ += result->GetTestPartResult(i).failed() ? 1 : 0;
    }
    char line[512];
    std::snprintf(line, sizeof line,
                  "%s | count %ld | failures %ld | worst recovery %.2f s | worst steps lost %ld | "
                  "seed %u%s",
                  what_.c_str(), count, failures_, worst_recovery, worst_steps_lost, test_seed(),
                  notes.empty() ? "" : (" | " + notes).c_str());
    std::printf("RELIABILITY %s\n", line);
    if (const char* file = std::getenv("MANTISSA_RELIABILITY_REPORT")) {
      std::ofstream(file, std::ios::app) << line << "\n";
    }
  }
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void recovered(double seconds) { worst_recovery = std::max(worst_recovery, seconds); }
  void lost(std::int64_t steps) {
    worst_steps_lost = std::max(worst_steps_lost, static_cast<long>(steps));
  }

  long count = 0;
  double worst_recovery = 0;  ///< seconds
  long worst_steps_lost = 0;
  std::string notes;

 private:
  std::string what_;
  long failures_ = 0;
};

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace mantissa
