#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/preset/preset.h"
#include "engine/run/run.h"

namespace mantissa::gui {

/// What the window knows of a run that isn't in progress, before its folder is read.
struct EndedRun {
  QString folder;
  QString title;          ///< "zorb · Finished"
  bool complete = false;  ///< all of its steps are done
  bool failed = false;
  QString reason;          ///< why it failed; empty: unknown
  Preset preset;           ///< tells the names of its files
  std::int64_t steps = 0;  ///< done
  double seconds = 0;      ///< that they took
  double last_tenth = 0;   ///< mean loss of the last tenth of the steps; NaN without any
  std::optional<ValidationRecord> best;  ///< the lowest validation loss
  std::vector<SampleRecord> samples;
};

/// A prompt's first and last sample.
struct SamplePair {
  QString prompt;
  SampleRecord first, last;
};
/// Pairs of every prompt with samples, in the order of prompts.
std::vector<SamplePair> sample_pairs(const std::vector<SampleRecord>& samples);

/// What a program makes of the result, as the run recorded it.
struct ReaderLine {
  QString program, verdict, rules;   ///< "ComfyUI", a sentence, "comfy/lora.py 1a2b3c"
  bool works = false, known = true;  ///< known: there is a verdict
};

/// A file with the adapter or model of a step.
struct ResultFile {
  QString path;
  std::optional<std::int64_t> step;  ///< of a checkpoint; empty: the result
  quint64 bytes = 0;
  bool is_folder = false;  ///< which no program takes as a LoRA file
};

/// What a run's folder holds.
struct RunFiles {
  std::vector<ResultFile> files;  ///< the result first, then checkpoints, the latest first
  std::vector<ReaderLine> readers;
  QString proven;   ///< name of the file that the verdicts are about
  QString problem;  ///< why the verdicts can't be read; empty: they can, or there are none
  /// The checkpoint to take, by its validation, and why; none: no checkpoint is better than the
  /// untrained model, or nothing was validated, and then the reason is empty.
  std::optional<std::int64_t> suggested;
  QString suggestion;
  /// Whether the last samples repeat training images, in words; empty: not measured.
  QString memorising;
  bool memorises = false;
};
/// Reads the folder, result.json included: not on the window's thread. Throws nothing.
RunFiles read_run_files(const QString& folder, const Preset& preset);

}  // namespace mantissa::gui
