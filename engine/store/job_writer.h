#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <variant>

#include "engine/core/error.h"
#include "engine/precision/health.h"
#include "engine/store/columns.h"
#include "engine/store/rows.h"
#include "engine/store/sqlite.h"

namespace mantissa {

/// Kinds of jobs: each is one row or one change, small enough to queue by value. Times are Unix
/// milliseconds.
struct CreateJob {
  RunRow run;
};
struct ResumeJob {
  std::int64_t step, process;
  std::string state, host;
  std::int64_t time;
};
struct StateJob {
  std::string state;
  std::int64_t time;
};
struct MoveJob {
  std::string out, lock;
};
struct PlanJob {
  std::string plan_json, family;
};
struct SettingsJob {
  std::string name, preset_json;
};
struct RemoveCheckpointJob {
  std::int64_t step;
};
struct AnnotateJob {
  std::string tags, note;
};
struct HideJob {
  bool hidden;
};
struct DeleteJob {};
/// Makes earlier writes durable; belongs to no run and is executed alone.
struct SyncJob {};
/// One change to the run `id`.
struct Job {
  std::string id;
  std::variant<StepRow, EventRow, HealthRecord, ValidationRow, ImageLossRecord, RunRates, PauseRow,
               SampleRow, CheckpointRow, CreateJob, ResumeJob, StateJob, MoveJob, PlanJob,
               SettingsJob, RemoveCheckpointJob, AnnotateJob, HideJob, DeleteJob, SyncJob>
      what;
};

/// Executes jobs, one statement each; used on the writer's thread.
class JobWriter {
 public:
  /// Thrown for a job that can never be done; other failures of SQLite pass through.
  struct Impossible : Error {
    using Error::Error;
  };

  explicit JobWriter(Database& db);
  void write(const Job& job);
  /// After a rollback, cached lookups are invalid.
  void forget() { keys_.clear(); }

 private:
  std::int64_t key_of(const std::string& id);
  void write_run(const RunRow& r);
  void write(std::int64_t run, const StepRow& row);
  void write(std::int64_t run, const EventRow& row);
  void write(std::int64_t run, const HealthRecord& record);
  void write(std::int64_t run, const ValidationRow& row);
  void write(std::int64_t run, const ImageLossRecord& record);
  void write(std::int64_t run, const RunRates& rates);
  void write(std::int64_t run, const PauseRow& row) { pause_.run(run, row); }
  void write(std::int64_t run, const SampleRow& row) { sample_.run(run, row); }
  void write(std::int64_t run, const CheckpointRow& row) { checkpoint_.run(run, row); }
  void write(std::int64_t run, const StateJob& job);
  void write(std::int64_t run, const MoveJob& job);
  void write(std::int64_t, const SyncJob&) {}  // handled by the store
  void write(std::int64_t run, const ResumeJob& job);
  void write(std::int64_t run, const PlanJob& job);
  void write(std::int64_t run, const SettingsJob& job);
  void write(std::int64_t run, const RemoveCheckpointJob& job);
  void write(std::int64_t run, const AnnotateJob& job);
  void write(std::int64_t run, const HideJob& job);
  void write(std::int64_t run, const DeleteJob&);
  void write(std::int64_t, const CreateJob&) {}

  RowInsert<StepRow> step_;
  RowInsert<StepKey, PartFigures> part_;
  RowInsert<HealthRecord, HealthRow> health_;
  RowInsert<ValidationRow> validation_;
  RowInsert<StepKey, ImageLoss> validation_image_;
  RowInsert<ImageLossRecord, TrainedImageLoss> image_loss_;
  RowInsert<RunRates> rates_;
  RowInsert<StepKey, ProcessRate> process_rate_;
  RowInsert<PauseRow> pause_;
  RowInsert<SampleRow> sample_;
  RowInsert<CheckpointRow> checkpoint_;
  Statement find_, create_, event_, state_, move_, plan_, settings_, owner_, drop_checkpoint_,
      summary_, family_, annotate_, hide_;
  std::deque<Statement> rewind_, erase_;
  std::map<std::string, std::int64_t> keys_;
};

}  // namespace mantissa
