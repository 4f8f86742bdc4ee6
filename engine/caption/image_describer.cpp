#include "engine/caption/image_describer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/config_fields.h"
#include "engine/io/json_file.h"
#include "engine/models/qwen3/chat_template.h"
#include "engine/models/qwen3/qwen3_tokenizer.h"
#include "engine/models/qwen3/qwen3_vl_file.h"

namespace mantissa {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// A JSON beside the weights; an object without fields where there is none.
json settings_of(const WeightSource& source, const char* file) {
  const fs::path path = source.path() / file;
  if (!fs::is_directory(source.path()) || !fs::exists(path)) {
    return json::object();
  }
  json settings = read_json(path);
  if (!settings.is_object()) {
    throw Error(message<"{file} must be a JSON object">("'" + path_to_utf8(path) + "'"));
  }
  return settings;
}

/// The bounds and values of the processor's settings; of a model without them as released.
Qwen3ImageRule image_rule(const WeightSource& source) {
  json settings = settings_of(source, "preprocessor_config.json");
  if (settings.empty()) {
    settings =
        settings_of(source, "processor_config.json").value("image_processor", json::object());
  }
  const std::string label = "'" + path_to_utf8(source.path()) + "', preprocessor_config.json";
  const ConfigFields f(settings, label);
  Qwen3ImageRule rule;
  const json size = settings.value("size", json::object());
  const ConfigFields bounds(size, label + ", size");
  rule.least = f.integer("min_pixels", bounds.integer("shortest_edge", 65536));
  rule.most = f.integer("max_pixels", bounds.integer("longest_edge", 16777216));
  const auto read = [&](const char* key, float(&values)[3]) {
    const std::vector<double> list = f.numbers(key, 3);
    std::ranges::transform(list, values, [](double x) { return static_cast<float>(x); });
  };
  read("image_mean", rule.mean);
  read("image_std", rule.deviation);
  return rule;
}

std::set<std::int32_t> ends_of(const WeightSource& source, const BpeTokenizer& tokenizer) {
  std::set<std::int32_t> ends;
  for (const char* token : {"<|im_end|>", "<|endoftext|>"}) {
    if (const auto id = tokenizer.id_of(token)) {
      ends.insert(*id);
    }
  }
  const json listed =
      settings_of(source, "generation_config.json").value("eos_token_id", json::array());
  for (const json& id : listed.is_array() ? listed : json::array({listed})) {
    if (id.is_number_integer()) {
      ends.insert(id.get<std::int32_t>());
    }
  }
  return ends;
}

}  // namespace

ImageDescriber::ImageDescriber(Kernels& kernels, const fs::path& path, ComputeType type,
                               const Progress& progress)
    : source_(open_qwen3_vl(path)),
      model_(kernels, source_, type, progress),
      tokenizer_(qwen3_tokenizer(source_, kTe1, model_.text_config().vocab)),
      rule_(image_rule(source_)),
      ends_(ends_of(source_, tokenizer_)) {
  if (!tokenizer_.id_of("<|vision_start|>") || ends_.empty()) {
    throw Error(message<"'{path}': the tokenizer lacks {token}; it is of another model">(
        path_to_utf8(path), ends_.empty() ? "<|im_end|>" : "<|vision_start|>"));
  }
}

ImageQuestion ImageDescriber::question(const Image& image, const QuestionOptions& options) const {
  const Qwen3VisionConfig& config = model_.vision_config();
  Qwen3ImageRule rule = rule_;
  const std::int64_t shown = std::int64_t{options.largest_side} * options.largest_side;
  rule.most = std::min(rule.most, shown);
  rule.least = std::min(rule.least, rule.most);
  const auto size =
      qwen3_image_size({image.width, image.height}, config.patch * config.merge, rule);
  if (!size) {
    throw CaptionError(message<"it is {width} × {height} pixels, too narrow to be shown to the "
                               "model">(image.width, image.height));
  }
  const ImageChat chat = image_chat(options.prompt);
  return {.before = tokenizer_.encode(chat.before),
          .after = tokenizer_.encode(chat.after),
          .image = patched_image(image, *size, config, rule)};
}

ImageDescriber::Answer ImageDescriber::ask(const Image& image, const QuestionOptions& options) {
  Answer answer;
  std::vector<float> scores = model_.read(question(image, options), options.most_tokens);
  for (int i = 0; i < options.most_tokens; ++i) {
    const std::int32_t token = chosen_token(scores, options.choice, i);
    if (ends_.contains(token)) {
      return answer;
    }
    answer.ids.push_back(token);
    if (i + 1 < options.most_tokens) {
      scores = model_.read(token);
    }
  }
  answer.cut = true;
  return answer;
}

Describe describe_by_model(ImageDescriber& describer, const QuestionOptions& options) {
  return [&describer, options](const Image& image) -> std::vector<std::string> {
    const ImageDescriber::Answer answer = describer.ask(image, options);
    return {caption_in(describer.text_of(answer), answer.cut, options.most_tokens)};
  };
}

}  // namespace mantissa
