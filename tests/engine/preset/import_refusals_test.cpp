// Every refusal of an importer, by its template: an input that leads to it, and the same input
// after doing what it says, which is imported.
#include <filesystem>
#include <regex>

#include "tests/engine/preset/import_samples.h"

namespace mantissa {
namespace {

namespace fs = std::filesystem;

struct Refusal {
  const char* said;     ///< the template
  std::string refused;  ///< the file
  std::string mended;   ///< the same after doing what it says; empty: a file of another kind
};

using testing_support::times;

const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> list{
      {"{file} is larger than 1 MB, so it is no preset", "network_dim = 4" + times(" ", 1 << 20),
       "network_dim = 4" + times(" ", 1 << 10)},
      {"this is nested deeper than {count} levels", "network_dim = 4\na = " + times("[", 40),
       "network_dim = 4\na = " + times("[", 20) + times("]", 20)},
      {"this has more than {count} values; no configuration needs so many",
       "network_dim = 4\na = [" + times("1,", 10'002) + "]",
       "network_dim = 4\na = [" + times("1,", 100) + "]"},
      {"this has more than {count} values; no preset needs so many",
       "{\"network_dim\": 4, \"a\": [" + times("1,", 9'999) + "1]}",
       "{\"network_dim\": 4, \"a\": [" + times("1,", 99) + "1]}"},
      {"a text is longer than 64 KB", "network_dim = 4\na = \"" + times("x", 70'000) + "\"",
       "network_dim = 4\na = \"" + times("x", 60'000) + "\""},
      {"this is not valid TOML: {reason}", "network_dim = \n", "network_dim = 4\n"},
      {"this is not valid JSON: {reason}", "{\"network_dim\": }", "{\"network_dim\": 4}"},
      {"this is not valid YAML: {reason}", "network_dim: [4", "network_dim: 4"},
      {"{key} is given twice, first on line {line}; keep one",
       "{\"network_dim\": 4,\n\"network_dim\": 8}", "{\"network_dim\": 4}"},
      {"this has several YAML documents; keep one", "network_dim: 4\n---\nseed: 1\n",
       "network_dim: 4\n"},
      {"a YAML alias (*name) is not read; write the value out",
       "network_dim: &a 4\nnetwork_alpha: *a\n", "network_dim: 4\nnetwork_alpha: 4\n"},
      {"a YAML tag (!name) is not read; write the plain value", "network_dim: !!int 4\n",
       "network_dim: 4\n"},
      {"a YAML key must be plain text", "network_dim: 4\n? [a]\n: 1\n", "network_dim: 4\na: 1\n"},
      {"{file} is neither a preset nor a configuration of a trainer that can be imported: none of "
       "its keys is known",
       "hello = 1\n", ""},
      {"{file}: {key} and its other keys are shared by several trainers; add a key that tells "
       "whose configuration this is, such as network_module of sd-scripts",
       "learning_rate = 1e-4\n", "learning_rate = 1e-4\nnetwork_module = \"networks.lora\"\n"},
      {"{file}:{line}: the job \"{job}\" of AI Toolkit does not train; expected extension or train",
       "job: generate\nconfig:\n  process: []\n", "job: train\nconfig:\n  process: []\n"},
      {"{place}: {family} ({key}) is not supported here; supported model families: {families}",
       R"({"training_method": "LORA", "model_type": "SANA"})",
       R"({"training_method": "LORA", "model_type": "KREA_2"})"},
      {"{place}: {job} ({key}) is not offered here; import a configuration that trains an adapter "
       "or the model's own weights",
       R"({"training_method": "FINE_TUNE_VAE", "model_type": "KREA_2"})",
       R"({"training_method": "FINE_TUNE", "model_type": "KREA_2"})"},
      {"{place}: this is a configuration of {program} ({key}), whose files are not read; create a "
       "preset and set its values by hand",
       "lora_base_model = \"dit\"\n", R"({"mantissa_preset": 2, "data": {"batch_size": 4}})"},
      {"{file} is a script of commands, which are not read; import the file that it names after "
       "--config_file or --dataset_config, or the .toml or .json that the trainer has saved",
       "accelerate launch train_network.py --config_file a.toml\n", "network_dim = 4\n"},
      {"{file} only says how SimpleTuner is launched; import the config.json beside it",
       "export TRAINING_NUM_PROCESSES=1\n", R"({"model_family": "sdxl"})"},
      {"{file} is text in UTF-16; save it as UTF-8", std::string("\xFF\xFEn\0", 4),
       "network_dim = 4\n"},
      {"{file} is an image, not a configuration", "\x89PNG\r\n", ""},
      {"{file} is not a text file, so it is no configuration",
       std::string("network_dim = 4\n\0", 17), "network_dim = 4\n"},
      {"{file} begins with a comment that JSON does not have; remove its comments",
       "// mine\n{\"network_dim\": 4}", "{\"network_dim\": 4}"},
  };
  return list;
}

/// Refusals of an adapter's metadata, and of what only parse_preset is given.
const std::set<std::string>& others() {
  static const std::set<std::string> list{
      "{file}:{line}: {problem}", "this has {bytes} bytes; at most {most} are read",
      "{file} carries no preset: its metadata has no \"{key}\", and nothing of sd-scripts or "
      "OneTrainer either",
      "{file} has more metadata than a preset needs"};
  return list;
}

/// The template within a message, at any depth.
bool holds(const Message& message, std::string_view wanted) {
  return message.source() == wanted ||
         std::any_of(message.values().begin(), message.values().end(),
                     [&](const Message& value) { return holds(value, wanted); });
}

TEST(ImportRefusals, AreTrueAndDoingWhatTheySayHelps) {
  for (const Refusal& refusal : refusals()) {
    try {
      import_preset_text(refusal.refused, "x");
      ADD_FAILURE() << "not refused: " << refusal.said;
    } catch (const Error& error) {
      EXPECT_TRUE(holds(error.message(), refusal.said)) << error.what();
    }
    if (!refusal.mended.empty()) {
      EXPECT_NO_THROW(import_preset_text(refusal.mended, "x")) << refusal.said;
    }
  }
  const auto refused = [](const std::map<std::string, std::string>& metadata) {
    try {
      import_preset_metadata(metadata, "a.safetensors");
    } catch (const Error& error) {
      return std::string(error.message().source());
    }
    return std::string();
  };
  std::map<std::string, std::string> many{{"ss_network_dim", "4"}};
  for (int i = 0; i < 10'001; ++i) {
    many["ss_" + std::to_string(i)] = "1";
  }
  EXPECT_TRUE(others().contains(refused(many)));
  EXPECT_TRUE(others().contains(refused({{"a", "b"}})));
  EXPECT_EQ(refused({{"ss_network_dim", "4"}}), "");
}

/// The templates of what the sources throw or stop with.
std::set<std::string> templates_of(const fs::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  static const std::regex kRefused(
      R"((?:throw \w+\(|stop\(|problems_?\.push_back\(|BrokenBound\{)[^;]*?message<((?:\s*"(?:[^"\\]|\\.)*")+)>)");
  static const std::regex kPiece(R"rx("((?:[^"\\]|\\.)*)")rx");
  std::set<std::string> found;
  const std::string source = text.str();
  for (std::sregex_iterator at(source.begin(), source.end(), kRefused), end; at != end; ++at) {
    const std::string pieces = (*at)[1];
    std::string whole;
    for (std::sregex_iterator piece(pieces.begin(), pieces.end(), kPiece); piece != end; ++piece) {
      whole += (*piece)[1];
    }
    found.insert(std::regex_replace(whole, std::regex(R"(\\")"), "\""));
  }
  return found;
}

TEST(ImportRefusals, EachIsListed) {
  std::set<std::string> listed = others();
  for (const Refusal& refusal : refusals()) {
    listed.insert(refusal.said);
  }
  std::vector<fs::path> files{"engine/preset/preset_text.cpp", "engine/core/text_bounds.cpp"};
  for (const auto& entry :
       fs::directory_iterator(fs::path(MANTISSA_SOURCE_DIR) / "engine/preset")) {
    if (entry.path().filename().string().starts_with("import") &&
        entry.path().extension() == ".cpp") {
      files.push_back(entry.path());
    }
  }
  std::size_t count = 0;
  for (const fs::path& file : files) {
    for (const std::string& said : templates_of(fs::path(MANTISSA_SOURCE_DIR) / file)) {
      EXPECT_TRUE(listed.contains(said)) << file << ": " << said;
      ++count;
    }
  }
  EXPECT_GE(count, 20u);
}

}  // namespace
}  // namespace mantissa
