// The same guarantee for every family with a transformer, on tiny models with random weights: some
// of the combinations that hold every choice for any two settings on every change, the rest
// nightly.
#include <gtest/gtest.h>
#include <string>

#include "tests/golden_families.h"
#include "tests/matrix/matrix_run.h"

namespace mantissa {
namespace {
using testing::Combination;

class FamilyMatrix : public testing::Matrix, public ::testing::WithParamInterface<std::string> {
 protected:
  /// One of so many on every change; fewer of FLUX.2, whose captions of 512 tokens through the
  /// layers of its text encoder take six times as long.
  static std::size_t share() { return GetParam() == "flux2" ? 48 : 16; }

  void SetUp() override { use(GetParam().c_str()); }

  /// Those whose number is a multiple of the share, or the others.
  static void check_some(bool often) {
    const std::vector<Combination> set = testing::covering_combinations();
    const std::size_t rows = testing::pairs_covered(set);
    for (std::size_t i = 0; i < rows; ++i) {
      if ((i % share() == 0) == often) {
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

INSTANTIATE_TEST_SUITE_P(Tiny, FamilyMatrix, ::testing::ValuesIn(test::transformer_models()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace mantissa
