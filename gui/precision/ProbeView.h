#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>

#include "engine/probe/precision_front.h"
#include "engine/probe/probe.h"
#include "gui/base/Theme.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace mantissa::gui {

class EmptyState;
class FrontView;
class NoWheelSpin;
class PresetDocument;
class ProbeTable;

/// The probe of the draft, as `mantissa probe`: the layers that its precision damages, the worst
/// first, each with a pin; or, as `probe --front`, the choices of types that no other one beats.
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
  /// `preset`: what was solved for.
  void show_front(const PrecisionFront& front, const Preset& preset);
  void show_problem(const QString& message);
  /// The last probe, or the types found last, with their preset, also after an edit.
  const std::optional<ProbeReport>& report() const { return report_; }
  const std::optional<PrecisionFront>& found() const { return found_; }
  const Preset& probed() const { return probed_; }

  QPushButton* run_button() const { return run_; }
  QPushButton* solve_button() const { return solve_; }
  FrontView* front() const { return front_; }
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
  void solve_requested(qint64 steps);
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
  /// Sets a choice's types, as one edit.
  void use_types(const QString& patch);
  std::int64_t chosen_steps() const;
  void update_state();

  PresetDocument* document_;
  const Theme* theme_;
  QPushButton *run_ = nullptr, *solve_ = nullptr, *cancel_ = nullptr, *pin_all_ = nullptr;
  NoWheelSpin* steps_ = nullptr;
  QLabel *phase_ = nullptr, *verdict_ = nullptr, *note_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QWidget* progress_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QTableView* table_ = nullptr;
  ProbeTable* model_ = nullptr;
  FrontView* front_ = nullptr;
  std::optional<ProbeReport> report_;
  std::optional<PrecisionFront> found_;
  Preset probed_;
  QString refusal_;
  bool running_ = false;
};

}  // namespace mantissa::gui
