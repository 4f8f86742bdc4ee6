#include "engine/run/run_identity.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/adapters/adapter_file.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/base_files.h"
#include "engine/io/file.h"
#include "engine/io/input_file.h"
#include "engine/io/mapped_file.h"

namespace mantissa {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::array<std::string_view, 11> kIngredientParts{
    "base",   "vae",    "config", "scheduler", "tokenizer", "continue_from", "training_adapter",
    "replay", "images", "prior",  "validation"};

constexpr const char* kModelIndex = "model_index.json";

std::size_t rank_of(const std::string& part) {
  return static_cast<std::size_t>(
      std::find(kIngredientParts.begin(), kIngredientParts.end(), part) - kIngredientParts.begin());
}

/// Collects files, each under its name below the base model's folder.
class FileList {
 public:
  void add(std::string_view part, const fs::path& file, const fs::path& below = {}) {
    add(part, file, below, mapped_stamp(file).value_or(file_stamp(file)));
  }
  /// Adds a file that the run has open.
  void add_mapped(std::string_view part, const fs::path& file, const fs::path& below = {}) {
    const std::optional<FileStamp> stamp = mapped_stamp(file);
    if (!stamp) {
      throw InputChanged(file);
    }
    add(part, file, below, *stamp);
  }
  std::vector<ListedFile> files;

 private:
  void add(std::string_view part, const fs::path& file, const fs::path& below,
           const FileStamp& stamp) {
    // With forward slashes everywhere: a run may continue under another system.
    const std::u8string inside = file.lexically_relative(below).generic_u8string();
    const std::string name =
        below.empty() ? "" : printable(std::string(inside.begin(), inside.end()));
    files.push_back({{std::string(part), name, printable_path(fs::absolute(file)), {}, stamp.bytes},
                     file,
                     stamp});
  }
};

void add_folder(FileList& files, const WeightSource& source) {
  const fs::path& folder = source.path();
  for (const fs::path& file : source.files()) {
    files.add_mapped(file.parent_path().filename() == "vae" ? "vae" : "base", file, folder);
  }
  for (const PartFiles& part : source.family().parts) {
    if (const fs::path file = folder / part.folder / "config.json"; fs::is_regular_file(file)) {
      files.add("config", file, folder);
    }
  }
  const fs::path index = folder / kModelIndex;
  if (!source.family().pipeline_settings.empty() && fs::is_regular_file(index)) {
    files.add("config", index, folder);
  }
  const fs::path scheduler = folder / "scheduler" / "scheduler_config.json";
  if (fs::is_regular_file(scheduler)) {
    files.add("scheduler", scheduler, folder);
  }
  for (const Part part : source.family().text_parts()) {
    for (const fs::path& file : source.tokenizer_files(part)) {
      files.add("tokenizer", file, folder);
    }
  }
}

/// Each of a base model's files, wherever it lies.
void add_listed(FileList& files, const WeightSource& source) {
  for (const fs::path& file : source.files()) {
    files.add_mapped("base", file, file.parent_path());
  }
  for (const Part part : source.family().text_parts()) {
    for (const fs::path& file : source.tokenizer_files(part)) {
      files.add("tokenizer", file, file.parent_path());
    }
  }
}

/// Each with its weight in its name: another weight makes another ingredient.
void add_training_adapters(FileList& files, const JobSpec& job) {
  for (std::size_t i = 0; i < job.training_adapters.size(); ++i) {
    const TrainingAdapter& given = job.training_adapters[i];
    for (const auto& [name, file] : files_of_adapter(given.file)) {
      files.add("training_adapter", file);
      files.files.back().ingredient.name =
          fmt::format("{} at weight {}{}{}", i + 1, given.weight, name.empty() ? "" : ": ", name);
    }
  }
}

/// Hash of names, captions, contents and masks.
std::string hash_of(std::span<const ImageItem> items) {
  Dataset all;
  all.items.assign(items.begin(), items.end());
  return all.fingerprint();
}

/// "SHA-256 0123456789abcdef…, 1234 bytes"; "-" if missing.
Message content_text(const Ingredient* i) {
  return i == nullptr
             ? Message::verbatim("-")
             : message<"SHA-256 {hash}…, {bytes} bytes">(i->sha256.substr(0, 16), i->bytes);
}

/// "base: /models/a.safetensors (SHA-256 …, 6 bytes -> SHA-256 …, 6 bytes)"
Message change_text(const Ingredient* before, const Ingredient* now) {
  const Ingredient& any = now == nullptr ? *before : *now;
  return message<"{part}: {file} ({before} -> {after})">(
      any.part, any.path.empty() ? any.name : any.path, content_text(before), content_text(now));
}

}  // namespace

Message ResumeRefused::with_option() const {
  return mantissa::message<"{message}: {option}">(
      message(), changed_.empty() ? std::string("--start-over")
                                  : fmt::format("--accept-changed {}", fmt::join(changed_, ",")));
}

std::span<const std::string_view> ingredient_parts() {
  return kIngredientParts;
}

std::string ingredient_part(std::string_view name) {
  std::string part(name);
  std::replace(part.begin(), part.end(), '-', '_');
  if (rank_of(part) == kIngredientParts.size()) {
    throw Error(message<"--accept-changed: \"{part}\" is no part of a run; it takes {parts}">(
        name, fmt::format("{}", fmt::join(kIngredientParts, ", "))));
  }
  return part;
}

std::vector<ListedFile> list_files(const WeightSource& source, const JobSpec& job) {
  FileList list;
  if (source.single_file()) {
    list.add_mapped("base", source.path());
  } else if (is_base_files(source.path())) {
    add_listed(list, source);
  } else {
    add_folder(list, source);
  }
  // A resumed run doesn't read them again: a missing one is reported as a difference.
  const auto is_read = [&](const std::optional<fs::path>& file) {
    return file && (!job.resume || fs::exists(*file));
  };
  if (is_read(job.continue_from)) {
    for (const auto& [name, file] : files_of_adapter(*job.continue_from)) {
      list.add("continue_from", file);
      list.files.back().ingredient.name = name;
    }
  }
  if (is_read(job.replay)) {
    list.add("replay", *job.replay);
  }
  add_training_adapters(list, job);
  return std::move(list.files);
}

RunIdentity hash_files(std::span<const ListedFile> files, const ContentHashes& hashes,
                       const Progress& progress) {
  RunIdentity identity;
  for (const ListedFile& file : files) {
    identity.push_back(file.ingredient);
    identity.back().sha256 = hashes.of_file(file.path, progress);
    FileStamp stamp = file.stamp;
    require_unchanged(file.path, stamp, {});  // the hash may be that of the changed content
  }
  return identity;
}

void add_images(RunIdentity& identity, std::string_view part, std::span<const ImageItem> items) {
  constexpr std::size_t kMostNamed = 10'000;  // more would make every state.json too long
  if (items.size() > kMostNamed) {
    const std::string of(part);
    identity.push_back({of, std::to_string(items.size()) + " images", {}, hash_of(items), 0});
    return;
  }
  std::map<std::string, int> seen;  // folders may hold images of the same name
  for (const ImageItem& item : items) {
    const std::string of(item.prior ? "prior" : part);
    // State is JSON, which is UTF-8 only; file names need not be.
    const std::string shown = printable(item.name);
    const int again = seen[of + "/" + shown]++;
    const std::string name = again == 0 ? shown : fmt::format("{} ({})", shown, again + 1);
    std::error_code none;
    identity.push_back({of, name, {}, item.content_hash, fs::file_size(item.path, none)});
    identity.push_back({of, name + " caption", {}, sha256_hex(item.caption), item.caption.size()});
    if (!item.mask_hash.empty()) {
      identity.push_back({of, name + " mask", {}, item.mask_hash, fs::file_size(item.mask, none)});
    }
    for (std::size_t i = 0; i < item.references.size(); ++i) {
      const ReferenceImage& reference = item.references[i];
      identity.push_back({of,
                          fmt::format("{} reference {}", name, i + 1),
                          {},
                          reference.content_hash,
                          fs::file_size(reference.path, none)});
    }
  }
}

std::vector<IdentityChange> changes_between(const RunIdentity& before, const RunIdentity& now) {
  const auto unlisted = [](const Ingredient* old_one, const Ingredient* new_one) {
    return old_one == nullptr && new_one->part == "config" && new_one->name == kModelIndex;
  };
  using Key = std::tuple<std::size_t, std::string, std::string>;
  std::map<Key, std::pair<const Ingredient*, const Ingredient*>> both;
  for (const Ingredient& i : before) {
    both[{rank_of(i.part), i.part, i.name}].first = &i;
  }
  for (const Ingredient& i : now) {
    both[{rank_of(i.part), i.part, i.name}].second = &i;
  }
  std::vector<IdentityChange> changes;
  for (const auto& [key, pair] : both) {
    const auto [old_one, new_one] = pair;
    if (unlisted(old_one, new_one)) {
      continue;  // a run of a version that didn't read it
    }
    if (old_one == nullptr || new_one == nullptr || old_one->sha256 != new_one->sha256) {
      changes.push_back({std::get<1>(key), change_text(old_one, new_one)});
    }
  }
  return changes;
}

json to_json(const RunIdentity& identity) {
  json list = json::array();
  for (const Ingredient& i : identity) {
    list.push_back({i.part, i.name, i.path, i.bytes, i.sha256});
  }
  return list;
}

RunIdentity identity_from_json(const json& list, const std::string& label) {
  RunIdentity identity;
  const auto is_row = [](const json& row) {
    return row.is_array() && row.size() == 5 && row[0].is_string() && row[1].is_string() &&
           row[2].is_string() && row[3].is_number_unsigned() && row[4].is_string();
  };
  if (!list.is_array() || !std::all_of(list.begin(), list.end(), is_row)) {
    throw Error(message<"{file}: field 'identity' must be a list of [part, name, path, bytes, "
                        "SHA-256]">(label));
  }
  for (const json& row : list) {
    identity.push_back({row[0], row[1], row[2], row[4], row[3].get<std::uint64_t>()});
  }
  return identity;
}

std::vector<IdentityChange> require_same(const RunIdentity& before, const RunIdentity& now,
                                         std::span<const std::string> accepted) {
  constexpr std::size_t kShown = 6;
  std::vector<IdentityChange> changes = changes_between(before, now);
  std::vector<std::string> parts;
  std::vector<Message> texts;
  std::size_t refused = 0;
  for (const IdentityChange& change : changes) {
    if (std::find(accepted.begin(), accepted.end(), change.part) != accepted.end()) {
      continue;
    }
    if (std::find(parts.begin(), parts.end(), change.part) == parts.end()) {
      parts.push_back(change.part);
    }
    if (++refused <= kShown) {
      texts.push_back(change.text);
    }
  }
  if (refused > kShown) {
    texts.push_back(message<"and {count} more">(refused - kShown));
  }
  if (refused > 0) {
    throw ResumeRefused(
        message<"the run was started with other files: {changes}. Restore them, start a new run, "
                "or continue with the present ones">(joined<"; ">(std::move(texts))),
        parts);
  }
  return changes;
}

}  // namespace mantissa
