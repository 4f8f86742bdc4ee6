// The same guarantee for every family but SDXL, on tiny models with random weights: some of the
// combinations that hold every choice for any two settings on every change, the rest nightly.
#include <gtest/gtest.h>

#include "tests/matrix/matrix_run.h"

namespace mantissa {
namespace {
using testing::Combination;

class FamilyMatrix : public testing::Matrix, public ::testing::WithParamInterface<const char*> {
 protected:
  static constexpr std::size_t kShare = 16;  ///< one of so many on every change

  void SetUp() override { use(GetParam()); }

  /// Those whose number is `share` of kShare, or isn't.
  static void check_some(bool often) {
    const std::vector<Combination> set = testing::covering_combinations();
    const std::size_t rows = testing::pairs_covered(set);
    for (std::size_t i = 0; i < rows; ++i) {
      if ((i % kShare == 0) == often) {
        check(set[i]);
      }
      if (HasFatalFailure()) {
        return;
      }
    }
    std::printf("%d trained", trained_);
    for (const auto& [id, count] : refused_) {
      std::printf(", %d refused by %s", count, id.c_str());
    }
    std::printf("\n");
  }
};

TEST_P(FamilyMatrix, TrainsOrIsRefusedBeforeItStarts) {
  check_some(true);
}

TEST_P(FamilyMatrix, NightlyTheRestOfEveryPairToo) {
  check_some(false);
}

INSTANTIATE_TEST_SUITE_P(Tiny, FamilyMatrix,
                         ::testing::Values("pixart", "z_image", "flux2", "anima", "krea2"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace mantissa
