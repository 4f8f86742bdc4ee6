#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "engine/store/rows.h"

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSlider;

namespace mantissa::gui {

/// Samples of the same prompt in several runs, side by side; the prompt and the step are chosen.
class SampleComparison : public QWidget {
  Q_OBJECT

 public:
  explicit SampleComparison(QWidget* parent = nullptr);

  struct Run {
    QString label;
    std::vector<SampleRow> samples;
    bool here = false;  ///< it was read
  };
  /// Keeps the chosen prompt; the step too, unless it was the last one.
  void show_runs(std::vector<Run> runs);

 private:
  QLayout* build_choices();
  void fill_choices();
  void update_panes();
  /// The latest sample of a prompt up to a step, or null: runs need not sample at the same steps.
  static const SampleRow* sample_of(const Run& run, const QString& prompt, std::int64_t step);

  std::vector<Run> runs_;
  std::vector<std::int64_t> steps_;
  QComboBox* prompt_;
  QSlider* step_;
  QLabel* step_text_;
  QHBoxLayout* panes_;
};

}  // namespace mantissa::gui
