#pragma once

#include <QApplication>
#include <QObject>
#include <QPushButton>
#include <QTemporaryDir>
#include <memory>
#include <utility>

#include "engine/plan/draft_plan.h"
#include "gui/app/SetupPage.h"
#include "gui/precision/PrecisionPanel.h"
#include "tests/gui/TestSession.h"

namespace mantissa::gui {

class ImportDialog;

/// The Setup page: the preset and what surrounds it (SetupTest.cpp), files that come in
/// (SetupTestFiles.cpp), the preflight (SetupTestPlan.cpp).
class SetupTest : public QObject {
  Q_OBJECT

 private slots:
  void a_search_starts_at_the_top();
  void a_search_lists_names_first();
  void a_wide_window_is_filled();
  void states_are_searched_in_any_language();
  void a_slider_asks_for_no_images();
  void runs_are_named_after_their_parts();
  void text_is_edited_with_its_mistakes_told();
  void text_follows_the_form();
  void edited_text_is_what_runs_and_is_saved();
  void text_with_an_error_starts_and_saves_nothing();
  void single_values_are_taken_from_another_preset();
  void imports_show_what_would_change();
  void open_takes_what_import_takes();
  void a_reader_that_dies_ends_no_run();
  void every_way_in_reads_in_another_process();
  void refused_files_are_told();
  void drops_are_taken_for_what_they_are();
  void a_dropped_base_model_is_taken_in_any_form();
  void picker_groups_presets();
  void recent_files_are_kept();
  void plan_follows_every_edit();
  void plan_is_quick();
  void late_check_is_not_shown();
  void errors_block_start();
  void fixes_are_shown_before_they_are_made();
  void warnings_are_ignored_for_a_preset();
  void the_estimated_step_is_told();
  void what_would_make_it_fit();
  void every_fit_button_makes_its_own_change();
  void screenshots();

 private:
  static QString sample(const char* name);
  static QPushButton* button(const QWidget* in, const QString& accessible_name_part);
  template <typename Dialog>
  static Dialog* open_dialog(QWidget& window) {
    for (Dialog* dialog : window.findChildren<Dialog*>()) {
      if (dialog->isVisible()) {
        return dialog;
      }
    }
    return nullptr;
  }
  /// Whether a label in it says this.
  static bool said_in(const QWidget* widget, const QString& text);
  /// The dialog of a file that another process reads first.
  static ImportDialog* import_dialog(QWidget& window);

  /// The studio with the real precision rules on a scripted planner of the memory.
  struct Preflight {
    QTemporaryDir folder;
    std::unique_ptr<Session> session;

    /// Its own planner plans without a base model too.
    static PlanReport plan(JobSpec job) {
      job.base = "demo";
      return FakeEngine::plan(job);
    }
    explicit Preflight(Planner planner = plan) {
      SessionOptions options;
      options.runner = FakeEngine{};
      options.planner = std::move(planner);
      options.draft_planner = [quick = std::make_shared<DraftPlanner>()](const JobSpec& job) {
        return quick->plan(job);
      };
      options.settings_file = folder.filePath(QStringLiteral("s.ini"));
      session = std::make_unique<Session>(*qobject_cast<QApplication*>(qApp), std::move(options));
      session->window().show();
    }
    PrecisionPanel* panel() { return session->window().setup_page()->precision(); }
    PresetDocument& document() { return session->document(); }
  };
};

}  // namespace mantissa::gui
