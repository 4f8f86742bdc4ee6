// Text from files that would control a terminal, hide or reverse itself: it never reaches output
// unescaped.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/io/file.h"
#include "engine/io/safetensors.h"
#include "tests/reliability/process.h"
#include "tests/test_util.h"

namespace mantissa {
namespace {
namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

// Colour, title, bell, C1 escape, reversed and isolated text, zero width, line separator; as UTF-8.
const std::string kHostile =
    "evil\x1b[31m\x1b]0;title\x07\xc2\x9b"
    "32m\xe2\x80\xaegnp.\xe2\x81\xa6x\xe2\x80\x8b\xe2\x80\xa8y";
// Allowed in a preset's texts: control characters and overrides are refused.
const std::string kHidden = "hidden\xe2\x80\x8b\xd8\x9c\xe2\x80\xa8\xf3\xa0\x81\x81.";
const std::string kNotUtf8 = "bytes\xff\xfe\xc0\xaf";

class HostileText : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"images", "empty"}) {
      fs::create_directories(folder_ / folder);
    }
    for (const std::string& name :
         std::vector<std::string>{"plain" + kHostile, "line\nbreak", kNotUtf8}) {
      fs::copy_file(MANTISSA_SOURCE_DIR "/resources/demo/images/" + demo_image(),
                    folder_ / "images" / (name + ".png"));
      test::write_file(folder_ / "images" / ("broken" + name + ".jpg"), "no image");
      test::write_file(folder_ / "images" / ("alone" + name + ".txt"), "no image here");
      fs::create_directories(folder_ / "images" / ("sub" + name));
    }
    test::write_file(folder_ / "images" / ("plain" + kHostile + ".txt"), "a caption " + kHostile);
    test::write_file(
        folder_ / "images/metadata.jsonl",
        nlohmann::json{{"file_name", "missing" + kHostile}, {"text", kHostile}}.dump() +
            "\n{\"file_name\": \"../" + kHostile.substr(0, 4) + "\", \"text\": \"x\"}\n" + "{\"" +
            kNotUtf8 + "\": 1}\n");
    // The one above is refused for its last line; this one is read, with a notice.
    const fs::path below = folder_ / "images" / ("subplain" + kHostile);
    fs::copy_file(MANTISSA_SOURCE_DIR "/resources/demo/images/" + demo_image(), below / "a.png");
    test::write_file(below / "metadata.jsonl",
                     nlohmann::json{{"file_name", "missing" + kHostile}, {"text", "x"}}.dump());
    preset_ = {
        {"mantissa_preset", 1},
        {"name", kHidden},
        {"description", kHidden},
        {"author", kHidden},
        {"tags", {kHidden}},
        {"adapter", {{"rank", 1}}},
        {"data", {{"resolution", 64}, {"batch_size", 1}}},
        {"training", {{"steps", 1}}},
        {"samples",
         {{"every", 1},
          {"prompts", {{{"prompt", kHidden}, {"steps", 1}, {"width", 64}, {"height", 64}}}}}},
        {"output", {{"name", "a"}}}};
    test::write_file(folder_ / "preset.json", preset_.dump());
  }

  static std::string demo_image() {
    for (const auto& entry : fs::directory_iterator(MANTISSA_SOURCE_DIR "/resources/demo/images")) {
      if (entry.path().extension() == ".png") {
        return entry.path().filename();
      }
    }
    return {};
  }

  /// Runs it and checks both streams. Returns the exit status.
  int run(const Arguments& arguments) {
    const int status =
        program_.run(arguments, folder_ / "output", folder_ / "errors", {}, [] { alarm(120); })
            .status;
    std::string called;
    for (const std::string& a : arguments) {
      called += printable(a) + " ";
    }
    expect_clean(read_text(folder_ / "output"), called);
    expect_clean(read_text(folder_ / "errors"), called);
    EXPECT_NE(status, 1) << called;
    EXPECT_GE(status, 0) << called;
    seen_ += read_text(folder_ / "output") + read_text(folder_ / "errors");
    return status;
  }

  /// Lines that a terminal displays verbatim.
  static void expect_clean(const std::string& text, const std::string& where) {
    EXPECT_EQ(printable_lines(text), text) << where;
    EXPECT_EQ(text.find("\nbreak"), std::string::npos) << where << ": a name began a line";
  }

  void expect_clean_json_lines() {
    std::istringstream lines(read_text(folder_ / "output"));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(nlohmann::json::accept(line)) << line;
    }
  }

  test::TempFolder temp_;
  const fs::path folder_ = temp_.path();
  const Mantissa program_{folder_ / "home"};
  nlohmann::json preset_;
  std::string seen_;  ///< all that was printed
};

TEST_F(HostileText, InArgumentsIsEscaped) {
  for (const std::string& text : std::vector<std::string>{kHostile, "line\nbreak", kNotUtf8}) {
    for (const Arguments& arguments : std::vector<Arguments>{
             {text},
             {"--" + text},
             {"inspect", text},
             {"train", text},
             {"train", "demo", "--base", text},
             {"train", "demo", "--base", "demo", "--images", text},
             {"train", "demo", "--base", "demo", "--images", "demo", "--device", text},
             {"train", "demo", "--base", "demo", "--images", "demo", "--set", text},
             {"train", "demo", "--base", "demo", "--images", "demo", "--set", text + "=1"},
             {"train", "demo", "--base", "demo", "--images", "demo", "--set",
              "adapter.rank=" + text},
             {"train", "demo", "--base", "demo", "--images", "demo", "--set",
              "adapter.type=" + text},
             {"train", "demo", "--base", "demo", "--images", "demo", "--set",
              "output.name=" + text + "/"},
             {"train", "--resume", text},
             {"check", "demo", "--base", "demo", "--" + text + "=1"},
             {"presets", text},
             {"presets", "show", text},
             {"presets", "import", text},
             {"presets", "diff", text, text},
             {"runs", "show", text},
             {"runs", "list", "--state", text},
             {"runs", "list", "--text", text},
             {"sample", "--base", "demo", "--prompt", text, "--sampler", text, "--out", "x.png"},
             {"sample", "--base", "demo", "--prompt", text, "--out", text},
             {"sample", "--base", "demo", "--lora", text + ":1", "--prompt", "x", "--out", "x.png"},
             {"merge", "--base", "demo", "--lora", text, "--out", "x.safetensors"},
             {"convert", text, "--base", text, "--format", text, "--out", text}}) {
      run(arguments);
      Arguments with_json = arguments;
      with_json.insert(with_json.begin(), "--json");
      run(with_json);
      expect_clean_json_lines();
    }
  }
  EXPECT_NE(seen_.find("\\x1b[31m"), std::string::npos) << "nothing hostile was shown at all";
  EXPECT_NE(seen_.find("\\u202e"), std::string::npos);
}

TEST_F(HostileText, InImagesCaptionsAndPresetsReachesNoOutputOfARun) {
  for (const bool json : {false, true}) {
    const fs::path out = folder_ / (json ? "run-json" : "run" + kHostile);
    Arguments arguments{"train",    (folder_ / "preset.json").string(), "--base", "demo",
                        "--images", (folder_ / "images").string(),      "--out",  out.string()};
    if (json) {
      arguments.emplace_back("--json");
    }
    ASSERT_EQ(run(arguments), 0) << read_text(folder_ / "errors");
    if (json) {
      expect_clean_json_lines();
    }
    for (const char* file : {"log.txt", "dataset.txt", "job.json"}) {
      expect_clean(read_text(out / file), file);
    }
    EXPECT_NE(read_text(out / "dataset.txt").find("which isn't used with it"), std::string::npos)
        << "no notice names anything hostile";
    const std::string adapter = read_text(out / "a.safetensors");
    std::uint64_t header = 0;
    std::memcpy(&header, adapter.data(), sizeof header);
    const std::string metadata = adapter.substr(8, header);
    EXPECT_EQ(printable(metadata), metadata);
    for (const Arguments& after :
         std::vector<Arguments>{{"inspect", out / "a.safetensors"},
                                {"presets", "import", out / "a.safetensors"},
                                {"presets", "show", folder_ / "preset.json"},
                                {"presets", "show", "--full", folder_ / "preset.json"},
                                {"presets", "export", folder_ / "preset.json"},
                                {"presets", "diff", folder_ / "preset.json", "demo"},
                                {"check", folder_ / "preset.json", "--base", "demo", "--images",
                                 folder_ / "images", "--explain"},
                                {"runs", "show", out},
                                {"runs", "list"},
                                {"runs", "metrics", out, "--csv"},
                                {"runs", "metrics", out, "--health", "--csv"},
                                {"runs", "compare", out, out}}) {
      run(after);
      Arguments with_json = after;
      with_json.insert(with_json.begin(), "--json");
      run(with_json);
    }
  }
  EXPECT_NE(seen_.find("\\x1b[31m"), std::string::npos) << "nothing hostile was shown at all";
}

TEST_F(HostileText, InPresetKeysAndTensorsIsEscaped) {
  nlohmann::json keys = preset_;
  keys[kHostile] = 1;
  keys["training"]["x" + kHostile] = "line\nbreak";
  keys["adapter"]["type"] = kHostile;
  test::write_file(folder_ / "keys.json", keys.dump());
  test::write_file(folder_ / "bytes.json", "{\"mantissa_preset\": 1, \"" + kNotUtf8 + "\": 1}");
  test::write_file(folder_ / "kohya.toml", "pretrained_model_name_or_path = \"x\"\n\"" +
                                               std::string("k\\u202e") +
                                               "\" = 1\noutput_name = \"\\u001b[31m\"\n");
  const float value = 1;
  const std::map<std::string, std::string> metadata{{kHostile, kHostile},
                                                    {"ss_output_name", "line\nbreak"}};
  const std::vector<TensorToWrite> tensors{
      {"lora_unet_" + kHostile + ".lora_down.weight", DType::f32, Shape{1, 1}, &value, {}},
      {"lora_unet_" + kHostile + ".lora_up.weight", DType::f32, Shape{1, 1}, &value, {}}};
  write_safetensors(folder_ / "tensors.safetensors", tensors, metadata);
  // The file itself may hold them raw, as other programs write it.
  std::string header = "{\"__metadata__\":{\"k\xe2\x80\xae\":\"v\xe2\x80\xae\x7f\"}}";
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string raw(8, '\0');
  raw[0] = static_cast<char>(header.size());
  test::write_file(folder_ / "raw.safetensors", raw + header);
  for (const char* file :
       {"keys.json", "bytes.json", "kohya.toml", "tensors.safetensors", "raw.safetensors"}) {
    const std::string path = folder_ / file;
    for (const Arguments& arguments : std::vector<Arguments>{
             {"presets", "show", path},
             {"presets", "import", path},
             {"inspect", path},
             {"train", path, "--base", "demo", "--images", "demo"},
             {"convert", path, "--base", "demo", "--out", folder_ / "x.safetensors"},
             {"sample", "--base", "demo", "--lora", path, "--prompt", "x", "--steps", "1",
              "--width", "64", "--height", "64", "--out", folder_ / "x.png", "--overwrite"},
             {"train", "demo", "--base", path, "--images", "demo"}}) {
      run(arguments);
      Arguments with_json = arguments;
      with_json.insert(with_json.begin(), "--json");
      run(with_json);
      expect_clean_json_lines();
    }
  }
  EXPECT_NE(seen_.find("\\u202e"), std::string::npos) << "nothing hostile was shown at all";
}

}  // namespace
}  // namespace mantissa
