#pragma once

#include <QObject>
#include <QTimer>

#include "gui/history/RunLibrary.h"

namespace mantissa::gui {

/// Follows another process's run by reading the database twice a second. Takes no
/// lock and changes nothing.
class RunWatcher : public QObject {
  Q_OBJECT

 public:
  explicit RunWatcher(RunLibrary* library, QObject* parent = nullptr);

  /// Continues after what is already known.
  void watch(const QString& id, const RunSince& known);
  /// Layer statistics are followed from here on; `step` is the last one known.
  void know_health(std::int64_t step) { known_.health = step; }
  const RunSince& known() const { return known_; }
  void stop();
  bool is_watching() const { return !id_.isEmpty(); }
  const QString& id() const { return id_; }

 signals:
  /// Contains all samples, checkpoints and pauses, and only new data of everything else.
  void gained(const RunDetail& detail);
  void ended(const QString& id, const QString& state);

 private:
  void look();
  void take(const RunDetail& detail);

  RunLibrary* library_;
  QTimer timer_;
  QString id_;
  RunSince known_;
  bool waiting_ = false;
};

}  // namespace mantissa::gui
