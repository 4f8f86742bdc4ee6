// Damaged and hand-crafted files through every command of the program: for any content, the exit
// status is one of the documented ones, never 1 and never a signal, and there is an error message.
#include <algorithm>
#include <random>
#include <set>

#include "engine/cli/cli.h"
#include "tests/engine/run/checkpoint_files.h"
#include "tests/reliability/mutations.h"
#include "tests/reliability/report.h"
#include "tests/reliability/tiny_run.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class HostileInputTest : public TinyRun {
 protected:
  using Arguments = std::vector<std::string>;

  void SetUp() override {
    TinyRun::SetUp();
    models_ = fs::path(MANTISSA_TEST_DATA) / "golden/models";
    base_ = (models_ / "a.safetensors").string();
    Arguments traced = arguments("trace", false);
    traced.insert(traced.end(), {"--trace", (root_ / "trace.safetensors").string()});
    ASSERT_EQ(Mantissa(home_).run(traced, root_ / "log").status, 0) << read_text(root_ / "log");
  }

  /// The command in a separate process; standard output and errors go to `log`.
  static Ended run_command(const fs::path& home, const Arguments& args, const fs::path& log) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      setenv("MANTISSA_HOME", home.c_str(), 1);
      setenv("MANTISSA_RESOURCES", MANTISSA_SOURCE_DIR "/resources", 1);
      alarm(120);  // a hang is a failure too
      if (std::freopen(log.c_str(), "w", stdout) == nullptr ||
          dup2(fileno(stdout), fileno(stderr)) < 0) {
        _exit(127);
      }
      std::vector<char*> list{const_cast<char*>("mantissa")};
      for (const std::string& a : args) {
        list.push_back(const_cast<char*>(a.c_str()));
      }
      list.push_back(nullptr);
      const int status = run_cli(static_cast<int>(args.size()) + 1, list.data());
      std::fflush(nullptr);
      _exit(status);
    }
    return Mantissa::wait(child);
  }

  /// A file of the tree, changed at one to three places.
  std::string mutated(const fs::path& source) {
    std::string bytes = read_text(source);
    const bool tensors = source.extension() == ".safetensors";
    const bool text = source.extension() == ".json" || source.extension() == ".toml";
    const int changes = 1 + static_cast<int>(random_() % 3);
    for (int i = 0; i < changes; ++i) {
      const auto change = [this](std::string& part) {
        switch (random_() % 3) {
          case 0:
            return change_number(part, random_);
          case 1:
            return change_token(part, random_);
          default:
            return change_bytes(part, random_);
        }
      };
      if (tensors && random_() % 4 != 0) {
        change_header(bytes, change);
      } else if (text) {
        change(bytes);
      } else {
        change_bytes(bytes, random_);
      }
    }
    return bytes;
  }
  fs::path put(const fs::path& source, const std::string& name = {}) {
    const fs::path file = work_ / (name.empty() ? source.filename().string() : name);
    std::ofstream(file, std::ios::binary) << mutated(source);
    return file;
  }
  template <typename T>
  T one_of(const std::vector<T>& list) {
    return list[random_() % list.size()];
  }
  fs::path adapter() {
    const fs::path folder = fs::path(MANTISSA_TEST_DATA) / "golden/adapters";
    return folder /
           (one_of<std::string>({"diffusers", "dora", "dora_input", "locon", "loha", "lokr"}) +
            ".safetensors");
  }
  fs::path model() {
    return models_ / one_of<std::string>(
                         {"a.safetensors", "c.safetensors", "sd15.safetensors", "sd2.safetensors"});
  }
  Arguments train(const Arguments& more) {
    Arguments list{"train",          (root_ / "preset.json").string(),
                   "--out",          (work_ / "out").string(),
                   "--set",          "training.steps=1",
                   "--health-every", "1"};
    list.insert(list.end(), more.begin(), more.end());
    return list;
  }

  /// A data folder with damaged images, captions and metadata.
  fs::path images() {
    const fs::path folder = work_ / "images";
    fs::create_directories(folder);
    const fs::path golden = fs::path(MANTISSA_TEST_DATA) / "golden/images";
    for (const char* name : {"rgb.png", "exif6.jpg", "lossy.webp", "still.gif", "rgb.tiff"}) {
      std::ofstream(folder / name, std::ios::binary) << mutated(golden / name);
    }
    std::string caption = "a caption, tags";
    change_bytes(caption, random_);
    std::ofstream(folder / "rgb.txt", std::ios::binary) << caption;
    std::string lines = R"({"file_name": "exif6.jpg", "text": "one"})"
                        "\n"
                        R"({"file_name": "rgb.png", "text": "two"})"
                        "\n";
    random_() % 2 == 0 ? change_token(lines, random_) : change_bytes(lines, random_);
    std::ofstream(folder / "metadata.jsonl", std::ios::binary) << lines;
    return folder;
  }

  /// A diffusers folder with one file of it changed.
  fs::path diffusers_folder() {
    const fs::path folder = work_ / "model";
    fs::copy(models_ / one_of<std::string>({"b", "pixart"}), folder, fs::copy_options::recursive);
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    const fs::path file = one_of(files);
    const std::string bytes = mutated(file);
    std::ofstream(file, std::ios::binary) << bytes;
    return folder;
  }

  /// A run whose latest checkpoint has a changed file and a matching manifest; or one with a
  /// changed job.json.
  fs::path damaged_run() {
    const fs::path run = work_ / "run";
    fs::copy(folder("straight"), run, fs::copy_options::recursive);
    if (random_() % 2 == 0) {
      const std::string job = mutated(run / "job.json");
      std::ofstream(run / "job.json") << job;
      if (random_() % 2 == 0) {
        fs::remove_all(run / "checkpoints");  // whose copy would be used instead
      }
      return run;
    }
    const fs::path checkpoint = run / "checkpoints/step-00000009";
    std::vector<std::string> members;
    for (const auto& entry : fs::directory_iterator(checkpoint)) {
      members.push_back(entry.path().filename().string());
    }
    std::sort(members.begin(), members.end());
    const fs::path member = checkpoint / one_of(members);
    const std::string bytes = mutated(member);
    std::ofstream(member, std::ios::binary) << bytes;
    if (member.filename() != "manifest.json") {
      testing_support::rehash(checkpoint);
    }
    return run;
  }

  Arguments resume() {
    const std::string run = damaged_run().string();
    return {"train", "--resume", run, "--set", "training.steps=10"};
  }

  Arguments runs_command() {
    std::ofstream(work_ / "runs.db", std::ios::binary) << mutated(home_ / "runs.db");
    const std::string id = id_of(folder("straight"));
    const std::string verb = one_of<std::string>({"list", "show", "metrics", "compare"});
    return verb == "list"      ? Arguments{"runs", verb}
           : verb == "compare" ? Arguments{"runs", verb, id, id}
                               : Arguments{"runs", verb, id};
  }

  fs::path recipe() {
    return fs::path(MANTISSA_TEST_DATA) / "golden/import" /
           one_of<std::string>({"kohya_dataset.toml", "kohya_sdxl.toml", "kohya_ss.json",
                                "onetrainer.json", "onetrainer_old.json"});
  }
  fs::path preset() {
    return fs::path(MANTISSA_SOURCE_DIR) / "presets" /
           one_of<std::string>({"demo.json", "sdxl-character.json", "sdxl-lora-8gb.json"});
  }

  /// One call of the program with something damaged.
  Arguments draw() {
    const std::string out = (work_ / "out.safetensors").string();
    switch (random_() % 18) {
      case 0:
        return {"inspect", put(random_() % 2 == 0 ? model() : adapter())};
      case 1:
        return {
            "convert",  put(adapter()),
            "--base",   base_,
            "--out",    out,
            "--format", one_of<std::string>({"kohya", "diffusers", "plain_lora", "onetrainer"})};
      case 2:
        return {"merge", "--base", put(model()), "--lora", adapter(), "--out", out};
      case 3:
        return {"merge", "--base", base_, "--lora", put(adapter()), "--out", out};
      case 4:
        return {"resize", put(adapter()), "--base", base_, "--rank", "2", "--out", out};
      case 5:
        return {"extract", "--tuned", put(base_), "--base", base_, "--rank", "1", "--out", out};
      case 6:
        return {"sample",   "--base",  base_,     "--lora", put(adapter()),
                "--prompt", "x",       "--width", "64",     "--height",
                "64",       "--steps", "1",       "--out",  work_ / "out.png"};
      case 7:
        return {"check", put(preset()), "--base", base_};
      case 8:
        return {"presets", "import", put(recipe())};
      case 9:
        return random_() % 2 == 0
                   ? Arguments{"presets", "show", put(preset())}
                   : Arguments{"presets", "diff", put(preset()), put(preset(), "other.json")};
      case 10:
        return train({"--base", put(model()), "--images", "demo"});
      case 11:
        return train({"--base", base_, "--images", images()});
      case 12:
        return train({"--base", base_, "--images", "demo", "--continue-from", put(adapter())});
      case 13:
      case 14:
        return resume();
      case 15:
        return runs_command();
      case 16:
        return train({"--base", "demo", "--replay", put(root_ / "trace.safetensors")});
      default:
        return random_() % 2 == 0 ? Arguments{"inspect", diffusers_folder()}
                                  : train({"--base", diffusers_folder(), "--images", "demo"});
    }
  }

  void try_inputs(long inputs, Report& report) {
    random_.seed(test_seed());
    std::map<int, long> statuses;
    double slowest = 0;
    std::uint64_t most = 0;
    for (long i = 0; i < inputs; ++i) {
      work_ = root_ / "work";
      fs::remove_all(work_);
      fs::create_directories(work_);
      fs::create_directory_symlink(home_ / "cache", work_ / "cache");
      const Arguments call = draw();
      std::string words;
      for (const std::string& word : call) {
        words += word + " ";
      }
      SCOPED_TRACE("input " + std::to_string(i) + ": " + words);
      const Stopwatch watch;
      const Ended ended = run_command(work_, call, root_ / "log");
      slowest = std::max(slowest, watch.seconds());
      most = std::max(most, ended.peak_bytes);
      ++statuses[ended.status];
      ++report.count;
      const std::string said = read_text(root_ / "log");
      static const std::set<int> kDocumented{0, 2, 3, 4, 5, 6};
      EXPECT_TRUE(kDocumented.contains(ended.status)) << "status " << ended.status << "\n" << said;
      if (ended.status != 0) {
        EXPECT_NE(said.find("mantissa: "), std::string::npos) << said;
      }
    }
    for (const auto& [status, count] : statuses) {
      report.notes += "exit " + std::to_string(status) + ": " + std::to_string(count) + ", ";
    }
    char figures[96];
    std::snprintf(figures, sizeof figures, "slowest %.1f s, most memory %.0f MB", slowest,
                  static_cast<double>(most) / 1e6);
    report.notes += figures;
  }

  std::mt19937 random_;
  fs::path models_, work_;
  std::string base_;
};

TEST_F(HostileInputTest, HundredInputs) {
  Report report("7 hostile inputs through the commands");
  try_inputs(100, report);
}

TEST_F(HostileInputTest, NightlyThreeThousandInputs) {
  Report report("7 hostile inputs through the commands");
  try_inputs(count_of("MANTISSA_HOSTILE_INPUTS", 3000), report);
}

}  // namespace
}  // namespace mantissa
