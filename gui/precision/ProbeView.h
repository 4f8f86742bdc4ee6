#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>

#include "engine/probe/probe.h"
#include "gui/base/Theme.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace mantissa::gui {

class EmptyState;
class NoWheelSpin;
class PresetDocument;
class ProbeTable;

/// The probe of the draft, as `mantissa probe`: the layers that its precision damages, the worst
/// first, each with a pin.
class ProbeView : public QWidget {
  Q_OBJECT

 public:
  ProbeView(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  /// Why a probe can't start now; empty if it can.
  void set_refusal(const QString& why);
  void set_running(bool on);
  void show_progress(const QString& phase, std::int64_t done, std::int64_t total);
  /// `preset`: what was probed.
  void show_report(const ProbeReport& report, const Preset& preset);
  void show_problem(const QString& message);
  /// The last probe with its preset, also after an edit.
  const std::optional<ProbeReport>& report() const { return report_; }
  const Preset& probed() const { return probed_; }

  QPushButton* run_button() const { return run_; }
  QPushButton* cancel_button() const { return cancel_; }
  QPushButton* pin_all_button() const { return pin_all_; }
  QTableView* table() const { return table_; }
  ProbeTable* model() const { return model_; }
  NoWheelSpin* steps() const { return steps_; }
  QString verdict() const;
  /// The line below the verdict: what is outdated or in the way.
  QString note() const;

 signals:
  void run_requested(qint64 steps);
  void cancel_requested();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* build_tools();
  void build_table();
  /// Sets or removes pins, as one edit.
  void change_pins(const std::vector<std::pair<std::string, std::optional<StorageType>>>& pins,
                   const QString& name);
  void pin_suggested();
  void update_state();

  PresetDocument* document_;
  const Theme* theme_;
  QPushButton *run_ = nullptr, *cancel_ = nullptr, *pin_all_ = nullptr;
  NoWheelSpin* steps_ = nullptr;
  QLabel *phase_ = nullptr, *verdict_ = nullptr, *note_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QWidget* progress_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QTableView* table_ = nullptr;
  ProbeTable* model_ = nullptr;
  std::optional<ProbeReport> report_;
  Preset probed_;
  QString refusal_;
  bool running_ = false;
};

}  // namespace mantissa::gui
