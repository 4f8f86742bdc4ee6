#include "engine/train/run_saver.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/io/file.h"
#include "engine/preset/preset_io.h"
#include "engine/readers/proof.h"
#include "engine/store/image_influence.h"

namespace mantissa {
namespace fs = std::filesystem;

bool RunSaver::is_due() const {
  if (!parts_.ranks.writes()) {
    return false;
  }
  const Preset::Output& output = parts_.preset().output;
  return (output.save_every > 0 && state_.step % output.save_every == 0) ||
         parts_.length().ends_epochs(state_.step, output.save_epochs) ||
         unsaved_.passed(output.save_minutes);
}

CheckpointState RunSaver::checkpoint_state() {
  CheckpointState s;
  state_.describe(s);
  s.seed = parts_.preset().training.seed;
  s.dataset = dataset_fingerprint(parts_.plan);
  s.plan = parts_.plan.precision.json();
  s.preset = to_json(parts_.preset(), WriteMode::full);
  s.identity = start_.identity();
  s.accepted = start_.accepted();
  s.stacked_adapters = !parts_.adapters.in_binding_order();
  return s;
}

void RunSaver::save() {
  if (!parts_.ranks.writes()) {
    return;
  }
  RunLog& log = parts_.log;
  start_.require_unchanged_files();
  home_.renew_lock(log);
  log.sync();  // a checkpoint is never newer than the log of its steps
  const std::vector<NamedBuffer> buffers = state_.buffers();
  const CheckpointState state = checkpoint_state();
  const Preset::Output& output = parts_.preset().output;
  log.keep([&] {
    home_.last_checkpoint =
        home_.checkpoints().save(state, buffers, [this, &output](const fs::path& folder) {
          atomic_write(folder / "job.json", home_.folder().job_text());
          writer_.write(folder, checkpoint_result_name(output.name), true);
          start_.require_unchanged_files();  // which a full model reads while it is written
        });
  });
  log.saved(*home_.last_checkpoint, state_.step, true);
  home_.note_moves();
  start_clock();
  log.pruned(home_.checkpoints().prune(output.keep));
}

fs::path RunSaver::write_result(const std::string& name, const Advice& advice) {
  start_.require_unchanged_files();
  const fs::path file = writer_.write(home_.folder().path(), name, false);
  try {
    start_.require_unchanged_files();
  } catch (const Error&) {
    std::error_code ignored;
    fs::remove_all(file, ignored);
    throw;
  }
  write_stamp(file, advice);
  return file;
}

RunSaver::Advice RunSaver::advice() {
  try {
    return {parts_.log.suggested_checkpoint(), parts_.log.memorising(),
            parts_.log.recorded_image_losses()};
  } catch (const Error& e) {
    parts_.log.last_line(LogLevel::warning, e.message());
    return {};
  }
}

void RunSaver::write_stamp(const fs::path& file, const Advice& advice) {
  const nlohmann::ordered_json influence = influence_json(advice.images);
  if (writer_.read_back().empty() && !advice.checkpoint && !advice.memorising &&
      influence.is_null()) {
    return;
  }
  auto stamp = result_stamp(path_to_utf8(file.filename()), state_.step, writer_.read_back());
  if (advice.checkpoint) {
    stamp["suggested_checkpoint"] = checkpoint_choice_json(*advice.checkpoint);
  }
  if (advice.memorising) {
    stamp["memorising"] = memorising_json(*advice.memorising);
  }
  if (!influence.is_null()) {
    stamp["influence"] = influence;
  }
  try {
    atomic_write(home_.folder().path() / "result.json", stamp.dump(2) + "\n");
  } catch (const Error& e) {
    parts_.log.last_line(LogLevel::warning, e.message());  // the result itself is there
  }
}

fs::path RunSaver::save_result() {
  fs::path file;
  if (!parts_.ranks.writes()) {
    return file;
  }
  const Advice told = advice();
  parts_.log.keep([&] { file = write_result(parts_.preset().output.name, told); });
  parts_.log.saved(file, state_.step, false);
  if (told.checkpoint) {
    parts_.log.line(LogLevel::info, told.checkpoint->text());
  }
  if (told.memorising) {
    parts_.log.line(told.memorising->sign() ? LogLevel::warning : LogLevel::info,
                    told.memorising->text());
  }
  for (const ImageInfluence& image : outstanding(image_influences(told.images))) {
    parts_.log.line(LogLevel::warning, image.text());
  }
  return file;
}

void RunSaver::save_result_alone() {
  if (!parts_.ranks.writes() || !parts_.log.disk().gave_up() ||
      parts_.control.stop_requested() != RunControl::Stop::save) {
    return;
  }
  try {
    const std::string name = fmt::format("{}-step-{}", parts_.preset().output.name, state_.step);
    parts_.log.saved(write_result(name, {}), state_.step, false);
  } catch (const Error& e) {
    parts_.log.last_line(LogLevel::warning, e.message());
  }
}

}  // namespace mantissa
