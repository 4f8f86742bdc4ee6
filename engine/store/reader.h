#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/store.h"

namespace mantissa {

struct RunFilter {
  std::string state;       ///< empty: any
  std::string text;        ///< part of id, name or base, any case; empty: any
  std::int64_t limit = 0;  ///< 0: all
};

/// The reading side: a separate read-only connection, usable while any process writes, from one
/// thread at a time. A missing database reads as empty. Throws Error naming the file if it is
/// damaged or of a newer version.
class RunReader {
 public:
  explicit RunReader(std::filesystem::path file);
  ~RunReader();
  RunReader(const RunReader&) = delete;
  RunReader& operator=(const RunReader&) = delete;

  /// Newest first.
  std::vector<RunRow> list_runs(const RunFilter& filter = {});
  /// All runs as summaries, fast for many; optionally with hidden ones.
  std::vector<RunSummary> summaries(bool with_hidden = false);
  /// Changes whenever another connection has written.
  std::int64_t changes();
  /// By id, or by a unique prefix of it.
  std::optional<RunRow> run(const std::string& id);
  /// Steps > after_step, ascending; at most `limit` unless 0.
  std::vector<StepRow> metrics(const std::string& id, std::int64_t after_step = -1,
                               std::int64_t limit = 0);
  std::vector<EventRow> events(const std::string& id, std::int64_t after_event = 0);
  /// Records of steps > after_step, ascending; rows by layer, then kind. With `most_rows`, only as
  /// many records as make about that many rows, spread evenly from the first to the last.
  std::vector<HealthRecord> health(const std::string& id, std::int64_t after_step = -1,
                                   std::size_t most_rows = 0);
  /// Validation losses of steps > after_step, ascending; of each image only if asked.
  std::vector<ValidationRow> validation(const std::string& id, std::int64_t after_step = -1,
                                        bool each_image = true);
  /// Losses of single training images, by step.
  std::vector<ImageLossRecord> image_losses(const std::string& id);
  /// Rates of the processes together, of steps > after_step, ascending; none of a run by one.
  std::vector<RunRates> rates(const std::string& id, std::int64_t after_step = -1);
  /// The last of them.
  std::optional<RunRates> last_rates(const std::string& id);
  /// By step.
  std::vector<PauseRow> pauses(const std::string& id);
  std::vector<SampleRow> samples(const std::string& id);
  /// Without those whose folder was deleted since.
  std::vector<CheckpointRow> checkpoints(const std::string& id);

 private:
  /// Steps > after_step with layer statistics, ascending.
  std::vector<std::int64_t> health_steps(const std::string& id, std::int64_t after_step);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mantissa
