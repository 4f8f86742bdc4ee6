#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "gui/preset/Sweep.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace mantissa::gui {

/// One setting of a sweep: which, and its values as text or as ticks.
class SweepRow : public QWidget {
  Q_OBJECT

 public:
  /// `none`: no setting is a choice too.
  SweepRow(const Preset& preset, bool none, QWidget* parent);

  void choose(const QString& key);
  /// Null if none is chosen.
  const Setting* setting() const;
  /// Throws Error as swept_numbers does.
  std::vector<nlohmann::json> values() const;

  QComboBox* settings() const { return settings_; }
  QLineEdit* numbers() const { return numbers_; }
  QListWidget* choices() const { return choices_; }

 signals:
  void changed();

 private:
  void show_values();

  Preset preset_;
  QComboBox* settings_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QLineEdit* numbers_ = nullptr;
  QListWidget* choices_ = nullptr;
};

/// Asks for one or two settings and their values: a run for each combination.
class SweepDialog : public QDialog {
  Q_OBJECT

 public:
  /// `refusal`: why a preset can't start; empty if it can.
  SweepDialog(const Preset& preset, std::function<QString(const Preset&)> refusal, QWidget* parent);

  SweepRow* first() const { return first_; }
  SweepRow* second() const { return second_; }
  QPushButton* add_button() const { return add_; }
  QString summary() const;
  /// The runs' presets; empty while something is in the way.
  const std::vector<Preset>& presets() const { return presets_; }

 private:
  void update_runs();
  /// Why no run can be added, or an empty text with the runs in presets_.
  QString find_runs();

  Preset preset_;
  std::function<QString(const Preset&)> refusal_;
  SweepRow *first_ = nullptr, *second_ = nullptr;
  QLabel* summary_ = nullptr;
  QPushButton* add_ = nullptr;
  std::vector<Preset> presets_;
};

}  // namespace mantissa::gui
