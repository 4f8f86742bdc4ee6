#pragma once

#include <optional>

#include "engine/probe/rate_test.h"
#include "gui/base/Theme.h"
#include "gui/precision/DraftTestView.h"

class QStackedWidget;

namespace mantissa::gui {

class NoWheelSpin;
class RatePlot;
class SciSpin;

/// The learning-rate range test of the draft, as `mantissa lr-test`: loss against rate, and a
/// suggestion that one click makes the preset's.
class RateTestView : public DraftTestView {
  Q_OBJECT

 public:
  RateTestView(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  /// `preset`: what was tested.
  void show_test(const RateTest& test, const Preset& preset);
  void show_problem(const QString& message);
  /// The last test with its preset, also after an edit.
  const std::optional<RateTest>& test() const { return test_; }
  const Preset& tested() const { return tested_; }

  QPushButton* use_button() const { return use_; }
  RatePlot* plot() const { return plot_; }
  NoWheelSpin* steps() const { return steps_; }
  SciSpin* from() const { return from_; }
  SciSpin* to() const { return to_; }

 signals:
  void run_requested(const RateTestOptions& options);

 protected:
  void update_state() final;

 private:
  QWidget* build_bounds();
  SciSpin* add_rate(const QString& label, const QString& name, double value, QWidget* bar);
  /// What the fields say; none if they can't be tested.
  std::optional<RateTestOptions> options() const;
  QString refusal() const;
  void use_suggestion();

  QPushButton* use_ = nullptr;
  NoWheelSpin* steps_ = nullptr;
  SciSpin *from_ = nullptr, *to_ = nullptr;
  QWidget* bounds_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  RatePlot* plot_ = nullptr;
  std::optional<RateTest> test_;
  Preset tested_;
};

}  // namespace mantissa::gui
