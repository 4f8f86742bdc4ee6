#pragma once

#include <QFrame>

#include "engine/run/run.h"

class QLabel;
class QPushButton;

namespace mantissa::gui {

class Theme;

/// A run paused because a disk is full: which folder, how many bytes, and what to do.
class DiskCard : public QFrame {
  Q_OBJECT

 public:
  explicit DiskCard(const Theme* theme, QWidget* parent = nullptr);
  void show_full(const FullDisk& full);

  QPushButton* retry_button() const { return retry_; }
  QPushButton* folder_button() const { return folder_; }
  QPushButton* stop_button() const { return stop_; }
  QString text() const;

 signals:
  void retry_requested();
  void folder_wanted();
  void stop_requested();

 private:
  QLabel* text_ = nullptr;
  QPushButton *retry_ = nullptr, *folder_ = nullptr, *stop_ = nullptr;
};

}  // namespace mantissa::gui
