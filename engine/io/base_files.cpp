#include "engine/io/base_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/family.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr int kVersion = 1;
constexpr std::string_view kTokenizer = "_tokenizer";  // behind a text encoder's name

std::string known_keys() {
  std::vector<std::string> keys;
  for (const Part part : known_parts()) {
    keys.emplace_back(part.name());
  }
  for (const Part part : known_parts()) {
    if (is_text(part)) {
      keys.push_back(std::string(part.name()).append(kTokenizer));
    }
  }
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// A path as it is written in a JSON in `folder`.
std::string written_path(const fs::path& path, const fs::path& folder) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  const fs::path inside = whole.lexically_relative(fs::absolute(folder).lexically_normal());
  const bool below = !inside.empty() && *inside.begin() != "..";
  const std::u8string text = (below ? inside : whole).generic_u8string();
  return {text.begin(), text.end()};
}

}  // namespace

bool is_base_files(const fs::path& path) {
  std::error_code none;
  return path.extension() == ".json" && !fs::is_directory(path, none);
}

BaseFiles read_base_files(const fs::path& json) {
  const nlohmann::json fields = read_json(json);
  const std::string label = "'" + path_to_utf8(json) + "'";
  if (!fields.is_object() || !fields.contains(kBaseFilesKey)) {
    throw Error(message<"{file} is no base model: a JSON that lists one's files has the key {key}. "
                        "`mantissa base` writes it">(label, kBaseFilesKey));
  }
  if (fields[kBaseFilesKey] != kVersion) {
    throw Error(message<"{file}: {key} must be {version}; it is {found}">(
        label, kBaseFilesKey, kVersion, fields[kBaseFilesKey].dump()));
  }
  const std::vector<Part> parts = known_parts();
  BaseFiles files;
  for (const auto& [key, value] : fields.items()) {
    if (key == kBaseFilesKey) {
      continue;
    }
    std::string_view name = key;
    const bool tokenizer = name.ends_with(kTokenizer);
    name.remove_suffix(tokenizer ? kTokenizer.size() : 0);
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](Part p) { return p.name() == name; });
    if (part == parts.end() || (tokenizer && !is_text(*part))) {
      throw Error(message<"{file}: the key '{key}' is not known; there are {keys}">(label, key,
                                                                                    known_keys()));
    }
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      throw Error(message<"{file}: {key} must be a path">(label, key));
    }
    const fs::path path = json.parent_path() / path_from_utf8(value.get<std::string>());
    (tokenizer ? files.tokenizers : files.parts)[*part] = path;
  }
  if (!files.parts.contains(kDenoiser)) {
    throw Error(message<"{file}: {key} is missing: the file of the transformer or UNet">(
        label, kDenoiser.name()));
  }
  return files;
}

void write_base_files(const fs::path& json, const BaseFiles& files) {
  nlohmann::ordered_json fields{{kBaseFilesKey, kVersion}};
  const fs::path folder = fs::absolute(json).parent_path();
  for (const auto& [part, path] : files.parts) {
    fields[std::string(part.name())] = written_path(path, folder);
  }
  for (const auto& [part, path] : files.tokenizers) {
    fields[std::string(part.name()).append(kTokenizer)] = written_path(path, folder);
  }
  atomic_write(json, fields.dump(2) + "\n");
}

}  // namespace mantissa
