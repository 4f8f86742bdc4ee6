// Programs and libraries are built with what makes memory errors harder to use: read from the
// files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reliability/elf_file.h"
#include "tests/reliability/process.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::EndsWith;

const fs::path kBuildFolder = MANTISSA_BINARY_DIR;

std::vector<fs::path> existing(std::initializer_list<const char*> names) {
  std::vector<fs::path> files;
  for (const char* name : names) {
    if (fs::exists(kBuildFolder / name)) {
      files.push_back(kBuildFolder / name);
    }
  }
  return files;
}

class Hardening : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "sanitizers have checks of their own";
#endif
    if (kAddressSanitizer) {
      GTEST_SKIP() << "sanitizers have checks of their own";
    }
  }
  static void expect_hardened(const fs::path& file) {
    SCOPED_TRACE(file);
    const ElfProtections elf = *read_protections(file);
    EXPECT_TRUE(elf.relocatable) << "its addresses are the same in every process";
    EXPECT_TRUE(elf.binds_now) << "its table of functions stays writable";
    EXPECT_TRUE(elf.read_only_after_relocation);
    EXPECT_FALSE(elf.executable_stack);
    EXPECT_FALSE(elf.writable_code);
  }
};

TEST_F(Hardening, OfPrograms) {
  const auto programs = existing({"bin/mantissa", "bin/mantissa-studio"});
  ASSERT_FALSE(programs.empty());
  for (const fs::path& program : programs) {
    expect_hardened(program);
    const ElfProtections elf = *read_protections(program);
    EXPECT_THAT(elf.symbols, Contains("__stack_chk_fail")) << program;
#ifdef __OPTIMIZE__  // _FORTIFY_SOURCE needs it
    EXPECT_THAT(elf.symbols, Contains(EndsWith("_chk"))) << program;
#endif
#ifdef __x86_64__
    EXPECT_GT(elf.landing_pads, 1000U) << program << ": its functions have no ENDBR64";
#endif
  }
}

TEST_F(Hardening, OfLibraries) {
  for (const fs::path& library : existing({"lib/libmantissa_cuda.so", "lib/libmantissa_mpi.so"})) {
    expect_hardened(library);
  }
}

}  // namespace
}  // namespace mantissa
