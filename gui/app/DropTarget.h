#pragma once

#include <QObject>

namespace mantissa::gui {

class MessageBar;
class PageStack;
class PresetFiles;
class SettingsReader;
class SetupPage;
struct SettingsFile;

/// Files and folders dropped on the window.
class DropTarget : public QObject {
  Q_OBJECT

 public:
  /// Takes what is dropped on `window`; `pages` then shows where it went.
  DropTarget(QWidget* window, PageStack* pages, SetupPage* setup, PresetFiles* files,
             SettingsReader* reader, MessageBar* messages);
  /// Presets, configurations, adapters, base models and image folders, by their kind.
  void take(const QStringList& paths);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take_as(const QString& path, const SettingsFile& read);
  PageStack* pages_;
  SetupPage* setup_;
  PresetFiles* files_;
  SettingsReader* reader_;
  MessageBar* messages_;
};

}  // namespace mantissa::gui
