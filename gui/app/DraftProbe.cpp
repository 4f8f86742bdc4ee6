#include "gui/app/DraftProbe.h"

#include "engine/core/error.h"
#include "gui/app/DraftReview.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/engine/EngineClient.h"
#include "gui/precision/ProbeView.h"
#include "gui/precision/RateTestView.h"
#include "gui/preset/PresetDocument.h"
#include "gui/run/JobPanel.h"

namespace mantissa::gui {

DraftProbe::DraftProbe(EngineClient* engine, const PresetDocument* document, SetupPage* setup,
                       DraftReview* draft)
    : engine_(engine), document_(document), setup_(setup), draft_(draft) {
  connect_probe();
  connect_rates();
  connect(engine, &EngineClient::state_changed, this, &DraftProbe::update);
  connect(setup_->job(), &JobPanel::changed, this, &DraftProbe::update);
  update();
}

void DraftProbe::connect_probe() {
  ProbeView* view = setup_->probe();
  EngineClient* engine = engine_;
  connect(view, &ProbeView::run_requested, this, [this, engine](qint64 steps) {
    if (draft_->settle_text()) {
      engine->probe(job(), ProbeOptions{.steps = steps});
    }
  });
  connect(view, &ProbeView::solve_requested, this, [this, engine](qint64 steps) {
    if (draft_->settle_text()) {
      engine->solve(job(), steps);
    }
  });
  connect(view, &ProbeView::cancel_requested, engine, &EngineClient::cancel_task);
  connect(engine, &EngineClient::progressed, this,
          [this, engine, view](RunPhase phase, qint64 done, qint64 total) {
            if (engine->is_probing()) {
              clock_.advance(phase, done, total);
              view->show_progress(clock_.text(), done, total);
            }
          });
  connect(engine, &EngineClient::probed, view, &ProbeView::show_report);
  connect(engine, &EngineClient::solved, view, &ProbeView::show_front);
  connect(engine, &EngineClient::probe_failed, this, [view](const RunEnd& end) {
    if (end.failure.kind != ErrorKind::interrupted) {
      view->show_problem(plain_text(end.failure.message));
    }
  });
}

void DraftProbe::connect_rates() {
  RateTestView* view = setup_->rates();
  EngineClient* engine = engine_;
  connect(view, &RateTestView::run_requested, this, [this, engine](const RateTestOptions& options) {
    if (draft_->settle_text()) {
      engine->test_rates(job(), options);
    }
  });
  connect(view, &RateTestView::cancel_requested, engine, &EngineClient::cancel_task);
  connect(engine, &EngineClient::progressed, this,
          [this, engine, view](RunPhase phase, qint64 done, qint64 total) {
            if (engine->is_testing_rates()) {
              // Its steps aren't compared with FP32.
              clock_.advance(phase == RunPhase::probing ? RunPhase::training : phase, done, total);
              view->show_progress(clock_.text(), done, total);
            }
          });
  connect(engine, &EngineClient::rates_tested, view, &RateTestView::show_test);
  connect(engine, &EngineClient::rate_test_failed, this, [view](const RunEnd& end) {
    if (end.failure.kind != ErrorKind::interrupted) {
      view->show_problem(plain_text(end.failure.message));
    }
  });
}

JobSpec DraftProbe::job() const {
  JobSpec job = draft_->planned();
  job.device = setup_->job()->first_device();
  job.split.clear();
  job.preset = document_->preset();  // under its own name, to be told from later drafts
  return job;
}

void DraftProbe::update() {
  const EngineClient& engine = *engine_;
  const QString missing = setup_->job()->missing();
  setup_->probe()->set_refusal(
      engine.is_running() ? tr("A run is in progress: the probe can start when it has ended.")
                          : missing);
  setup_->probe()->set_running(engine.is_probing());
  setup_->rates()->set_refusal(
      engine.is_running() ? tr("A run is in progress: the test can start when it has ended.")
                          : missing);
  setup_->rates()->set_running(engine.is_testing_rates());
}

}  // namespace mantissa::gui
