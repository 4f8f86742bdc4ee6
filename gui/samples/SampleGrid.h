#pragma once

#include "gui/base/Theme.h"
#include "gui/widgets/Page.h"

class QLabel;
class QPushButton;
class QSlider;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace mantissa::gui {

class NoWheelCombo;
class PicturePane;
class SampleModel;

/// The page of samples: prompts down, steps across, and the chosen one large, beside what the same
/// prompt gave at another step where that is wanted. Arrow keys move through the grid; the slider
/// runs through the steps of one prompt. With the run's adapter file the chosen prompt can be
/// rendered again at another strength.
class SampleGrid : public Page {
  Q_OBJECT

 public:
  SampleGrid(SampleModel* model, const Theme* theme, QWidget* parent = nullptr);
  bool is_loading() const override;
  QTableView* table() const { return table_; }
  PicturePane* preview() const { return preview_; }
  QSlider* step_slider() const { return steps_; }
  QSlider* strength_slider() const { return strength_; }
  QPushButton* render_button() const { return render_; }
  QToolButton* compare_button() const { return compare_; }
  NoWheelCombo* before_box() const { return before_; }
  /// Chooses the samples of a step, where there are any.
  void show_step(std::int64_t step);

  /// Why another strength can't be rendered now; empty where it can.
  void set_render_refusal(const QString& reason);
  void set_rendering(bool on);
  /// A picture rendered at `weight` takes the place of the chosen sample until another is chosen.
  void show_rendered(const QString& path, int prompt, double weight);
  /// As the slider stands, 1 for 100 %.
  double strength() const;

 signals:
  /// Of the adapter, for the prompt with this index; the picture of `step` is shown beside it.
  void render_requested(int prompt, double weight);
  void cancel_requested();

 private:
  QWidget* build_card(const Theme* theme);
  QWidget* build_strength(const Theme* theme, QWidget* parent);
  void show_current();
  void show_split();
  void update_empty();
  void update_steps();
  void update_strength();

  SampleModel* model_;
  QStackedLayout* stack_;
  QTableView* table_;
  PicturePane* preview_ = nullptr;
  QLabel *caption_ = nullptr, *prompt_ = nullptr, *step_text_ = nullptr;
  QSlider *steps_ = nullptr, *strength_ = nullptr;
  QToolButton* compare_ = nullptr;
  NoWheelCombo* before_ = nullptr;
  QLabel *strength_text_ = nullptr, *refusal_ = nullptr;
  QPushButton* render_ = nullptr;
  QString refusal_text_, shown_label_;
  bool rendering_ = false;
};

}  // namespace mantissa::gui
