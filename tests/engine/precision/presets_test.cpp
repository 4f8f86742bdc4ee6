#include <filesystem>
#include <gtest/gtest.h>

#include "engine/precision/plan.h"
#include "engine/preset/preset_library.h"

namespace mantissa {
namespace {

TEST(BuiltInPresets, NothingStandsAgainstAnyOfThem) {
  const PresetLibrary library(std::filesystem::path(MANTISSA_SOURCE_DIR) / "presets");
  for (const PresetEntry& entry : library.list()) {
    ModelFacts facts;
    facts.has_t5 = entry.preset.model.family == ModelFamily("pixart");
    facts.denoiser_file = facts.text_encoders_file = DType::f16;
    for (const int capability : {0, 75, 86, 89, 90, 120}) {
      const PrecisionPlan plan = make_precision_plan(entry.preset, facts, {"card", capability});
      const PrecisionFinding* refusal = plan.refusal();
      EXPECT_TRUE(refusal == nullptr) << entry.id << " on " << capability << ": "
                                      << (refusal == nullptr ? Message() : refusal->message);
    }
  }
}

}  // namespace
}  // namespace mantissa
