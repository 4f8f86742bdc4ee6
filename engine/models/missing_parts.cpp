#include "engine/models/missing_parts.h"

#include <filesystem>

#include "engine/core/paths.h"
#include "engine/io/base_files.h"

namespace mantissa {

namespace fs = std::filesystem;

namespace {

/// The file that a base model's JSON lists for a part; empty if it lists none, or isn't one.
fs::path listed_file(const WeightSource& source, Part part) {
  if (!is_base_files(source.path())) {
    return {};
  }
  const BaseFiles files = read_base_files(source.path());
  const auto listed = files.parts.find(part);
  return listed != files.parts.end() ? listed->second : fs::path();
}

}  // namespace

std::vector<Part> missing_parts(const WeightSource& source) {
  std::vector<Part> missing;
  for (const PartFiles& files : source.family().parts) {
    if (!source.has_part(files.part)) {
      missing.push_back(files.part);
    }
  }
  return missing;
}

std::vector<Part> missing_tokenizers(const WeightSource& source) {
  std::vector<Part> missing;
  for (const PartFiles& files : source.family().parts) {
    if (!files.tokenizer.empty() && !files.tokenizer_ships &&
        !source.tokenizer_folder(files.part)) {
      missing.push_back(files.part);
    }
  }
  return missing;
}

Message without_parts(const WeightSource& source, std::span<const Part> parts) {
  std::vector<Message> folders;
  for (const Part part : parts) {
    if (const fs::path file = listed_file(source, part); !file.empty()) {
      return message<
          "{path} lists '{file}' as its {part}, but that file holds no {part} of {family}; "
          "list the right one: with `mantissa base`, or \"Separate files…\" in the studio">(
          path_to_utf8(source.path()), path_to_utf8(file), source.family().part(part)->folder,
          source.family().title());
    }
    folders.push_back(Message::verbatim(std::string(source.family().part(part)->folder)));
  }
  return message<
      "{path} holds no {part}; use a complete base model, or list the files of its "
      "parts: with `mantissa base`, or \"Separate files…\" in the studio">(
      path_to_utf8(source.path()), joined<", ">(std::move(folders)));
}

Message without_tokenizer(const WeightSource& source, Part part) {
  return message<
      "{path} names no {folder}, a folder of the original model that its files don't "
      "replace; list it with `mantissa base`, or \"Separate files…\" in the studio">(
      path_to_utf8(source.path()), source.family().part(part)->tokenizer);
}

}  // namespace mantissa
