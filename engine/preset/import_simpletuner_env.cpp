// Facts about SimpleTuner's config.env behind this file: lines of KEY=value, with or without
// "export"; += adds words to a key. Some keys stand for an option of the command line, mostly of
// the same name; all others have no effect, apart from TRAINER_EXTRA_ARGS, whose words are options.

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "engine/preset/import_simpletuner.h"
#include "engine/preset/import_simpletuner_rules.h"
#include "engine/preset/preset_limits.h"

namespace mantissa {
namespace {

using Json = nlohmann::json;

/// Keys with another name than their option.
constexpr std::pair<std::string_view, std::string_view> kEnvNames[] = {
    {"RESUME_CHECKPOINT", "resume_from_checkpoint"},
    {"DATALOADER_CONFIG", "data_backend_config"},
    {"TRAINING_SEED", "seed"},
    {"ACCELERATE_CONFIG_PATH", "accelerate_config"},
    {"MINIMUM_RESOLUTION", "minimum_image_size"},
    {"MAX_NUM_STEPS", "max_train_steps"},
    {"NUM_EPOCHS", "num_train_epochs"},
    {"CHECKPOINTING_STEPS", "checkpoint_step_interval"},
    {"CHECKPOINTING_LIMIT", "checkpoints_total_limit"},
    {"MODEL_NAME", "pretrained_model_name_or_path"},
    {"USE_GRADIENT_CHECKPOINTING", "gradient_checkpointing"},
    {"VALIDATION_STEPS", "validation_step_interval"},
    {"LR_SCHEDULE", "lr_scheduler"},
    {"TRAINING_NUM_PROCESSES", "num_processes"},
    {"TRAINING_NUM_MACHINES", "num_machines"},
};

/// Keys with their option's name.
constexpr std::string_view kEnvOptions[] = {
    "ASPECT_BUCKET_ROUNDING",
    "ACCELERATE_EXTRA_ARGS",
    "USE_EMA",
    "OUTPUT_DIR",
    "USE_DORA",
    "LORA_TYPE",
    "LYCORIS_CONFIG",
    "PUBLISHING_CONFIG",
    "CHECKPOINT_STEP_INTERVAL",
    "CHECKPOINT_EPOCH_INTERVAL",
    "MODEL_TYPE",
    "MODEL_FAMILY",
    "FLUX",
    "FLUX_LORA_TARGET",
    "FLUX_GUIDANCE_VALUE",
    "QWEN_TEXT_ENCODER_MODEL_NAME_OR_PATH",
    "TRAIN_BATCH_SIZE",
    "CAPTION_DROPOUT_PROBABILITY",
    "RESOLUTION_TYPE",
    "RESOLUTION",
    "VALIDATION_SEED",
    "VALIDATION_STEP_INTERVAL",
    "VALIDATION_EPOCH_INTERVAL",
    "VALIDATION_RESOLUTION",
    "VALIDATION_GUIDANCE",
    "VALIDATION_EXTERNAL_SCRIPT",
    "POST_CHECKPOINT_SCRIPT",
    "POST_UPLOAD_SCRIPT",
    "VALIDATION_GUIDANCE_RESCALE",
    "VALIDATION_NUM_INFERENCE_STEPS",
    "VALIDATION_PROMPT",
    "MIXED_PRECISION",
    "OPTIMIZER",
    "LEARNING_RATE",
    "LR_WARMUP_STEPS",
    "BASE_MODEL_PRECISION",
    "QUANTIZE_VIA",
    "QUANTIZATION_CONFIG",
    "TRAINING_SCHEDULER_TIMESTEP_SPACING",
    "INFERENCE_SCHEDULER_TIMESTEP_SPACING",
    "GRADIENT_ACCUMULATION_STEPS",
    "LR_END",
    "VALIDATION_NEGATIVE_PROMPT",
    "METADATA_UPDATE_INTERVAL",
    "READ_BATCH_SIZE",
    "WRITE_BATCH_SIZE",
    "TEXT_ENCODER_BATCH_SIZE",
    "TORCH_NUM_THREADS",
    "IMAGE_PROCESSING_BATCH_SIZE",
    "DISABLE_BENCHMARK",
};

constexpr std::string_view kExtraArguments = "TRAINER_EXTRA_ARGS";

std::string_view trimmed_line(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// A line with a key.
struct EnvLine {
  std::string key, value;
  int line = 0;
  bool adds = false;
};

/// Nothing for a comment or an empty line; the key is empty if the line is neither.
std::optional<EnvLine> env_line(std::string_view text, int number) {
  text = trimmed_line(text);
  if (text.empty() || text.front() == '#') {
    return std::nullopt;
  }
  if (text.starts_with("export ")) {
    text = trimmed_line(text.substr(7));
  }
  EnvLine line{.key = {}, .value = {}, .line = number};
  const std::size_t equals = std::min(text.find('='), text.size());
  std::string_view key = text.substr(0, equals);
  line.adds = key.ends_with('+');
  key.remove_suffix(line.adds ? 1 : 0);
  const bool is_key =
      equals < text.size() && !key.empty() &&
      key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  if (is_key) {
    line.key = key;
    std::string_view value = trimmed_line(text.substr(equals + 1));
    const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                        value.back() == value.front();
    line.value = quoted ? value.substr(1, value.size() - 2) : value;
  }
  return line;
}

/// Every line with a key; nothing if a line is something else.
std::optional<std::vector<EnvLine>> env_lines(std::string_view text) {
  std::vector<EnvLine> lines;
  int number = 1;
  for (std::size_t begin = 0; begin <= text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (auto line = env_line(text.substr(begin, end - begin), number)) {
      if (line->key.empty()) {
        return std::nullopt;
      }
      lines.push_back(std::move(*line));
    }
    begin = end + 1;
  }
  return lines;
}

/// The option that a key stands for; empty if none.
std::string option_of(std::string_view key) {
  for (const auto& [name, option] : kEnvNames) {
    if (name == key) {
      return std::string(option);
    }
  }
  const auto* same = std::ranges::find(kEnvOptions, key);
  return same == std::end(kEnvOptions) ? std::string() : lower_ascii(*same);
}

/// true, a number or a text, as it reads them.
Json env_value(const std::string& text) {
  const std::string name = lower_ascii(text);
  if (name == "true" || name == "false") {
    return name == "true";
  }
  const std::optional<double> number = as_number(Json(text));
  return number ? value_from_literal(text) : Json(text);
}

/// "--a=1 --b 2 --c": options with their values.
void add_extra_arguments(const EnvLine& line, std::vector<SourceEntry>& out) {
  std::string option, value;
  const auto add = [&] {
    if (!option.empty()) {
      out.push_back({fmt::format("{}.{}", line.key, option), plain_name(option),
                     value.empty() ? Json(true) : env_value(value), line.line});
    }
  };
  std::string_view rest = line.value;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word.starts_with("--")) {
      add();
      const std::size_t equals = std::min(word.find('='), word.size());
      option = word.substr(0, equals);
      value = equals < word.size() ? word.substr(equals + 1) : std::string_view();
    } else if (!word.empty()) {
      value += (value.empty() ? "" : " ") + std::string(word);
    }
  }
  add();
}

}  // namespace

bool looks_like_simpletuner_env(std::string_view text) {
  const auto lines = env_lines(text);
  return lines && std::ranges::any_of(*lines, [](const EnvLine& line) {
           const std::string option = option_of(line.key);
           return option == "model_family" || option == "model_type" ||
                  option == "data_backend_config" || line.key == kExtraArguments;
         });
}

bool looks_like_simpletuner_launch(std::string_view text) {
  static constexpr std::string_view kOfLaunch[] = {"TRAINING_NUM_", "TRAINING_DYNAMO_", "CONFIG_",
                                                   "SIMPLETUNER_", "ACCELERATE_"};
  static constexpr std::string_view kOfOthers[] = {"CUDA_", "HF_", "NCCL_", "PYTORCH_", "TORCH_"};
  const auto begins = [](std::span<const std::string_view> names) {
    return [names](const EnvLine& line) {
      return std::ranges::any_of(names,
                                 [&](std::string_view name) { return line.key.starts_with(name); });
    };
  };
  const auto of_launch = begins(kOfLaunch), of_others = begins(kOfOthers);
  const auto lines = env_lines(text);
  return lines && std::ranges::any_of(*lines, of_launch) &&
         std::ranges::all_of(*lines, [&](const EnvLine& line) {
           return of_launch(line) || of_others(line) || line.key == "ENV";
         });
}

ImportResult import_simpletuner_env(std::string_view text, std::string_view source_name) {
  std::map<std::string, EnvLine> last;  // by key
  std::vector<std::string> order;
  for (EnvLine& line : env_lines(text).value_or(std::vector<EnvLine>{})) {
    const auto [own, is_new] = last.try_emplace(line.key, line);
    if (is_new) {
      order.push_back(line.key);
    } else if (line.adds) {
      own->second.value += " " + line.value;
    } else {
      own->second = line;
    }
    if (own->second.value.size() > kPresetMaxString || order.size() > kPresetMaxValues) {
      throw Error(message<"{file} is larger than 1 MB, so it is no preset">(source_name));
    }
  }
  std::vector<SourceEntry> options, others;  // later options count before earlier ones
  for (const std::string& key : order) {
    const EnvLine& line = last.at(key);
    const std::string option = option_of(key);
    if (key == kExtraArguments) {
      add_extra_arguments(line, options);
    } else if (option.empty()) {
      others.push_back({key, key, Json(line.value), line.line});
    } else {
      others.push_back({key, option, env_value(line.value), line.line});
    }
  }
  options.insert(options.end(), std::make_move_iterator(others.begin()),
                 std::make_move_iterator(others.end()));
  return import_simpletuner_entries(std::move(options), source_name, false);
}

}  // namespace mantissa
