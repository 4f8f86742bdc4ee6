#pragma once

#include <QObject>
#include <QTimer>

#include "gui/history/RunLibrary.h"

namespace mantissa::gui {

/// Follows a run that another program trains, by reading the database twice a second. Takes no
/// lock and changes nothing.
class RunWatcher : public QObject {
  Q_OBJECT

 public:
  explicit RunWatcher(RunLibrary* library, QObject* parent = nullptr);

  /// Goes on after what is known already.
  void watch(const QString& id, const RunSince& known);
  void stop();
  bool is_watching() const { return !id_.isEmpty(); }
  const QString& id() const { return id_; }

 signals:
  /// Samples and checkpoints are all of them, everything else is new.
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
