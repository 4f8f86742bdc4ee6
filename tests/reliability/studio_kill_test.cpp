// SIGKILL at random moments of use: the real studio, in which shim/studio_script.cpp types, writes
// captions, saves, queues and trains at random, is killed and started again, over and over on one
// home. Nothing that was typed more than two seconds before may be missing, and every file must be
// whole.
#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "engine/io/image.h"
#include "engine/preset/preset_io.h"
#include "engine/store/store.h"
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kStudio = MANTISSA_BINARY_DIR "/bin/mantissa-studio";
constexpr const char* kScript = MANTISSA_BINARY_DIR "/lib/libstudio_script.so";
constexpr int kImages = 5;
/// The script's beats in the two seconds that a crash may cost.
constexpr std::size_t kGraceBeats = 20;

/// What the window may show for one thing after a kill: its value two seconds before, and each of
/// those since, the last one first.
using Values = std::vector<json>;

class StudioKillTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kStudio) || !fs::exists(kScript)) {
      GTEST_SKIP() << "this build has no studio";
    }
    fs::create_directories(home_);
    fs::create_directories(images_);
    for (int i = 0; i < kImages; ++i) {
      const auto shade = static_cast<std::uint8_t>(40 * i + 20);
      const std::string name = "photo" + std::to_string(i) + ".png";
      write_png(images_ / name, std::vector<std::uint8_t>(std::size_t{64} * 64 * 3, shade), 64, 64);
      may_be_["caption " + name] = {""};
    }
    std::ofstream(preset_) << R"({"mantissa_preset": 2, "model": {"family": "sdxl"},
      "adapter": {"rank": 2}, "data": {"resolution": 64, "batch_size": 1},
      "training": {"steps": 100}, "output": {"name": "story", "save_every": 5},
      "samples": {"prompts": [{"prompt": "a zorb", "width": 64, "height": 64, "steps": 2}]}})";
    std::ofstream(home_ / "studio.ini") << "[wizard]\nshown=true\n";
  }

  pid_t start(const fs::path& journal, std::uint32_t seed, bool first) const {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child != 0) {
      return child;
    }
    const std::map<std::string, std::string> environment{
        {"MANTISSA_HOME", home_.string()},
        {"MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources"},
        {"QT_QPA_PLATFORM", "offscreen"},
        {"LD_PRELOAD", kScript},
        {"ASAN_OPTIONS", "verify_asan_link_order=0"},
        {"MANTISSA_SCRIPT", journal.string()},
        {"MANTISSA_SCRIPT_SEED", std::to_string(seed)}};
    for (const auto& [key, value] : environment) {
      setenv(key.c_str(), value.c_str(), 1);
    }
    const std::string log = (root_ / "studio.log").string();
    if (std::freopen(log.c_str(), "a", stdout) != nullptr) {
      dup2(fileno(stdout), fileno(stderr));
      if (first) {
        execl(kStudio, kStudio, "--lang", "en", "--base", "demo", "--images", images_.c_str(),
              preset_.c_str(), nullptr);
      } else {
        execl(kStudio, kStudio, "--lang", "en", nullptr);
      }
    }
    _exit(127);
  }

  /// The journal's whole lines.
  static std::vector<json> read(const fs::path& journal) {
    std::vector<json> lines;
    std::ifstream in(journal);
    for (std::string line; std::getline(in, line) && !in.eof();) {
      lines.push_back(json::parse(line));
    }
    return lines;
  }

  /// Waits until the studio has told what it restored and was alive for `beats` after that; false
  /// if it ends instead.
  static bool wait_for_beats(const fs::path& journal, pid_t child, std::size_t beats) {
    for (int i = 0; i < 2400; ++i) {
      const std::vector<json> lines = read(journal);
      const auto is_beat = [](const json& line) { return line.at("what") == "beat"; };
      if (!lines.empty() && std::ranges::count_if(lines, is_beat) >= static_cast<long>(beats)) {
        return true;
      }
      siginfo_t ended{};
      waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == child) {
        return false;
      }
      usleep(25'000);
    }
    return false;
  }

  /// Takes over what the journal of a killed studio tells.
  void remember(const std::vector<json>& lines) {
    std::size_t beats = 0, cut = 0;  // lines before `cut` are older than the grace
    for (std::size_t i = lines.size(); i > 0 && beats <= kGraceBeats; --i) {
      beats += lines[i - 1].at("what") == "beat" ? 1 : 0;
      cut = i;
    }
    if (beats <= kGraceBeats) {
      cut = 0;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string what = lines[i].at("what");
      if (what == "beat" || what == "restored") {
        continue;
      }
      if (what == "saved") {
        ++saves_;
        continue;
      }
      ++typed_;
      Values& values = may_be_[what];
      if (i < cut) {
        values.clear();
      }
      values.insert(values.begin(), lines[i].at("value"));
    }
  }

  void expect_one_of(const std::string& what, const json& now) {
    const auto found = may_be_.find(what);
    if (found == may_be_.end()) {
      return;
    }
    const Values& values = found->second;
    const auto lost = std::find(values.begin(), values.end(), now) - values.begin();
    const bool kept = lost < static_cast<std::ptrdiff_t>(values.size());
    std::string expected;
    for (const json& value : values) {
      expected += " " + value.dump();
    }
    EXPECT_TRUE(kept) << what << " is " << now << ", expected one of" << expected;
    keys_lost_ = std::max(keys_lost_, kept ? static_cast<long>(lost) : 0);
  }

  /// What the restarted studio shows: from here on the window has this, and only this.
  void check_window(const json& restored) {
    EXPECT_FALSE(restored.contains("problem")) << restored.at("problem");
    for (const auto& [what, value] : restored.items()) {
      if (what == "problem") {
        continue;
      }
      expect_one_of(what, value);
      may_be_[what] = {value};
    }
  }

  /// The captions on disk, which the next start reads.
  void check_captions() {
    for (auto& [what, values] : may_be_) {
      if (what.rfind("caption ", 0) != 0) {
        continue;
      }
      fs::path file = images_ / what.substr(sizeof "caption " - 1);
      file.replace_extension(".txt");
      std::string caption = fs::exists(file) ? read_text(file) : "";
      if (caption.ends_with('\n')) {
        caption.pop_back();
      }
      expect_one_of(what, caption);
      values = {caption};
    }
  }

  void check_files() const {
    EXPECT_NO_THROW(parse_preset(read_text(preset_), "the saved preset"));
    const std::string settings = read_text(home_ / "studio.ini");
    EXPECT_NE(settings.find("[draft]"), std::string::npos) << settings.size() << " bytes";
    EXPECT_EQ(settings.find("unreadable"), std::string::npos);
    const fs::path database = home_ / "runs.db";
    if (!fs::exists(database)) {
      return;
    }
    RunStore store(database);  // it checks every page
    EXPECT_TRUE(store.notices().empty());
    for (const RunRow& run : RunReader(database).list_runs()) {
      const fs::path folder = run.out;
      EXPECT_NO_THROW(parse_preset(run.preset_json, "a run's preset"));
      EXPECT_FALSE(json::parse(read_text(folder / "job.json"), nullptr, false).is_discarded());
      CheckpointFolder(folder / "checkpoints").newest_valid([](const Message& damaged) {
        ADD_FAILURE() << damaged.text();
      });
    }
  }

  /// Kills the studio `kills` times, after up to `most` seconds of use each; a tenth of them while
  /// it starts.
  void kill_often(long kills, double most, Report& report) {
    std::mt19937 random(test_seed());
    std::printf("seed %u\n", test_seed());
    const auto share = [&] { return static_cast<double>(random()) / 0x1p32; };
    long starting = 0;
    for (long i = 0; i <= kills && !HasFatalFailure(); ++i) {
      SCOPED_TRACE("start " + std::to_string(i));
      const fs::path journal = root_ / ("journal" + std::to_string(i));
      const Stopwatch watch;
      const pid_t child = start(journal, static_cast<std::uint32_t>(random()), i == 0);
      const bool early = i % 10 == 9 && i < kills;
      // The first one is used beyond the grace: before that it may be as if it never had been.
      const bool begun = early || wait_for_beats(journal, child, i == 0 ? kGraceBeats + 1 : 0);
      if (early) {
        ++starting;
        usleep(static_cast<useconds_t>(share() * 1.5e6));
      } else {
        report.recovered(watch.seconds());
        usleep(static_cast<useconds_t>(i < kills ? (0.3 + share() * most) * 1e6 : 0));
      }
      kill(child, SIGKILL);
      Mantissa::wait(child);
      ASSERT_TRUE(begun) << read_text(root_ / "studio.log");
      const std::vector<json> lines = read(journal);
      if (!lines.empty()) {
        check_window(lines.front().at("value"));
        remember(lines);
        check_captions();
      }
      check_files();
      report.count += i < kills ? 1 : 0;
    }
    const auto runs = fs::exists(home_ / "runs.db") ? RunReader(home_ / "runs.db").list_runs()
                                                    : std::vector<RunRow>();
    report.notes = std::to_string(typed_) + " keys, " + std::to_string(saves_) + " saves, " +
                   std::to_string(runs.size()) + " runs, " + std::to_string(starting) +
                   " kills while starting, at most " + std::to_string(keys_lost_) +
                   " keys of one field lost";
    EXPECT_GT(typed_, kills * 3) << "the script found nothing to type in";
    for (const char* what : {"name", "steps", "prompt"}) {
      EXPECT_TRUE(may_be_.contains(what)) << what;
    }
  }

  const test::TempFolder folder_of_test_;
  const fs::path root_ = folder_of_test_.path();
  const fs::path home_ = root_ / "home", images_ = root_ / "images", preset_ = root_ / "own.json";
  std::map<std::string, Values> may_be_;
  long typed_ = 0, saves_ = 0, keys_lost_ = 0;
};

TEST_F(StudioKillTest, ThreeMomentsOfUse) {
  Report report("28 studio killed");
  kill_often(3, 2.5, report);
}

TEST_F(StudioKillTest, NightlyFiftyMomentsOfUse) {
  Report report("28 studio killed");
  kill_often(count_of("MANTISSA_STUDIO_KILLS", 50), 6, report);
}

}  // namespace
}  // namespace mantissa
