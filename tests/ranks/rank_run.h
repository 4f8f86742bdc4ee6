#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {

inline constexpr double kMostSeconds = 30;  ///< until all processes have ended

/// Settings of a preset, as arguments.
struct Variant {
  const char* name;
  std::vector<std::string> settings;
};

/// Runs of several processes that mpirun starts, or of several threads.
class RankRun : public TinyRun {
 protected:
  virtual bool needs_mpi() const { return true; }
  void SetUp() override {
    if (needs_mpi()) {
      if (std::system("command -v mpirun >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
      }
      ASSERT_TRUE(std::filesystem::exists(MANTISSA_BINARY_DIR "/lib/libmantissa_mpi.so"))
          << "not built: MPI's development files are missing (Debian: libopenmpi-dev)";
    }
    more_ = {"--set", "training.gradient_accumulation=4"};
    copy_square_images();
    TinyRun::SetUp();
  }

  /// The demo's images that the one bucket of 64 pixels takes whole: a run has nothing to warn of.
  void copy_square_images() {
    namespace fs = std::filesystem;
    images_ = (root_ / "images").string();
    fs::create_directories(images_);
    for (int i = 1; i <= 11; ++i) {
      for (const char* ending : {"png", "txt"}) {
        const std::string name = (i < 10 ? "zorb_0" : "zorb_") + std::to_string(i) + "." + ending;
        fs::copy_file(fs::path(MANTISSA_SOURCE_DIR) / "resources/demo/images" / name,
                      fs::path(images_) / name);
      }
    }
  }

  static std::vector<std::string> mpirun(int processes) {
    return {"mpirun", "--oversubscribe", "--allow-run-as-root", "-n", std::to_string(processes)};
  }
  Mantissa launched(int processes) const { return {home_, mpirun(processes)}; }

  /// Two, whose launcher waits so many seconds between asking them to end and killing them.
  Mantissa patient(int seconds) const {
    std::vector<std::string> launcher = mpirun(2);
    launcher.insert(launcher.end(),
                    {"--mca", "odls_base_sigkill_timeout", std::to_string(seconds)});
    return {home_, launcher};
  }

  /// By several processes; one is started without a launcher.
  int run_on(int processes, const std::string& out, bool resume = false,
             const std::vector<std::string>& settings = {}) const {
    const Mantissa program = processes == 1 ? Mantissa(home_) : launched(processes);
    return program.run(with(arguments(out, resume), settings), root_ / (out + ".log")).status;
  }
  void expect_same_on(const std::vector<int>& numbers, const Variant& variant) {
    SCOPED_TRACE(variant.name);
    std::string expected;
    for (const int processes : numbers) {
      const std::string out = variant.name + std::to_string(processes);
      ASSERT_EQ(run_on(processes, out, false, variant.settings), 0) << log(out);
      const std::string got = fingerprint(out);
      expected = expected.empty() ? got : expected;
      EXPECT_EQ(got, expected) << processes << " processes";
    }
  }

  /// Starts a run that doesn't end by itself, and waits until it trains.
  pid_t start_endless(const std::string& out, const Mantissa& program) const {
    const pid_t launcher =
        program.start(with(arguments(out, false),
                           {"--set", "training.steps=100000", "--set", "output.save_every=0"}),
                      root_ / (out + ".log"));
    const auto trains = [&] {
      const std::filesystem::path log = folder(out) / "log.txt";
      std::error_code none;
      return std::filesystem::exists(log, none) &&
             read_text(log).find("trainable values") != std::string::npos;
    };
    for (int i = 0; i < 600 && !trains(); ++i) {
      usleep(50000);
    }
    usleep(500000);
    return launcher;
  }
  static std::vector<pid_t> children(pid_t process) {
    const std::string id = std::to_string(process);
    std::ifstream list("/proc/" + id + "/task/" + id + "/children");
    std::vector<pid_t> all;
    for (pid_t child = 0; list >> child;) {
      all.push_back(child);
    }
    std::ranges::sort(all);  // in the order in which they were started
    return all;
  }
  /// Waits for the launcher; fails if that takes too long.
  static int end_of(pid_t launcher) {
    const Stopwatch watch;
    const int status = Mantissa::wait(launcher).status;
    EXPECT_LT(watch.seconds(), kMostSeconds);
    return status;
  }
  /// Neither gone nor a zombie that nobody waits for.
  static bool works(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string stat;
    return std::getline(file, stat) && stat.find(") Z ") == std::string::npos;
  }
};

}  // namespace mantissa
