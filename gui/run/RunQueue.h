#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <vector>

#include "engine/run/run.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/QueuedRun.h"

namespace mantissa::gui {

class AppSettings;
class SideRuns;

/// Runs that start one after another; where several cards have a run each, as many at a time: one
/// on the Train page, the others beside it. A failed run does not hold up the next; one stopped by
/// the user does. The list is stored in the studio's settings and survives a restart; it
/// continues by itself only after a run that outlived the window.
class RunQueue : public QAbstractTableModel {
  Q_OBJECT

 public:
  /// `beside` trains runs of other cards.
  RunQueue(EngineClient* engine, AppSettings* settings, const Runner& beside = {},
           QObject* parent = nullptr);

  void add(const JobSpec& job);
  /// Not the running one.
  bool remove(int row);
  /// Swaps with the neighbour above (-1) or below (1).
  bool move(int row, int direction);
  /// Moves a run before the one at `place`, or to the end: only among waiting runs.
  bool move_to(int row, int place);
  void remove_ended();
  const std::vector<QueuedRun>& runs() const { return runs_; }
  int waiting() const;
  /// Runs in progress that the Train page doesn't show.
  int running_beside() const;
  /// Saves and stops a run in progress.
  void stop(int row);
  /// Stops all beside the Train page's.
  void stop_beside();

  /// Whether a run of the queue is the Train page's.
  bool is_running_here() const;
  /// The Train page's run is saved to continue in a process of its own; nothing starts meanwhile.
  void hand_over();
  /// No run of an earlier start is in progress any longer.
  void settle_apart();

  bool is_on() const { return on_; }
  /// On: the next run starts as soon as the engine is free.
  void set_on(bool on);

  enum Column { name, base, adapter, images, steps, state, columns };
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  // Waiting runs are dragged to another place.
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 signals:
  /// Start this run now and show it.
  void start_requested(const JobSpec& job);
  void changed();
  /// A run beside the Train page's has ended.
  void ended_beside(const RunEnd& end, const JobSpec& job);
  /// The stored list could not be read.
  void lost(const QString& why);

 private:
  void on_ended(const RunEnd& end);
  void on_side_ended(int run, const RunEnd& end);
  void finish(std::size_t row, const RunEnd& end);
  void start_next();
  /// The cards that have a run each; empty if runs start one after another.
  std::vector<std::string> cards() const;
  /// One of them without a run; empty if there is none.
  std::string free_card() const;
  void store();
  void row_changed(std::size_t row);

  EngineClient* engine_;
  AppSettings* settings_;
  SideRuns* side_;
  bool can_run_beside_;
  std::vector<QueuedRun> runs_;
  bool on_ = false, handing_over_ = false;
};

}  // namespace mantissa::gui
