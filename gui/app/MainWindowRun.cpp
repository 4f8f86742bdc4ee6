// MainWindow: what the Train page and its cards ask for.
#include "gui/app/MainWindow.h"
#include "gui/app/SetupPage.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/RunData.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleGrid.h"

namespace mantissa {

void MainWindow::connect_run_page() {
  EngineClient* engine = p_.engine;
  connect(engine, &EngineClient::non_finite_found, this, [this](const NonFiniteReport& report) {
    p_.data->add_report(report);
    run_->on_report();
  });
  connect(engine, &EngineClient::health_measured, this,
          [this](const HealthRecord& record) { p_.data->health.add(record); });
  // Fixes go to the draft, never to what is running.
  connect(run_, &RunPage::fix_requested, this, [this](const QString& patch, const QString& id) {
    const QString wrong = p_.document->apply_patch(patch.toStdString(), tr("fix of %1").arg(id));
    if (wrong.isEmpty()) {
      show_info(
          tr("The fix of %1 is in the draft of the preset; the next run will use it.").arg(id));
    } else {
      show_error(wrong);
    }
  });
  connect(run_, &RunPage::field_requested, this, [this](const QString& key) {
    show_page(setup);
    setup_->form()->jump_to(key);
  });
  connect(run_, &RunPage::samples_requested, this, [this](qint64 step) {
    show_page(samples);
    grid_->show_step(step);
  });
}

}  // namespace mantissa
