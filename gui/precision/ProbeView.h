#pragma once

#include <cstdint>
#include <optional>

#include "engine/probe/precision_front.h"
#include "engine/probe/probe.h"
#include "gui/base/Theme.h"
#include "gui/precision/DraftTestView.h"

class QStackedWidget;
class QTableView;

namespace mantissa::gui {

class EmptyState;
class FrontView;
class NoWheelSpin;
class ProbeTable;

/// The probe of the draft, as `mantissa probe`: the layers that its precision damages, the worst
/// first, each with a pin; or, as `probe --front`, the choices of types that no other one beats.
class ProbeView : public DraftTestView {
  Q_OBJECT

 public:
  ProbeView(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  /// `preset`: what was probed.
  void show_report(const ProbeReport& report, const Preset& preset);
  /// `preset`: what was solved for.
  void show_front(const PrecisionFront& front, const Preset& preset);
  void show_problem(const QString& message);
  /// The last probe, or the types found last, with their preset, also after an edit.
  const std::optional<ProbeReport>& report() const { return report_; }
  const std::optional<PrecisionFront>& found() const { return found_; }
  const Preset& probed() const { return probed_; }

  QPushButton* solve_button() const { return solve_; }
  FrontView* front() const { return front_; }
  QPushButton* pin_all_button() const { return pin_all_; }
  QTableView* table() const { return table_; }
  ProbeTable* model() const { return model_; }
  NoWheelSpin* steps() const { return steps_; }

 signals:
  void run_requested(qint64 steps);
  void solve_requested(qint64 steps);

 protected:
  void update_state() final;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void build_intro();
  void build_tools();
  void build_table();
  /// Sets or removes pins, as one edit.
  void change_pins(const std::vector<std::pair<std::string, std::optional<StorageType>>>& pins,
                   const QString& name);
  void pin_suggested();
  /// Sets a choice's types, as one edit.
  void use_types(const QString& patch);
  std::int64_t chosen_steps() const;

  const Theme* theme_;
  QPushButton *solve_ = nullptr, *find_ = nullptr, *pin_all_ = nullptr;
  NoWheelSpin* steps_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  QTableView* table_ = nullptr;
  ProbeTable* model_ = nullptr;
  FrontView* front_ = nullptr;
  std::optional<ProbeReport> report_;
  std::optional<PrecisionFront> found_;
  Preset probed_;
};

}  // namespace mantissa::gui
