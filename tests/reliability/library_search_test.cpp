// No program searches the current folder for libraries: it may be a folder of downloaded images.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "tests/reliability/elf_file.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

const fs::path kBuild = MANTISSA_BINARY_DIR;

/// Every file below `folder` that has a dynamic section.
std::vector<fs::path> elf_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::exists(folder)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file() && !entry.is_symlink() && read_dynamic_section(entry.path())) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Relative to the program, or absolute if the program is built for this machine only.
void expect_safe_search(const fs::path& file, bool moves) {
  const DynamicSection section = *read_dynamic_section(file);
  for (const std::string& entry : section.searched) {
    const bool beside = entry == "$ORIGIN" || entry.starts_with("$ORIGIN/");
    EXPECT_TRUE(beside || (!moves && entry.starts_with("/")))
        << file << " searches \"" << entry << "\" for libraries";
  }
}

/// Arguments with which a program of the build does almost nothing; none if it has no such.
std::vector<std::string> quick_arguments(const std::string& program) {
  if (program == "mantissa" || program == "mantissa-studio") {
    return {"--version"};
  }
  if (program == "gui_tests") {
    return {"StepRingTest", "-functions"};
  }
  return program.ends_with("_tests") ? std::vector<std::string>{"--gtest_list_tests"}
                                     : std::vector<std::string>{};
}

/// A folder "bin" full of fakes of every library that the programs might load.
class LibrarySearch : public testing::Test {
 protected:
  /// Names of a program's and its libraries' dependencies, as resolved by the loader.
  static std::set<std::string> loaded_names(const fs::path& program) {
    std::set<std::string> names;
    const std::string command = "LD_TRACE_LOADED_OBJECTS=1 '" + program.string() + "' 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> line{};
    while (pipe != nullptr && std::fgets(line.data(), line.size(), pipe) != nullptr) {
      const std::string text = line.data();
      if (const std::size_t arrow = text.find(" => "); arrow != std::string::npos) {
        names.insert(text.substr(1, arrow - 1));
      }
    }
    pclose(pipe);
    return names;
  }

  void add_namesakes(const std::vector<fs::path>& objects) {
    std::set<std::string> names{"libmantissa_cuda.so", "libcuda.so.1",       "libcublasLt.so.13",
                                "libcublas.so.13",     "libcudnn.so.9",      "libcudnn_graph.so.9",
                                "libnvrtc.so.13",      "libmantissa_mpi.so", "libmpi.so.40"};
    for (const fs::path& object : objects) {
      const DynamicSection section = *read_dynamic_section(object);
      names.insert(section.needed.begin(), section.needed.end());
      if (::access(object.c_str(), X_OK) == 0) {
        names.merge(loaded_names(object));
      }
    }
    for (const char* below : {".", "lib", "lib64", "bin", "../lib", "../lib/mantissa"}) {
      for (const std::string& name : names) {
        add(fs::path(below) / name);
      }
    }
    for (const char* name : {"offscreen", "xcb", "minimal"}) {
      add(std::string("platforms/libq") + name + ".so");
    }
    // libvips infers its location from a program of its caller's name in a folder "bin".
    std::ofstream(hostile_ / "mantissa") << "#!/bin/false\n";
    for (const char* below : {"../lib", "../x86_64-linux-gnu"}) {
      for (int minor = 10; minor < 30; ++minor) {
        add(fs::path(below) / ("vips-modules-8." + std::to_string(minor)) / "vips-heif.so");
      }
      add(fs::path(below) / "hostile.plg");
    }
  }

  void add(const fs::path& name) {
    const fs::path file = hostile_ / name;
    fs::create_directories(file.parent_path());
    std::error_code error;
    fs::create_hard_link(kLibrary, file, error);
    if (error && !fs::exists(file)) {
      fs::copy_file(kLibrary, file);
    }
  }

  /// Starts `program` in the hostile folder. Ends it after a minute.
  int start(const fs::path& program, const std::vector<std::string>& arguments,
            const std::map<std::string, std::string>& environment = {}) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      setenv("MANTISSA_HOME", (folder_ / "home").c_str(), 1);
      setenv("QT_QPA_PLATFORM", "offscreen", 1);
      for (const auto& [key, value] : environment) {
        setenv(key.c_str(), value.c_str(), 1);
      }
      std::vector<char*> list{const_cast<char*>(program.c_str())};
      for (const std::string& a : arguments) {
        list.push_back(const_cast<char*>(a.c_str()));
      }
      list.push_back(nullptr);
      if (chdir(hostile_.c_str()) == 0 &&
          std::freopen((folder_ / "output").c_str(), "w", stdout) != nullptr &&
          dup2(fileno(stdout), fileno(stderr)) >= 0) {
        execv(program.c_str(), list.data());
      }
      _exit(127);
    }
    return Mantissa::wait(child).status;
  }

  std::vector<std::string> markers() const {
    std::vector<std::string> found;
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(hostile_.parent_path())) {
      if (entry.path().extension() == ".loaded") {
        found.push_back(entry.path().string());
      }
    }
    return found;
  }

  /// Everything in the folder `bin`, started among fakes of all its dependencies.
  void expect_own_libraries(const fs::path& bin) {
    const std::vector<fs::path> programs = elf_files(bin);
    ASSERT_FALSE(programs.empty()) << "nothing is built in " << bin;
    std::vector<fs::path> objects = programs;
    for (const fs::path& library : elf_files(bin.parent_path() / "lib")) {
      objects.push_back(library);
    }
    add_namesakes(objects);
    for (const fs::path& program : programs) {
      const std::vector<std::string> arguments = quick_arguments(program.filename());
      if (!arguments.empty()) {
        EXPECT_EQ(start(program, arguments), 0) << program << ": " << output();
        EXPECT_THAT(markers(), testing::IsEmpty()) << program;
      }
    }
    expect_own_libraries_while_working(bin / "mantissa");
  }

  /// The CUDA library and libvips, which are searched for only when they are needed.
  void expect_own_libraries_while_working(const fs::path& program) {
    EXPECT_EQ(start(program, {"devices"}), 0) << output();
    // A file that isn't a library makes the program search for the CUDA library's dependencies.
    test::write_file(folder_ / "libmantissa_cuda.so", "not a library");
    const std::string unusable = folder_ / "libmantissa_cuda.so";
    for (const char* toolkit : {"", ".", "lib"}) {
      EXPECT_EQ(start(program, {"devices"},
                      {{"CUDA_PATH", toolkit},
                       {"CUDA_HOME", toolkit},
                       {"MANTISSA_CUDA_LIBRARY", unusable}}),
                0)
          << output();
    }
    for (const char* given : {"libmantissa_cuda.so", "./libmantissa_cuda.so", ""}) {
      EXPECT_EQ(start(program, {"devices"}, {{"MANTISSA_CUDA_LIBRARY", given}}), 0) << output();
    }
    // As one of two processes that no launcher connects, it opens its MPI library and refuses.
    for (const char* given : {"libmantissa_mpi.so", "./libmantissa_mpi.so", ""}) {
      EXPECT_EQ(start(program, {"train", "demo", "--base", "demo", "--images", "demo"},
                      {{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"MANTISSA_MPI_LIBRARY", given}}),
                2)
          << output();
    }
    EXPECT_EQ(start(program, {"train", "demo", "--base", "demo", "--images", "demo", "--set",
                              "training.steps=1", "--set", "samples.every=0", "--out",
                              (folder_ / "run").string()}),
              0)
        << output();
    EXPECT_THAT(markers(), testing::IsEmpty());
  }

  std::string output() const { return read_text(folder_ / "output"); }

  const fs::path kLibrary = kBuild / "lib/libhostile_library.so";
  test::TempFolder temp_;
  const fs::path folder_ = temp_.path();
  const fs::path hostile_ = [this] {
    fs::create_directories(folder_ / "hostile/bin");
    return folder_ / "hostile/bin";
  }();
};

TEST(LibrarySearchPaths, OfTheBuildNameNeitherTheCurrentNorARelativeFolder) {
  std::vector<fs::path> files = elf_files(kBuild / "bin");
  for (const fs::path& library : elf_files(kBuild / "lib")) {
    files.push_back(library);
  }
  ASSERT_GE(files.size(), 3U);
  for (const fs::path& file : files) {
    expect_safe_search(file, false);
  }
}

TEST_F(LibrarySearch, ANamesakeIsNoticedWhereTheFolderIsSearched) {
  add("libsqlite3.so.0");
  // All symbols are bound at the start: a library that lacks them ends the program there.
  EXPECT_NE(start(kBuild / "bin/mantissa", {"--version"}, {{"LD_LIBRARY_PATH", ":"}}), 0);
  EXPECT_THAT(output(), testing::HasSubstr("undefined symbol: sqlite3_"));
}

TEST_F(LibrarySearch, OfTheBuildTree) {
  expect_own_libraries(kBuild / "bin");
}

TEST_F(LibrarySearch, OfTheInstalledTree) {
  const fs::path prefix = folder_ / "installed";
  std::vector<std::string> components{"app"};
  if (fs::exists(kBuild / "lib/libmantissa_cuda.so")) {
    components.emplace_back("cuda");
  }
  for (const std::string& component : components) {
    const std::string command = "cmake --install '" + kBuild.string() + "' --prefix '" +
                                prefix.string() + "' --component " + component + " >/dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  for (const fs::path& file : elf_files(prefix)) {
    expect_safe_search(file, true);
  }
  expect_own_libraries(prefix / "bin");
}

TEST_F(LibrarySearch, OfTheTarball) {
  if (std::system("command -v patchelf >/dev/null") != 0) {
    GTEST_SKIP() << "the tarball is packed with patchelf, which is not installed";
  }
  const std::string archive = folder_ / "mantissa.tar.xz";
  ASSERT_EQ(std::system(("XZ_LEVEL=0 bash " MANTISSA_SOURCE_DIR "/packaging/tarball.sh '" +
                         kBuild.string() + "' '" + archive + "' >/dev/null && tar -C '" +
                         folder_.string() + "' -xJf '" + archive + "'")
                            .c_str()),
            0);
  const std::vector<fs::path> files = elf_files(folder_ / "mantissa");
  ASSERT_GT(files.size(), 10U);
  for (const fs::path& file : files) {
    expect_safe_search(file, true);
  }
  expect_own_libraries(folder_ / "mantissa/bin");
}

}  // namespace
}  // namespace mantissa
