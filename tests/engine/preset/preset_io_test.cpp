#include "engine/preset/preset_io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.h"
#include "engine/preset/preset_docs.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view text) {
  try {
    parse_preset(text, "p.json");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::input);
    return e.what();
  }
  return "accepted";
}

TEST(PresetIo, NestedAndDottedKeysMeanTheSame) {
  const Preset nested = parse_preset(
      R"({"mantissa_preset":1,"adapter":{"rank":8},"precision":{"weights":{"unet":"bf16"}}})", "a");
  const Preset dotted = parse_preset(
      R"({"adapter.rank":8,"precision.weights.denoiser":"bf16","mantissa_preset":1})", "b");
  const Preset mixed = parse_preset(
      R"({"mantissa_preset":1,"adapter":{"dim":8},"precision":{"weights.denoiser":"bf16"}})", "c");
  EXPECT_EQ(nested.adapter.rank, 8);
  EXPECT_EQ(nested.precision.weights.denoiser, StorageType::bf16);
  EXPECT_TRUE(nested == dotted);
  EXPECT_TRUE(nested == mixed);
}

Preset everything() {
  Preset p;
  p.name = "Porträt ✨";
  p.description = "Line one.\nLine \"two\".";
  p.tags = {"a", "b"};
  p.adapter.alpha = 0.1;
  p.adapter.targets = {"unet.*.to_q", "linear+conv"};
  p.precision.loss_scaling = {LossScaling::Mode::fixed, 65536};
  p.precision.pins = {{"unet.conv_in", StorageType::fp32}, {"*.norm*", StorageType::bf16}};
  p.training.parts = {kDenoiser, kTe2};
  p.training.seed = 9007199254740991;
  p.optimizer.learning_rate = 1.0 / 3.0;
  p.optimizer.betas = {0.95, 0.98};
  p.optimizer.groups = {{kTe2, OptimizerType::lion, 1e-6, std::nullopt}};
  p.samples.prompts = {SamplePrompt{"a cat", "", 3, 64, 128, 9, 7.25}, SamplePrompt{}};
  return p;
}

TEST(PresetIo, RoundTripIsStableInBothModes) {
  for (const Preset& preset : {Preset{}, everything()}) {
    for (const WriteMode mode : {WriteMode::changed, WriteMode::full}) {
      const std::string text = to_json(preset, mode);
      const Preset again = parse_preset(text, "x");
      EXPECT_TRUE(again == preset) << text;
      EXPECT_EQ(to_json(again, mode), text);
    }
  }
  EXPECT_EQ(to_json(Preset{}), "{\n  \"mantissa_preset\": 2\n}\n");
}

TEST(PresetIo, EveryValidFieldValueRoundTrips) {
  for (const Setting& s : settings()) {
    std::vector<nlohmann::json> values;
    if (s.kind == Kind::integer || s.kind == Kind::number) {
      values = {s.min, s.max, (s.min + s.max) / 2 - (s.kind == Kind::integer ? 0.5 : 0)};
    }
    for (const std::string_view c : s.choices) {
      values.emplace_back(std::string(c));
    }
    for (const auto& value : values) {
      Preset preset;
      if (!try_set_setting(preset, s.key, value).empty()) {
        continue;
      }
      EXPECT_TRUE(parse_preset(to_json(preset), "x") == preset) << s.key << " " << value;
    }
  }
}

TEST(PresetIo, ErrorsNameKeyLineAndNearestKey) {
  EXPECT_EQ(error_of("{\n \"mantissa_preset\": 1,\n \"adapter\": {\n  \"rnak\": 8\n }\n}"),
            "p.json:4: adapter.rnak is not a setting; did you mean adapter.rank?");
  EXPECT_EQ(error_of("{\n \"mantissa_preset\": 1,\n \"adapter\": {\n  \"rank\": 0\n }\n}"),
            "p.json:4: adapter.rank is 0; it must be a whole number from 1 to 1024");
  EXPECT_EQ(error_of("{\"mantissa_preset\": 1,\n\"adapter.rank\": 8,\n\"adapter.rank\": 9}"),
            "p.json:3: adapter.rank is given twice, first on line 2; keep one");
  EXPECT_EQ(error_of("{\"mantissa_preset\": 1,\n\"adapter.rank\": 8,\n\"adapter\": {\"rank\": 9}}"),
            "p.json:3: adapter.rank is given twice, first on line 2; keep one");
  EXPECT_EQ(error_of("{\"mantissa_preset\": 1,\n\"adapter.rank\": 8,\n\n\"adapter.dim\": 9}"),
            "p.json:4: adapter.dim (adapter.rank) is given twice, first on line 2; keep one");
  EXPECT_EQ(error_of("{\"mantissa_preset\": 1, \"samples\": {\"prompts\": [\n{\"prompt\": \"a\"},\n"
                     "{\"prompt\": \"b\",\n\"widht\": 64}]}}"),
            "p.json:4: samples.prompts[1].widht is not a known key; did you mean width?");
  EXPECT_EQ(error_of("{\"mantissa_preset\": 1,\n\"a\\nb\": 1}"),
            "p.json:2: a\\x0ab is not a setting; `mantissa train --help` lists them all");
  EXPECT_EQ(error_of("{\"mantissa_preset\": 1,\n\"precision.pins\": {\n\"unet.a\": \"fp32\",\n"
                     "\"unet.b\": \"fp31\"}}"),
            "p.json:4: precision.pins.unet.b is \"fp31\"; it must be one of fp32, bf16, fp16, "
            "fp8_e4m3, fp8_e5m2, int8, nf4, int8_convrot, mxfp8, nvfp4, gguf; did you mean fp32?");
}

TEST(PresetIo, AllProblemsAreToldInOrder) {
  const std::string message = error_of(
      "{\n\"mantissa_preset\": 1,\n\"adapter.rank\": \"x\",\n\"nonsense_key\": 1,\n"
      "\"training.steps\": -1,\n\"adapter.rank\": 3\n}");
  EXPECT_THAT(message, testing::StartsWith("p.json:3: adapter.rank is \"x\""));
  const auto at = [&](const char* s) { return message.find(s); };
  EXPECT_LT(at("p.json:3:"), at("p.json:4:"));
  EXPECT_LT(at("p.json:4:"), at("p.json:5:"));
  EXPECT_LT(at("p.json:5:"), at("p.json:6:"));
  EXPECT_NE(at("p.json:6:"), std::string::npos);

  std::string many = "{\"mantissa_preset\": 1";
  for (int i = 0; i < 25; ++i) {
    many += ",\n\"unknown_" + std::to_string(i) + "\": 1";
  }
  EXPECT_THAT(error_of(many + "}"), HasSubstr("… and 5 more"));
}

struct BadPreset {
  const char* name;
  std::string text;
  const char* message;
};

std::string with(const std::string& member) {
  return "{\"mantissa_preset\": 1,\n" + member + "\n}";
}

std::vector<BadPreset> bad_presets() {
  std::string deep(40, '['), many = "\"tags\": [", prompts = "\"samples.prompts\": [{}";
  for (int i = 0; i < 10001; ++i) {
    many += i == 0 ? "1" : ",1";
  }
  return {
      {"empty", "", "p.json:1: this is not valid JSON"},
      {"not json", "hello", "not valid JSON"},
      {"list", "[1]", "a preset is a JSON object"},
      {"number", "1", "a preset is a JSON object"},
      {"null", "null", "a preset is a JSON object"},
      {"a long text that isn't one", "{\"" + std::string(1000, 'a') + "\u00e9 end\x01\": 1}",
       "last read: '...aaaaaaaaaaaaaaaaaaaa"},
      {"not cut within an escape", "{\"a\"" + std::string(20, '\n') + "x",
       "last read: '...<U+000A>"},
      {"unclosed", "{\"mantissa_preset\": 1,\n\n", "p.json:1: this is not valid JSON"},
      {"trailing comma", "{\"mantissa_preset\": 1,\n}", "p.json:2: this is not valid JSON"},
      {"trailing text", "{\"mantissa_preset\": 1}\nx", "p.json:2: this is not valid JSON"},
      {"comment", "{\"mantissa_preset\": 1 // no\n}", "not valid JSON"},
      {"single quotes", "{'mantissa_preset': 1}", "not valid JSON"},
      {"UTF-16", std::string("\xff\xfe{\0", 4), "p.json:1: the text is UTF-16; save it as UTF-8"},
      {"bad utf-8", "{\"mantissa_preset\": 1, \"name\": \"\xff\"}", "not valid JSON"},
      {"NaN", with("\"adapter.alpha\": NaN"), "p.json:2: this is not valid JSON"},
      {"infinity", with("\"adapter.alpha\": Infinity"), "p.json:2: this is not valid JSON"},
      {"overflow", with("\"adapter.alpha\": 1e999"), "p.json:2: this is not valid JSON"},
      {"no format", "{\n\"adapter.rank\": 8}", "p.json:1: mantissa_preset is missing"},
      {"format zero", "{\"mantissa_preset\": 0}", "mantissa_preset must be 1"},
      {"format text", "{\"mantissa_preset\": \"1\"}", "mantissa_preset must be 1"},
      {"format fraction", "{\"mantissa_preset\": 1.5}", "mantissa_preset must be 1"},
      {"newer format", "{\"mantissa_preset\": 3, \"new_thing\": 1}", "newer Mantissa"},
      {"huge format", "{\"mantissa_preset\": 18446744073709551615}", "newer Mantissa"},
      {"format twice", "{\"mantissa_preset\": 1,\n\"mantissa_preset\": 1}",
       "p.json:2: mantissa_preset is given twice, first on line 1"},
      {"unknown key", with("\"learning_rat\": 1"), "p.json:2: learning_rat is not a setting"},
      {"unknown section", with("\"adaptr\": {\"rank\": 8}"), "adaptr is not a setting"},
      {"section not object", with("\"adapter\": 8"), "adapter is not an object"},
      {"duplicate section", with("\"data\": {\"flip\": true},\n\"data\": {}"),
       "p.json:3: data is given twice"},
      {"rank text", with("\"adapter.rank\": \"8\""), "adapter.rank is \"8\"; it must be a whole"},
      {"rank fraction", with("\"adapter.rank\": 8.5"), "adapter.rank is 8.5"},
      {"rank true", with("\"adapter.rank\": true"), "adapter.rank is true"},
      {"rank null", with("\"adapter.rank\": null"), "adapter.rank is null"},
      {"rank object", with("\"adapter.rank\": {}"), "adapter.rank is an object"},
      {"rank too high", with("\"adapter.rank\": 4096"), "from 1 to 1024"},
      {"rank beyond int64", with("\"adapter.rank\": 99999999999999999999"), "from 1 to 1024"},
      {"alpha negative", with("\"adapter.alpha\": -1"), "adapter.alpha is -1; it must be a number"},
      {"flip number", with("\"data.flip\": 1"), "data.flip is 1; it must be true or false"},
      {"enum typo", with("\"optimizer.type\": \"adamv\""), "; did you mean adamw?"},
      {"enum case", with("\"optimizer.type\": \"AdamW\""), "it must be one of adamw"},
      {"enum number", with("\"optimizer.type\": 0"), "it must be one of adamw"},
      {"targets word", with("\"adapter.targets\": \"atention\""), "; did you mean attention?"},
      {"targets empty", with("\"adapter.targets\": []"), "adapter.targets is a list of 0"},
      {"targets path", with("\"adapter.targets\": [\"/etc/passwd\"]"), "module-path pattern"},
      {"targets number", with("\"adapter.targets\": [1]"), "adapter.targets[0] is 1"},
      {"parts empty", with("\"training.parts\": []"), "at least one of denoiser"},
      {"parts unknown", with("\"training.parts\": [\"vea\"]"), "training.parts[0] is \"vea\""},
      {"parts twice", with("\"training.parts\": [\"te1\",\n\"te1\"]"),
       "p.json:3: training.parts[1]"},
      {"betas one", with("\"optimizer.betas\": [0.9]"), "a list of two numbers"},
      {"beta one", with("\"optimizer.betas\": [0.9, 1]"), "optimizer.betas[1] is 1"},
      {"loss scale zero", with("\"precision.loss_scaling\": 0"), "or a number from 1"},
      {"loss scale word", with("\"precision.loss_scaling\": \"on\""), "auto, off, dynamic"},
      {"pins list", with("\"precision.pins\": []"), "module-path patterns"},
      {"pin type", with("\"precision.pins\": {\"a\": 32}"), "precision.pins.a is 32"},
      {"pin pattern", with("\"precision.pins\": {\"a b\": \"fp32\"}"), "module-path pattern"},
      {"group without part", with("\"optimizer.groups\": [{\"type\": \"lion\"}]"),
       "optimizer.groups[0] lacks \"part\""},
      {"group part twice", with("\"optimizer.groups\": [{\"part\": \"te1\"}, {\"part\": \"te1\"}]"),
       "optimizer.groups[1].part is \"te1\", which already has an entry"},
      {"group number", with("\"optimizer.groups\": [3]"), "optimizer.groups[0] is 3"},
      {"prompt empty", with(prompts + "]"), "samples.prompts[0] lacks \"prompt\""},
      {"prompt width", with("\"samples.prompts\": [{\"prompt\": \"a\",\n\"width\": 100}]"),
       "p.json:3: samples.prompts[0].width is 100; it must be a multiple of 8"},
      {"prompt steps", with("\"samples.prompts\": [{\"prompt\": \"a\", \"steps\": 0}]"),
       "samples.prompts[0].steps is 0"},
      {"prompt duplicate", with("\"samples.prompts\": [{\"prompt\": \"a\", \"prompt\": \"b\"}]"),
       "prompt is given twice"},
      {"name is a path", with("\"name\": \"/home/me/x\""), "looks like a path"},
      {"name is a drive", with("\"name\": \"C:\\\\x\""), "looks like a path"},
      {"name leads up, Windows", with("\"name\": \"a\\\\..\\\\b\""), "looks like a path"},
      {"name starts above, Windows", with("\"name\": \"..\\\\b\""), "looks like a path"},
      {"name with delete", with("\"name\": \"a\\u007fb\""), "control characters"},
      {"name is a share", with("\"name\": \"\\\\\\\\host\\\\x\""), "looks like a path"},
      {"name climbs", with("\"name\": \"a/../b\""), "looks like a path"},
      {"name is a url", with("\"name\": \"HTTPS://example.org\""), "holds a URL"},
      {"name has lines", with("\"name\": \"a\\nb\""), "control characters"},
      {"name reversed", with("\"name\": \"a\\u202Eb\""), "control characters"},
      {"author url", with("\"author\": \"me www.example.org\""), "holds a URL"},
      {"author url in capitals", with("\"author\": \"me WWW.Example.org\""), "holds a URL"},
      {"author script", with("\"author\": \"JavaScript:alert(1)\""), "holds a URL"},
      {"author address", with("\"author\": \"MailTo:me\""), "holds a URL"},
      {"description url", with("\"description\": \"see http://example.org\""), "holds a URL"},
      {"tag file url", with("\"tags\": [\"file:///etc\"]"), "tags[0] is"},
      {"tag number", with("\"tags\": [\"a\", 2]"), "tags[1] is 2; it must be text"},
      {"output path", with("\"output.name\": \"a/b\""), "without a folder"},
      {"output climbs", with("\"output.name\": \"..\""), "output.name is"},
      {"output empty", with("\"output.name\": \"\""), "is empty"},
      {"output device", with("\"output.name\": \"NUL.v1\""), "device name on Windows"},
      {"output com port", with("\"output.name\": \"com7\""), "device name on Windows"},
      {"output colon", with("\"output.name\": \"a:b\""), "without a folder"},
      {"output NUL byte", with("\"output.name\": \"a\\u0000b\""), "control characters"},
      {"output dot", with("\"output.name\": \"a.\""), "ends with a dot"},
      {"output extension", with("\"output.name\": \"a.SafeTensors\""), "leave the extension out"},
      {"keep one", with("\"output.keep\": 1"),
       "output.keep is 1; it must be a whole number from 2"},
      {"deep", with("\"tags\": " + deep), "nested deeper than 32 levels"},
      {"many", with(many + "]"), "more than 10000 values"},
      {"long text", with("\"description\": \"" + std::string(70000, 'a') + "\""),
       "longer than 64 KB"},
      {"long key", with("\"" + std::string(70000, 'a') + "\": 1"), "longer than 64 KB"},
      {"too large", with("\"name\": \"a\"" + std::string(1 << 20, ' ')), "bytes; at most"},
  };
}

TEST(PresetIo, BadPresetsAreRefusedWithTheReason) {
  const auto cases = bad_presets();
  EXPECT_GE(cases.size(), 40u);
  for (const BadPreset& bad : cases) {
    SCOPED_TRACE(bad.name);
    const std::string message = error_of(bad.text);
    EXPECT_THAT(message, HasSubstr(bad.message));
    EXPECT_THAT(message, testing::StartsWith("p.json:"));
    EXPECT_LT(message.size(), 4000u);
  }
}

TEST(PresetIo, WhatLooksOddButIsFine) {
  const Preset p =
      parse_preset("\xEF\xBB\xBF" + with(R"~("adapter.rank": 1.6e1, "name": "v1.5 ... 50/50 mix",
        "output.name": "myLoRA v1.2_(final)", "tags": ["C: minor"],
        "samples.prompts": [{"prompt": "see https://example.org/../x"}],
        "training.parts": ["te2", "unet"], "output.keep": 2)~"),
                   "x");
  EXPECT_EQ(p.adapter.rank, 16);
  EXPECT_EQ(p.training.parts, (std::vector<Part>{kDenoiser, kTe2}));
}

TEST(PresetIo, Set) {
  Preset p;
  apply_set(p, "adapter.rank=8");
  apply_set(p, "optimizer.type=lion");
  apply_set(p, "optimizer.lr=3e-5");
  apply_set(p, "optimizer.betas=0.9,0.99");
  apply_set(p, "training.parts=unet,te1");
  apply_set(p, "adapter.targets=linear+conv");
  apply_set(p, "data.flip=true");
  apply_set(p, "name=123");
  apply_set(p, "description=a=b");
  apply_set(p, "tags=one");
  apply_set(p, "precision.optimizer_state=8bit");
  apply_set(p, "precision.loss_scaling=1024");
  apply_set(p, R"(samples.prompts=[{"prompt":"a, b"}])");
  EXPECT_EQ(p.adapter.rank, 8);
  EXPECT_EQ(p.optimizer.type, OptimizerType::lion);
  EXPECT_EQ(p.optimizer.learning_rate, 3e-5);
  EXPECT_EQ(p.optimizer.betas, (std::array<double, 2>{0.9, 0.99}));
  EXPECT_EQ(p.training.parts, (std::vector<Part>{kDenoiser, kTe1}));
  EXPECT_EQ(p.adapter.targets, std::vector<std::string>{"linear+conv"});
  EXPECT_TRUE(p.data.flip);
  EXPECT_EQ(p.name, "123");
  EXPECT_EQ(p.description, "a=b");
  EXPECT_EQ(p.tags, std::vector<std::string>{"one"});
  EXPECT_EQ(p.precision.optimizer_state, StateType::eight_bit);
  EXPECT_EQ(p.precision.loss_scaling.value, 1024);
  EXPECT_EQ(p.samples.prompts.at(0).prompt, "a, b");
  apply_set(p, "adapter.targets=*.to_q,*.to_k");
  EXPECT_EQ(p.adapter.targets, (std::vector<std::string>{"*.to_q", "*.to_k"}));
  apply_set(p, "training.parts=te2");
  EXPECT_EQ(p.training.parts, std::vector<Part>{kTe2});

  const Preset before = p;
  for (const char* bad : {"adapter.rank", "=3", "adapter.rank=", "adapter.rank=many",
                          "adapter.rnak=3", "data.flip=yes", "name=\xff\xfe", "betas=1",
                          "output.name=../x", "adapter.targets=atention"}) {
    EXPECT_THROW(apply_set(p, bad), Error) << bad;
  }
  EXPECT_TRUE(p == before);
}

TEST(PresetIo, TheOrderOfPartsMeansNothing) {
  const Preset a =
      parse_preset(R"({"mantissa_preset": 1, "training.parts": ["te2", "unet"]})", "a");
  const Preset b =
      parse_preset(R"({"mantissa_preset": 1, "training.parts": ["unet", "te2"]})", "b");
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.training.parts, (std::vector{kDenoiser, kTe2}));
}

TEST(PresetIo, DiffAndPatch) {
  Preset a, b;
  apply_patch(b, {{"adapter.rank", 4}, {"training.seed", 7}});
  const auto changes = diff_presets(a, b);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].key, "adapter.rank");
  EXPECT_EQ(changes[0].a, 16);
  EXPECT_EQ(changes[0].b, 4);
  EXPECT_EQ(changes[1].key, "training.seed");
  EXPECT_TRUE(diff_presets(b, b).empty());
  EXPECT_THROW(apply_patch(b, nlohmann::json::array()), Error);
}

TEST(PresetIo, SchemaAndReferenceNameEverySetting) {
  const auto schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  const std::string reference = reference_markdown();
  for (const Setting& s : settings()) {
    std::string pointer = "/properties/";
    for (const char c : s.key) {
      pointer += c == '.' ? "/properties/" : std::string(1, c);
    }
    const nlohmann::json::json_pointer at(pointer);
    ASSERT_TRUE(schema.contains(at)) << s.key;
    EXPECT_EQ(schema[at]["default"], default_value(s.key));
    EXPECT_THAT(reference, HasSubstr("`" + std::string(s.key) + "`"));
  }
  EXPECT_EQ(schema["properties"]["adapter"]["properties"]["rank"]["maximum"], 1024);
  EXPECT_EQ(schema["properties"]["adapter"]["additionalProperties"], false);
}

}  // namespace
}  // namespace mantissa
