#pragma once

#include "gui/base/Theme.h"
#include "gui/widgets/Page.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;
class QStackedLayout;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace mantissa::gui {

class EmptyState;
class FreePrompt;
class NoWheelCombo;
class ImagePane;
class SampleModel;

/// The page of samples: prompts down, steps across, and the selected one large, optionally next to
/// the same prompt's sample at another step. Arrow keys move through the grid; the slider runs
/// through the steps of one prompt. With the run's adapter file the selected prompt can be rendered
/// again at another strength, and with those of its checkpoints any other prompt.
class SampleGrid : public Page {
  Q_OBJECT

 public:
  SampleGrid(SampleModel* model, const Theme* theme, QWidget* parent = nullptr);
  bool is_loading() const override;
  /// Shown while there is no sample.
  EmptyState* empty() const { return empty_; }
  QTableView* table() const { return table_; }
  ImagePane* preview() const { return preview_; }
  QSlider* step_slider() const { return steps_; }
  QSlider* strength_slider() const { return strength_; }
  QPushButton* render_button() const { return render_; }
  QToolButton* compare_button() const { return compare_; }
  NoWheelCombo* before_box() const { return before_; }
  FreePrompt* free_prompt() const { return free_; }
  /// Shows the free prompts, also where there are no samples yet.
  void show_free_view(bool on);
  std::vector<Look> looks() override;
  bool is_free_view() const;
  /// Shows an image of free prompts.
  void show_free(const QString& path);
  /// Selects the samples of a step, if any.
  void show_step(std::int64_t step);

  /// Why another strength can't be rendered now; empty if it can.
  void set_render_refusal(const QString& reason);
  void set_rendering(bool on);
  /// Shows an image rendered at `weight` instead of the selected sample until another is selected.
  void show_rendered(const QString& path, int prompt, double weight);
  /// The slider's value, 1 for 100 %.
  double strength() const;

 signals:
  /// `weight` of the adapter, for the prompt with this index; the image of `step` is shown next to
  /// it.
  void render_requested(int prompt, double weight);
  void cancel_requested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* build_card(const Theme* theme);
  QWidget* build_fixed(QWidget* parent);
  QWidget* build_views(QWidget* parent);
  void add_strength(QGridLayout* grid, int row, QWidget* parent);
  void show_current();
  void show_split();
  void update_empty();
  void fit_cells();
  void update_steps();
  void update_strength();

  SampleModel* model_;
  const Theme* theme_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  QTableView* table_;
  ImagePane* preview_ = nullptr;
  QLabel *caption_ = nullptr, *prompt_ = nullptr, *step_text_ = nullptr;
  QSlider *steps_ = nullptr, *strength_ = nullptr;
  QToolButton* compare_ = nullptr;
  NoWheelCombo* before_ = nullptr;
  QLabel *strength_text_ = nullptr, *refusal_ = nullptr;
  QPushButton* render_ = nullptr;
  QString refusal_text_, shown_label_;
  bool rendering_ = false;
  FreePrompt* free_ = nullptr;
  QStackedWidget* controls_ = nullptr;
  QToolButton *fixed_chip_ = nullptr, *free_chip_ = nullptr;
};

}  // namespace mantissa::gui
