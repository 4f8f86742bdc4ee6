#include "gui/app/StrengthRenders.h"

#include "engine/core/error.h"
#include "engine/render/run_sample.h"
#include "engine/run/run_files.h"
#include "gui/app/RunStatus.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/EngineClient.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunData.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

StrengthRenders::StrengthRenders(const RenderParts& parts) : parts_(parts) {
  EngineClient* engine = parts_.engine;
  connect(parts_.grid, &SampleGrid::render_requested, this, &StrengthRenders::render);
  connect(parts_.grid, &SampleGrid::cancel_requested, engine, &EngineClient::cancel_task);
  connect(engine, &EngineClient::rendered, this, [this](const SampleRequest& request) {
    if (request.out == out_) {
      parts_.grid->show_rendered(path_text(out_), prompt_, request.loras.at(0).weight);
    }
  });
  connect(engine, &EngineClient::render_failed, this, [this](const RunEnd& end) {
    if (end.failure.kind != ErrorKind::interrupted) {
      parts_.messages->show_error(plain_text(end.failure.message));
    }
  });
  connect(engine, &EngineClient::state_changed, this, &StrengthRenders::update);
  connect(parts_.status, &RunStatus::shown_run_changed, this, &StrengthRenders::update);
  update();
}

QString StrengthRenders::refusal() const {
  if (parts_.engine->is_running()) {
    return tr("The engine is busy: another strength can be rendered when the run has ended.");
  }
  if (parts_.engine->is_checking()) {
    return tr("The engine is checking the settings.");
  }
  if (parts_.engine->is_probing() || parts_.engine->is_testing_rates()) {
    return tr("The engine is probing the preset.");
  }
  if (!has_adapter(to_path(parts_.status->shown_run()), parts_.run_data->preset)) {
    return tr("Another strength needs the adapter file of a finished run.");
  }
  return {};
}

void StrengthRenders::update() {
  parts_.grid->set_render_refusal(refusal());
}

void StrengthRenders::render(int prompt, double weight) {
  try {
    const SampleRequest request =
        sample_of_run(to_path(parts_.status->shown_run()), parts_.run_data->preset, prompt, weight,
                      parts_.job->first_device());
    prompt_ = prompt;
    if (is_rendered(request)) {
      parts_.grid->show_rendered(path_text(request.out), prompt, weight);
    } else if (parts_.engine->render(request)) {
      out_ = request.out;
    }
  } catch (const std::exception& e) {
    parts_.messages->show_exception(e);
  }
}

}  // namespace mantissa::gui
