// With any path, number or limit: the exit status is never 1, which would be a defect, never a
// signal, and nothing is written in unexpected places.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(work_);
    test::write_file(folder_ / "preset.json", R"({"mantissa_preset": 1, "name": "bad input",
      "adapter": {"rank": 1}, "data": {"resolution": 64, "batch_size": 1},
      "training": {"steps": 1}, "output": {"name": "a", "save_every": 0}})");
    fs::create_directories(folder_ / "images");
    fs::copy_file(MANTISSA_SOURCE_DIR "/tests/golden/images/rgb.png", folder_ / "images/a.png",
                  fs::copy_options::skip_existing);
  }

  /// Exit status; ended by SIGALRM (-14) after a minute.
  int run(const Arguments& arguments, const std::function<void()>& limits = {},
          const std::map<std::string, std::string>& environment = {}) {
    return program_
        .run(arguments, folder_ / "output", folder_ / "errors", environment,
             [&] {
               alarm(60);
               if (chdir(work_.c_str()) != 0) {
                 _exit(126);
               }
               if (limits) {
                 limits();
               }
             })
        .status;
  }

  /// Refused as bad input, with one line containing every text of `says`.
  void expect_refused(const Arguments& arguments, std::initializer_list<std::string> says,
                      const std::function<void()>& limits = {}) {
    EXPECT_EQ(run(arguments, limits), 2) << described(arguments) << errors();
    for (const std::string& text : says) {
      EXPECT_THAT(errors(), HasSubstr(text)) << described(arguments);
    }
    for (const char* raw : {"filesystem error", "internal error", "basic_string", "what()"}) {
      EXPECT_THAT(errors(), testing::Not(HasSubstr(raw))) << described(arguments);
    }
  }

  static std::string described(const Arguments& arguments) {
    std::string text;
    for (const std::string& a : arguments) {
      text += printable(a.substr(0, 200)) + " ";
    }
    return text + "\n";
  }

  Arguments train(const std::string& out, const Arguments& more = {}) const {
    Arguments arguments{
        "train", (folder_ / "preset.json").string(), "--base", "demo", "--images", "demo", "--out",
        out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  std::string errors() const { return read_text(folder_ / "errors"); }

  test::TempFolder temp_;
  const fs::path folder_ = temp_.path();
  const fs::path work_ = folder_ / "work";  ///< the current folder of the program
  const Mantissa program_{folder_ / "home"};
};

TEST_F(BadInput, OnlyRegularFilesAreRead) {
  const std::string fifo = folder_ / "fifo", socket_name = folder_ / "socket";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(socket_name.size(), sizeof address.sun_path);
  socket_name.copy(address.sun_path, socket_name.size());
  ASSERT_EQ(bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const std::string& path :
       {fifo, socket_name, std::string("/dev/zero"), std::string("/dev/tty")}) {
    const std::string png = folder_ / "x.png", out = folder_ / "x.safetensors";
    for (const Arguments& arguments : std::vector<Arguments>{
             {"inspect", path},
             {"presets", "show", path},
             {"presets", "import", path},
             {"presets", "export", path},
             {"presets", "diff", path, path},
             {"train", path, "--base", "demo", "--images", "demo"},
             {"train", "demo", "--base", path, "--images", "demo"},
             {"train", "demo", "--base", "demo", "--images", path},
             {"train", "demo", "--base", "demo", "--images", "demo", "--continue-from", path},
             {"train", "demo", "--base", "demo", "--images", "demo", "--replay", path},
             {"train", "demo", "--base", "demo", "--images", "demo", "--trace", path},
             {"train", "demo", "--base", "demo", "--images", "demo", "--out", path},
             {"train", "--resume", path},
             {"check", path, "--base", "demo"},
             {"check", "demo", "--base", path},
             {"check", "demo", "--base", "demo", "--apply-fixes", path},
             {"sample", "--base", path, "--prompt", "x", "--out", png},
             {"sample", "--base", "demo", "--prompts", path, "--out", work_ / "many"},
             {"sample", "--base", "demo", "--lora", path, "--prompt", "x", "--out", png},
             {"merge", "--base", "demo", "--lora", path, "--out", out},
             {"merge", "--base", "demo", "--lora", path, "--out", path},
             {"convert", path, "--base", "demo", "--out", out},
             {"resize", path, "--base", "demo", "--rank", "1", "--out", out},
             {"extract", "--tuned", path, "--base", "demo", "--rank", "1", "--out", out},
             {"new", "--like", path, "--out", out},
             {"runs", "show", path}}) {
      expect_refused(arguments, {});
    }
    EXPECT_TRUE(!fs::exists(path) || !fs::is_regular_file(path)) << path;
  }
  close(socket);
}

TEST_F(BadInput, APipeInPlaceOfAFileOfTheProgramsOwnIsRefused) {
  ASSERT_EQ(run(train("made")), 0) << errors();
  for (const char* side : {"", "-wal", "-shm"}) {
    const fs::path home = folder_ / "home", file = home / (std::string("runs.db") + side);
    const fs::path kept = folder_ / "kept";
    fs::copy(home, kept, fs::copy_options::recursive);
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    for (const Arguments& arguments :
         std::vector<Arguments>{{"runs", "list"}, {"runs", "show", "2"}, train("another")}) {
      expect_refused(arguments, {file.string(), "not a regular file"});
    }
    fs::remove_all(home);
    fs::rename(kept, home);
  }
  for (const char* own : {"run.lock", "log.txt", "job.json"}) {
    const fs::path folder = work_ / "made", kept = folder_ / "kept";
    fs::copy(folder, kept, fs::copy_options::recursive);
    fs::remove(folder / own);
    ASSERT_EQ(mkfifo((folder / own).c_str(), 0600), 0);
    EXPECT_EQ(run({"runs", "list"}), 0) << own << ": " << errors();
    const int resumed = run({"train", "--resume", "made", "--set", "training.steps=2"});
    EXPECT_THAT(resumed, AnyOf(0, 2)) << own << ": " << errors();
    fs::remove_all(folder);
    fs::rename(kept, folder);
  }
}

TEST_F(BadInput, RunsOfAnotherUserAreListedWhereTheyCanBeRead) {
  ASSERT_EQ(run(train("made")), 0) << errors();
  const fs::path home = folder_ / "home";
  fs::permissions(home, fs::perms::owner_all | fs::perms::others_read | fs::perms::others_exec |
                            fs::perms::group_read | fs::perms::group_exec);
  for (const auto& entry : fs::directory_iterator(home)) {
    fs::permissions(entry.path(), fs::perms::others_read, fs::perm_options::add);
  }
  ASSERT_FALSE(fs::exists(home / "runs.db-wal")) << "closed by its last writer";
  const auto become_another = [] {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
      _exit(125);
    }
  };
  if (geteuid() != 0) {
    fs::permissions(home, fs::perms::owner_write, fs::perm_options::remove);
  }
  EXPECT_EQ(run({"runs", "list"}, become_another), 0) << errors();
  EXPECT_THAT(read_text(folder_ / "output"), HasSubstr("finished"));
  fs::permissions(home, fs::perms::owner_all, fs::perm_options::add);
}

TEST_F(BadInput, NumbersThatAreNoneAreRefusedByTheirOptionsName) {
  const Arguments sample{"sample", "--base", "demo", "--prompt", "x", "--out", "x.png"};
  const Arguments resize{"resize", "x.safetensors", "--base", "demo", "--out", "y.safetensors"};
  const auto with = [](Arguments arguments, const std::string& option, const std::string& value) {
    arguments.push_back(option);
    arguments.push_back(value);
    return arguments;
  };
  for (const char* value :
       {"nan", "NaN", "-nan", "inf", "-inf", "1e999", "-1", "1e-", "", "x", "0x"}) {
    for (const char* option :
         {"--guidance", "--steps", "--seed", "--width", "--height", "--clip-skip"}) {
      expect_refused(with(sample, option, value), {option});
    }
    for (const char* option : {"--rank", "--energy"}) {
      expect_refused(with(resize, option, value), {option});
    }
    for (const char* option : {"--trace-steps", "--health-every", "--memory-budget"}) {
      expect_refused(with(train("run"), option, value), {option});
    }
    for (const char* key : {"optimizer.learning_rate", "training.steps", "adapter.rank",
                            "training.max_grad_norm", "optimizer.weight_decay", "adapter.alpha"}) {
      expect_refused(with(train("run"), "--set", std::string(key) + "=" + value), {key});
    }
    expect_refused({"new", "--like", "demo", "--out", "n.safetensors", "--seed", value},
                   {"--seed"});
    expect_refused({"runs", "list", "--limit", value}, {"--limit"});
    expect_refused({"probe", "demo", "--base", "demo", "--steps", value}, {"--steps"});
  }
  EXPECT_TRUE(fs::is_empty(work_));
}

TEST_F(BadInput, EmptyValuesAreRefusedByTheirOptionsName) {
  for (const char* option : {"--continue-from", "--resume", "--trace", "--replay", "--images",
                             "--prior", "--validation", "--device", "--base", "--out", "--set"}) {
    expect_refused(train("run", {option, ""}), {option});
  }
  EXPECT_TRUE(fs::is_empty(work_));
}

TEST_F(BadInput, NothingThatNoRunMadeIsOverwritten) {
  const auto mine = [&](const fs::path& file) {
    fs::create_directories(file.parent_path());
    test::write_file(file, "mine");
    return file.string();
  };
  const std::string png = mine(folder_ / "mine.png"), model = mine(folder_ / "mine.safetensors"),
                    json = mine(folder_ / "mine.json"), in_folder = mine(folder_ / "full/mine.txt");
  mine(folder_ / "samples/0001.png");
  test::write_file(folder_ / "prompts.txt", "x\n");
  const std::string full = folder_ / "full", prompts = folder_ / "prompts.txt",
                    samples = folder_ / "samples";
  ASSERT_EQ(run({"new", "--like", "demo", "--out", "base.safetensors"}), 0) << errors();
  ASSERT_EQ(run(train("made")), 0) << errors();
  const std::string lora = work_ / "made/a.safetensors";
  for (const Arguments& arguments : std::vector<Arguments>{
           {"presets", "export", "demo", "--out", json},
           {"presets", "import", (folder_ / "preset.json").string(), "--out", json},
           {"check", "demo", "--base", "demo", "--apply-fixes", json},
           {"sample", "--base", "demo", "--prompt", "x", "--steps", "1", "--out", png},
           {"sample", "--base", "demo", "--prompts", prompts, "--steps", "1", "--out", samples},
           {"convert", lora, "--base", "demo", "--out", model},
           {"convert", lora, "--base", "demo", "--format", "peft", "--out", full},
           {"resize", lora, "--base", "demo", "--rank", "1", "--out", model},
           {"extract", "--tuned", "demo", "--base", "demo", "--rank", "1", "--out", model},
           {"merge", "--base", "demo", "--lora", lora, "--out", model},
           {"merge", "--base", "demo", "--lora", lora, "--out", full},
           {"new", "--like", "demo", "--out", model},
           {"new", "--like", "demo", "--out", full},
           train("fresh", {"--trace", model})}) {
    expect_refused(arguments, {"--overwrite"});
    for (const std::string& file : {png, model, json, in_folder, samples + "/0001.png"}) {
      EXPECT_EQ(read_text(file), "mine") << described(arguments);
    }
  }
  for (const char* name : {"a.safetensors", "log.txt", "dataset.txt", "job.json",
                           "samples/mine.png", "checkpoints/mine"}) {
    mine(work_ / "theirs" / name);
    expect_refused(train("theirs"), {"--overwrite"});
    EXPECT_EQ(read_text(work_ / "theirs" / name), "mine");
    fs::remove_all(work_ / "theirs");
  }
  mine(work_ / "theirs/a.safetensors");
  mine(work_ / "theirs/notes.txt");
  EXPECT_EQ(run(train("theirs", {"--overwrite"})), 0) << errors();
  EXPECT_NE(read_text(work_ / "theirs/a.safetensors"), "mine");
  EXPECT_EQ(read_text(work_ / "theirs/notes.txt"), "mine");
  for (const Arguments& arguments :
       std::vector<Arguments>{{"presets", "export", "demo", "--out", json, "--overwrite"},
                              {"new", "--like", "demo", "--out", model, "--overwrite"},
                              {"convert", lora, "--base", "demo", "--out", model, "--overwrite"}}) {
    EXPECT_EQ(run(arguments), 0) << described(arguments) << errors();
  }
}

/// Names from users, other systems and attackers; each is a path below the current folder, or tries
/// to leave it.
std::vector<std::string> strange_paths() {
  std::vector<std::string> paths{" ",
                                 "  leading",
                                 "trailing ",
                                 ".",
                                 "..",
                                 "...",
                                 "../escape",
                                 "../../escape",
                                 "a/../../escape",
                                 "./x",
                                 "a//b",
                                 "a/./b",
                                 "a/..",
                                 "-",
                                 "--",
                                 "-x",
                                 "--json",
                                 "~",
                                 "~root",
                                 "$HOME",
                                 "%TEMP%",
                                 "*",
                                 "?",
                                 "[a]",
                                 "{a,b}",
                                 "a;b",
                                 "a|b",
                                 "a&b",
                                 "`id`",
                                 "$(id)",
                                 "'",
                                 "\"",
                                 "\\",
                                 "a\\..\\b",
                                 "C:",
                                 "C:\\x",
                                 "\\\\host\\share",
                                 "con",
                                 "NUL",
                                 "aux.png",
                                 "x:y",
                                 "x.png:stream",
                                 "x.PNG",
                                 "X.png",
                                 "x.safetensors",
                                 "X.SAFETENSORS",
                                 "x.ckpt",
                                 "x.json",
                                 "日本語",
                                 "Grüße",
                                 "👍🏽",
                                 "👨‍👩‍👧",
                                 "e\xcc\x81",
                                 "\xc3\xa9",
                                 "عربى",
                                 "\xe2\x80\xaegnp.x",
                                 "a\xe2\x80\x8b",
                                 "\xef\xbb\xbfx",
                                 "line\nbreak",
                                 "tab\tx",
                                 "\x1b[31mred",
                                 "bell\x07",
                                 "\x7f",
                                 "\xff",
                                 "a\xc0\xaf..",
                                 "\xed\xa0\x80",
                                 "link-to-file",
                                 "link-to-folder",
                                 "link-to-outside",
                                 "dangling",
                                 "loop",
                                 "fifo",
                                 "file/below",
                                 "sealed/x",
                                 "demo",
                                 "job.json",
                                 "https://example.org/x"};
  paths.push_back(std::string(255, 'n'));
  paths.push_back(std::string(256, 'n'));
  paths.push_back(std::string(5000, 'n'));
  std::string deep;
  for (int i = 0; i < 1500; ++i) {
    deep += "d/";
  }
  paths.push_back(deep);
  return paths;
}

TEST_F(BadInput, StrangePathsWriteNothingOutsideAndAreNeverADefect) {
  fs::create_directories(folder_ / "outside");
  test::write_file(work_ / "file", "x");
  test::write_file(work_ / "x.png", "not an image");
  fs::create_directories(work_ / "sealed");
  fs::permissions(work_ / "sealed", fs::perms::owner_read);
  fs::create_symlink("file", work_ / "link-to-file");
  fs::create_directory_symlink("sealed", work_ / "link-to-folder");
  fs::create_symlink("nowhere", work_ / "dangling");
  fs::create_symlink("loop", work_ / "loop");
  ASSERT_EQ(mkfifo((work_ / "fifo").c_str(), 0600), 0);
  const std::vector<std::string> paths = strange_paths();
  EXPECT_GE(paths.size(), 50U);
  std::size_t runs = 0;
  for (const std::string& path : paths) {
    for (const Arguments& arguments : std::vector<Arguments>{
             {"inspect", path},
             {"presets", "show", path},
             {"presets", "export", "demo", "--out", path},
             {"train", path, "--base", "missing", "--images", "demo"},
             {"check", "demo", "--base", path},
             {"check", "demo", "--base", "demo", "--images", path},
             {"train", "--resume", path},
             {"runs", "show", path},
             {"convert", path, "--base", "demo", "--out", path},
             train("never", {"--set", "output.name=" + path, "--base", "missing"})}) {
      const int status = run(arguments);
      EXPECT_THAT(status, AnyOf(0, 2, 3, 5, 6)) << described(arguments) << errors();
      EXPECT_THAT(errors(), testing::Not(HasSubstr("filesystem error"))) << described(arguments);
      ++runs;
    }
  }
  EXPECT_GE(runs, 500U);
  fs::permissions(work_ / "sealed", fs::perms::owner_all);
}

TEST_F(BadInput, ARunWritesNothingOutsideItsFolder) {
  // Values of output.name, image names and --out.
  for (const std::string name :
       {"../escape", "a/../../escape", "/tmp/mantissa-escape", "a/b", "..", "a\nb",
        "\xe2\x80\xae"
        "gnp"}) {
    const int status = run(train("run", {"--set", "output.name=" + name}));
    EXPECT_THAT(status, AnyOf(0, 2)) << printable(name) << errors();
    fs::remove_all(work_ / "run");
    EXPECT_TRUE(fs::is_empty(work_)) << printable(name);
    EXPECT_FALSE(fs::exists("/tmp/mantissa-escape.safetensors"));
  }
  fs::create_directories(folder_ / "outside");
  fs::create_directory_symlink(folder_ / "outside", work_ / "link");
  EXPECT_EQ(run(train("link")), 0) << "a link as the run's folder is the user's own choice";
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(names, (std::set<std::string>{"errors", "home", "images", "output", "outside",
                                          "preset.json", "work"}));
}

TEST_F(BadInput, ATooLowLimitOfThreadsIsToldOrWorkedWith) {
  for (int threads = 0; threads < 12; ++threads) {
    fs::remove_all(work_ / "run");
    std::map<std::string, std::string> shim{
        {"LD_PRELOAD", MANTISSA_BINARY_DIR "/lib/libthread_shim.so"},
        {"MANTISSA_THREADS", std::to_string(threads)}};
    if (kAddressSanitizer) {
      shim["ASAN_OPTIONS"] = "verify_asan_link_order=0";
      // GLib loses what a thread that doesn't start was to have.
      test::write_file(folder_ / "leaks", "leak:libglib-2.0.so\n");
      shim["LSAN_OPTIONS"] = "suppressions=" + (folder_ / "leaks").string();
    }
    const int status = run(train("run"), {}, shim);
    EXPECT_THAT(status, AnyOf(0, 5)) << threads << " threads: " << errors();
    EXPECT_TRUE(status == 0 || errors().find("refuses another thread") != std::string::npos)
        << errors();
  }
}

TEST_F(BadInput, ATooLowLimitOfMemoryIsToldOrWorkedWith) {
  if (kAddressSanitizer) {
    GTEST_SKIP() << "AddressSanitizer reserves terabytes of addresses";
  }
  for (rlim_t megabytes = 64; megabytes <= 640; megabytes += 32) {
    fs::remove_all(work_ / "run");
    const int status = run(train("run"), [megabytes] {
      const rlimit limit{megabytes << 20, megabytes << 20};
      setrlimit(RLIMIT_AS, &limit);
    });
    // 127: the dynamic loader could not map the program's libraries.
    EXPECT_THAT(status, AnyOf(0, 5, 127)) << megabytes << " MiB: " << errors();
  }
}

TEST_F(BadInput, AFolderThatCantBeWrittenIsNamed) {
  if (geteuid() == 0) {
    // Root may write anywhere except here.
    expect_refused(train("/proc/run"), {"/proc/run"});
    expect_refused({"presets", "export", "demo", "--out", "/proc/x.json"}, {"/proc/x.json"});
    expect_refused(
        {"sample", "--base", "demo", "--prompt", "x", "--steps", "1", "--out", "/proc/x.png"},
        {"/proc/x.png"});
    return;
  }
  fs::permissions(work_, fs::perms::owner_read | fs::perms::owner_exec);
  expect_refused(train("run"), {"run"});
  expect_refused({"presets", "export", "demo", "--out", "x.json"}, {"x.json"});
  fs::permissions(work_, fs::perms::owner_all);
}

}  // namespace
}  // namespace mantissa
