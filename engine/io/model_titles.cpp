#include "engine/io/model_titles.h"

#include "engine/core/ascii.h"
#include "engine/core/paths.h"
#include "engine/io/base_files.h"
#include "engine/io/config_fields.h"
#include "engine/io/weights.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOrigin = "_name_or_path";
constexpr std::string_view kCached = "models--";  // models--Tongyi-MAI--Z-Image/snapshots/<hash>

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether `before` ends with the word, and perhaps a separator.
bool ends_with_word(std::string_view before, std::string_view word) {
  if (!before.empty() && !is_ascii_letter(before.back())) {
    before.remove_suffix(1);
  }
  return before.ends_with(word) && (before.size() == word.size() ||
                                    !is_ascii_letter(before[before.size() - word.size() - 1]));
}

void add_origin(std::vector<std::string>& titles, const nlohmann::json& config) {
  if (config.is_object() && config.contains(kOrigin) && config[kOrigin].is_string()) {
    titles.push_back(config[kOrigin].get<std::string>());
  }
}

}  // namespace

std::optional<ModelVariant> distilled_by_index(const WeightSource& source, std::string_view usual,
                                               std::string_view distilled) {
  constexpr const char* kField = "is_distilled";
  const ConfigFields f(source.model_index(), "model_index.json");
  if (f.find(kField) == nullptr) {
    return std::nullopt;
  }
  const bool few_steps = f.boolean(kField, false);
  return ModelVariant{
      few_steps ? distilled : usual, few_steps,
      message<"model_index.json has {field} {value}">(kField, few_steps ? "true" : "false")};
}

std::vector<std::string> model_titles(const WeightSource& source) {
  std::vector<std::string> titles;
  const fs::path named = is_base_files(source.path())
                             ? read_base_files(source.path()).parts.at(kDenoiser)
                             : source.path();
  const fs::path path = fs::absolute(named).lexically_normal();
  titles.push_back(
      path_to_utf8(path.has_filename() ? path.filename() : path.parent_path().filename()));
  for (const fs::path& folder : path.parent_path()) {
    if (std::string name = path_to_utf8(folder); name.starts_with(kCached)) {
      titles.push_back(std::move(name));
    }
  }
  add_origin(titles, source.model_index());
  for (const PartFiles& part : source.family().parts) {
    add_origin(titles, source.config(part.part).value_or(nlohmann::json()));
  }
  if (const auto title = source.metadata().find("modelspec.title");
      title != source.metadata().end()) {
    titles.push_back(title->second);
  }
  return titles;
}

std::string full_title(const WeightSource& source) {
  const Family& family = source.family();
  const ModelVariant variant = family.variant != nullptr ? family.variant(source) : ModelVariant();
  std::string title(family.title());
  return variant.name.empty() ? title : title.append(" ").append(variant.name);
}

bool title_says(std::string_view title, std::string_view word, std::string_view negation) {
  const std::string lower = lower_ascii(title);
  for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
    if (negation.empty() || !ends_with_word(std::string_view(lower).substr(0, at), negation)) {
      return true;
    }
  }
  return false;
}

}  // namespace mantissa
