#pragma once
// Whether files of adapters have names for what a run trains: asked before its first step, and
// again by the writer.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/adapters/dialect.h"

namespace mantissa {

/// What the adapters of a file are; all are the same.
struct WrittenKind {
  bool product = false;  ///< LoHa or LoKr
  std::optional<DoraAxis> dora{};
};

/// The form in which a format's file is written.
struct WrittenForm {
  OutputFormat format;  ///< diffusers where the family has no names in kohya's layouts
  FileForm form;
};
WrittenForm written_form(OutputFormat format, const WrittenKind& kind, const Family& family);

/// Whether the layout has tensors for adapters of this kind at all.
bool form_holds(const FileForm& form, const WrittenKind& kind);

/// A module's name in a file, LyCORIS's for a LoHa or LoKr whose dialect has none. `in_original`
/// as in module_name. Empty if no file of this dialect can hold the module on its own.
std::optional<std::string> written_name(std::string_view path, bool in_original, bool product,
                                        const Dialect& dialect, const ModelNames& base);

/// The format of a run's checkpoints, which contain only files: another than the results' where
/// those are folders.
OutputFormat checkpoint_format(const Preset& preset);

/// Throws Error, with the formats that could, if the results or checkpoints of a run couldn't be
/// written: the format has no tensors for such adapters, or no name for one of `paths`, the modules
/// that the run trains.
void require_written_names(std::span<const std::string> paths, const Preset& preset,
                           const ModelNames& base);

}  // namespace mantissa
