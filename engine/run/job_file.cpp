#include "engine/run/job_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/utf8.h"
#include "engine/io/config_fields.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/plan/backend.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/names.h"
#include "engine/preset/preset_io.h"

namespace mantissa {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kVersion = 2;

/// The file is UTF-8 only.
json path_text(const fs::path& path) {
  const std::string text = path_to_utf8(is_built_in(path) ? path : whole_path(path));
  if (utf8_error_offset(text) != std::string::npos) {
    throw Error(message<"{path}: this path is not UTF-8, so no run can refer to it; rename the "
                        "folder">(text));
  }
  return text;
}

json path_list(const std::vector<fs::path>& paths) {
  json list = json::array();
  for (const fs::path& path : paths) {
    list.push_back(path_text(path));
  }
  return list;
}

std::string checksum_of(json object) {
  object.erase("checksum");
  return sha256_hex(object.dump());
}

std::string required_text(const ConfigFields& fields, const char* key) {
  if (fields.find(key) == nullptr) {
    fields.fail(key, message<"is missing">());
  }
  return fields.text(key, "");
}

std::vector<fs::path> paths_of(const ConfigFields& fields, const char* key) {
  std::vector<fs::path> paths;
  for (const std::string& path : fields.texts(key, {})) {
    paths.push_back(path_from_utf8(path));
  }
  return paths;
}

std::optional<fs::path> path_of(const ConfigFields& fields, const char* key) {
  return fields.find(key) == nullptr ? std::nullopt
                                     : std::optional(path_from_utf8(fields.text(key, "")));
}

std::vector<TrainingAdapter> adapters_of(const ConfigFields& fields) {
  constexpr const char* kKey = "training_adapters";
  std::vector<TrainingAdapter> adapters;
  const json* list = fields.find(kKey);
  const auto is_row = [](const json& row) {
    return row.is_object() && row.contains("file") && row["file"].is_string() &&
           row.contains("weight") && row["weight"].is_number();
  };
  if (list != nullptr && (!list->is_array() || !std::ranges::all_of(*list, is_row))) {
    fields.fail(kKey, message<"must be a list of objects with file and weight">());
  }
  for (const json& row : list == nullptr ? json::array() : *list) {
    adapters.push_back({path_from_utf8(row["file"].get<std::string>()), row["weight"]});
  }
  return adapters;
}

void require_whole(const json& object, const ConfigFields& fields, const std::string& label) {
  const int version = fields.integer("mantissa_job", std::nullopt);
  if (version > kVersion) {
    throw Error(
        message<"{file} was written by a newer version; resume the run with that one">(label));
  }
  if (version == kVersion && required_text(fields, "checksum") != checksum_of(object)) {
    throw Error(message<"{file} is damaged: it has another content than its checksum says">(label));
  }
}

}  // namespace

std::string to_text(const JobFile& file) {
  const JobSpec& job = file.job;
  json object;
  object["mantissa_job"] = kVersion;
  object["id"] = file.id;
  object["base"] = path_text(job.base);
  object["device"] = job.device;
  if (!job.split.empty()) {
    object["split"] = devices_of(job);
  }
  object["deterministic"] = job.deterministic;
  if (job.memory_budget > 0) {
    object["memory_budget"] = job.memory_budget;
  }
  object["images"] = path_list(job.images);
  if (!job.prior.empty()) {
    object["prior"] = path_list(job.prior);
  }
  if (!job.validation.empty()) {
    object["validation"] = path_list(job.validation);
  }
  if (!job.references.empty()) {
    object["references"] = path_list(job.references);
  }
  if (job.continue_from) {
    object["continue_from"] = path_text(*job.continue_from);
  }
  for (const TrainingAdapter& adapter : job.training_adapters) {
    object["training_adapters"].push_back(
        {{"file", path_text(adapter.file)}, {"weight", adapter.weight}});
  }
  if (job.dora_axis) {
    object["dora_axis"] = enum_name(*job.dora_axis);
  }
  if (job.replay) {
    object["replay"] = path_text(*job.replay);
  }
  object["preset"] = json::parse(to_json(job.preset, WriteMode::full));
  object["checksum"] = checksum_of(object);
  return printable_json(object.dump(2)) + "\n";
}

JobFile parse_job_file(const std::string& text, const std::string& label) {
  const json object = parse_json(text, label);
  const ConfigFields fields(object, label);
  require_whole(object, fields, label);
  JobFile file;
  file.id = required_text(fields, "id");
  JobSpec& job = file.job;
  job.base = path_from_utf8(required_text(fields, "base"));
  job.device = required_text(fields, "device");
  for (const std::string& name : fields.texts("split", {})) {
    job.split.push_back({.name = name});
  }
  job.deterministic = fields.boolean("deterministic", false);
  if (const json* budget = fields.find("memory_budget")) {
    if (!budget->is_number_unsigned()) {
      fields.fail("memory_budget",
                  message<"must be a number of bytes, it is {found}">(budget->dump()));
    }
    job.memory_budget = budget->get<std::uint64_t>();
  }
  job.images = paths_of(fields, "images");
  job.prior = paths_of(fields, "prior");
  job.validation = paths_of(fields, "validation");
  job.references = paths_of(fields, "references");
  job.continue_from = path_of(fields, "continue_from");
  job.training_adapters = adapters_of(fields);
  if (const std::string axis = fields.text("dora_axis", ""); !axis.empty()) {
    job.dora_axis = enum_from_name<DoraAxis>(axis);
    if (!job.dora_axis) {
      fields.fail("dora_axis", message<"must be output or input, it is {found}">(axis));
    }
  }
  job.replay = path_of(fields, "replay");
  const json* preset = fields.find("preset");
  if (preset == nullptr || !preset->is_object()) {
    fields.fail("preset", message<"must be an object">());
  }
  job.preset = parse_preset(preset->dump(2), label + ", field 'preset'");
  return file;
}

}  // namespace mantissa
