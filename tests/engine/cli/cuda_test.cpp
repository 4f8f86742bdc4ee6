// `mantissa cuda` without a network: folders of wheels, states, events.
#include <gmock/gmock.h>

#include "engine/toolkit/installed.h"
#include "tests/engine/cli/cli_fixture.h"
#include "tests/environment.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class CudaCommand : public CliTest {
 protected:
  void SetUp() override {
    CliTest::SetUp();
    test::set_environment("MANTISSA_HOME", path("home"));
  }
  void TearDown() override {
    test::set_environment("MANTISSA_HOME", std::nullopt);
    test::set_environment("MANTISSA_RESOURCES", std::nullopt);
    CliTest::TearDown();
  }
  /// As if they were installed: files of the right sizes that take no room.
  void pretend_installed(const LibraryTable& table, const fs::path& root = libraries_root()) {
    const fs::path folder = root / table.id();
    fs::create_directories(folder);
    for (const LibraryWheel& wheel : table.wheels) {
      for (const auto& [path, bytes] : wheel.libraries) {
        std::ofstream(folder / library_name(path)).close();
        fs::resize_file(folder / library_name(path), bytes);
      }
    }
  }
};

TEST_F(CudaCommand, StatusListsFilesAndState) {
  ASSERT_EQ(run({"cuda", "status"}), 0);
  EXPECT_THAT(out(), testing::AllOf(HasSubstr("nvidia-cudnn-cu13"), HasSubstr(".whl"),
                                    HasSubstr("Not installed; `mantissa cuda install` downloads")));
  EXPECT_TRUE(cuda_library_folder().empty());
  const LibraryTable table = library_table();
  pretend_installed(table);
  ASSERT_EQ(run({"cuda", "status"}), 0);
  EXPECT_THAT(unwrapped(), HasSubstr("Installed in"));
  EXPECT_EQ(cuda_library_folder(), libraries_root() / table.id());
  const std::string library = library_name(table.wheels[0].libraries.begin()->first);
  fs::resize_file(cuda_library_folder() / library, 5);
  ASSERT_EQ(run({"--json", "cuda", "status"}), 0);
  EXPECT_EQ(events().size(), table.wheels.size() + 1);
  EXPECT_EQ(events()[0].at("event"), "cuda_package");
  EXPECT_EQ(events().back().at("state"), "damaged");
  EXPECT_TRUE(cuda_library_folder().empty());
  fs::rename(libraries_root() / table.id(), libraries_root() / "0123456789ab");
  ASSERT_EQ(run({"cuda", "status"}), 0);
  EXPECT_THAT(unwrapped(), HasSubstr("another version of Mantissa"));
}

TEST_F(CudaCommand, InstallNamesTheWheelsThatAFolderLacks) {
  EXPECT_EQ(run({"cuda", "install", "--from", path("wheels")}), 2);
  EXPECT_THAT(err(), testing::AllOf(HasSubstr("lacks nvidia_"), HasSubstr("cuda status")));
  EXPECT_THAT(unwrapped(), testing::AllOf(HasSubstr("you accept the NVIDIA CUDA Toolkit EULA"),
                                          testing::Not(HasSubstr("to download"))));
  EXPECT_EQ(run({"cuda", "install", "--from", "a", "--index", "https://b"}), 2);
}

TEST_F(CudaCommand, NothingIsDownloadedForAProgramWithoutItsCudaLibrary) {
  test::set_environment("MANTISSA_CUDA_LIBRARY", path("libmantissa_cuda.so"));
  const std::vector<std::string> install{"cuda", "install", "--index", "nowhere://x"};
  EXPECT_EQ(run(install), 2);
  EXPECT_THAT(err(),
              testing::AllOf(HasSubstr("this build has no CUDA library"), HasSubstr("--anyway")));
  EXPECT_THAT(unwrapped(), testing::Not(HasSubstr("to download")));
  std::vector<std::string> anyway = install;
  anyway.emplace_back("--anyway");
  EXPECT_NE(run(anyway), 0) << "that is no index";
  EXPECT_THAT(err(), testing::Not(HasSubstr("no CUDA library")));
  EXPECT_THAT(unwrapped(), HasSubstr("to download"));
  test::set_environment("MANTISSA_CUDA_LIBRARY", std::nullopt);
}

TEST_F(CudaCommand, WhatIsInstalledIsNotInstalledAgain) {
  pretend_installed(library_table());
  ASSERT_EQ(run({"cuda", "install"}), 0);
  EXPECT_THAT(unwrapped(), HasSubstr("Already installed in"));
  ASSERT_EQ(run({"--json", "cuda", "remove"}), 0);
  EXPECT_GT(events().back().at("bytes"), 1'000'000'000);
  EXPECT_TRUE(cuda_library_folder().empty());
}

TEST_F(CudaCommand, ThoseOfThePackageAreUsedIfNoneAreInstalled) {
  const LibraryTable table = library_table();
  const fs::path packaged = fs::path(path("package")) / kPackagedLibraries;
  pretend_installed(table, packaged);
  EXPECT_TRUE(cuda_library_folder().empty());
  test::set_environment("MANTISSA_RESOURCES", path("package"));
  EXPECT_EQ(cuda_library_folder(), packaged / table.id());
  for (const char* command : {"status", "install", "remove"}) {
    ASSERT_EQ(run({"cuda", command}), 0) << err();
    EXPECT_THAT(unwrapped(), HasSubstr("Part of the program's package,")) << command;
  }
  EXPECT_EQ(cuda_library_folder(), packaged / table.id()) << "removed with the user's";
  pretend_installed(table);
  EXPECT_EQ(cuda_library_folder(), libraries_root() / table.id());
  ASSERT_EQ(run({"--json", "cuda", "status"}), 0);
  EXPECT_EQ(events().back().at("packaged"), false);
  ASSERT_EQ(run({"cuda", "remove"}), 0);
  const std::string library = library_name(table.wheels[0].libraries.begin()->first);
  fs::resize_file(packaged / table.id() / library, 5);
  EXPECT_TRUE(cuda_library_folder().empty()) << "a damaged package's are used";
}

}  // namespace
}  // namespace mantissa
