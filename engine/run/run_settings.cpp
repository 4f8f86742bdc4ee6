// RunFolder: settings changed since the run began.
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/io/json_file.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "engine/run/checkpoint.h"
#include "engine/run/checkpoint_state.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace fs = std::filesystem;
namespace {

std::string settings_checksum(nlohmann::json object) {
  object.erase("checksum");
  return sha256_hex(object.dump());
}

/// Empty for those of another run. Throws Error naming the file if they are damaged.
std::optional<Preset> parse_settings(const std::string& text, const std::string& label,
                                     const std::string& job_id) {
  const nlohmann::json object = parse_json(text, label);
  const bool whole = object.is_object() && object.contains("of") && object.contains("preset") &&
                     object.contains("checksum") && object["checksum"] == settings_checksum(object);
  if (!whole) {
    throw Error(message<"{file} is damaged: it has another content than its checksum says">(label));
  }
  return object["of"] == job_id
             ? std::optional(parse_preset(object["preset"].dump(2), label + ", field 'preset'"))
             : std::nullopt;
}

/// Settings that the newest checkpoint was saved with; empty if there is none, or of another
/// program.
std::optional<Preset> settings_of_checkpoint(const CheckpointFolder& checkpoints) {
  const auto state = checkpoints.newest_member("state.json");
  if (!state) {
    return std::nullopt;
  }
  try {
    const std::string label = path_to_utf8(state->checkpoint);
    return parse_preset(parse_checkpoint_state(state->text, label).preset, label);
  } catch (const Error&) {
    return std::nullopt;  // resuming reports the problem
  }
}

}  // namespace

Preset with_changeable_settings(const Preset& running, const Preset& wanted) {
  Preset preset = running;
  for (const Setting& s : settings()) {
    if (s.change != Change::never) {
      s.bind.copy(preset, wanted);
    }
  }
  return preset;
}

std::string RunFolder::settings_text(const Preset& preset) const {
  nlohmann::json object{{"mantissa_settings", 1},
                        {"of", job_id_},
                        {"preset", nlohmann::json::parse(to_json(preset, WriteMode::full))}};
  object["checksum"] = settings_checksum(object);
  return object.dump(2) + "\n";
}

void RunFolder::find_settings() {
  std::optional<Preset> kept;
  std::error_code none;
  if (fs::is_regular_file(settings_file(), none)) {
    const std::string label = path_to_utf8(settings_file());
    try {
      kept = parse_settings(read_text(settings_file()), label, job_id_);
    } catch (const Error& e) {
      const Message damaged =
          message<"{reason}. The settings of the newest checkpoint are used">(e.message());
      notice_ = notice_.empty() ? damaged : joined<"; ">(std::vector{notice_, damaged});
    }
  }
  if (!kept) {  // lost, or of a version that recorded them in checkpoints only
    kept = settings_of_checkpoint(CheckpointFolder(checkpoints()));
  }
  job_.preset = kept ? with_changeable_settings(started_, *kept) : started_;
}

void RunFolder::record_settings(const Preset& preset) {
  const Preset now = with_changeable_settings(started_, preset);
  const std::string text = settings_text(now);
  std::error_code none;
  const bool recorded = fs::is_regular_file(settings_file(), none)
                            ? read_text(settings_file()) == text
                            : now == started_ && now == job_.preset;
  if (!recorded) {
    atomic_write(settings_file(), text);
  }
  job_.preset = now;
}

}  // namespace mantissa
