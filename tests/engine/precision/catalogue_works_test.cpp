// Which test would fail if an entry that "just works" did not: the list for readers, and a check
// that each of these tests exists.
#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engine/precision/catalogue.h"

namespace mantissa {
namespace {

struct Coverage {
  const char* id;
  const char* file;  ///< below tests/
  const char* test;  ///< suite and case
};

constexpr Coverage kCovered[] = {
    {"S1", "cases/founding_cases_test.cpp", "FoundingCase, AttemptingToUnscaleFp16Gradients"},
    {"S2", "cases/founding_cases_test.cpp", "FoundingCase, AttemptingToUnscaleFp16Gradients"},
    {"S2", "engine/train/training_test.cpp", "TrainingTest, SamplesChangeNoBit"},
    {"S3", "cases/founding_cases_test.cpp", "FoundingCase, AttemptingToUnscaleFp16Gradients"},
    {"S6", "engine/optim/transaction_test.cpp",
     "Transaction, FollowsGradScalerWithOneTwoAndThreeOptimizers"},
    {"S7", "cases/founding_cases_test.cpp", "FoundingCase, AttemptedUnscaleButScaleIsNone"},
    {"S7", "engine/optim/transaction_test.cpp",
     "Transaction, FollowsGradScalerWithOneTwoAndThreeOptimizers"},
    {"S9", "engine/optim/transaction_test.cpp",
     "Transaction, FollowsGradScalerWithOneTwoAndThreeOptimizers"},
    {"S12", "engine/run/checkpoint_test.cpp", "CheckpointTest, RoundTrip"},
    {"S12", "cases/founding_cases_test.cpp", "FoundingCase, AttemptingToUnscaleFp16Gradients"},
    {"S13", "engine/optim/transaction_test.cpp",
     "Transaction, ASkippedGroupKeepsItsPlaceInTheSchedule"},
    {"H4", "kernels/quant_test.cpp", "ProductOfCodes, IsExactUpToTheLastRounding"},
    {"H11", "kernels/quant_test.cpp", "ProductOfInt8, IsExactUpToTheLastRounding"},
    {"H6", "engine/graph/linear_codes_test.cpp", "QuantGraph, Fp8LinearFollowsTheUnroundedProduct"},
    {"Q1", "engine/adapters/dora_test.cpp", "DoraStart, EqualsTheBaseToTheBit"},
    {"Q3", "kernels/quant_test.cpp", "QuantTest, CodesAreThoseOfPyTorch"},
    {"Q3", "kernels/quant_test.cpp", "QuantTest, NonFiniteValuesStayVisible"},
    {"Q6", "engine/graph/linear_codes_test.cpp",
     "QuantGraph, DelayedScalingIsTheSameWhenALayerIsRecomputed"},
    {"Q7", "kernels/quant_test.cpp", "QuantTest, AllZerosKeepAFiniteScale"},
    {"Q16", "kernels/quant_test.cpp", "QuantTest, ScalesPerChannelKeepSmallWeights"},
    {"Q16", "engine/train/health_test.cpp", "HealthTest, Int8ShowsItsWeightsAndOperands"},
    {"Q17", "kernels/quant_test.cpp", "QuantTest, AnInt8RowWithANonFiniteValueIsNan"},
    {"Q17", "kernels/quant_test.cpp", "QuantTest, AllZerosKeepAFiniteScale"},
    {"Q18", "engine/graph/linear_codes_test.cpp", "Int8Linear, IsTheProductOfItsCodes"},
    {"Q19", "kernels/nf4_test.cpp", "Nf4Test, ABlockOfZerosStaysZeros"},
    {"Q19", "kernels/nf4_test.cpp", "Nf4Test, ABlockWithANonFiniteValueIsNan"},
    {"Q20", "engine/adapters/dora_test.cpp", "DoraStart, EqualsTheBaseToTheBit"},
    {"Q21", "engine/models/bits_and_bytes_test.cpp", "BitsAndBytes, CodesAndScalesAreKept"},
    {"Q22", "kernels/rotation_test.cpp", "Rotated, ProductsAreThoseOfTheValues"},
    {"Q24", "engine/models/gguf_test.cpp", "Gguf, BlocksAreKeptAsTheFileHasThem"},
    {"Q25", "kernels/block_codes_test.cpp", "BlockCodesTest, ABlockOfZerosStaysZeros"},
    {"Q25", "kernels/block_codes_test.cpp", "BlockCodesTest, ABlockWithANonFiniteValueIsNan"},
    {"Q26", "engine/models/block_scaled_test.cpp", "BlockScaled, CodesAndScalesAreKept"},
    {"D5", "engine/adapters/dora_test.cpp", "DoraSet, MagnitudesLieInBuffersOfTheirOwn"},
    {"D6", "engine/adapters/dora_layer_test.cpp", "DoraLayer, EqualsTheMergedWeight"},
    {"D7", "engine/adapters/dora_layer_test.cpp",
     "DoraGradients, MatchCentralDifferencesWithTheNormHeld"},
    {"D9", "cases/founding_cases_test.cpp", "FoundingCase, AttemptingToUnscaleFp16Gradients"},
    {"D9", "engine/graph/plan_test.cpp", "Record, DtypeMismatchNamesOpPathsAndDtypes"},
    {"D10", "engine/adapters/dora_test.cpp",
     "DoraSet, PissaStartsAtTheBaseAndIsSavedAsItsDifference"},
    {"B3", "engine/precision/just_works_test.cpp", "JustWorks, WeightDecayMovesBf16Weights"},
    {"B6", "cases/founding_cases_test.cpp", "FoundingCase, OnlyBfloat16IsSupported"},
    {"B6", "engine/optim/optimizer_test.cpp", "OptimizerMatrix, EveryCombinationReducesAQuadratic"},
    {"B7", "engine/optim/optimizer_test.cpp", "OptimizerMatrix, EveryCombinationReducesAQuadratic"},
    {"B9", "engine/optim/optimizer_test.cpp", "OptimizerMatrix, ResumeInTheMiddleIsBitExact"},
    {"B9", "engine/run/checkpoint_test.cpp", "CheckpointTest, OtherLayoutIsRefused"},
    {"N3", "engine/precision/just_works_test.cpp", "JustWorks, TimestepsStayApartInBf16"},
    {"N4", "engine/diffusion/schedule_test.cpp", "NoiseSchedule, KnownValues"},
    {"N6", "engine/models/pixart_test.cpp", "T5Precision, Fp16StaysFiniteBecauseWoIsPinned"},
    {"N8", "kernels/golden_test.cpp", "KernelGolden, Bf16RoundsOnce"},
    {"N8", "kernels/golden_test.cpp", "KernelGolden, Fp16RoundsOnce"},
    {"G1", "engine/models/training_test.cpp", "Gradients, DontDependOnPlanCheckpointingOrThreads"},
    {"G2", "engine/graph/gradient_test.cpp", "GradientTest, MatchesCentralDifferencesAndEveryPlan"},
    {"G2", "engine/graph/linear_codes_test.cpp",
     "QuantGraph, DelayedScalingIsTheSameWhenALayerIsRecomputed"},
    {"G3", "engine/models/training_test.cpp", "Training, LossCurveOfTwentySteps"},
    {"G5", "engine/optim/transaction_test.cpp",
     "Transaction, FollowsGradScalerWithOneTwoAndThreeOptimizers"},
};

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(CatalogueWorks, EveryEntryHasATestThatExists) {
  std::map<std::string, std::string> texts;
  for (const Coverage& c : kCovered) {
    EXPECT_EQ(catalogue_entry(c.id).verdicts, "W") << c.id;
    std::string& text = texts[c.file];
    if (text.empty()) {
      text = text_of(std::string(MANTISSA_SOURCE_DIR) + "/tests/" + c.file);
    }
    EXPECT_NE(text.find(std::string("(") + c.test + ")"), std::string::npos)
        << c.id << ": tests/" << c.file << " has no " << c.test;
  }
  for (const CatalogueEntry& e : catalogue()) {
    EXPECT_TRUE(e.verdicts != "W" || std::any_of(std::begin(kCovered), std::end(kCovered),
                                                 [&](const Coverage& c) { return c.id == e.id; }))
        << e.id << " just works, but no test is named";
  }
}

}  // namespace
}  // namespace mantissa
