// The folder that `mantissa cuda install` fills is searched before the system's libraries, once it
// is complete.
#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/toolkit/library_table.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;

class CudaFolder : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(MANTISSA_BINARY_DIR "/lib/libmantissa_cuda.so")) {
      GTEST_SKIP() << "the CUDA library is not built";
    }
    // Fakes of the right sizes, which take no room.
    fs::create_directories(installed_);
    for (const LibraryWheel& wheel : table_.wheels) {
      for (const auto& [path, bytes] : wheel.libraries) {
        const fs::path file = installed_ / library_name(path);
        fs::copy_file(MANTISSA_BINARY_DIR "/lib/libhostile_library.so", file);
        fs::resize_file(file, bytes);
      }
    }
  }

  void list_devices() const {
    const std::string command = "MANTISSA_HOME='" + folder_.path().string() +
                                "' " MANTISSA_BINARY_DIR "/bin/mantissa devices >/dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
  }
  bool was_loaded(const char* name) const {
    return fs::exists(installed_ / (std::string(name) + ".loaded"));
  }

  const LibraryTable table_ = library_table();
  test::TempFolder folder_;
  const fs::path installed_ = folder_.path() / "cuda-libraries" / table_.id();
};

TEST_F(CudaFolder, IsSearchedFirst) {
  list_devices();
  for (const char* name :
       {"libcublasLt.so.13", "libcudnn.so.9", "libnvrtc.so.13", "libnvrtc-builtins.so.13.0"}) {
    EXPECT_TRUE(was_loaded(name)) << name;
  }
}

TEST_F(CudaFolder, IsIgnoredUnlessComplete) {
  fs::remove(installed_ / "libcudnn_ops.so.9");
  list_devices();
  EXPECT_FALSE(was_loaded("libcublasLt.so.13"));
}

}  // namespace
}  // namespace mantissa
