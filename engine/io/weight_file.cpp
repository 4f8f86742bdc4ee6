// WeightData of a single file.
#include <algorithm>

#include "engine/core/error.h"
#include "engine/io/json_file.h"
#include "engine/io/shard_files.h"
#include "engine/io/weight_data.h"

namespace mantissa {

namespace fs = std::filesystem;

void WeightData::read_embedded_config() {
  const auto found = metadata.find("mantissa.config");
  if (found == metadata.end()) {
    return;
  }
  const Message label = message<"'{file}': metadata key mantissa.config">(files.front().label());
  const nlohmann::json json = parse_json(found->second, label);
  if (!json.is_object()) {
    throw Error(message<"{file} must be a JSON object">(label));
  }
  for (const auto& [key, value] : json.items()) {
    if (!value.is_object()) {
      throw Error(message<"{file}: '{key}' must be an object">(label, key));
    }
    if (key == "scheduler") {
      scheduler = value;
      continue;
    }
    if (key == "pipeline") {
      index = value;
      continue;
    }
    for (const PartFiles& part : names->family().parts) {
      if (key == part_name(part.part)) {
        configs[part.part] = value;
      }
    }
  }
}

void WeightData::open_file(const fs::path& file) {
  single = true;
  files.push_back(TensorFile::open(file));
  const TensorFile& opened = files.front();
  metadata = opened.metadata();
  const ModelFiles found{{{std::nullopt, opened.tensors()}}};
  names = names ? names : recognise(found);
  if (names == nullptr) {
    const bool adapter =
        std::any_of(opened.tensors().begin(), opened.tensors().end(),
                    [](const TensorInfo& t) { return t.name.find("lora_") != std::string::npos; });
    if (const auto shard = shard_name(path_to_utf8(file.filename()))) {
      throw Error(message<"'{file}' is shard {number} of {count}, a part of a base model; pass the "
                          "diffusers folder that its folder belongs to">(
          opened.label(), shard->number, shard->count));
    }
    throw Error(message<"'{file}' is not a base model: {reason}">(
        opened.label(),
        adapter ? message<"it is an adapter (LoRA); give the base model that it is for. The "
                          "adapter itself goes to --continue-from of train and check, or to --lora "
                          "of sample and merge">()
                : expected_checkpoint()));
  }
  take(found);
  read_embedded_config();
}

}  // namespace mantissa
