// What a new family costs: a toy one, registered here alone, takes its place everywhere; and those
// of the registry are named in their folders and nowhere else.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "engine/core/error.h"
#include "engine/io/config_table.h"
#include "engine/io/family.h"
#include "engine/io/file.h"
#include "engine/io/generation.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/pixart/pixart_family.h"
#include "engine/precision/plan.h"
#include "engine/preset/family_badge.h"
#include "engine/preset/import.h"
#include "engine/preset/import_families.h"
#include "engine/preset/schema.h"
#include "tests/engine/models/support.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr ModelFamily kToyId("toy_net");
constexpr std::array<std::string_view, 1> kToyGoals{"toy-lora"};
constexpr std::array kToyWide{WideModule{"proj_out", kModelExit}};

const Family& toy();

/// Its files are PixArt's.
class ToyNames final : public ModelNames {
 public:
  explicit ToyNames(std::shared_ptr<const ModelNames> inner)
      : ModelNames(toy()), inner_(std::move(inner)) {}
  std::optional<NameMapping> canonical(std::optional<Part> folder,
                                       const TensorInfo& tensor) const override {
    return inner_->canonical(folder, tensor);
  }

 private:
  std::shared_ptr<const ModelNames> inner_;
};

std::shared_ptr<const ModelNames> recognise_toy(const ModelFiles& files) {
  auto inner = kPixart.recognise(files);
  return inner == nullptr ? nullptr : std::make_shared<ToyNames>(std::move(inner));
}

/// PixArt's network under another name, with wide modules and names of its own.
const Family& toy() {
  static const std::vector<PartFiles> parts = [] {
    std::vector<PartFiles> list(kPixart.parts.begin(), kPixart.parts.end());
    list.front().wide = kToyWide;
    return list;
  }();
  static const Family family = [] {
    Family made = kPixart;
    made.row = {.id = kToyId,
                .title = "Toy Net",
                .has_flow = true,
                .foreign = {.kohya_versions = "toynet*",
                            .onetrainer = "toy_net_1",
                            .ai_toolkit = "toynet lt*"},
                .goals = kToyGoals};
    made.parts = parts;
    made.recognise = recognise_toy;
    return made;
  }();
  return family;
}

struct ToyConfig {
  int layers = 1, width = 8;
  double norm_eps = 1e-6;
  bool sizes = false;
  bool operator==(const ToyConfig&) const = default;
};
constexpr ConfigField<ToyConfig> kToyFields[] = {
    {"num_layers", &ToyConfig::layers, 28, count_of("transformer_blocks.", ".attn1.to_q.weight")},
    {"width", &ToyConfig::width, std::nullopt, extent_of("pos_embed.proj.weight", 0), 4},
    {"eps", &ToyConfig::norm_eps, 1e-5},
    {"sizes", &ToyConfig::sizes, true, presence_of("adaln_single.emb.none.weight")},
};
ToyConfig toy_from_json(const nlohmann::json& object, const std::string& label) {
  const ConfigFields fields(object, label);
  ToyConfig config;
  read_table(fields, kToyFields, config);
  fields.refuse_others({});
  return config;
}

class ToyFamily : public ::testing::Test {
 protected:
  static WeightSource open() { return WeightSource::open(testing_support::golden_model("pixart")); }
  static DType stored(const PrecisionRules& rules, const char* path) {
    return rules.of(path, ModuleKind::linear).storage;
  }
  AddedFamily added_{toy()};
};

TEST_F(ToyFamily, ItsFilesAreRecognised) {
  const WeightSource source = open();
  EXPECT_EQ(source.family().id(), kToyId);
  EXPECT_EQ(generation_key(source), "toy_net");
  EXPECT_NE(DiffusionModel::open_planning(source), nullptr);
  EXPECT_EQ(&family_of(kToyId), &toy());
}

TEST_F(ToyFamily, ItsConfigIsATable) {
  const WeightSource source = open();
  ToyConfig found;
  detect_table(source, kDenoiser, kToyFields, found);
  EXPECT_GT(found.layers, 0);
  EXPECT_EQ(found.width, source.shape(kDenoiser, "pos_embed.proj.weight")[0]);
  EXPECT_FALSE(found.sizes);
  EXPECT_EQ(found.norm_eps, 1e-6) << "no weight tells";

  nlohmann::json written;
  write_table(written, kToyFields, found);
  EXPECT_EQ(toy_from_json(written, "x"), found);
  EXPECT_EQ(toy_from_json({{"width", 16}}, "x"), (ToyConfig{28, 16, 1e-5, true}));
  for (const char* wrong : {R"({"num_layers": 2})", R"({"width": 3})", R"({"width": 8, "eps": 0})",
                            R"({"width": 8, "sizes": 1})", R"({"width": 8, "windows": 1})"}) {
    EXPECT_THROW(toy_from_json(nlohmann::json::parse(wrong), "x"), Error) << wrong;
  }

  ToyConfig other = found;
  other.norm_eps = 1;
  EXPECT_NO_THROW(check_table(source, kDenoiser, kToyFields, other, found));
  other.layers += 1;
  test::expect_error_with([&] { check_table(source, kDenoiser, kToyFields, other, found); },
                          {"num_layers"});
}

TEST_F(ToyFamily, ItsWideModulesAreItsOwn) {
  Preset preset;
  preset.precision.weights.denoiser = StorageType::fp8_e4m3;
  preset.precision.compute = ComputeType::bf16;
  ModelFacts facts;
  facts.family = kToyId;
  const PrecisionRules rules = make_precision_plan(preset, facts).rules;
  EXPECT_EQ(stored(rules, "denoiser.proj_out"), DType::bf16);
  EXPECT_EQ(stored(rules, "denoiser.pos_embed.proj"), DType::f8_e4m3) << "PixArt's, not the toy's";
  facts.family = kPixart.id();
  EXPECT_EQ(stored(make_precision_plan(preset, facts).rules, "denoiser.pos_embed.proj"),
            DType::bf16);
  facts.family = ModelFamily::automatic;
  EXPECT_EQ(stored(make_precision_plan(preset, facts).rules, "denoiser.pos_embed.proj"),
            DType::bf16)
      << "those of every family, where none is known";
}

TEST_F(ToyFamily, OtherTrainersNamesLeadToIt) {
  const auto found = find_family(&ForeignNames::onetrainer, "TOY_NET_1");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->family, kToyId);
  const std::string text = R"({"training_method": "LORA", "model_type": "TOY_NET_1"})";
  EXPECT_EQ(import_preset_text(text, "x").preset.model.family, kToyId);
  EXPECT_EQ(find_family(&ForeignNames::kohya_versions, "toynet_v2")->family, kToyId);
}

TEST_F(ToyFamily, ALongerNameOfAnotherIsNotIts) {
  EXPECT_EQ(find_family(&ForeignNames::ai_toolkit, "lt9")->family, kToyId);
  const auto found = find_family(&ForeignNames::ai_toolkit, "ltx2.3_video");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->title, "LTX-2.3") << "the toy's \"lt*\" is found first, \"ltx2*\" last";
}

TEST_F(ToyFamily, ListsAndFirstStepsOfferIt) {
  Preset preset;
  set_setting(preset, "model.family", "toy_net");
  EXPECT_EQ(preset.model.family, kToyId);
  EXPECT_EQ(get_setting(preset, "model.family"), "toy_net");
  EXPECT_FALSE(belongs(require_setting("data.weighted_captions"), kToyId)) << "CLIP's alone";
  EXPECT_EQ(family_key(preset), "toy_net");
  EXPECT_EQ(family_badge("toy_net").letters, "TN");
  EXPECT_THAT(family_titles(), Contains("Toy Net"));
  EXPECT_THAT(first_goals(), Contains("toy-lora"));
  EXPECT_THAT(expected_checkpoint().text(), HasSubstr("Toy Net"));
}

TEST(ToyFamilies, AreGoneWithTheirObject) {
  { const AddedFamily added(toy()); }
  EXPECT_EQ(WeightSource::open(testing_support::golden_model("pixart")).family().id(),
            kPixart.id());
  EXPECT_THAT(family_names(), Not(Contains("toy_net")));
  EXPECT_THROW(family_row(kToyId), Error);
  Preset preset;
  EXPECT_THROW(set_setting(preset, "model.family", "toy_net"), Error);
}

/// Files outside the families' folders that name a family, and why they may.
const std::map<std::string, std::string> kMayNameFamilies{
    {"engine/models/families.cpp", "the registry"},
    {"engine/cli/examples.cpp", "an example of a command"},
    {"engine/preset/import_ai_toolkit_model.cpp", "switches of that program's older files"},
    {"engine/preset/import_diffusion_pipe_families.cpp", "a class that reads two models"},
    {"engine/preset/import_families.cpp", "models that aren't offered, by their names elsewhere"},
    {"engine/preset/import_kohya_jobs.cpp", "models with further inputs, by kohya_ss's script"},
    {"engine/preset/import_kohya_model.cpp", "kohya_ss's switch between two families"},
    {"engine/preset/import_kohya_rules.h", "the same switch"},
    {"engine/preset/import_kohya_scripts.cpp", "kohya_ss's switches of its scripts"},
    {"engine/preset/import_kohya_timesteps.cpp", "a family's own shift, by its name there"},
    {"engine/preset/import_simpletuner_flux1.cpp", "keys that count for one family there"},
    {"engine/preset/import_simpletuner_rules.h", "what that program does to two families alone"},
    {"engine/readers/reader_comfyui.cpp", "the rules of another program, which differ by family"},
    {"engine/readers/reader_diffusers.cpp", "the rules of another program, which differ by family"},
    {"engine/readers/reader_forge.cpp", "the rules of another program, which differ by family"},
    {"engine/readers/reader_invokeai.cpp", "the rules of another program, which differ by family"},
    {"engine/readers/reader_sdcpp.cpp", "the rules of another program, which differ by family"},
};

/// Whether `text` has `word` on its own: not in "word-lora", "a_word" or "word.safetensors".
bool has_word(std::string_view text, std::string_view word) {
  const auto joins = [&](std::size_t at) {
    const char c = at < text.size() ? text[at] : ' ';
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    if ((at == 0 || !joins(at - 1)) && !joins(at + word.size())) {
      return true;
    }
  }
  return false;
}

TEST(FamilyFolders, NothingElseNamesAFamily) {
  const fs::path root = MANTISSA_SOURCE_DIR;
  if (!fs::exists(root / "engine/models/families.cpp")) {
    GTEST_SKIP() << "without the sources";
  }
  std::set<std::string> folders;
  for (const auto& entry : fs::recursive_directory_iterator(root / "engine/models")) {
    if (entry.path().filename().string().ends_with("_family.cpp")) {
      folders.insert(entry.path().parent_path().lexically_relative(root).generic_string() + "/");
    }
  }
  std::set<std::string> found;
  for (const char* top : {"engine", "gui", "kernels", "packaging"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string name = entry.path().lexically_relative(root).generic_string();
      const auto holds = [&](const std::string& folder) { return name.starts_with(folder); };
      if (!entry.is_regular_file() || std::ranges::any_of(folders, holds)) {
        continue;
      }
      const std::string text = read_text(entry.path());
      const auto is_named = [&](const FamilyRow* row) { return has_word(text, row->id.name()); };
      const auto is_included = [&](const std::string& folder) {
        return text.find("\"" + folder) != std::string::npos;
      };
      if (std::ranges::any_of(family_rows(), is_named) ||
          std::ranges::any_of(folders, is_included)) {
        found.insert(name);
      }
    }
  }
  for (const std::string& name : found) {
    EXPECT_TRUE(kMayNameFamilies.contains(name))
        << name
        << " names a family; let it ask Family or FamilyRow, which the family's folder fills";
  }
  for (const auto& [name, reason] : kMayNameFamilies) {
    EXPECT_TRUE(found.contains(name)) << name << " names no family any more";
  }
}

TEST(FamilyFolders, TheRegistryHasTwoLinesForEach) {
  const fs::path registry = fs::path(MANTISSA_SOURCE_DIR) / "engine/models/families.cpp";
  if (!fs::exists(registry)) {
    GTEST_SKIP() << "without the sources";
  }
  std::istringstream lines(read_text(registry));
  std::size_t includes = 0, entries = 0;
  for (std::string line; std::getline(lines, line);) {
    includes += line.ends_with("_family.h\"") ? 1 : 0;
    entries += line.find("&k") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(entries, families().size());
  EXPECT_LE(includes, entries);
}

}  // namespace
}  // namespace mantissa
