#pragma once

#include <QObject>

#include "gui/app/WindowFrame.h"

namespace mantissa::gui {

class PresetFiles;
struct SettingsFile;

/// Files and folders dropped on the window.
class DropTarget : public QObject {
  Q_OBJECT

 public:
  DropTarget(const WindowFrame& frame, PresetFiles* files);
  /// Presets, configurations, adapters, base models and image folders, by their kind.
  void take(const QStringList& paths);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take_as(const QString& path, const SettingsFile& read);
  const WindowFrame& f_;
  PresetFiles* files_;
};

}  // namespace mantissa::gui
