#include "engine/models/companions.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/neighbour_files.h"
#include "engine/io/part_names.h"
#include "engine/io/tensor_file.h"
#include "engine/models/diffusion_model.h"
#include "engine/models/missing_parts.h"
#include "engine/models/qwen3/qwen3_keys.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// Sets of one file for each text encoder that are tried at most.
constexpr std::size_t kMostSets = 256;

/// The error of `check` as a reason; empty without one. Of a neighbour anything may be wrong.
template <typename Check>
std::optional<Message> reason(Check check) {
  try {
    check();
    return std::nullopt;
  } catch (const std::exception& e) {
    return message_of(e);
  }
}

/// Whether a GGUF file is of a Qwen3-VL, whose vision tower llama.cpp keeps in a file of its own.
bool is_gguf_of_vision(const fs::path& file) {
  const TensorFile opened = TensorFile::open(file);
  const auto architecture = opened.metadata().find("general.architecture");
  return architecture != opened.metadata().end() && architecture->second.starts_with("qwen3vl");
}

/// Throws Error unless the file of a text encoder that reads images too is one, and another isn't:
/// Qwen3 and the text half of Qwen3-VL have the same names and shapes.
void check_vision(const WeightSource& source, const PartFiles& part, const fs::path& file) {
  const std::string head = part_folder(part.part) + ".";
  const bool tower =
      source.contains(part.part, kQwenTower) ||
      std::any_of(source.ignored().begin(), source.ignored().end(), [&](const std::string& name) {
        return name.starts_with(head) && name.find("visual.") != std::string::npos;
      });
  const bool vision = tower || is_gguf_of_vision(file);
  if (vision && !part.vision) {
    throw Error(message<"'{file}' has a vision tower; {family} has a text encoder without one">(
        path_to_utf8(file), source.family().title()));
  }
  if (!vision && part.vision) {
    throw Error(message<"'{file}' has no vision tower; the text encoder of {family} has one">(
        path_to_utf8(file), source.family().title()));
  }
}

/// Throws Error unless the networks of these parts can be built from `files`; messages call them
/// `file`.
void check_parts(const BaseFiles& files, std::span<const Part> parts, const fs::path& file) {
  const WeightSource source = WeightSource::open(files, file);
  for (const Part part : parts) {
    const PartFiles* known = source.family().part(part);
    if (known == nullptr || !source.has_part(part)) {
      throw Error(message<"'{file}' holds no {part} of {family}">(
          path_to_utf8(file), known != nullptr ? known->folder : part.name(),
          source.family().title()));
    }
    if (is_text(part)) {
      check_vision(source, *known, file);
    }
  }
  DiffusionModel::open_planning(source)->bind(parts);
}

/// Of one part, beside the denoiser.
std::optional<Message> part_misfit(const BaseFiles& files, Part part) {
  const fs::path& file = files.parts.at(part);
  BaseFiles alone;
  alone.parts[kDenoiser] = files.parts.at(kDenoiser);
  alone.parts[part] = file;
  return reason([&] { check_parts(alone, std::array{part}, file); });
}

/// The files of text encoders, which may fit one by one but not together.
BaseFiles text_files(const BaseFiles& files) {
  BaseFiles text;
  for (const auto& [part, file] : files.parts) {
    if (part != kVae) {
      text.parts.emplace(part, file);
    }
  }
  return text;
}

std::optional<Message> text_misfit(const BaseFiles& files) {
  const BaseFiles text = text_files(files);
  if (text.parts.size() < 3) {
    return std::nullopt;
  }
  return reason(
      [&] { DiffusionModel::open_planning(WeightSource::open(text, files.parts.at(kDenoiser))); });
}

/// Keeps the files that are in a set of text encoders which fit together.
void keep_sets(const BaseFiles& given, std::map<Part, std::vector<fs::path>>& fitting) {
  std::vector<BaseFiles> sets{text_files(given)};
  for (const auto& [part, files] : fitting) {
    std::vector<BaseFiles> longer;
    for (const BaseFiles& set : sets) {
      for (const fs::path& file : files) {
        if (is_text(part) && longer.size() < kMostSets) {
          longer.push_back(set);
          longer.back().parts[part] = file;
        }
      }
    }
    if (!longer.empty()) {
      sets = std::move(longer);
    }
  }
  std::erase_if(sets, [](const BaseFiles& set) { return text_misfit(set).has_value(); });
  for (auto& [part, files] : fitting) {
    if (is_text(part)) {
      std::erase_if(files, [&, at = part](const fs::path& file) {
        return std::none_of(sets.begin(), sets.end(), [&](const BaseFiles& set) {
          const auto chosen = set.parts.find(at);
          return chosen != set.parts.end() && chosen->second == file;
        });
      });
    }
  }
}

/// Reads a caption as a run would.
void check_tokenizers(BaseFiles files, const std::map<Part, fs::path>& tokenizers, Misfits& found) {
  files.tokenizers = tokenizers;
  for (const auto& [part, folder] : tokenizers) {
    if (auto why = reason([&, at = &folder] {
          DiffusionModel::open_planning(WeightSource::open(files, *at))->tokenize("a");
        })) {
      found.tokenizers.emplace(part, std::move(*why));
    }
  }
}

/// The files of `listed` that are of text encoders, given to `parts` in every way.
std::vector<std::map<Part, fs::path>> arrangements(std::span<const Part> parts,
                                                   const std::map<Part, fs::path>& listed) {
  std::map<Part, fs::path> others;
  std::vector<fs::path> files;
  for (const auto& [part, file] : listed) {
    if (is_text(part)) {
      files.push_back(file);
    } else {
      others.emplace(part, file);
    }
  }
  std::vector<std::map<Part, fs::path>> all{others};
  for (const fs::path& file : files) {
    std::vector<std::map<Part, fs::path>> longer;
    for (const auto& begun : all) {
      for (const Part part : parts) {
        if (!begun.contains(part) && longer.size() < kMostSets) {
          longer.push_back(begun);
          longer.back().emplace(part, file);
        }
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Rearranges the files of text encoders if they don't fit as listed, and in one other way do.
template <typename Fits>
void sort_files(std::span<const Part> parts, std::map<Part, fs::path>& listed, Fits fits) {
  if (fits(listed)) {
    return;
  }
  std::vector<std::map<Part, fs::path>> fitting = arrangements(parts, listed);
  std::erase_if(fitting, [&](const auto& arrangement) { return !fits(arrangement); });
  if (fitting.size() == 1) {
    listed = std::move(fitting.front());
  }
}

/// As many tokenizers as the program has none of, given to the parts that need them: FLUX.1's T5,
/// beside a CLIP whose own ships. Nothing if it is another number.
std::optional<std::map<Part, fs::path>> for_parts_without_one(
    const Family& family, const std::map<Part, fs::path>& tokenizers) {
  std::map<Part, fs::path> needed;
  auto next = tokenizers.begin();
  for (const PartFiles& files : family.parts) {
    if (!files.tokenizer.empty() && !files.tokenizer_ships) {
      if (next == tokenizers.end()) {
        return std::nullopt;
      }
      needed.emplace(files.part, next++->second);
    }
  }
  return next == tokenizers.end() ? std::optional(std::move(needed)) : std::nullopt;
}

/// "--text-encoder" for "te1".
std::string_view option_of(Part part) {
  return part == kVae ? "--vae" : "--text-encoder";
}

std::string quoted_list(const std::vector<fs::path>& paths) {
  std::string list;
  for (const fs::path& path : paths) {
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", path_to_utf8(path));
  }
  return list;
}

}  // namespace

Misfits misfits(const BaseFiles& files) {
  Misfits found;
  const fs::path& denoiser = files.parts.at(kDenoiser);
  BaseFiles alone;
  alone.parts[kDenoiser] = denoiser;
  if (auto why = reason([&] { check_parts(alone, std::array{kDenoiser}, denoiser); })) {
    found.parts.emplace(kDenoiser, std::move(*why));
    return found;
  }
  for (const auto& [part, file] : files.parts) {
    if (part == kDenoiser) {
      continue;
    }
    if (auto why = part_misfit(files, part)) {
      found.parts.emplace(part, std::move(*why));
    }
  }
  if (auto why = found.empty() ? text_misfit(files) : std::nullopt) {
    for (const auto& [part, file] : files.parts) {
      if (is_text(part)) {
        found.parts.emplace(part, *why);
      }
    }
  }
  check_tokenizers(found.empty() ? files : alone, files.tokenizers, found);
  return found;
}

BaseFiles in_order(const BaseFiles& given) {
  BaseFiles sorted = given;
  BaseFiles alone;
  alone.parts[kDenoiser] = given.parts.at(kDenoiser);
  const Family& family = WeightSource::open(alone).family();
  const std::vector<Part> parts = family.text_parts();
  sort_files(parts, sorted.parts, [&](const std::map<Part, fs::path>& listed) {
    BaseFiles files;
    files.parts = listed;
    return misfits(files).parts.empty();
  });
  const auto reads = [&](const std::map<Part, fs::path>& listed) {
    BaseFiles files = sorted;
    files.tokenizers = listed;
    return misfits(files).tokenizers.empty();
  };
  if (auto needed = for_parts_without_one(family, given.tokenizers); needed && reads(*needed)) {
    sorted.tokenizers = std::move(*needed);
  }
  sort_files(parts, sorted.tokenizers, reads);
  const Misfits found = misfits(sorted);
  for (const auto* list : {&found.parts, &found.tokenizers}) {
    if (!list->empty()) {
      throw Error(list->begin()->second);
    }
  }
  return sorted;
}

Companions find_companions(const BaseFiles& given, const std::function<bool()>& overtaken) {
  const fs::path& denoiser = given.parts.at(kDenoiser);
  const WeightSource source = WeightSource::open(given);
  Companions found;
  found.folders = neighbour_folders(denoiser);
  found.tokenizers = missing_tokenizers(source);
  const std::vector<Part> missing = missing_parts(source);
  if (missing.empty()) {
    return found;
  }
  for (const fs::path& file : neighbour_files(denoiser)) {
    if (overtaken && overtaken()) {
      return found;
    }
    for (const Part part : missing) {
      BaseFiles joined = given;
      joined.parts[part] = file;
      std::vector<fs::path>& fitting = found.fitting[part];
      if (!part_misfit(joined, part)) {
        fitting.push_back(file);
      }
    }
  }
  for (const Part part : missing) {
    found.fitting.try_emplace(part);
  }
  keep_sets(given, found.fitting);
  return found;
}

BaseFiles with_companions(const BaseFiles& given) {
  const Companions found = find_companions(given);
  const WeightSource source = WeightSource::open(given);
  BaseFiles whole = given;
  std::vector<Message> open, options;
  const auto add = [&](Message what, std::string_view option) {
    open.push_back(std::move(what));
    const Message named = Message::verbatim(std::string(option));
    if (std::find(options.begin(), options.end(), named) == options.end()) {
      options.push_back(named);
    }
  };
  for (const auto& [part, files] : found.fitting) {
    const std::string_view folder = source.family().part(part)->folder;
    if (files.size() == 1) {
      whole.parts[part] = files.front();
    } else if (files.empty()) {
      add(message<"{part} (no file fits)">(folder), option_of(part));
    } else {
      add(message<"{part} ({count} files fit: {files})">(folder, files.size(), quoted_list(files)),
          option_of(part));
    }
  }
  for (const Part part : found.tokenizers) {
    add(message<"{part} (a folder of the original model)">(source.family().part(part)->tokenizer),
        "--tokenizer");
  }
  if (!open.empty()) {
    throw Error(message<"'{file}' needs more than is found in {folders}: {parts}. Choose with "
                        "{options}">(path_to_utf8(given.parts.at(kDenoiser)),
                                     quoted_list(found.folders), joined<"; ">(std::move(open)),
                                     joined<", ">(std::move(options))));
  }
  return whole;
}

fs::path base_files_beside(const fs::path& denoiser) {
  fs::path beside = denoiser;
  return beside.replace_extension(".base.json");
}

}  // namespace mantissa
