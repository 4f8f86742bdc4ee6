#pragma once
// Event files as TensorBoard and its readers show them: TFRecords of tensorflow.Event messages
// (tensorboard/compat/proto/event.proto, summary.proto).

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/store/rows.h"

namespace mantissa {

/// A number of a step.
struct EventScalar {
  std::string tag;  ///< "train/loss"
  double value = 0;
};

/// The records that begin a file. `step`: of the first record that follows; what an earlier file of
/// the folder has from there on is of a run that was cut off, and isn't shown. `time`: seconds
/// since 1970.
std::string event_file_start(double time, std::int64_t step);
std::string event_record(double time, std::int64_t step, std::span<const EventScalar> scalars);
/// An image. Throws Error naming the file if it isn't a PNG.
std::string event_record(double time, std::int64_t step, const std::string& tag,
                         const std::filesystem::path& png);

/// What a step, or a validation, adds to an event file.
std::vector<EventScalar> event_scalars(const StepRow& row);
std::vector<EventScalar> event_scalars(const ValidationRow& row);

/// "events.out.tfevents.<seconds>.<host>.<process>.<number>.mantissa" in `folder`, which readers
/// find and sort; the number is the first of which there is no file: a run may go on within a
/// second.
std::filesystem::path unused_event_file(const std::filesystem::path& folder, double time);

}  // namespace mantissa
