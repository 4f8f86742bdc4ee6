// What is told where NVIDIA's libraries are missing and only its driver can be asked.
#include "kernels/cuda_driver.h"

#include <cstring>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/toolkit_folders.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
using Kind = CudaProblem::Kind;

/// A pretended driver; functions of C see only what is global.
struct Machine {
  int version = 13010, init = 0, cards = 1, capability = 89, time_limit = 0;
} machine;

DriverCalls pretended(const Machine& as) {
  machine = as;
  DriverCalls calls;
  calls.init = [](unsigned) { return machine.init; };
  calls.version = [](int* version) {
    *version = machine.version;
    return 0;
  };
  calls.count = [](int* count) {
    *count = machine.cards;
    return 0;
  };
  calls.device = [](int* device, int ordinal) {
    *device = ordinal;
    return 0;
  };
  calls.name = [](char* name, int, int) {
    std::strcpy(name, "NVIDIA GeForce RTX 4090");
    return 0;
  };
  calls.attribute = [](int* value, int attribute, int) {
    *value = attribute == 75   ? machine.capability / 10
             : attribute == 76 ? machine.capability % 10
                               : machine.time_limit;
    return 0;
  };
  calls.memory = [](std::size_t* bytes, int) {
    *bytes = std::size_t{24} << 30;
    return 0;
  };
  return calls;
}

TEST(CudaDriver, DescribesItsCards) {
  const CudaReport report = driver_report(pretended({}));
  EXPECT_TRUE(report.problem.empty());
  EXPECT_EQ(report.driver, "CUDA 13.1");
  ASSERT_EQ(report.devices.size(), 1U);
  EXPECT_EQ(report.devices[0].name, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(report.devices[0].capability, 89);
  EXPECT_EQ(report.devices[0].memory, std::size_t{24} << 30);
  EXPECT_TRUE(report.devices[0].problem.empty());
  EXPECT_FALSE(report.devices[0].display);
  EXPECT_TRUE(driver_report(pretended({.time_limit = 1})).devices[0].display);
}

TEST(CudaDriver, ItsProblemsComeBeforeMissingLibraries) {
  EXPECT_EQ(driver_report({}).problem.kind, Kind::no_driver);
  const CudaReport old_driver = driver_report(pretended({.version = 12080}));
  EXPECT_EQ(old_driver.problem.kind, Kind::old_driver);
  EXPECT_EQ(old_driver.problem.detail, "12.8");
  EXPECT_EQ(driver_report(pretended({.init = 100})).problem.kind, Kind::no_card);
  EXPECT_EQ(driver_report(pretended({.init = 999})).problem.kind, Kind::driver_failed);
  EXPECT_EQ(driver_report(pretended({.cards = 0})).problem.kind, Kind::no_card);
  const CudaReport old_card = driver_report(pretended({.capability = 61}));
  EXPECT_EQ(old_card.problem.kind, Kind::old_card);
  EXPECT_EQ(old_card.problem.detail, "6.1");
  EXPECT_EQ(old_card.problem.card, "NVIDIA GeForce RTX 4090");
}

TEST(CudaDriver, OnlyMissingLibrariesAreInstalled) {
  EXPECT_TRUE(lacks_libraries({Kind::no_cublas}));
  EXPECT_TRUE(lacks_libraries({Kind::no_cudnn}));
  EXPECT_TRUE(lacks_libraries({Kind::no_cudart}));
  EXPECT_FALSE(lacks_libraries({Kind::no_driver}));
  EXPECT_FALSE(lacks_libraries({}));
}

TEST(ToolkitFolders, OfInstallersAreTheNewestFirst) {
  const test::TempFolder folder;
  const std::filesystem::path cuda = folder / "NVIDIA GPU Computing Toolkit/CUDA";
  const std::filesystem::path cudnn = folder / "NVIDIA/CUDNN";
  for (const auto& made :
       {cuda / "v12.9", cuda / "v13.0", cuda / "v13.10", cuda / "v13.2", cudnn / "v8.9/bin/13.0",
        cudnn / "v9.5/bin/12.6", cudnn / "v9.19/bin/12.9", cudnn / "v9.19/bin/13.1"}) {
    std::filesystem::create_directories(made);
  }
  EXPECT_THAT(
      windows_installer_folders(folder.path()),
      ::testing::ElementsAre(cuda / "v13.10/bin/x64", cuda / "v13.10/bin", cuda / "v13.2/bin/x64",
                             cuda / "v13.2/bin", cuda / "v13.0/bin/x64", cuda / "v13.0/bin",
                             cudnn / "v9.19/bin/13.1/x64", cudnn / "v9.19/bin/13.1"));
  for (const char* made : {"usr/local/cuda-13.1", "usr/local/cuda-12.8", "usr/local/cuda-13.10"}) {
    std::filesystem::create_directories(folder / made);
  }
  EXPECT_THAT(
      linux_installer_folders(folder.path()),
      ::testing::ElementsAre(folder / "usr/local/cuda/lib64", folder / "usr/local/cuda-13.10/lib64",
                             folder / "usr/local/cuda-13.1/lib64", folder / "opt/cuda/lib64"));
}

}  // namespace
}  // namespace mantissa
