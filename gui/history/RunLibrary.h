#pragma once

#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/precision/health.h"
#include "engine/preset/preset.h"
#include "engine/store/rows.h"

namespace mantissa::gui {

/// Where runs are kept on this machine. Functions, so that nothing touches the disk before the
/// window is there; tests put their own.
struct RunPlaces {
  std::function<std::filesystem::path()> database, folder;
  /// Moves a folder to the trash; where it went, empty when it can't be brought back, nothing when
  /// it failed.
  std::function<std::optional<QString>(const QString& folder)> trash;

  static RunPlaces of_this_machine();
};

/// What of a run is known already.
struct RunSince {
  std::int64_t step = -1, event = 0;
  /// Steps of the newest live health and look at held-out pictures; absent: they are not wanted.
  std::optional<std::int64_t> health{}, validation{};
};

/// One run, or what it gained since it was read last.
struct RunDetail {
  QString id, state, folder;
  std::optional<Preset> preset;  ///< empty where it can't be read any more
  std::vector<StepRow> steps;    ///< after the step that was asked for
  std::vector<SampleRow> samples;
  std::vector<CheckpointRow> checkpoints;
  std::vector<EventRow> events;           ///< after the event that was asked for
  std::vector<HealthRecord> health;       ///< likewise, where asked for
  std::vector<ValidationRow> validation;  ///< likewise, where asked for
  bool found = false;
};

/// The runs database for the window: read and changed on a thread of its own, on connections that
/// hold no lock between reads. Answers come on the window's thread.
class RunLibrary : public QObject {
  Q_OBJECT

 public:
  explicit RunLibrary(RunPlaces places, QObject* parent = nullptr);
  ~RunLibrary() override;

  /// Reads the list; `listed` follows.
  void refresh();
  /// While on, looks once a second whether any process wrote, and reads the list again when one
  /// did.
  void set_watching(bool on);
  const std::vector<RunSummary>& runs() const { return runs_; }
  const RunSummary* run(const QString& id) const;
  bool is_listed() const { return listed_once_ || !places_.database; }

  /// Reads a run; `got` is not called when `context` is gone by then.
  void load(const QString& id, const RunSince& since, QObject* context,
            std::function<void(const RunDetail&)> got);

  void annotate(const QString& id, const QString& tags, const QString& note);
  /// Takes runs out of the list; folders that lie among the runs go to the trash, others stay. A
  /// run that is going on is left alone. `removed` follows.
  void remove(const QStringList& ids);
  /// Undoes the last remove.
  void restore();

  /// Marks runs whose program died as interrupted, and forgets those whose folder stayed in the
  /// trash; `recovered` follows when there were any of the former. Does nothing while there is no
  /// database.
  void recover();

 signals:
  void listed();
  void recovered(const QStringList& ids);
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
  std::vector<Removal> last_removal_;
  QTimer timer_;
  QString last_failure_;  ///< told once, not with every look
  bool listed_once_ = false;
  bool reading_list_ = false;
  // Last: its tasks end before anything that they use goes away.
  QThreadPool pool_;
};

}  // namespace mantissa::gui
