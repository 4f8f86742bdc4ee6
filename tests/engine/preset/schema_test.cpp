#include "engine/preset/schema.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <string>

#include "engine/core/error.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Converts to anything: counts the members of an aggregate by how many initialisers it takes.
struct Anything {
  template <typename T>
  operator T() const;  // NOLINT
};

template <typename T, typename... Args>
constexpr std::size_t member_count() {
  if constexpr (requires { T{Args{}..., Anything{}}; }) {
    return member_count<T, Args..., Anything>();
  } else {
    return sizeof...(Args);
  }
}

std::size_t rows_below(std::string_view section) {
  std::size_t count = 0;
  for (const Setting& s : settings()) {
    count += s.key.substr(0, section.size()) == section ? 1 : 0;
  }
  return count;
}

/// A value of the row's kind that is accepted and differs from the default.
Json other_value(const Setting& s) {
  const Json now = default_value(s.key);
  switch (s.kind) {
    case Kind::boolean:
      return !now.get<bool>();
    case Kind::integer:
      return now.get<std::int64_t>() == static_cast<std::int64_t>(s.max)
                 ? static_cast<std::int64_t>(s.min)
                 : now.get<std::int64_t>() + 1;
    case Kind::number:
      return now.get<double>() == s.max ? s.min : s.max;
    case Kind::text:
      return "something else";
    case Kind::choice:
      return std::string(s.choices[now == std::string(s.choices[0]) ? 1 : 0]);
    case Kind::text_list:
      return s.text == TextRule::size ? Json::array({"512x768", "64x64"})
                                      : Json::array({"one", "two"});
    case Kind::integer_list:
      return Json::array({512, 768});
    case Kind::choice_list:
      return Json::array({std::string(s.choices[1]), std::string(s.choices[2])});
    case Kind::targets:
      return Json::array({"unet.mid_block.*.to_q"});
    case Kind::number_pair:
      return Json::array({0.5, 0.75});
    case Kind::choice_or_number:
      return 2;
    case Kind::pins:
      return Json{{"unet.conv_in", "bf16"}, {"*.norm*", "fp32"}};
    case Kind::objects:
      if (s.key == "samples.prompts") {
        return Json::array({{{"prompt", "a cat"},
                             {"negative", "blur"},
                             {"seed", 7},
                             {"width", 64},
                             {"height", 128},
                             {"steps", 5},
                             {"guidance", 3.5}}});
      }
      if (s.key == "data.folders") {
        return Json::array(
            {{{"folder", "10_zorb"}, {"repeats", 3}, {"weight", 0.5}, {"prefix", "zorb,"}}});
      }
      if (s.key == "adapter.ranks") {
        return Json::array({{{"layers", "unet.mid_block.*"}, {"rank", 4}, {"alpha", 2.5}}});
      }
      if (s.key == "embedding.tokens") {
        return Json::array(
            {{{"token", "zorb"}, {"vectors", 3}, {"init", "a cat"}, {"deviation", 0.5}}});
      }
      return Json::array(
          {{{"part", "te2"}, {"type", "lion"}, {"learning_rate", 0.5}, {"weight_decay", 0.25}}});
  }
  return {};
}

TEST(Schema, EveryMemberOfPresetHasARow) {
  EXPECT_EQ(member_count<Preset>(), 4 + 12u) << "a section of Preset is new: add its rows here";
  EXPECT_EQ(rows_below("model."), member_count<Preset::Model>());
  EXPECT_EQ(rows_below("adapter."), member_count<Preset::Adapter>());
  EXPECT_EQ(rows_below("precision.weights."), member_count<Preset::Precision::Weights>());
  EXPECT_EQ(rows_below("precision.") - rows_below("precision.weights."),
            member_count<Preset::Precision>() - 1);
  EXPECT_EQ(rows_below("data."), member_count<Preset::Data>());
  EXPECT_EQ(rows_below("training."), member_count<Preset::Training>());
  EXPECT_EQ(rows_below("slider."), member_count<Preset::Slider>());
  EXPECT_EQ(rows_below("distilled."), member_count<Preset::Distilled>());
  EXPECT_EQ(rows_below("optimizer."), member_count<Preset::Optimizer>());
  EXPECT_EQ(rows_below("schedule."), member_count<Preset::Schedule>());
  EXPECT_EQ(rows_below("output."), member_count<Preset::Output>());
  EXPECT_EQ(rows_below("samples."), member_count<Preset::Samples>());
  EXPECT_EQ(find_setting("optimizer.groups")->fields.size(), member_count<OptimizerGroup>());
  EXPECT_EQ(find_setting("samples.prompts")->fields.size(), member_count<SamplePrompt>());
  EXPECT_EQ(find_setting("data.folders")->fields.size(), member_count<FolderRule>());
  EXPECT_EQ(find_setting("adapter.ranks")->fields.size(), member_count<LayerRank>());
  EXPECT_EQ(find_setting("embedding.tokens")->fields.size(), member_count<EmbeddingToken>());
}

TEST(Schema, EveryRowReachesAMemberOfItsOwn) {
  for (const Setting& s : settings()) {
    Preset preset;
    ASSERT_NO_THROW(set_setting(preset, s.key, other_value(s))) << s.key;
    EXPECT_FALSE(preset == Preset{}) << s.key;
    EXPECT_EQ(get_setting(preset, s.key), other_value(s)) << s.key;
    for (const Setting& other : settings()) {
      EXPECT_EQ(is_default(preset, other.key), other.key != s.key) << s.key << " / " << other.key;
    }
    set_setting(preset, s.key, default_value(s.key));
    EXPECT_TRUE(preset == Preset{}) << s.key;
  }
}

TEST(Schema, RanksOfLayersAreChecked) {
  Preset preset;
  set_setting(
      preset, "adapter.ranks",
      Json::array({{{"layers", "*.to_q"}, {"rank", 8}}, {{"layers", "te1.*"}, {"rank", 0}}}));
  EXPECT_EQ(preset.adapter.ranks, (std::vector<LayerRank>{{"*.to_q", 8, 0}, {"te1.*", 0, 0}}));
  const std::pair<Json, const char*> bad[] = {
      {{{"layers", "a/b"}, {"rank", 4}}, "adapter.ranks[1].layers"},
      {{{"layers", "*.to_k"}}, "rank"},
      {{{"rank", 4}}, "layers"},
      {{{"layers", "*.to_k"}, {"rank", -1}}, "adapter.ranks[1].rank"},
      {{{"layers", "*.to_k"}, {"rank", 4}, {"alpha", -1}}, "adapter.ranks[1].alpha"},
      {{{"layers", "*.to_k"}, {"rank", 4}, {"dim", 4}}, "dim"},
      {{{"layers", "*.to_q"}, {"rank", 4}}, "already has an entry"}};
  const Preset before = preset;
  for (const auto& [entry, told] : bad) {
    try {
      set_setting(preset, "adapter.ranks",
                  Json::array({{{"layers", "*.to_q"}, {"rank", 8}}, entry}));
      ADD_FAILURE() << entry.dump();
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(told), std::string::npos) << e.what();
    }
    EXPECT_EQ(preset, before);
  }
}

TEST(Schema, SizesAreWidthAndHeight) {
  Preset preset;
  for (const char* good : {"768x1344", "1x1", "65535x64"}) {
    EXPECT_NO_THROW(set_setting(preset, "data.skip_buckets", Json::array({good}))) << good;
  }
  for (const char* bad :
       {"", "x", "768", "768x", "x768", "768X1344", "768x1344x2", "0x64", "064x64", "-64x64",
        " 64x64", "64x64 ", "65536x64", "64\u00d764", "6.4x64"}) {
    try {
      set_setting(preset, "data.skip_buckets", Json::array({"64x64", bad}));
      ADD_FAILURE() << bad;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("data.skip_buckets[1]"), std::string::npos) << e.what();
    }
  }
}

TEST(Schema, RowsAreComplete) {
  std::set<std::string_view> keys;
  for (const Setting& s : settings()) {
    EXPECT_TRUE(keys.insert(s.key).second) << s.key;
    EXPECT_FALSE(s.label.empty()) << s.key;
    EXPECT_GT(s.help.size(), 15u) << s.key;
    EXPECT_TRUE(s.help.back() == '.') << s.key;
    EXPECT_LE(s.since, kPresetFormat) << s.key;
    EXPECT_FALSE(group_title(s.group).empty()) << s.key;
    EXPECT_FALSE(allowed_values(s).empty()) << s.key;
    if (s.kind == Kind::integer || s.kind == Kind::number) {
      EXPECT_LT(s.min, s.max) << s.key;
    }
    if (s.kind == Kind::choice) {
      EXPECT_GE(s.choices.size(), 2u) << s.key;
    }
    if (!s.applies_if.key.empty()) {
      const Setting* on = find_setting(s.applies_if.key);
      ASSERT_NE(on, nullptr) << s.key;
      for (const std::string_view v : s.applies_if.values) {
        EXPECT_TRUE(v.empty() ||
                    (on->kind == Kind::integer && v == default_value(on->key).dump()) ||
                    (on->kind == Kind::boolean && (v == "true" || v == "false")) ||
                    std::find(on->choices.begin(), on->choices.end(), v) != on->choices.end())
            << s.key << " " << v;
      }
    }
    // The default must itself pass the checks, or a written preset could not be read.
    Preset preset;
    EXPECT_TRUE(try_set_setting(preset, s.key, default_value(s.key)).empty()) << s.key;
  }
  for (const Setting& s : settings()) {
    EXPECT_TRUE(s.alias.empty() || keys.insert(s.alias).second) << s.alias;
  }
}

TEST(Schema, EveryChoiceIsAccepted) {
  for (const Setting& s : settings()) {
    if (s.kind != Kind::choice) {
      continue;
    }
    for (const std::string_view c : s.choices) {
      Preset preset;
      set_setting(preset, s.key, std::string(c));
      EXPECT_EQ(get_setting(preset, s.key), std::string(c)) << s.key;
    }
  }
  EXPECT_EQ(enum_name(StateType::eight_bit), "8bit");
  EXPECT_EQ(enum_name(StorageType::fp8_e5m2), "fp8_e5m2");
  EXPECT_EQ(enum_name(ScheduleType::rex), "rex");
  EXPECT_EQ(enum_name(OptimizerType::sgd), "sgd");
  EXPECT_EQ(enum_from_name<StateType>("bf16"), StateType::bf16);
  EXPECT_FALSE(enum_from_name<StateType>("fp8").has_value());
}

TEST(Schema, TheReadmeNamesEveryOptimizer) {
  std::ifstream in(MANTISSA_SOURCE_DIR "/README.md", std::ios::binary);
  std::string line;
  while (std::getline(in, line) && !line.starts_with("| Optimizers |")) {
  }
  ASSERT_TRUE(in) << "README.md has no row of optimizers";
  std::string names;  // " AdamW 8-bit," -> "adamw8bit,"
  for (const char c : line) {
    if (c != ' ' && c != '-') {
      names += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == ';' || c == '|' ? ',' : c;
    }
  }
  for (const std::string_view name : enum_names<OptimizerType>()) {
    EXPECT_NE(names.find(',' + std::string(name) + ','), std::string::npos)
        << "README.md, row Optimizers, lacks " << name;
  }
}

TEST(Schema, SaysWhatARunMayChange) {
  std::set<std::string_view> live, on_resume;
  for (const Setting& s : settings()) {
    if (s.change == Change::live) {
      live.insert(s.key);
    } else if (s.change == Change::on_resume) {
      on_resume.insert(s.key);
    }
  }
  EXPECT_EQ(live, (std::set<std::string_view>{
                      "optimizer.learning_rate", "training.steps", "training.epochs",
                      "output.save_every", "output.save_epochs", "output.save_minutes",
                      "samples.every", "samples.every_epochs", "samples.every_minutes"}));
  EXPECT_EQ(on_resume,
            (std::set<std::string_view>{"name", "description", "author", "tags", "output.name",
                                        "output.keep", "output.format", "output.dtype",
                                        "output.tensorboard", "output.bundle_embeddings",
                                        "training.validate_every", "samples.prompts"}));
}

TEST(Schema, BoundsAreInclusiveAndHeld) {
  for (const Setting& s : settings()) {
    if (s.kind != Kind::integer && s.kind != Kind::number) {
      continue;
    }
    Preset preset;
    EXPECT_NO_THROW(set_setting(preset, s.key, s.min)) << s.key;
    EXPECT_NO_THROW(set_setting(preset, s.key, s.max)) << s.key;
    const Preset before = preset;
    for (const double wrong : {s.min - 1, s.max + 1, s.max * 2}) {
      try {
        set_setting(preset, s.key, wrong);
        ADD_FAILURE() << s.key << " took " << wrong;
      } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find(s.key), std::string::npos);
        EXPECT_NE(std::string(e.what()).find(allowed_values(s).text()), std::string::npos)
            << e.what();
      }
      EXPECT_TRUE(preset == before) << s.key;
    }
  }
}

TEST(Schema, AliasesAndNearestKeys) {
  Preset preset;
  set_setting(preset, "optimizer.lr", 0.5);
  EXPECT_EQ(preset.optimizer.learning_rate, 0.5);
  EXPECT_EQ(nearest_key("adapter.rnak"), "adapter.rank");
  EXPECT_EQ(nearest_key("adapter.rankk"), "adapter.rank");
  EXPECT_EQ(nearest_key("training.rank"), "adapter.rank");
  EXPECT_EQ(nearest_key("learning_rate"), "optimizer.learning_rate");
  EXPECT_EQ(nearest_key("zzzzzzzzzzzzzzzzzzzz"), "");
  EXPECT_THROW(require_setting("adapter.rnak"), Error);
}

TEST(Schema, SettingsThatDoNotApply) {
  Preset preset;
  EXPECT_FALSE(applies(preset, *find_setting("adapter.dora_axis")));
  EXPECT_TRUE(applies(preset, *find_setting("adapter.rank")));
  preset.adapter.type = AdapterType::dora;
  EXPECT_TRUE(applies(preset, *find_setting("adapter.dora_axis")));
  EXPECT_FALSE(applies(preset, *find_setting("adapter.decompose"))) << "DoRA has a type of its own";
  preset.adapter.type = AdapterType::loha;
  EXPECT_TRUE(applies(preset, *find_setting("adapter.decompose")));
  EXPECT_TRUE(applies(preset, *find_setting("adapter.dora_axis")));
  EXPECT_TRUE(applies(preset, *find_setting("training.steps")));
  preset.training.epochs = 3;
  EXPECT_FALSE(applies(preset, *find_setting("training.steps")));
  EXPECT_FALSE(applies(preset, *find_setting("schedule.min_factor")));
  preset.schedule.type = ScheduleType::cosine;
  EXPECT_TRUE(applies(preset, *find_setting("schedule.min_factor")));
  EXPECT_FALSE(applies(preset, *find_setting("training.trigger_word")));
  preset.training.preservation = Preservation::class_word;
  EXPECT_TRUE(applies(preset, *find_setting("training.trigger_word")));
  EXPECT_FALSE(applies(preset, *find_setting("slider.target")));
  preset.training.purpose = TrainingPurpose::slider;
  EXPECT_TRUE(applies(preset, *find_setting("slider.target")));
  EXPECT_FALSE(applies(preset, *find_setting("training.preservation")));
}

}  // namespace
}  // namespace mantissa
