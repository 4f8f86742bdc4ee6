#pragma once

#include <QWidget>
#include <optional>

#include "engine/probe/rate_test.h"
#include "gui/base/Theme.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace mantissa::gui {

class NoWheelSpin;
class PresetDocument;
class RatePlot;
class SciSpin;

/// The learning-rate range test of the draft, as `mantissa lr-test`: loss against rate, and a
/// suggestion that one click makes the preset's.
class RateTestView : public QWidget {
  Q_OBJECT

 public:
  RateTestView(PresetDocument* document, const Theme* theme, QWidget* parent = nullptr);

  /// Why a test can't start now; empty if it can.
  void set_refusal(const QString& why);
  void set_running(bool on);
  void show_progress(const QString& phase, std::int64_t done, std::int64_t total);
  /// `preset`: what was tested.
  void show_test(const RateTest& test, const Preset& preset);
  void show_problem(const QString& message);
  /// The last test with its preset, also after an edit.
  const std::optional<RateTest>& test() const { return test_; }
  const Preset& tested() const { return tested_; }

  QPushButton* run_button() const { return run_; }
  QPushButton* cancel_button() const { return cancel_; }
  QPushButton* use_button() const { return use_; }
  RatePlot* plot() const { return plot_; }
  NoWheelSpin* steps() const { return steps_; }
  SciSpin* from() const { return from_; }
  SciSpin* to() const { return to_; }
  QString verdict() const;
  /// The line below the verdict: what is outdated or in the way.
  QString note() const;

 signals:
  void run_requested(const RateTestOptions& options);
  void cancel_requested();

 private:
  QWidget* build_tools();
  QWidget* build_bounds();
  SciSpin* add_rate(const QString& label, const QString& name, double value, QWidget* bar);
  /// What the fields say; none if they can't be tested.
  std::optional<RateTestOptions> options() const;
  QString refusal() const;
  void use_suggestion();
  void update_state();

  PresetDocument* document_;
  QPushButton *run_ = nullptr, *cancel_ = nullptr, *use_ = nullptr;
  NoWheelSpin* steps_ = nullptr;
  SciSpin *from_ = nullptr, *to_ = nullptr;
  QLabel *phase_ = nullptr, *verdict_ = nullptr, *note_ = nullptr;
  QProgressBar* bar_ = nullptr;
  QWidget *progress_ = nullptr, *bounds_ = nullptr;
  QStackedWidget* stack_ = nullptr;
  RatePlot* plot_ = nullptr;
  std::optional<RateTest> test_;
  Preset tested_;
  QString refusal_;
  bool running_ = false;
};

}  // namespace mantissa::gui
