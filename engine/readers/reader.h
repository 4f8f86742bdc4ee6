#pragma once
// Programs that read adapters, as data: by which names, which tensors, and what they make of them.
// A reader is a file reader_<name>.cpp and a line in readers.cpp.

#include <span>
#include <string>
#include <string_view>

#include "engine/adapters/adapter_names.h"
#include "engine/preset/part.h"

namespace mantissa {

/// Whose paths a reader's names have.
enum class ReaderPaths {
  diffusers,   ///< canonical: "transformer_blocks.0.attn.to_q"
  checkpoint,  ///< of the authors' checkpoints, whose modules may be fused:
               ///< "layers.0.attention.qkv"
};

/// Which shares of a fused module a reader needs where a file names them apart.
enum class ReaderShares {
  any,
  in_order,  ///< reads those before the first that is missing
  all,       ///< refuses the file if some are missing
};

/// A replacement in a module's path.
struct PathEdit {
  std::string_view from, to;
};

/// One way in which a reader names the modules of a part: `head`, then the path.
struct NameRule {
  std::string_view families;  ///< keys separated by spaces; empty: all that the reader supports
  Part part = kDenoiser;
  ReaderPaths paths = ReaderPaths::diffusers;
  std::string_view head;     ///< "{comfyui}" stands for the model's prefix in ComfyUI
  bool underscores = false;  ///< dots of the path are underscores
  std::string_view omits{};  ///< the level of the path that the names lack: "model."
  /// The first whose `from` the path has is made, before the dots are changed.
  std::span<const PathEdit> edits{};
  /// Globs of paths, in `paths`, separated by spaces: the only ones named, and those not named.
  std::string_view only{}, except{};
  ReaderShares shares = ReaderShares::any;  ///< with diffusers' paths
  /// With diffusers' paths: changes a module whose halves the checkpoints exchange as if they
  /// didn't.
  bool ignores_exchange = false;
};

/// A tensor that a reader looks for in a module, by the end of its name. No suffix of a form ends
/// another, so that at most one rule is a name's.
struct TensorRule {
  std::string_view suffix;
  AdapterRole role = AdapterRole::alpha;  ///< if `beside` is none
  BesideRole beside = BesideRole::none;
};

/// What a reader does with a tensor that none of its names or suffixes cover.
enum class Unread {
  ignored,  ///< perhaps with a line in its log
  refused,  ///< the file isn't loaded
};

/// What a reader makes of the magnitudes of a DoRA.
enum class ReaderDora {
  none,        ///< reads none
  exact,       ///< W' = m·(W + ΔW)/‖W + ΔW‖, by output or input as the tensor's shape says
  base_norms,  ///< per output it divides by ‖W‖ of the base model; per input as `exact`
  per_input,   ///< takes any for one per input
  per_output,  ///< as PEFT, which knows no other
};

/// Where a reader finds the scale of a LoRA.
enum class ReaderScale {
  alpha,   ///< alpha / rank from the tensor, 1 without it
  config,  ///< PEFT's config in the metadata, alpha = rank without it
  none,    ///< always 1
};

/// When a file is of a form: all conditions that aren't empty. Words are separated by spaces.
struct FormCondition {
  std::string_view every_name_begins;  ///< every tensor's name begins with one of these
  std::string_view every_name_ends;    ///< and ends with one of these
  std::string_view a_name_begins;      ///< some name begins with one of these
  std::string_view a_name_has;         ///< some name has one of these
  std::string_view no_name_has;        ///< no name has any of these
  std::string_view names_have;         ///< each of these is in some name
};

/// A form of files that a reader tells from others, and how it reads those. The first whose
/// condition holds is used.
struct ReaderForm {
  std::string_view families;  ///< keys separated by spaces
  FormCondition when;
  std::span<const NameRule> names;
  std::span<const TensorRule> tensors;
  ReaderScale scale = ReaderScale::alpha;
  ReaderDora dora = ReaderDora::none;
  Unread unknown_name = Unread::ignored;    ///< of a module that isn't named so
  Unread unknown_tensor = Unread::ignored;  ///< of a suffix that isn't looked for
  /// Globs of names of tensors that are ignored in any case.
  std::string_view passed_over{};
  /// Words of which every name must have one for the file to be loaded; empty: none.
  std::string_view required_words{};
};

/// The source of a reader's rules.
struct ReaderSource {
  std::string_view file;     ///< "comfy/lora.py"
  std::string_view version;  ///< its commit, or the package's release
};

struct Reader {
  std::string_view key;      ///< as in --for: "comfyui"
  std::string_view title;    ///< "ComfyUI"
  std::string_view project;  ///< its repository or package
  std::span<const ReaderSource> sources;
  std::string_view families;  ///< keys of those it draws with adapters, separated by spaces
  /// Endings of names that are left out before anything else, with a warning at most.
  std::string_view dropped;
  std::span<const ReaderForm> forms;
};

/// Every reader, in the order of lists.
std::span<const Reader* const> readers();
/// The reader with this key; null if there is none.
const Reader* reader_called(std::string_view key);
/// Whether `word` is one of the words of `list`, which spaces separate.
bool has_word(std::string_view list, std::string_view word);
/// Calls `visit` with each word of `list` until it returns true; whether it did.
template <typename Visit>
bool any_word(std::string_view list, Visit visit) {
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    const std::string_view word = list.substr(0, end);
    if (!word.empty() && visit(word)) {
      return true;
    }
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  return false;
}

}  // namespace mantissa
