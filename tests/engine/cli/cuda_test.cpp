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
    CliTest::TearDown();
  }
  /// As if they were installed: files of the right sizes that take no room.
  void pretend_installed(const LibraryTable& table) {
    const fs::path folder = libraries_root() / table.id();
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

TEST_F(CudaCommand, WhatIsInstalledIsNotInstalledAgain) {
  pretend_installed(library_table());
  ASSERT_EQ(run({"cuda", "install"}), 0);
  EXPECT_THAT(unwrapped(), HasSubstr("Already installed in"));
  ASSERT_EQ(run({"--json", "cuda", "remove"}), 0);
  EXPECT_GT(events().back().at("bytes"), 1'000'000'000);
  EXPECT_TRUE(cuda_library_folder().empty());
}

}  // namespace
}  // namespace mantissa
