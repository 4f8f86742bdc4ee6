#pragma once

#include <QFrame>
#include <QThreadPool>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/plan/devices.h"
#include "engine/toolkit/install.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace mantissa::gui {

/// What the card installs: its size and terms, and what does it.
struct LibrarySource {
  std::uint64_t download_bytes = 0;
  QStringList licences;
  std::function<void(const std::stop_token&, const std::function<void(const InstallProgress&)>&)>
      install;
};
/// This program's table, installed for this user. Throws Error.
LibrarySource library_source();

/// Offers NVIDIA's libraries where only they are missing for a card to train, and installs them.
class LibraryCard : public QFrame {
  Q_OBJECT

 public:
  explicit LibraryCard(QWidget* parent = nullptr);
  ~LibraryCard() override;  ///< cancels; what was downloaded is kept

  /// For tests: substitutes the source.
  void set_source(std::function<LibrarySource()> source) { source_ = std::move(source); }
  /// Shown if a device lacks the libraries, or while they are installed.
  void set_devices(const std::vector<DeviceInfo>& devices);
  QToolButton* install_button() const { return install_; }
  QToolButton* cancel_button() const { return cancel_; }
  QString status() const;

 signals:
  void installed();

 private:
  void start();
  void show_running(bool running);
  void show_progress(const InstallProgress& progress);
  void finish(const QString& problem, bool cancelled);

  QLabel *text_, *status_;
  QToolButton *install_, *cancel_;
  QProgressBar* bar_;
  std::function<LibrarySource()> source_ = library_source;
  bool needed_ = false, running_ = false;
  std::stop_source stop_;
  QThreadPool pool_;
};

}  // namespace mantissa::gui
