#include "gui/app/StrengthRenders.h"

#include "engine/core/error.h"
#include "engine/render/run_sample.h"
#include "engine/run/run_files.h"
#include "gui/app/RunStatus.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunData.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

StrengthRenders::StrengthRenders(const WindowFrame& frame, const RunStatus* status)
    : f_(frame), status_(status) {
  EngineClient* engine = f_.parts.engine;
  connect(f_.sample_grid, &SampleGrid::render_requested, this, &StrengthRenders::render);
  connect(f_.sample_grid, &SampleGrid::cancel_requested, engine, &EngineClient::cancel_task);
  connect(engine, &EngineClient::rendered, this, [this](const SampleRequest& request) {
    if (request.out == out_) {
      f_.sample_grid->show_rendered(path_text(out_), prompt_, request.loras.at(0).weight);
    }
  });
  connect(engine, &EngineClient::render_failed, this, [this](const RunEnd& end) {
    if (end.failure.kind != ErrorKind::interrupted) {
      f_.messages->show_error(plain_text(end.failure.message));
    }
  });
  connect(engine, &EngineClient::state_changed, this, &StrengthRenders::update);
  connect(status_, &RunStatus::shown_run_changed, this, &StrengthRenders::update);
  update();
}

QString StrengthRenders::refusal() const {
  if (f_.parts.engine->is_running()) {
    return tr("The engine is busy: another strength can be rendered when the run has ended.");
  }
  if (f_.parts.engine->is_checking()) {
    return tr("The engine is checking the settings.");
  }
  if (f_.parts.engine->is_probing()) {
    return tr("The engine is probing the preset.");
  }
  if (!has_adapter(to_path(status_->shown_run()), f_.parts.run_data->preset)) {
    return tr("Another strength needs the adapter file of a finished run.");
  }
  return {};
}

void StrengthRenders::update() {
  f_.sample_grid->set_render_refusal(refusal());
}

void StrengthRenders::render(int prompt, double weight) {
  try {
    const SampleRequest request =
        sample_of_run(to_path(status_->shown_run()), f_.parts.run_data->preset, prompt, weight,
                      f_.setup->job()->first_device());
    prompt_ = prompt;
    if (is_rendered(request)) {
      f_.sample_grid->show_rendered(path_text(request.out), prompt, weight);
    } else if (f_.parts.engine->render(request)) {
      out_ = request.out;
    }
  } catch (const std::exception& e) {
    f_.messages->show_exception(e);
  }
}

}  // namespace mantissa::gui
