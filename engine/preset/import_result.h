#pragma once
// What an import gives: a preset, and what became of each key.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/error.h"
#include "engine/preset/preset.h"

namespace mantissa {

/// The detected format of an imported text.
enum class ImportFormat {
  mantissa,        ///< a preset of this program
  kohya,           ///< sd-scripts TOML, or JSON of kohya_ss
  kohya_adapter,   ///< the ss_* metadata that sd-scripts writes into an adapter
  onetrainer,      ///< OneTrainer JSON
  ai_toolkit,      ///< ostris' AI Toolkit, YAML or JSON
  musubi,          ///< musubi-tuner TOML, or the metadata of an adapter that it wrote
  simpletuner,     ///< SimpleTuner JSON
  lycoris,         ///< a preset or configuration of LyCORIS, TOML or JSON
  diffusion_pipe,  ///< diffusion-pipe TOML, of a training or of its data sets
};

/// "kohya (sd-scripts, kohya_ss)": for display.
Message import_format_title(ImportFormat format);

/// The outcome for one key of the source.
enum class ImportFate {
  mapped,   ///< imported with the same meaning
  changed,  ///< imported with another meaning or value; the note says how
  ignored,  ///< not imported; the note says why
  unknown,  ///< not a known key of this format
  assumed,  ///< not in the source: its program's own default, which differs from ours
};

/// "mapped", "changed", …
std::string_view import_fate_name(ImportFate fate);

/// The report on one key. All of it is untrusted plain text.
struct ImportRow {
  std::string source;  ///< its place: "training.network_args.conv_dim"
  std::string key{};   ///< its name in the rules, without sections: "network_args.conv_dim"
  int line = 0;        ///< in the source; 0 if none
  std::string value;   ///< as given, shortened; passwords and tokens are masked
  ImportFate fate = ImportFate::unknown;
  std::vector<std::string> targets;  ///< settings that were written
  Message note;                      ///< a whole sentence, or empty
};

struct ImportResult {
  ImportFormat format = ImportFormat::mantissa;
  Preset preset;  ///< always within the limits of a preset: no paths, commands, modules or URLs
  std::vector<ImportRow> rows;  ///< one per key of the source, in its order

  std::size_t count(ImportFate fate) const;
};

/// The configuration is for a model family or a kind of training that is not supported, or of a
/// program whose files aren't read.
class UnsupportedFamily : public Error {
  using Error::Error;
};

/// The text of a file of this name that lies beside the imported one; nothing if there is none that
/// can be read.
using FileBeside = std::function<std::optional<std::string>(const std::string& name)>;

}  // namespace mantissa
