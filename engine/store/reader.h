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

/// The reading side: a read-only connection of its own, usable while any process writes, from one
/// thread at a time. A database that isn't there yet reads as empty. Throws Error naming the file
/// when it is damaged or of a newer version.
class RunReader {
 public:
  explicit RunReader(std::filesystem::path file);
  ~RunReader();
  RunReader(const RunReader&) = delete;
  RunReader& operator=(const RunReader&) = delete;

  /// Newest first.
  std::vector<RunRow> list_runs(const RunFilter& filter = {});
  /// The same runs in the form that is quick for many; hidden ones too where asked.
  std::vector<RunSummary> summaries(bool with_hidden = false);
  /// Another value than the last time: some other connection wrote meanwhile.
  std::int64_t changes();
  /// By id, or by a unique beginning of it.
  std::optional<RunRow> run(const std::string& id);
  /// Steps > after_step, rising; at most `limit` where that isn't 0.
  std::vector<StepRow> metrics(const std::string& id, std::int64_t after_step = -1,
                               std::int64_t limit = 0);
  std::vector<EventRow> events(const std::string& id, std::int64_t after_event = 0);
  /// Records of steps > after_step, rising; rows by layer, then kind.
  std::vector<HealthRecord> health(const std::string& id, std::int64_t after_step = -1);
  /// Looks at held-out pictures after steps > after_step, rising.
  std::vector<ValidationRow> validation(const std::string& id, std::int64_t after_step = -1);
  std::vector<SampleRow> samples(const std::string& id);
  std::vector<CheckpointRow> checkpoints(const std::string& id);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mantissa
