// The matrix of capabilities follows from the tables that decide, and documents say the same.
#include "engine/plan/capabilities.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "engine/core/platform.h"
#include "engine/plan/card_table.h"
#include "engine/preset/family_table.h"
#include "engine/preset/import_families.h"
#include "engine/preset/names.h"

namespace mantissa {
namespace {

std::string source_text(const std::string& file) {
  std::ifstream in(std::string(MANTISSA_SOURCE_DIR) + "/" + file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The second cell of the README's row with this title.
std::string readme_row(const std::string& title) {
  std::istringstream readme(source_text("README.md"));
  const std::string start = "| " + title + " | ";
  for (std::string line; std::getline(readme, line);) {
    if (!line.starts_with(start)) {
      continue;
    }
    std::string row = line.substr(start.size(), line.rfind(" |") - start.size());
    for (const std::string more = "| | "; std::getline(readme, line) && line.starts_with(more);) {
      row += ", " + line.substr(more.size(), line.rfind(" |") - more.size());
    }
    return row;
  }
  ADD_FAILURE() << "README.md has no row '" << title << "'";
  return "";
}

/// Base models of all families, as a document lists them.
std::string all_models() {
  std::string models;
  for (const FamilyRow* row : family_rows()) {
    models += (models.empty() ? "" : ", ") + family_models(*row);
  }
  return models;
}

Capability verdict(ModelFamily family, const TrainingKind& kind, const PrecisionChoice& choice,
                   int compute_capability) {
  return capability(family_of(family), kind, choice, {"device", compute_capability});
}

TEST(Capabilities, TheCommittedReferenceIsTheTables) {
  EXPECT_TRUE(source_text("resources/docs/reference/capabilities.md") == capabilities_markdown())
      << "write it again: mantissa check --capabilities > resources/docs/reference/capabilities.md";
}

TEST(Capabilities, AreVerdictsOfThePrecisionPlan) {
  const TrainingKind lora, full{TrainingMethod::full};
  const PrecisionChoice fp16{ComputeType::fp16, StorageType::fp16};
  const PrecisionChoice bf16{ComputeType::bf16, StorageType::bf16};
  const PrecisionChoice fp8{ComputeType::fp8, StorageType::fp8_e4m3};
  EXPECT_EQ(verdict(ModelFamily("sdxl"), lora, fp16, 0), (Capability{true, fp16, {}}));
  EXPECT_EQ(verdict(ModelFamily("z_image"), lora, fp16, 0),
            (Capability{true, {ComputeType::bf16, StorageType::fp16}, {"N7"}}));
  EXPECT_EQ(verdict(ModelFamily("sdxl"), lora, bf16, 75),
            (Capability{true, {ComputeType::fp16, StorageType::bf16}, {"H1"}}));
  EXPECT_FALSE(verdict(ModelFamily("z_image"), lora, bf16, 75).trains);
  EXPECT_EQ(verdict(ModelFamily("krea2"), lora, fp8, 89), (Capability{true, fp8, {}}));
  EXPECT_EQ(verdict(ModelFamily("krea2"), lora, fp8, 86),
            (Capability{true, {ComputeType::bf16, StorageType::fp8_e4m3}, {"H2"}}));
  const Capability trained_codes = verdict(ModelFamily("sdxl"), full, fp8, 0);
  EXPECT_FALSE(trained_codes.trains);
  EXPECT_EQ(trained_codes.reasons, std::vector<std::string>{"Q9"});
}

TEST(Capabilities, WeightsOfEveryTypeTrainAdaptersOnEveryDevice) {
  for (const Family* family : families()) {
    for (const DeviceKind& device : device_kinds()) {
      for (std::size_t i = 0; i < enum_names<StorageType>().size(); ++i) {
        const auto weights = static_cast<StorageType>(i);
        const Capability result = storage_capability(*family, {}, weights, device.facts);
        EXPECT_TRUE(result.trains && result.used.weights == weights)
            << family->title() << ", " << device.id() << ", " << enum_name(weights);
      }
    }
  }
}

TEST(Capabilities, ListEveryFamilyMethodAndCard) {
  EXPECT_EQ(listed_families().size(), families().size());
  EXPECT_EQ(listed_families().size(), family_rows().size());
  EXPECT_EQ(training_kinds().size(), enum_names<AdapterType>().size() + 1);
  std::set<int> generations;
  for (const DeviceKind& device : device_kinds()) {
    generations.insert(device.facts.compute_capability);
  }
  for (const CardSpec& card : card_table()) {
    EXPECT_TRUE(generations.contains(card.capability)) << card.name;
  }
  EXPECT_EQ(device_columns().front().size(), 1U) << "the CPU has a column of its own";
}

TEST(Capabilities, PlatformsHaveTheirRows) {
  for (std::size_t i = 0; i < kPlatforms.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kPlatforms[i].id), i);
  }
  ASSERT_NE(this_platform(), nullptr);
  EXPECT_NE(capabilities_markdown().find(this_platform()->title), std::string::npos);
}

TEST(Capabilities, EveryFamilyNamesItsBaseModels) {
  for (const FamilyRow* row : family_rows()) {
    EXPECT_FALSE(family_models(*row).empty()) << row->id.name();
  }
}

TEST(Capabilities, ImportersKnowEveryFamily) {
  for (const Family* family : families()) {
    const std::string_view names = family->row.foreign.onetrainer;
    if (names.empty()) {
      // The program had neither when these families were added.
      EXPECT_TRUE(family->id() == ModelFamily("flux3") ||
                  family->id() == ModelFamily("qwen_image_21"))
          << family->title();
      continue;
    }
    const auto found = find_family(&ForeignNames::onetrainer, names.substr(0, names.find(' ')));
    ASSERT_TRUE(found) << family->title();
    EXPECT_EQ(found->family, family->id()) << family->title();
  }
}

TEST(Capabilities, TheReadmeListsFamiliesMethodsAndTriedCards) {
  EXPECT_EQ(readme_row("Base models"), all_models());
  std::string methods;
  for (const TrainingKind& kind : training_kinds()) {
    std::string title(kind.title());
    if (kind.method == TrainingMethod::full) {
      title.front() = 'f';
    }
    methods += (methods.empty() ? "" : ", ") + title;
  }
  EXPECT_TRUE(readme_row("Trains").starts_with(methods)) << methods;
  const std::string readme = source_text("README.md");
  const std::size_t limits = readme.find("## Limits");
  ASSERT_NE(limits, std::string::npos);
  for (const PlatformRow& platform : kPlatforms) {
    std::istringstream cards{std::string(platform.cards_tried)};
    for (std::string card; std::getline(cards, card, ',');) {
      EXPECT_NE(readme.find(card.substr(card.find_first_not_of(' ')), limits), std::string::npos)
          << card;
    }
  }
}

TEST(Capabilities, TheReferenceOfBaseModelsHasEveryFamily) {
  const std::string text = source_text("resources/docs/reference/models.md");
  for (const FamilyRow* row : family_rows()) {
    std::istringstream models{family_models(*row)};
    for (std::string model; std::getline(models, model, ',');) {
      model.erase(0, model.find_first_not_of(' '));
      EXPECT_NE(text.find(model), std::string::npos) << model;
    }
  }
}

}  // namespace
}  // namespace mantissa
