#include "gui/app/RunStatus.h"

#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "engine/core/amount_text.h"
#include "engine/run/run_files.h"
#include "gui/app/FrameTicker.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/EngineClient.h"
#include "gui/plot/Axis.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunData.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

RunStatus::RunStatus(const WindowFrame& frame) : f_(frame) {
  EngineClient* engine = f_.parts.engine;
  connect(engine, &EngineClient::state_changed, this, &RunStatus::update);
  connect(engine, &EngineClient::ended, this, &RunStatus::finish);
  connect(engine, &EngineClient::progressed, this, &RunStatus::on_progress);
  connect(engine, &EngineClient::planned, this, [this](const PlanReport& report) {
    f_.bar->set_memory(report.peak_bytes, report.free_bytes);
    if (report.length.steps > 0) {
      f_.parts.run_data->set_length(report.length);
    }
  });
  connect(f_.ticker, &FrameTicker::labels, this, &RunStatus::update_details);
  update();
}

void RunStatus::set_shown_run(const QString& folder, bool finished) {
  using Outcome = RunActions::Outcome;
  shown_run_ = folder;
  finished_ = finished;
  ran_here_ = false;
  f_.actions->set_outcome(folder.isEmpty()                  ? Outcome::none
                          : finished                        ? Outcome::more_steps
                          : has_checkpoint(to_path(folder)) ? Outcome::resume
                                                            : Outcome::start_over);
  emit shown_run_changed();
}

void RunStatus::show_earlier(const QString& folder, bool finished) {
  end_text_.clear();
  phase_.clear();
  earlier_ = true;
  set_shown_run(folder, finished);
  update();
}

RunState RunStatus::state() const {
  const EngineClient& engine = *f_.parts.engine;
  return earlier_ && !engine.is_running() ? RunState::idle : engine.shown_state();
}

void RunStatus::clear() {
  earlier_ = false;
  end_text_.clear();
  phase_.clear();
  f_.actions->set_outcome(RunActions::Outcome::none);
}

void RunStatus::on_progress(RunPhase phase, qint64 done, qint64 total) {
  phase_.advance(phase, done, total);
  if (f_.parts.engine->state() == RunState::preparing) {
    update_details();
  }
}

void RunStatus::update() {
  const EngineClient& engine = *f_.parts.engine;
  const RunState shown = state();
  f_.actions->set_state(shown);
  if (engine.is_busy()) {
    f_.actions->check->setEnabled(false);
  }
  PrecisionPanel* panel = f_.setup->precision();
  panel->check_button()->setEnabled(f_.actions->check->isEnabled());
  panel->set_busy(engine.is_checking());
  f_.bar->set_state(shown, engine.is_running() ? QString() : end_text_);
  f_.run->on_state(shown);
  f_.sample_grid->set_rendering(engine.is_rendering());
  update_details();
}

QStringList RunStatus::running_details() const {
  const EngineClient& engine = *f_.parts.engine;
  const RunData& data = *f_.parts.run_data;
  const RunState shown = state();
  QStringList parts;
  if (engine.state() == RunState::preparing) {
    parts << tr("cancelling") << phase_.text();
  } else if (shown == RunState::pausing || shown == RunState::stopping) {
    const double waited = engine.waiting_seconds();
    parts << (waited < 10 ? tr("finishing step…")
                          : tr("finishing step %1, %2 s so far")
                                .arg(step_text(data.step() + 1))
                                .arg(static_cast<int>(waited)));
  }
  if (data.has_steps()) {
    parts << (data.total_steps() > 0
                  ? tr("%1 / %2").arg(step_text(data.step()), step_text(data.total_steps()))
                  : step_text(data.step()));
    if (const double epochs = data.length().epochs_after(data.step()); epochs > 0) {
      parts << tr("epoch %1").arg(static_cast<qlonglong>(std::ceil(epochs)));
    }
  }
  if (shown == RunState::paused) {
    parts << tr("the model stays loaded");  // last: a narrow window cuts it off
  }
  if (engine.is_running() && shown != RunState::paused && data.rate() > 0 &&
      data.total_steps() > 0) {
    parts << to_qstring(iteration_rate_text(1 / data.rate()));
    if (engine.job().device.find(',') != std::string::npos) {
      parts << tr("%1 images/s").arg(format_number(data.images_rate(), 3));
    }
    parts << tr("ETA %1").arg(format_duration(data.remaining_seconds()));
  }
  if (shown == RunState::training && phase_.phase() != RunPhase::training && !phase_.is_over()) {
    parts << phase_.text();
  }
  if (f_.parts.engine->ring().dropped() > 0) {
    parts << tr("%1 steps not plotted").arg(f_.parts.engine->ring().dropped());
  }
  return parts;
}

void RunStatus::update_details() {
  QStringList parts;
  switch (state()) {
    case RunState::idle:
      if (const int errors = f_.setup->precision()->refused(); errors > 0) {
        parts << PrecisionPanel::errors_text(errors);
      } else if (end_text_.isEmpty()) {
        parts << f_.setup->job()->missing();
      }
      f_.bar->set_progress(-1, 0);
      break;
    case RunState::preparing:
      if (phase_.phase()) {
        parts << phase_.text();
        f_.run->show_progress(phase_.text(), phase_.done(), phase_.total());
      }
      f_.bar->set_progress(phase_.done(), phase_.total());
      break;
    default:
      parts = running_details();
      f_.bar->set_progress(f_.parts.run_data->step(),
                           std::max<std::int64_t>(f_.parts.run_data->total_steps(), 1));
  }
  f_.bar->set_details(parts.join(QStringLiteral(" · ")));
}

void RunStatus::finish(const RunEnd& end) {
  const EngineClient& engine = *f_.parts.engine;
  f_.ticker->drain_now();
  f_.run->on_frame();
  f_.run->on_labels();
  set_shown_run(path_text(end.result.folder), end.how == RunEnd::How::completed);
  ran_here_ = true;
  earlier_ = false;
  f_.bar->set_stopped(end.how == RunEnd::How::stopped);
  switch (end.how) {
    case RunEnd::How::completed:
      end_text_ = tr("Finished");
      if (!end.result.adapter.empty()) {
        f_.messages->offer_here(
            tr("Finished. The adapter is %1").arg(path_text(end.result.adapter)),
            {{tr("Show the result"), [this] { emit result_wanted(); }}});
      }
      break;
    case RunEnd::How::stopped:
      end_text_ = tr("Stopped");
      f_.messages->show_info(end.failure.message.empty() ? tr("Stopped by you.")
                                                         : plain_text(end.failure.message));
      break;
    case RunEnd::How::failed:
      end_text_ = tr("Failed");
      f_.run->show_failure(end, engine.last_saved(), engine.last_saved_step());
      break;
  }
  update();
  emit ended(end.how == RunEnd::How::failed);
}

}  // namespace mantissa::gui
