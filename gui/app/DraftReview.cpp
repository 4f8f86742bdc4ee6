#include "gui/app/DraftReview.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "engine/run/run_files.h"
#include "gui/app/PageStack.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/CaptionBook.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/EngineClient.h"
#include "gui/precision/FixText.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/DiffTable.h"
#include "gui/preset/LevelPlot.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunName.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

/// Shows changes before they are made; `agreed` runs if they are accepted.
void ask_about_changes(QWidget* parent, const Theme* theme, const QString& title,
                       const std::vector<PresetChange>& changes,
                       const std::function<void()>& agreed) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->resize(620, 420);
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* area = new QScrollArea(dialog);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setAccessibleName(title);
  auto* table = new DiffTable(theme);
  table->show_changes(changes, DraftReview::tr("Now"), DraftReview::tr("After the fixes"));
  area->setWidget(table);
  column->addWidget(area, 1);
  auto* buttons = new QDialogButtonBox(dialog);
  auto* apply = buttons->addButton(DraftReview::tr("Apply all"), QDialogButtonBox::AcceptRole);
  apply->setAccessibleName(DraftReview::tr("Apply all changes"));
  set_property(apply, "kind", QStringLiteral("primary"));
  auto* cancel = buttons->addButton(DraftReview::tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel->setAccessibleName(DraftReview::tr("Close without changes"));
  column->addWidget(buttons);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  QObject::connect(buttons, &QDialogButtonBox::accepted, dialog, [dialog, agreed] {
    agreed();
    dialog->accept();
  });
  apply->setDefault(true);
  dialog->open();
}

}  // namespace

DraftReview::DraftReview(const WindowFrame& frame, PresetFiles* files) : f_(frame), files_(files) {
  PrecisionPanel* panel = f_.setup->precision();
  JobPanel* job = f_.setup->job();
  connect(job, &JobPanel::images_wanted, this, [this] { f_.pages->show_page(f_.data_page); });
  PresetDocument* document = f_.parts.document;
  EngineClient* engine = f_.parts.engine;
  const auto edited = [this] { ++edits_; };
  connect(document, &PresetDocument::changed, this, edited);
  connect(job, &JobPanel::changed, this, edited);

  connect(f_.actions->check, &QAction::triggered, this, &DraftReview::check);
  connect(panel->check_button(), &QPushButton::clicked, f_.actions->check, &QAction::trigger);
  connect(engine, &EngineClient::checked, this, [this, panel](const PlanReport& report) {
    if (edits_ != checked_edits_) {
      return;  // it belongs to the form's state when the check began
    }
    f_.bar->set_memory(report.peak_bytes, report.free_bytes);
    panel->show_plan(report);
  });
  connect(engine, &EngineClient::check_failed, this, [this, panel](const RunEnd& end) {
    if (edits_ == checked_edits_) {
      panel->show_problem(plain_text(end.failure.message));
    }
  });

  connect(panel, &PrecisionPanel::fix_requested, this, &DraftReview::apply_fix);
  connect(panel, &PrecisionPanel::fix_all_requested, this, &DraftReview::fix_all_safe);
  connect(f_.actions->fix_all, &QAction::triggered, this, &DraftReview::fix_all_safe);
  // Fixes apply to the draft, never to the active run.
  connect(f_.run, &RunPage::fix_requested, this, [this](const QString& patch, const QString& id) {
    if (apply_fix(patch, id)) {
      f_.messages->show_info(
          tr("The fix for %1 is in the draft of the preset; the next run will use it.")
              .arg(fix_name(id, patch.toStdString())));
    }
  });

  connect(panel, &PrecisionPanel::counted, this, &DraftReview::update_readiness);
  connect(job, &JobPanel::changed, this, &DraftReview::update_readiness);
  update_readiness();

  PlanWatcher* watcher = f_.parts.watcher;
  if (watcher == nullptr) {
    return;
  }
  connect(document, &PresetDocument::changed, this, &DraftReview::plan);
  connect(job, &JobPanel::changed, this, &DraftReview::plan);
  const auto plan_again = [this] {
    ++edits_;  // what a check found of the captions and masks is out of date
    plan();
  };
  connect(f_.data_page->book(), &CaptionBook::saved, this, plan_again);
  connect(f_.data_page, &DataPage::masks_changed, this, plan_again);
  connect(f_.data_page, &DataPage::folders_changed, this, plan_again);
  connect(watcher, &PlanWatcher::planned, panel, &PrecisionPanel::show_findings);
  connect(watcher, &PlanWatcher::planned, this,
          [this](const PlanReport& report) { f_.setup->form()->set_family(report.family); });
  for (const auto seen : {&PlanWatcher::measured, &PlanWatcher::inspected}) {
    connect(watcher, seen, panel, &PrecisionPanel::show_plan);
    connect(watcher, seen, this, [this](const PlanReport& report) {
      if (!f_.parts.engine->is_running()) {
        f_.bar->set_memory(report.peak_bytes, report.free_bytes);
      }
    });
  }
  connect(engine, &EngineClient::state_changed, watcher,
          [engine, watcher] { watcher->set_inspecting(!engine->is_running()); });
  connect(watcher, &PlanWatcher::unmeasured, panel, &PrecisionPanel::show_memory_problem);
  connect(watcher, &PlanWatcher::fits, panel, &PrecisionPanel::show_fits);
  connect(watcher, &PlanWatcher::measured, this, [this](const PlanReport& report) {
    f_.setup->form()->level_plot()->show_levels(report.levels);
    f_.device->show_step_time(to_qstring(f_.setup->job()->first_device()), report.step_seconds);
  });
}

bool DraftReview::settle_text() {
  return files_->settle_text();
}

JobSpec DraftReview::draft() const {
  JobSpec job = f_.setup->job()->job();
  job.preset = f_.parts.document->preset();
  return job;
}

std::optional<JobSpec> DraftReview::startable() {
  if (!settle_text()) {
    return std::nullopt;
  }
  JobSpec job = draft();
  const QString missing = f_.setup->job()->missing();
  // Problems of a job that was changed since: the engine looks again.
  const bool outdated = f_.parts.watcher != nullptr && f_.parts.watcher->is_busy();
  const QString refusal = f_.setup->precision()->refusal(!outdated);
  if (missing.isEmpty() && refusal.isEmpty()) {
    return job;
  }
  f_.pages->show_page(f_.setup);
  f_.messages->show_error(missing.isEmpty() ? tr("Start is blocked. %1").arg(refusal) : missing);
  told_ = f_.messages->text();
  return std::nullopt;
}

JobSpec DraftReview::planned() const {
  const JobSpec job = draft();
  return job.resume ? with_its_own_files(job) : with_own_name(job);
}

void DraftReview::plan() {
  const JobSpec job = draft();
  f_.setup->job()->show_name(job.resume || job.base.empty()
                                 ? QString()
                                 : to_qstring(with_own_name(job).preset.output.name));
  if (f_.parts.watcher != nullptr) {
    f_.parts.watcher->set_job(planned());
  }
}

void DraftReview::check() {
  if (settle_text() && f_.parts.engine->check(planned())) {
    checked_edits_ = edits_;
  }
}

bool DraftReview::apply_fix(const QString& patch, const QString& id) {
  if (!settle_text()) {
    return false;
  }
  const std::string changes = patch.toStdString();
  const QString wrong =
      f_.parts.document->apply_patch(changes, tr("fix for %1").arg(fix_name(id, changes)));
  if (!wrong.isEmpty()) {
    f_.messages->show_error(wrong);
  }
  return wrong.isEmpty();
}

void DraftReview::fix_all_safe() {
  if (f_.parts.watcher == nullptr || !settle_text()) {
    return;
  }
  const JobSpec job = draft();
  try {
    const Preset fixed = with_safe_fixes(f_.parts.watcher->quick(), job).preset;
    const auto changes = diff_presets(job.preset, fixed);
    if (changes.empty()) {
      f_.messages->show_info(tr("There is nothing to fix."));
      return;
    }
    ask_about_changes(f_.window, f_.parts.theme, tr("Apply safe fixes"), changes, [this, fixed] {
      f_.parts.document->replace(fixed, tr("applying safe fixes"));
    });
  } catch (const std::exception& e) {
    f_.messages->show_exception(e);
  }
}

void DraftReview::update_readiness() {
  const PrecisionPanel* panel = f_.setup->precision();
  const int errors = panel->refused();
  if (errors == 0 && f_.setup->job()->missing().isEmpty() && !told_.isEmpty()) {
    if (f_.messages->text() == told_) {
      f_.messages->hide();
    }
    told_.clear();
  }
  f_.actions->fix_all->setEnabled(errors > 0 && panel->can_fix());
  const std::optional<std::filesystem::path> resumed = f_.setup->job()->job().resume;
  f_.actions->set_begin(!resumed                   ? RunActions::Begin::new_run
                        : has_checkpoint(*resumed) ? RunActions::Begin::resume
                                                   : RunActions::Begin::start_over);
  f_.bar->set_blocked(errors > 0 || !f_.setup->job()->missing().isEmpty());
  emit readiness_changed();
}

}  // namespace mantissa::gui
