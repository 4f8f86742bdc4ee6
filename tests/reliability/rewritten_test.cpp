// Inputs of a run that are rewritten in place, cut, replaced or removed while it trains, and runs
// that are killed meanwhile: a result with exit status 0 is that of an undisturbed run. The Nightly
// case does so more often: MANTISSA_REWRITES, MANTISSA_SEED.
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/stat.h>

#include "engine/io/file.h"
#include "engine/io/model_writer.h"
#include "tests/reliability/process.h"
#include "tests/reliability/report.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

enum class Tampering { rewritten, rewritten_under_its_time, cut, replaced, removed };
constexpr const char* kTamperingNames[] = {"rewritten", "rewritten under its time", "cut",
                                           "replaced", "removed"};

class RewrittenTest : public testing::Test {
 protected:
  static constexpr const char* kResult = "made.safetensors";

  void SetUp() override {
    fs::create_directories(inputs_);
    write_model_folder(inputs_ / "base",
                       model_contents(WeightSource::open(MANTISSA_SOURCE_DIR
                                                         "/resources/demo/mini-sdxl.safetensors")));
    add_images();
    std::ofstream(root_ / "preset.json") << R"({"mantissa_preset": 1, "name": "rewritten",
      "adapter": {"rank": 2}, "data": {"resolution": 64, "batch_size": 1, "masks": "files",
      "cache": "all", "shuffle_captions": true},
      "training": {"steps": 6, "prior_weight": 0.5, "validate_every": 3},
      "output": {"name": "made", "save_every": 2}})";
    adapter_ = inputs_ / "adapter.safetensors";
    ASSERT_EQ(train(root_ / "first home", root_ / "first"), 0) << log();
    fs::copy_file(root_ / "first" / kResult, adapter_);
    continues_ = true;
    ASSERT_EQ(train(root_ / "first home", root_ / "straight"), 0) << log();
    expected_ = result(root_ / "straight");
    fs::copy(inputs_, root_ / "as it was", fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(inputs_)) {
      if (entry.is_regular_file()) {
        files_.push_back(fs::relative(entry.path(), inputs_));
      }
    }
    std::sort(files_.begin(), files_.end());
    // Stopped at step 4: resumed, its checkpoint is an input, too.
    fs::copy(root_ / "straight", root_ / "half", fs::copy_options::recursive);
    fs::remove(root_ / "half" / kResult);
    fs::remove_all(root_ / "half/checkpoints/step-00000006");
  }

  void add_images() const {
    const fs::path demo = MANTISSA_SOURCE_DIR "/resources/demo/images";
    int number = 0;
    std::vector<fs::path> images;
    for (const auto& entry : fs::directory_iterator(demo)) {
      if (entry.path().extension() == ".png") {
        images.push_back(entry.path());
      }
    }
    std::sort(images.begin(), images.end());
    for (const char* set : {"images", "images", "images", "prior", "validation"}) {
      const fs::path image = images.at(static_cast<std::size_t>(number));
      const fs::path to = inputs_ / set / ("i" + std::to_string(number++));
      fs::create_directories(to.parent_path());
      fs::copy_file(image, fs::path(to) += ".png");
      std::ofstream(fs::path(to) += ".txt") << "a zorb, number " << number << ", on a table";
    }
    fs::copy_file(images.front(), inputs_ / "images/i0-masklabel.png");  // of its shape
  }

  std::vector<std::string> arguments(const fs::path& run, bool resume) const {
    if (resume) {
      return {"train", "--resume", run.string(), "--set", "training.steps=6"};
    }
    std::vector<std::string> all{
        "train",        (root_ / "preset.json").string(),  "--base",  (inputs_ / "base").string(),
        "--images",     (inputs_ / "images").string(),     "--prior", (inputs_ / "prior").string(),
        "--validation", (inputs_ / "validation").string(), "--out",   run.string()};
    if (continues_) {
      all.insert(all.end(), {"--continue-from", adapter_.string()});
    }
    return all;
  }
  int train(const fs::path& home, const fs::path& run) const {
    return Mantissa(home).run(arguments(run, false), root_ / "log").status;
  }
  int resume(const fs::path& home, const fs::path& run) const {
    return Mantissa(home).run(arguments(run, true), root_ / "log").status;
  }
  std::string log() const { return read_text(root_ / "log"); }
  /// Hash of the adapter's values: its metadata may differ.
  static std::string result(const fs::path& run) {
    const fs::path state = run / "checkpoints/step-00000006/state.safetensors";
    return fs::exists(state) && fs::exists(run / kResult) ? sha256_file(state) : "none";
  }

  void restore_inputs() const {
    fs::remove_all(inputs_);
    fs::copy(root_ / "as it was", inputs_, fs::copy_options::recursive);
  }

  /// Other bytes in the middle of the file; of a text, other words.
  static void alter(const fs::path& file) {
    std::string bytes = read_text(file);
    if (file.extension() == ".txt") {
      bytes.replace(bytes.find("table"), 5, "chair");
    } else if (file.extension() == ".json") {
      bytes.append(" ");
    } else {
      bytes[bytes.size() - 2 - bytes.size() / 8] ^= 0x01;
    }
    const int descriptor = ::open(file.c_str(), O_WRONLY);
    EXPECT_EQ(::pwrite(descriptor, bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
    ::close(descriptor);
  }
  static void change(const fs::path& file, Tampering how) {
    struct stat before {};
    if (::stat(file.c_str(), &before) != 0) {
      return;  // a checkpoint that was pruned meanwhile
    }
    const fs::path other = fs::path(file) += ".other";
    switch (how) {
      case Tampering::rewritten:
        alter(file);
        break;
      case Tampering::rewritten_under_its_time:
        alter(file);
        break;
      case Tampering::cut:
        fs::resize_file(file, fs::file_size(file) / 2);
        break;
      case Tampering::replaced:
        fs::copy_file(file, other);
        alter(other);
        fs::rename(other, file);
        break;
      case Tampering::removed:
        fs::remove(file);
        return;
    }
    if (how == Tampering::rewritten_under_its_time || how == Tampering::replaced) {
      const timespec times[2] = {before.st_atim, before.st_mtim};
      ::utimensat(AT_FDCWD, file.c_str(), times, 0);
    }
  }

  /// Calls that a run of its own folder and home makes, each a moment to change something at.
  long moments(bool resumes) {
    const fs::path file = root_ / "count", home = root_ / "count home", run = root_ / "count run";
    fs::remove(file);
    prepare(home, run, resumes);
    EXPECT_EQ(Mantissa(home)
                  .run(arguments(run, resumes), root_ / "log", {},
                       preloaded({{"MANTISSA_SHIM_COUNT", file.string()}}))
                  .status,
              0)
        << log();
    long calls = 0;
    std::ifstream(file) >> calls;
    fs::remove_all(home);
    fs::remove_all(run);
    return calls;
  }
  void prepare(const fs::path& home, const fs::path& run, bool resumes) const {
    for (const fs::path& folder : {home, run}) {
      fs::remove_all(folder);
    }
    if (resumes) {
      fs::copy(root_ / "half", run, fs::copy_options::recursive);
    }
  }

  /// The run's exit status, after the change in its midst; killed behind it if `kills`.
  int disturbed(const fs::path& home, const fs::path& run, bool resumes, long moment,
                const fs::path& file, Tampering how, bool kills) {
    const pid_t child =
        Mantissa(home).start(arguments(run, resumes), root_ / "log", {},
                             preloaded({{"MANTISSA_STOP_AT", std::to_string(moment)}}));
    int status = 0;
    ::waitpid(child, &status, WUNTRACED);
    if (!WIFSTOPPED(status)) {
      return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    }
    change(file, how);
    ::kill(child, kills ? SIGKILL : SIGCONT);
    return Mantissa::wait(child).status;
  }

  /// What an undisturbed run makes of the inputs as they are now.
  std::string result_now() const {
    const fs::path home = root_ / "now home", run = root_ / "now";
    prepare(home, run, false);
    return train(home, run) == 0 ? result(run) : "none";
  }

  /// Whether what the run left is right: its result if it has one, and what resuming makes of it.
  void expect_right(int status, const fs::path& home, const fs::path& run) {
    if (status == 0) {
      const std::string got = result(run);
      EXPECT_TRUE(got == expected_ || got == result_now()) << "a wrong result: " << log();
    } else {
      EXPECT_TRUE(status == 2 || status == -SIGKILL) << status << ": " << log();
    }
    restore_inputs();
    const int resumed = status == 0 || !fs::exists(run / "job.json") ? 2 : resume(home, run);
    if (resumed == 0) {
      EXPECT_EQ(result(run), expected_) << "resumed with the files as they were: " << log();
    } else {
      EXPECT_EQ(resumed, 2) << log();
    }
    const fs::path again = fs::path(run) += "-again";
    ASSERT_EQ(train(home, again), 0) << log();
    EXPECT_EQ(result(again), expected_) << "what the run left in the cache is wrong";
    fs::remove_all(again);
  }

  void disturb(long count, Report& report) {
    std::mt19937 random(test_seed());
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::size_t fresh = static_cast<std::size_t>(moments(false)),
                      resumed = static_cast<std::size_t>(moments(true));
    ASSERT_GT(std::min(fresh, resumed), 50U);
    long kills = 0, finished = 0;
    for (long i = 0; i < count && !HasFatalFailure(); ++i) {
      const bool resumes = below(4) == 0, killed = below(4) == 0;
      const fs::path home = root_ / "home", run = root_ / "run";
      prepare(home, run, resumes);
      std::vector<fs::path> files;
      for (const fs::path& file : files_) {
        files.push_back(inputs_ / file);
      }
      if (resumes) {
        for (const char* name : {"state.safetensors", "state.json", "manifest.json", "job.json"}) {
          files.push_back(run / "checkpoints/step-00000004" / name);
        }
      }
      const fs::path file = files[below(files.size())];
      const auto how = static_cast<Tampering>(below(std::size(kTamperingNames)));
      const long moment = 1 + static_cast<long>(below(resumes ? resumed : fresh));
      SCOPED_TRACE(std::to_string(i) + ": " + fs::relative(file, root_).string() + " " +
                   kTamperingNames[static_cast<int>(how)] + " at call " + std::to_string(moment) +
                   (resumes ? " of a resumed run" : "") + (killed ? ", killed" : ""));
      const int status = disturbed(home, run, resumes, moment, file, how, killed);
      kills += status == -SIGKILL ? 1 : 0;
      finished += status == 0 ? 1 : 0;
      expect_right(status, home, run);
      report.count += 1;
    }
    report.notes = std::to_string(kills) + " killed, " + std::to_string(finished) + " finished";
  }

  const test::TempFolder temp_;
  const fs::path root_ = temp_.path(), inputs_ = root_ / "inputs";
  fs::path adapter_;
  bool continues_ = false;
  std::vector<fs::path> files_;  ///< below inputs_
  std::string expected_;
};

TEST_F(RewrittenTest, AFewInputsWhileARunReadsThem) {
  Report report("29 inputs changed in mid-run");
  disturb(6, report);
}

TEST_F(RewrittenTest, NightlyThreeHundredInputs) {
  Report report("29 inputs changed in mid-run");
  disturb(count_of("MANTISSA_REWRITES", 300), report);
}

}  // namespace
}  // namespace mantissa
