#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <QVector>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/precision/health.h"
#include "engine/preset/preset.h"
#include "engine/run/run_files.h"
#include "engine/store/image_influence.h"
#include "engine/store/rows.h"

namespace mantissa::gui {

/// Locations of runs on this machine. Functions, so that nothing touches the disk before the window
/// is shown; tests provide their own.
struct RunPlaces {
  std::function<std::filesystem::path()> database, folder;
  /// Moves a folder to the trash; its new place, empty if it can't be restored, nullopt if it
  /// failed.
  std::function<std::optional<QString>(const QString& folder)> trash;

  static RunPlaces of_this_machine();
};

/// A run that can be continued, and what continuing it would do.
struct LeftRun {
  QString id;
  std::int64_t steps = 0;  ///< recorded
  ResumePoint resume;
  bool by_quitting = false;  ///< stopped and saved because the user quit; else its process died
};

/// What is already known of a run.
struct RunSince {
  std::int64_t step = -1, event = 0;
  /// Steps of the latest layer statistics and validation loss; absent: not requested.
  std::optional<std::int64_t> health{}, validation{};
};

/// One run, or its additions since the last read.
struct RunDetail {
  QString id, state, folder;
  std::optional<Preset> preset;  ///< empty if it can no longer be read
  std::vector<StepRow> steps;    ///< after the requested step
  std::vector<SampleRow> samples;
  std::vector<CheckpointRow> checkpoints;
  std::vector<PauseRow> pauses;
  std::optional<RunRates> rates;          ///< the last ones; none of a run by one process
  std::vector<EventRow> events;           ///< after the requested event
  std::vector<HealthRecord> health;       ///< likewise, if requested
  std::vector<ValidationRow> validation;  ///< likewise, if requested
  bool found = false;
  bool has_checkpoint = false;  ///< if it can be continued
  bool has_trace = false;       ///< of its first steps, if it is over
};

/// The runs database for the window: read and changed on a separate thread, on connections that
/// hold no lock between reads. Results arrive on the window's thread.
class RunLibrary : public QObject {
  Q_OBJECT

 public:
  explicit RunLibrary(RunPlaces places, QObject* parent = nullptr);
  ~RunLibrary() override;

  /// Reads the list; `listed` follows.
  void refresh();
  /// While on, checks once a second whether any process wrote, and then reads the list again.
  void set_watching(bool on);
  const std::vector<RunSummary>& runs() const { return runs_; }
  const RunSummary* run(const QString& id) const;
  /// The run's name, with the end of its id if others of the list have the same; as in every table
  /// and legend.
  QString label(const RunSummary& run) const;
  /// Why a failed run ended; empty: unknown, or it did not fail.
  QString failure(const QString& id) const { return failures_.value(id); }
  bool is_listed() const { return listed_once_ || !places_.database; }

  /// Reads a run; `got` is not called if `context` is destroyed by then.
  void load(const QString& id, const RunSince& since, QObject* context,
            std::function<void(const RunDetail&)> got);

  /// Reads a run's layer statistics, about `most_rows` of them spread over the whole run. As
  /// `load`; the receiver may take the records.
  void load_health(const QString& id, std::size_t most_rows, QObject* context,
                   std::function<void(std::vector<HealthRecord>& records)> got);

  /// The images that stood out in the latest run that measured images of these names, at least
  /// half of them; none: an empty id. As `load`.
  void load_influences(
      const std::set<std::string>& names, QObject* context,
      std::function<void(const QString& run, const std::vector<ImageInfluence>& images)> got);

  void annotate(const QString& id, const QString& tags, const QString& note);
  /// Removes runs from the list; folders within the runs folder go to the trash, others stay.
  /// Active runs are skipped. `removed` follows.
  void remove(const QStringList& ids);
  /// Undoes the last remove.
  void restore();

  /// Marks runs whose process died as interrupted, and removes those whose folder stayed in the
  /// trash; `recovered` follows with the former and with the runs that the paths `quit` belong to,
  /// if they can be continued. Does nothing without a database.
  void recover(const QStringList& quit = {});

 signals:
  void listed();
  void recovered(const QVector<LeftRun>& runs);
  /// `kept`: folders outside the runs folder, left where they are; `refused`: why some runs stay.
  void removed(int count, bool undoable, const QStringList& kept, const QStringList& refused);
  void failed(const QString& message);

 private:
  struct Reading;
  struct Removal {
    QString id, from, to;  ///< `to`: place in the trash; empty: nothing was moved
  };
  void post(std::function<void()> work);
  /// Calls `answer` on the window's thread.
  void answer(std::function<void()> what);
  void read_list();

  RunPlaces places_;
  std::shared_ptr<Reading> reading_;
  std::vector<RunSummary> runs_;
  QHash<QString, QString> failures_;
  QHash<QString, int> names_;  ///< how many of `runs_` have a name
  std::vector<Removal> last_removal_;
  QTimer timer_;
  QString last_failure_;  ///< reported once, not on every check
  bool listed_once_ = false;
  bool reading_list_ = false;
  // Last: its tasks end before anything they use is destroyed.
  QThreadPool pool_;
};

}  // namespace mantissa::gui
