#include "gui/app/FreeRenders.h"

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
FreeRenders::FreeRenders(const RenderParts& parts) : parts_(parts) {
  EngineClient* engine = parts_.engine;
  FreePrompt* form = parts_.grid->free_prompt();
  connect(form, &FreePrompt::requested, this, &FreeRenders::render);
  connect(form, &FreePrompt::cancel_requested, engine, &EngineClient::cancel_task);
  connect(engine, &EngineClient::rendered, this, [this](const SampleRequest& request) {
    if (request.out == out_) {
      parts_.grid->show_free(path_text(out_));
    }
  });
  connect(engine, &EngineClient::render_warned, this,
          [this](const Message& warning) { parts_.messages->show_info(plain_text(warning)); });
  connect(engine, &EngineClient::state_changed, this, &FreeRenders::update);
  connect(engine, &EngineClient::saved, this, &FreeRenders::update);
  connect(parts_.status, &RunStatus::shown_run_changed, this, &FreeRenders::update);
  update();
}

std::filesystem::path FreeRenders::run() const {
  const EngineClient& engine = *parts_.engine;
  return !engine.is_running()            ? to_path(parts_.status->shown_run())
         : engine.last_saved().isEmpty() ? std::filesystem::path()
                                         : run_of_checkpoint(to_path(engine.last_saved()));
}

QString FreeRenders::refusal() const {
  const EngineClient& engine = *parts_.engine;
  if (engine.is_running() && engine.state() != RunState::paused) {
    return tr("The engine is busy: pause the run to render other prompts.");
  }
  if (engine.is_checking()) {
    return tr("The engine is checking the settings.");
  }
  if (engine.is_probing() || engine.is_testing_rates()) {
    return tr("The engine is probing the preset.");
  }
  if (!adapters_.empty()) {
    return {};
  }
  return engine.is_running()
             ? tr("This needs a checkpoint of the run: Save now writes one.")
             : tr("This needs an adapter file: that of a finished run, or of a checkpoint.");
}

void FreeRenders::update() {
  const EngineClient& engine = *parts_.engine;
  adapters_.clear();
  // Between them, a run in progress replaces its checkpoints.
  if (!engine.is_running() || engine.state() == RunState::paused) {
    adapters_ = run_adapters(run(), parts_.run_data->preset);
  }
  QStringList names;
  for (const RunAdapter& adapter : adapters_) {
    names << (adapter.step < 0 ? tr("Finished adapter")
                               : tr("Checkpoint of step %1").arg(step_text(adapter.step)));
  }
  FreePrompt* form = parts_.grid->free_prompt();
  form->set_adapters(names);
  form->set_rendering(engine.is_rendering());
  form->set_refusal(refusal());
}

void FreeRenders::render(const FreePrompt::Wish& wish) {
  FreeSample sample;
  for (const QString& prompt : wish.prompts) {
    sample.prompts.push_back(prompt.toStdString());
  }
  sample.negative = wish.negative.toStdString();
  sample.seed = wish.seed;
  sample.strengths = {wish.strength};
  if (wish.columns == FreePrompt::Columns::checkpoints) {
    sample.adapters = adapters_;
  } else if (wish.adapter >= 0 && wish.adapter < static_cast<int>(adapters_.size())) {
    sample.adapters = {adapters_[static_cast<std::size_t>(wish.adapter)]};
  }
  if (wish.columns == FreePrompt::Columns::strengths) {
    sample.strengths = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5};
  }
  try {
    const SampleRequest request =
        free_sample_of_run(run(), parts_.run_data->preset, sample, parts_.job->first_device());
    if (parts_.engine->render(request)) {
      out_ = request.out;
    }
  } catch (const std::exception& e) {
    parts_.messages->show_exception(e);
  }
}

}  // namespace mantissa::gui
