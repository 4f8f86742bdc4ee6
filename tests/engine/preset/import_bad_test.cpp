// Imports of files that no program would write: mistakes, damage and hostile values.
#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "engine/core/error.h"
#include "engine/preset/import.h"
#include "engine/preset/preset_io.h"
#include "tests/engine/preset/import_samples.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {

using testing::HasSubstr;
using testing_support::sample;
using testing_support::times;

TEST(Import, LimitsAndMistakesAreToldWithTheirLine) {
  const auto message = [](const std::string& text) {
    return test::message_of([&] { import_preset_text(text, "x"); });
  };
  EXPECT_THAT(message("a = 1\nb = \n"), HasSubstr("x:2: this is not valid TOML"));
  EXPECT_THAT(message("{\"network_dim\": 4,\n \"network_dim\": 8}"), HasSubstr("x:2:"));
  EXPECT_THAT(message("[a]\nnetwork_dim = 1\nnetwork_dim = 2\n"), HasSubstr("x:3:"));
  EXPECT_THAT(message("{}"), HasSubstr("none of its keys is known"));
  EXPECT_THAT(message(""), HasSubstr("none of its keys is known"));
  EXPECT_THAT(message("hello = 1"), HasSubstr("none of its keys is known"));
  EXPECT_THAT(message(std::string((1 << 20) + 1, ' ')), HasSubstr("larger than 1 MB"));
  std::string deep = "a = ";
  for (int i = 0; i < 40; ++i) {
    deep += '[';
  }
  EXPECT_THAT(message(deep + std::string(40, ']')), HasSubstr("nested deeper than 32"));
  EXPECT_THAT(message("a = " + std::string(5000, '[')), HasSubstr("x:1:"));
  EXPECT_THAT(message(std::string(5000, '[')), HasSubstr("x:1:"));
  std::string wide = "a = [";
  for (int i = 0; i < 10001; ++i) {
    wide += "1,";
  }
  EXPECT_THAT(message(wide + "]"), HasSubstr("more than 10000 values"));
  EXPECT_THAT(message("a = \"" + std::string(70000, 'x') + "\""), HasSubstr("longer than 64 KB"));
}

TEST(ImportBounds, DeepTextsAreOneError) {
  const std::string texts[] = {"a" + times(".a", 100'000) + " = 1",
                               "x = 1\n[a" + times(".a", 100'000) + "]\n",
                               "x = 1\n[[a" + times(".\"a\"", 100'000) + "]]\n",
                               "a = " + times("{a = ", 100'000),
                               "a = " + times("[", 500'000) + times("]", 500'000),
                               "a." + times(" a .", 200'000) + "b = 1",
                               times("[", 1'000'000),
                               times("{\"a\":", 200'000),
                               "a: " + times("[", 1'000'000),
                               "a: " + times("{a: ", 200'000),
                               times("- ", 400'000)};
  for (const std::string& text : texts) {
    const std::string said = test::message_of([&] { import_preset_text(text, "x"); });
    EXPECT_THAT(said, testing::AnyOf(HasSubstr("nested deeper than 32 levels"),
                                     HasSubstr("this is not valid")))
        << text.substr(0, 20);
    EXPECT_LT(said.size(), 300u);
    EXPECT_THROW(parse_preset(text, "x"), Error);
    Preset preset;
    EXPECT_THROW(apply_set(preset, "optimizer.betas=" + text), Error) << text.substr(0, 20);
  }
}

TEST(ImportBounds, DeepArgumentsStayText) {
  const std::string deep = times("[", 60'000);
  const ImportResult of_toml = import_preset_text(
      "network_dim = 4\nnetwork_args = [\"a=" + deep + times("]", 5'000) + "\"]\n", "x");
  EXPECT_EQ(of_toml.preset.adapter.rank, 4);
  const std::string closed = times("[", 30'000) + times("]", 30'000);
  const ImportResult of_file =
      import_preset_metadata({{"ss_network_dim", "4"},
                              {"ss_network_args", "{\"a\": " + closed + "}"},
                              {"ss_resolution", closed},
                              {"ss_noise_offset", closed}},
                             "a.safetensors");
  EXPECT_EQ(of_file.preset.adapter.rank, 4);
}

/// No text of 1 MB takes longer than its size allows.
TEST(ImportBounds, WideTextsTakeLinearTime) {
  std::string keys = "network_dim = 4\n", maps = "{\"linear_dim\": 4, \"name_algo_map\": {";
  std::string json = "{\"network_dim\": 4", yaml = "network_dim: 4\n";
  for (int i = 0; i < 4900; ++i) {
    const std::string name = "k" + std::to_string(i);
    keys += name + " = 1\n";
    json += ",\"" + name + "\": 1";
    yaml += name + ": 1\n";
    maps += (i == 0 ? "\"" : ",\"") + name + "\": {\"dim\": 4}";
  }
  for (const std::string& text : {keys, json + "}", yaml, maps + "}}"}) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NO_THROW(import_preset_text(text, "x")) << text.substr(0, 20);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  }
}

/// Every sample with bytes changed, removed, duplicated or truncated: it either is refused with an
/// Error,
/// or gives a preset within the limits.
TEST(Import, MutatedFilesNeverBreakAnything) {
  std::mt19937_64 random(7);
  int read = 0, refused = 0;
  const char* names[] = {
      "kohya_sdxl.toml",          "kohya_dataset.toml",       "kohya_ss.json",
      "onetrainer.json",          "onetrainer_old.json",      "onetrainer_zimage.json",
      "ai_toolkit_zimage.yaml",   "ai_toolkit_klein.json",    "musubi_zimage.toml",
      "musubi_dataset.toml",      "simpletuner_zimage.json",  "simpletuner_backends.json",
      "diffusion_pipe_qwen.toml", "diffusion_pipe_sdxl.toml", "diffusion_pipe_dataset.toml"};
  for (const char* name : names) {
    const std::string original = sample(name);
    for (int i = 0; i < 1500; ++i) {
      std::string text = original;
      for (std::uint64_t n = random() % 4 + 1; n > 0; --n) {
        const std::size_t at = random() % text.size();
        switch (random() % 5) {
          case 0:
            text[at] = static_cast<char>(random());
            break;
          case 1:
            text.erase(at, random() % 40 + 1);
            break;
          case 2:
            text.insert(at, text.substr(random() % text.size(), random() % 60));
            break;
          case 3:
            text.insert(at, std::string(random() % 8, "[]{}\"'=,.-\n:&*!? \t#|>%@"[random() % 23]));
            break;
          default: {
            static constexpr const char* kValues[] = {
                "-1",   "1e309",       "null", "[]", "{}", "\"\"",  "99999999999999999999",
                "true", "\"\\u0000\"", "nan",  "&a", "*a", "!!int", "\n- ",
                "? ",   "<<: "};
            text.insert(at, kValues[random() % 16]);
          }
        }
        if (text.empty()) {
          text = " ";
        }
      }
      try {
        const ImportResult result = import_preset_text(text, name);
        ASSERT_TRUE(parse_preset(to_json(result.preset), "again") == result.preset) << text;
        ++read;
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(Import, HostileValuesInEveryKnownPlace) {
  // Every key of the samples gets every odd value; types are never what the rules expect.
  const nlohmann::json odd[] = {nullptr,
                                true,
                                -1,
                                1e308,
                                "",
                                "C:/x/../y",
                                "\xE2\x80\xAE evil",
                                nlohmann::json::array(),
                                nlohmann::json::array({nullptr, "a", nlohmann::json::object()}),
                                nlohmann::json::object(),
                                {{"a", {{"b", 1}}}}};
  int read = 0, refused = 0;
  for (const char* name :
       {"kohya_ss.json", "onetrainer.json", "onetrainer_old.json", "onetrainer_zimage.json",
        "ai_toolkit_klein.json", "simpletuner_zimage.json", "simpletuner_backends.json"}) {
    const nlohmann::json original = nlohmann::json::parse(sample(name));
    const nlohmann::json flat = original.flatten();
    for (const auto& [pointer, unused] : flat.items()) {
      // The place itself, and all that it lies in.
      for (nlohmann::json::json_pointer at(pointer); !at.empty(); at.pop_back()) {
        for (const nlohmann::json& v : odd) {
          nlohmann::json changed = original;
          changed[at] = v;
          try {
            const ImportResult result = import_preset_text(changed.dump(), name);
            EXPECT_TRUE(parse_preset(to_json(result.preset), "again") == result.preset)
                << at.to_string() << " = " << v.dump();
            ++read;
          } catch (const Error&) {
            ++refused;  // a family that isn't offered, or a file that has lost its shape
          }
        }
      }
    }
  }
  EXPECT_GT(read, 5 * refused);
}

}  // namespace
}  // namespace mantissa
