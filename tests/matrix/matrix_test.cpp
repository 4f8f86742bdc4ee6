// Every precision combination trains, or is refused before it starts, with the same verdict from
// `check` and from `train`. Every choice of values for any two settings is tested on every change,
// for any three nightly; MANTISSA_MATRIX=full has the nightly tests run all combinations,
// MANTISSA_MATRIX=i/n the i-th of n parts of them; MANTISSA_MATRIX_ROWS=n limits the pairs' to the
// first n combinations, for a short look at a card.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "engine/precision/plan.h"
#include "tests/matrix/matrix_run.h"

namespace mantissa {
namespace {
using testing::Combination;
using testing::Matrix;

/// Number of combinations trained unchanged, adjusted, and refused, by id.
struct Verdicts {
  std::int64_t as_they_are = 0, adjusted = 0, refused = 0;
  std::map<std::string, std::int64_t> by_id;
};

Verdicts count_verdicts() {
  Verdicts verdicts;
  for (std::int64_t i = 0; i < testing::combination_count(); ++i) {
    const PrecisionPlan plan = make_precision_plan(testing::preset_of(testing::combination(i)));
    std::set<std::string> ids;
    bool adjusted = false;
    for (const PrecisionFinding& f : plan.findings) {
      if (f.verdict == Verdict::refused || f.verdict == Verdict::adjusted) {
        ids.insert(f.id);
        adjusted = true;
      }
    }
    if (const PrecisionFinding* refusal = plan.refusal()) {
      ++verdicts.refused;
      ids = {refusal->id};
    } else {
      ++(adjusted ? verdicts.adjusted : verdicts.as_they_are);
    }
    for (const std::string& id : ids) {
      ++verdicts.by_id[id];
    }
  }
  return verdicts;
}

// These are the figures of resources/docs/evidence/verification.md: change them together.
TEST(MatrixVerdicts, OfAllCombinations) {
  const Verdicts v = count_verdicts();
  EXPECT_EQ(v.as_they_are, 81920);
  EXPECT_EQ(v.adjusted, 1121920);
  EXPECT_EQ(v.refused, 625680);
  const std::map<std::string, std::int64_t> by_id{{"B12", 72960}, {"B15", 401280}, {"B5", 401280},
                                                  {"B8", 401280}, {"H5", 15840},   {"H8", 427680},
                                                  {"Q2", 348480}, {"Q4", 760320},  {"S4", 609840}};
  EXPECT_EQ(v.by_id, by_id);
}

TEST_F(Matrix, JobsRunOnTheDeviceUnderTest) {
  const char* named = std::getenv("MANTISSA_TEST_DEVICE");
  const std::string before = named != nullptr ? named : "";
  test::set_environment("MANTISSA_TEST_DEVICE", "cuda:5");
  EXPECT_EQ(job_of(Preset{}, "run").device, "cuda:5");
  test::set_environment("MANTISSA_TEST_DEVICE", std::nullopt);
  EXPECT_EQ(job_of(Preset{}, "run").device, "cpu");
  if (!before.empty()) {
    test::set_environment("MANTISSA_TEST_DEVICE", before);
  }
}

TEST_F(Matrix, TheCoveringSetHoldsEveryTriple) {
  const std::vector<Combination> set = testing::covering_combinations();
  const std::size_t pairs = testing::pairs_covered(set);
  std::printf("%zu combinations for every triple, the first %zu for every pair\n", set.size(),
              pairs);
  EXPECT_LT(pairs, set.size() / 2);
  const auto& levels = Combination::kLevels;
  for (int a = 0; a < Combination::kFactors; ++a) {
    for (int b = a + 1; b < Combination::kFactors; ++b) {
      for (int c = b + 1; c < Combination::kFactors; ++c) {
        std::set<std::array<int, 3>> seen;
        for (const Combination& x : set) {
          seen.insert({x.level[static_cast<std::size_t>(a)], x.level[static_cast<std::size_t>(b)],
                       x.level[static_cast<std::size_t>(c)]});
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(levels[static_cast<std::size_t>(a)] *
                                                        levels[static_cast<std::size_t>(b)] *
                                                        levels[static_cast<std::size_t>(c)]));
      }
    }
  }
}

/// The covering set is split into parts that run in parallel.
class MatrixPart : public Matrix, public ::testing::WithParamInterface<int> {
 protected:
  static constexpr int kParts = 8;
  void check_all(const std::vector<Combination>& combinations);
};

TEST_P(MatrixPart, EveryPairTrainsOrIsRefusedBeforeItStarts) {
  const std::vector<Combination> set = testing::covering_combinations();
  std::size_t rows = testing::pairs_covered(set);
  if (const char* most = std::getenv("MANTISSA_MATRIX_ROWS")) {
    rows = std::min(rows, static_cast<std::size_t>(std::atoi(most)));
  }
  std::vector<Combination> combinations;
  for (std::size_t i = static_cast<std::size_t>(GetParam()); i < rows; i += kParts) {
    combinations.push_back(set[i]);
  }
  check_all(combinations);
}

TEST_P(MatrixPart, NightlyEveryTripleTrainsOrIsRefusedBeforeItStarts) {
  std::vector<Combination> combinations;
  if (const char* wanted = std::getenv("MANTISSA_MATRIX"); wanted == nullptr) {
    const std::vector<Combination> set = testing::covering_combinations();
    const std::size_t pairs = testing::pairs_covered(set);
    for (std::size_t i = pairs + static_cast<std::size_t>(GetParam()); i < set.size();
         i += kParts) {
      combinations.push_back(set[i]);
    }
  } else {
    long part = 1, parts = 1;
    if (std::string(wanted) != "full") {
      ASSERT_EQ(std::sscanf(wanted, "%ld/%ld", &part, &parts), 2) << "MANTISSA_MATRIX: full or i/n";
    }
    for (std::int64_t i = (part - 1) * kParts + GetParam(); i < testing::combination_count();
         i += parts * kParts) {
      combinations.push_back(testing::combination(i));
    }
  }
  check_all(combinations);
}

void MatrixPart::check_all(const std::vector<Combination>& combinations) {
  // Blocks of GGUF are only those of a file.
  for (const char* model : {"b", "gguf_b.json"}) {
    for (const Combination& c : combinations) {
      const auto weights = static_cast<StorageType>(c.level[Combination::weights]);
      if ((weights == StorageType::gguf) == (model != std::string_view("b"))) {
        use(model);
        check(c);
      }
      if (HasFatalFailure()) {
        return;
      }
    }
  }
  use("b");
  std::printf("%zu combinations: %d trained", combinations.size(), trained_);
  for (const auto& [id, count] : refused_) {
    std::printf(", %d refused by %s", count, id.c_str());
  }
  std::printf("\n");
}
INSTANTIATE_TEST_SUITE_P(Covering, MatrixPart, ::testing::Range(0, 8));

}  // namespace
}  // namespace mantissa
