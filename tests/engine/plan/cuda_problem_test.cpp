// One sentence for each machine that can't train on a card.
#include "engine/plan/cuda_problem.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace mantissa {
namespace {
using Kind = CudaProblem::Kind;
using testing::HasSubstr;

std::string text(Kind kind, const std::vector<CardMaker>& makers = {}) {
  return cuda_problem_text({kind, "libcublasLt.so.13"}, makers).text();
}

TEST(CudaProblemText, OfMissingLibrariesNamesTheCommand) {
  for (const Kind kind : {Kind::no_cudart, Kind::no_cublas, Kind::no_cudnn}) {
    EXPECT_THAT(text(kind),
                testing::AllOf(HasSubstr("libcublasLt.so.13"), HasSubstr("`mantissa cuda install`"),
                               HasSubstr("MANTISSA_CUDA_FOLDERS")));
  }
}

TEST(CudaProblemText, OfAMissingDriverKnowsTheCard) {
  EXPECT_THAT(text(Kind::no_driver, {CardMaker::intel, CardMaker::nvidia}),
              testing::AllOf(HasSubstr("there is an NVIDIA card"), HasSubstr("driver 580")));
  EXPECT_THAT(text(Kind::no_driver, {CardMaker::intel, CardMaker::amd}), HasSubstr("made by AMD"));
  EXPECT_THAT(text(Kind::no_driver, {CardMaker::intel}),
              testing::AllOf(HasSubstr("made by Intel"), HasSubstr("on the CPU")));
  EXPECT_EQ(text(Kind::no_driver), "no NVIDIA driver is installed, or it is not running");
}

TEST(CudaProblemText, OfMissingCodeNamesWhatThereIs) {
  EXPECT_EQ(cuda_problem_text({Kind::no_code, "8.0, 9.0", "RTX 2060"}, {}).text(),
            "RTX 2060: this build of the CUDA library has code for compute capability 8.0, 9.0 and "
            "none for this card. `bash packaging/bootstrap.sh build` on this computer compiles it "
            "for its cards");
}

#ifndef _WIN32
TEST(GraphicsCards, AreThoseOfPciDevices) {
  const test::TempFolder folder;
  const auto add = [&](const char* device, const char* kind, const char* vendor) {
    std::filesystem::create_directories(folder / device);
    std::ofstream(folder / device / "class") << kind << '\n';
    std::ofstream(folder / device / "vendor") << vendor << '\n';
  };
  EXPECT_TRUE(graphics_card_makers(folder.path()).empty());
  add("0000:00:02.0", "0x030000", "0x8086");
  add("0000:00:1f.6", "0x020000", "0x8086");  // a network card
  add("0000:01:00.0", "0x030200", "0x10de");
  add("0000:02:00.0", "0x030000", "0x10de");
  add("0000:03:00.0", "0x010000", "0x1002");
  EXPECT_THAT(graphics_card_makers(folder.path()),
              testing::UnorderedElementsAre(CardMaker::intel, CardMaker::nvidia));
  EXPECT_TRUE(graphics_card_makers(folder / "missing").empty());
}
#endif

}  // namespace
}  // namespace mantissa
