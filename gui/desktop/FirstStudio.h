#pragma once

#include <QObject>
#include <memory>

namespace mantissa::gui {

/// A preset that is double-clicked while a studio runs opens in that studio. Studios with different
/// settings don't know each other. Windows only: elsewhere every start is a studio of its own.
class FirstStudio : public QObject {
  Q_OBJECT

 public:
  /// Listens for later starts. `settings`: the path of the studio's settings.
  explicit FirstStudio(const QString& settings, QObject* parent = nullptr);
  ~FirstStudio() override;

  /// Asks the studio that runs on the same settings to open `file`, an absolute path. False if
  /// there is none, or if it is busy with a dialog.
  static bool hand_over(const QString& settings, const QString& file);

 signals:
  /// A later start was given this file. Never emitted while a dialog is open.
  void asked_to_open(const QString& file);

 private:
  struct Native;
  std::unique_ptr<Native> native_;
};

}  // namespace mantissa::gui
