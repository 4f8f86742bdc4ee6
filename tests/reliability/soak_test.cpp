// A long run uses no more memory, open files or time per step at its end than at its beginning.
#include <algorithm>
#include <fstream>

#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class SoakTest : public TinyRun {
 protected:
  static double resident_mb(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/statm");
    long total = 0, resident = 0;
    file >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
  }
  static long open_files(pid_t process) {
    long count = 0;
    std::error_code none;
    for (const auto& entry :
         fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", none)) {
      count += entry.exists(none) ? 1 : 0;
    }
    return count;
  }
  std::int64_t saved_step() const { return newest_name().empty() ? 0 : std::stoll(newest_name()); }
  std::string newest_name() const {
    std::string newest;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder("soak") / "checkpoints", none)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("step-")) {
        newest = std::max(newest, name.substr(5));
      }
    }
    return newest;
  }

  void soak(long steps, Report& report) {
    const long every = std::max(steps / 20, 10L);
    const pid_t child = Mantissa(home_).start(
        with(arguments("soak", false), {"--set", "training.steps=" + std::to_string(steps), "--set",
                                        "output.save_every=" + std::to_string(every)}),
        root_ / "soak.log");
    // Memory and files after the first tenth, when everything was used once, and at the end.
    double first_mb = 0, last_mb = 0;
    long first_files = 0, last_files = 0;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      const std::int64_t step = saved_step();
      const double now = resident_mb(child);
      if (step >= 2 * every && now > 0) {
        const long files = open_files(child);
        if (first_mb == 0) {
          first_mb = now;
          first_files = files;
        }
        last_mb = now;
        last_files = files;
      }
      usleep(20'000);
    }
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << log("soak");
    const auto rows = RunReader(home_ / "runs.db").metrics(id_of(folder("soak")));
    ASSERT_EQ(static_cast<long>(rows.size()), steps);
    const auto median = [&](std::size_t from, std::size_t to) {
      std::vector<double> seconds;
      for (std::size_t i = from; i < to; ++i) {
        seconds.push_back(rows[i].seconds);
      }
      std::nth_element(seconds.begin(),
                       seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2),
                       seconds.end());
      return seconds[seconds.size() / 2];
    };
    const std::size_t tenth = rows.size() / 10;
    const double before = median(tenth, 2 * tenth), after = median(9 * tenth, rows.size());
    report.count = steps;
    char text[200];
    std::snprintf(text, sizeof text,
                  "resident %.1f to %.1f MB, open files %ld to %ld, median step %.1f to %.1f ms",
                  first_mb, last_mb, first_files, last_files, before * 1e3, after * 1e3);
    report.notes = text;
    if (!kAddressSanitizer) {  // which keeps freed memory for a while
      EXPECT_LT(last_mb, first_mb * 1.02 + 2);
    }
    EXPECT_LE(last_files, first_files + 2) << "a file of a save may just have been open";
  }
};

TEST_F(SoakTest, ThreeHundredSteps) {
  Report report("23 soak");
  soak(300, report);
}

TEST_F(SoakTest, NightlyAHundredThousandSteps) {
  Report report("23 soak");
  soak(count_of("MANTISSA_SOAK_STEPS", 100000), report);
}

}  // namespace
}  // namespace mantissa
