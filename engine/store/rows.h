#pragma once

#include <cstdint>
#include <string>

namespace mantissa {

/// One training step, as plain numbers: a row of the database and a slot of the ring to the window.
/// NaN and infinity are kept.
struct StepRow {
  std::int64_t step = 0;
  double loss = 0;
  double grad_norm = 0;  ///< global, before clipping
  double clip_norm = 0;  ///< the bound in force, 0 when off
  double loss_scale = 1;
  double lost_update = 0;   ///< share of elements with round(w+Δ) = w
  double update_ratio = 0;  ///< RMS(Δw)/RMS(w)
  double seconds = 0;
  double lr[3] = {0, 0, 0};          ///< by part_slot; 0 where the part isn't trained
  double group_norm[3] = {0, 0, 0};  ///< pre-clip norm by part_slot
  bool clipped = false;
  bool skipped = false;
};

/// The loss on held-out pictures after a step.
struct ValidationRow {
  std::int64_t step = 0;
  double loss = 0;  ///< mean over pictures and timesteps; NaN is kept
  std::int64_t pictures = 0;
  double seconds = 0;  ///< that it took
};

/// States "finished", "failed", "stopped" and "interrupted" are ends; any other means that some
/// process owns the run.
struct RunRow {
  std::string id, name, state;
  std::int64_t created = 0,
               finished = 0;           ///< Unix milliseconds; created 0: now; finished 0: not yet
  std::string base, out;               ///< paths, UTF-8
  std::string preset_json, plan_json;  ///< frozen at the start
  std::int64_t seed = 0;
  std::string host;          ///< machine
  std::int64_t process = 0;  ///< pid, for people; the lock decides
  std::string lock;          ///< path of the run's lock file, UTF-8
  // Filled by readers:
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN where there is none
};

/// A line of the history: what a list of runs shows of one, quick to read for thousands.
struct RunSummary {
  std::string id, name, state;
  std::int64_t created = 0, finished = 0;  ///< Unix milliseconds; finished 0: not yet
  std::string base, out;                   ///< paths, UTF-8
  std::string adapter, precision;          ///< "LoRA 16", "fp8_e4m3 / bf16"; empty: unknown
  std::string tags;                        ///< separated by ", "
  std::string note;
  std::string lock;        ///< only while the state is no end
  std::int64_t steps = 0;  ///< last step recorded
  double last_loss = 0;    ///< its loss, NaN where there is none
};

struct EventRow {
  std::int64_t id = 0;    ///< rising
  std::int64_t time = 0;  ///< Unix milliseconds
  int level = 1;          ///< 0 debug, 1 info, 2 warning, 3 error
  std::string text;
};

struct SampleRow {
  std::int64_t step = 0;
  int prompt_index = 0;
  std::string prompt, path;  ///< path of the PNG, UTF-8
};

struct CheckpointRow {
  std::int64_t step = 0;
  std::string path;
  std::int64_t bytes = 0;
};

}  // namespace mantissa
