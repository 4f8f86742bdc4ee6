#pragma once

#include <QObject>
#include <QTimer>
#include <nlohmann/json_fwd.hpp>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

/// Keeps the work in progress over a quit, a crash or a power loss: the preset with its unsaved
/// edits, text that is not applied yet, the page and the window's place. What was typed in the last
/// second before a crash is lost. (Paths and the queue are kept by their owners as they change.)
class DraftKeeper : public QObject {
  Q_OBJECT

 public:
  explicit DraftKeeper(const WindowFrame& frame);

  /// Restores what the last session left, and keeps every change from now on.
  void restore();
  /// Keeps changes in a window that takes another's place: the preset is still there, with its
  /// undo.
  void take_over();
  /// Writes now. False if the settings can't be written.
  bool keep();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take(const QByteArray& work, bool with_preset);
  void take_preset(const nlohmann::json& work);
  void begin();
  void touch();
  QByteArray work() const;

  const WindowFrame& f_;
  QTimer later_;
  bool keeping_ = false;
};

}  // namespace mantissa::gui
