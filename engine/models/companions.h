#pragma once
// Base models in several files: which file fits which part. A file fits if the part's network can
// be built from it and joined to the transformer, as a run would do; only headers are read, and
// names of files don't count.

#include <filesystem>
#include <functional>
#include <map>
#include <vector>

#include "engine/core/message.h"
#include "engine/io/base_files.h"

namespace mantissa {

/// What can't be used of a model's files, and why. Parts that aren't listed are fine, or missing.
struct Misfits {
  std::map<Part, Message> parts, tokenizers;
  bool empty() const { return parts.empty() && tokenizers.empty(); }
};
Misfits misfits(const BaseFiles& files);

/// `given` with every text encoder's file and tokenizer's folder at the part it fits, whatever the
/// order in which they are listed. Throws Error for a file or folder that fits no part, or several
/// where its own isn't one of them.
BaseFiles in_order(const BaseFiles& given);

/// Files for the parts that a model lacks, found where ComfyUI keeps them.
struct Companions {
  std::map<Part, std::vector<std::filesystem::path>>
      fitting;                   ///< of each missing part, perhaps none
  std::vector<Part> tokenizers;  ///< of which a folder is needed, which nothing there replaces
  std::vector<std::filesystem::path> folders;  ///< searched
};
/// Throws Error if the denoiser's file is no model's; whatever is wrong with another file, it is
/// passed over. Stops early, with what it has found, once `overtaken` returns true.
Companions find_companions(const BaseFiles& given, const std::function<bool()>& overtaken = {});

/// `given` with its companions. Throws one Error that names each part that no file fits, or
/// several, the folders searched and the candidates.
BaseFiles with_companions(const BaseFiles& given);

/// Where the JSON of a model with this transformer is kept: beside it, "NAME.base.json".
std::filesystem::path base_files_beside(const std::filesystem::path& denoiser);

}  // namespace mantissa
