#include "engine/models/missing_parts.h"

#include "engine/core/paths.h"

namespace mantissa {

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
