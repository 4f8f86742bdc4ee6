// Installing from a folder of wheels, and what is told about an installation.
#include "engine/toolkit/install.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/disk_full.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/toolkit/installed.h"
#include "tests/engine/toolkit/tiny_wheels.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using State = InstalledLibraries::State;

class InstallTest : public testing::Test {
 protected:
  void SetUp() override { wheels_.write(given_); }

  fs::path install() {
    return install_libraries({wheels_.table, root_, given_}, stop_.get_token(),
                             [this](const InstallProgress& now) {
                               if (on_progress_) {
                                 on_progress_(now);
                               }
                             });
  }
  State state() const { return installed_libraries(wheels_.table, root_).state; }
  fs::path target() const { return root_ / wheels_.table.id(); }
  LibraryWheel& first() { return wheels_.table.wheels[0]; }

  test::TinyWheels wheels_;
  test::TempFolder folder_;
  const fs::path given_ = folder_ / "wheels", root_ = folder_ / "root";
  std::stop_source stop_;
  std::function<void(const InstallProgress&)> on_progress_;
};

TEST_F(InstallTest, UnpacksTheLibrariesAndTheirTermsAlone) {
  EXPECT_EQ(state(), State::none);
  EXPECT_EQ(install(), target());
  EXPECT_EQ(state(), State::complete);
  for (const auto& [name, content] : wheels_.libraries) {
    EXPECT_EQ(read_text(target() / name), content) << name;
  }
  EXPECT_EQ(read_text(target() / "licenses/first.txt"), "the text of first");
  EXPECT_EQ(read_text(target() / "licenses/second.txt"), "the text of second");
  EXPECT_FALSE(fs::exists(target() / "first.h"));
  // The user's wheels stay.
  EXPECT_TRUE(fs::exists(given_ / first().file));
}

TEST_F(InstallTest, NamesTheWheelsThatTheFolderLacks) {
  fs::remove(given_ / wheels_.table.wheels[1].file);
  test::expect_error_with([&] { install(); },
                          {path_to_utf8(given_), "lacks second-1.0-py3-none-any.whl;"});
  EXPECT_EQ(state(), State::none);
}

TEST_F(InstallTest, RefusesAWheelOfOtherContentBeforeAnythingIsUnpacked) {
  std::fstream(given_ / wheels_.table.wheels[1].file,
               std::ios::in | std::ios::out | std::ios::binary)
      << "x";
  test::expect_error_with([&] { install(); }, {"second-1.0-py3-none-any.whl", "SHA-256"});
  EXPECT_FALSE(fs::exists(target()));
  EXPECT_FALSE(fs::exists(root_ / (wheels_.table.id() + ".part") / "libfirst.so.1"));
}

TEST_F(InstallTest, RefusesADamagedArchive) {
  std::string& archive = wheels_.files.at(first().file);
  archive[archive.size() / 2] ^= 1;
  first().sha256 = sha256_hex(archive);
  wheels_.write(given_);
  test::expect_error_with([&] { install(); }, {"could not unpack", "first-1.0-py3-none-any.whl"});
  EXPECT_EQ(state(), State::none);
}

TEST_F(InstallTest, RefusesAnArchiveWithoutALibrary) {
  first().libraries["first/lib/libthird.so"] = 5;
  test::expect_error_with([&] { install(); }, {"lacks 1 of the files"});
}

TEST_F(InstallTest, RefusesALibraryOfAnotherSize) {
  first().libraries["first/lib/libfirst.so.1"] += 1;
  test::expect_error_with([&] { install(); }, {"first-1.0-py3-none-any.whl", "other sizes"});
  EXPECT_EQ(state(), State::none);
}

TEST_F(InstallTest, IsCancelledWhileUnpackingAndContinued) {
  on_progress_ = [&](const InstallProgress& now) {
    if (now.stage == InstallProgress::Stage::unpacking && now.package == "second") {
      stop_.request_stop();
    }
  };
  try {
    install();
    // The last block of the last library: it was complete before the request was seen.
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::interrupted);
  }
  if (state() != State::complete) {
    stop_ = {};
    // What is unpacked is not unpacked again.
    on_progress_ = [](const InstallProgress& now) { EXPECT_NE(now.package, "first"); };
    EXPECT_EQ(install(), target());
  }
  EXPECT_EQ(state(), State::complete);
}

TEST_F(InstallTest, IsRefusedWhereTheDiskIsTooSmall) {
  first().libraries["first/lib/libfirst.so.1"] = std::uint64_t{1} << 60;
  try {
    install();
    ADD_FAILURE() << "there was room";
  } catch (const DiskFull& e) {
    EXPECT_EQ(e.folder(), root_);
    EXPECT_GE(e.needed(), std::uint64_t{1} << 60);
    EXPECT_THAT(e.what(), testing::HasSubstr("MANTISSA_HOME"));
  }
  EXPECT_FALSE(fs::exists(root_ / (wheels_.table.id() + ".part")));
}

TEST_F(InstallTest, RepairsWhatIsDamaged) {
  install();
  fs::resize_file(target() / "libfirst.so.1", 10);
  const InstalledLibraries found = installed_libraries(wheels_.table, root_);
  EXPECT_EQ(found.state, State::damaged);
  EXPECT_EQ(found.detail, "libfirst.so.1");
  on_progress_ = [](const InstallProgress& now) { EXPECT_EQ(now.package, "first"); };
  install();
  EXPECT_EQ(state(), State::complete);
}

TEST_F(InstallTest, ReplacesThoseOfAnotherVersion) {
  const fs::path old = install();
  wheels_.table.wheels.pop_back();
  EXPECT_EQ(state(), State::other_version);
  EXPECT_NE(install(), old);
  EXPECT_FALSE(fs::exists(old));
}

TEST_F(InstallTest, OneProgramInstallsAtATime) {
  fs::create_directories(root_);
  const RunLock other = lock_libraries(root_);
  test::expect_error_with([&] { install(); }, {"another program", path_to_utf8(root_)});
  test::expect_error_with([&] { remove_libraries(root_); }, {"another program"});
}

TEST_F(InstallTest, IsRemoved) {
  EXPECT_EQ(remove_libraries(root_), 0U);
  install();
  EXPECT_GT(remove_libraries(root_), 3'000'000U);
  EXPECT_EQ(state(), State::none);
}

TEST(LibraryTable, OfThisProgramNamesWhatItLoads) {
  const std::string json = read_text(MANTISSA_SOURCE_DIR "/resources/cuda_libraries.json");
  const auto names = [&](const char* platform) {
    std::vector<std::string> all;
    for (const LibraryWheel& wheel : parse_library_table(json, platform).wheels) {
      EXPECT_EQ(wheel.sha256.size(), 64U);
      for (const auto& [path, bytes] : wheel.libraries) {
        all.push_back(library_name(path));
      }
    }
    return all;
  };
  // As in kernels/load.cpp.
  EXPECT_THAT(names("linux-x64"),
              testing::IsSupersetOf({"libcublasLt.so.13", "libcudnn.so.9", "libcudnn_graph.so.9",
                                     "libnvrtc.so.13", "libnvrtc-builtins.so.13.0"}));
  EXPECT_THAT(names("windows-x64"),
              testing::IsSupersetOf({"cudart64_13.dll", "cublasLt64_13.dll", "cudnn64_9.dll",
                                     "cudnn_graph64_9.dll", "nvrtc64_130_0.dll",
                                     "nvrtc-builtins64_130.dll"}));
  EXPECT_THAT(names("plan9"), testing::IsEmpty());
  const LibraryTable table = library_table();
  EXPECT_GT(table.download_bytes(), 500'000'000U);
  EXPECT_EQ(table.licences().size(), 2U);
}

TEST(LibraryTable, IsRefusedIfItIsNone) {
  test::expect_error_with([] { parse_library_table("{}", "linux-x64"); }, {"cuda_libraries.json"});
  test::expect_error_with([] { parse_library_table("[", "linux-x64"); }, {"cuda_libraries.json"});
}

}  // namespace
}  // namespace mantissa
