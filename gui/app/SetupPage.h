#pragma once

#include <vector>

#include "engine/preset/preset_library.h"
#include "gui/base/Theme.h"
#include "gui/widgets/Page.h"
#include "gui/widgets/PathEdit.h"

class QBoxLayout;
class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace mantissa::gui {

class AppSettings;
class ColumnArea;
class JobPanel;
class PlanWatcher;
class PrecisionPanel;
class PresetDiff;
class PresetDocument;
class PresetTextView;
class ProbeView;
class RateTestView;
class SchemaForm;
class SettingsReader;
enum class SettingState;

/// The preset on the left, as a form, as text, compared with another, probed or with a test of its
/// learning rate; this run's paths and the preflight on the right.
class SetupPage : public Page {
  Q_OBJECT

 public:
  /// `choose_file` selects a preset to compare with, `reader` reads it.
  SetupPage(PresetDocument* document, AppSettings* settings, const PlanWatcher* watcher,
            PathChooser choose_file, SettingsReader* reader, const Theme* theme,
            QWidget* parent = nullptr);

  /// The draft is being planned.
  bool is_loading() const override;
  std::vector<Look> looks() override;

  enum View { form_view, text_view, diff_view, probe_view, rate_view };  ///< as drafts keep them
  void show_view(View view);
  View view() const;

  SchemaForm* form() const { return form_; }
  PresetTextView* text() const { return text_; }
  PresetDiff* diff() const { return diff_; }
  ProbeView* probe() const { return probe_; }
  RateTestView* rates() const { return rates_; }
  /// Below the learning rate: opens its test.
  QPushButton* rate_button() const { return rate_button_; }
  JobPanel* job() const { return job_; }
  PrecisionPanel* precision() const { return precision_; }
  QLineEdit* search() const { return search_; }
  void focus_search();
  QSize minimumSizeHint() const override;

 signals:
  void view_changed();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QLayout* build_chips();
  void connect_parts();
  QWidget* build_search(const Theme* theme);
  /// A button that puts the word for a state into the search, or takes it out.
  QToolButton* add_state_chip(SettingState state, const QString& name, const QString& tip,
                              QWidget* box);
  QWidget* build_side(AppSettings* settings, PresetDocument* document, const Theme* theme);
  void add_rate_button();
  /// Keeps the form's rows readable; other views take what the paths leave.
  void share_width();
  /// Loads the warnings that the user hid for this preset.
  void say_found(const QString& text);
  void load_ignored();

  PresetDocument* document_;
  AppSettings* settings_;
  const PlanWatcher* watcher_;
  QButtonGroup* views_;
  QBoxLayout* head_;  ///< views and search: in one row, or below each other where it is narrow
  QStackedWidget* stack_;
  QWidget *left_, *search_box_, *side_ = nullptr;
  ColumnArea* area_ = nullptr;       ///< of what scrolls on the right
  QHBoxLayout* list_row_ = nullptr;  ///< the preflight above it
  QBoxLayout* cards_ = nullptr;      ///< in it: side by side where it is wide
  QLineEdit* search_;
  QLabel* found_;
  int search_width_ = 0;  ///< the least that shows what an empty search says
  SchemaForm* form_;
  PresetTextView* text_;
  PresetDiff* diff_;
  ProbeView* probe_;
  RateTestView* rates_;
  QPushButton* rate_button_;
  JobPanel* job_;
  PrecisionPanel* precision_;
};

}  // namespace mantissa::gui
