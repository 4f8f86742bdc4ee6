#include "gui/app/LiveSettings.h"

#include <QAction>

#include "engine/run/live_settings.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/engine/EngineClient.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/preset/SchemaText.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunData.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

LiveSettings::LiveSettings(const WindowFrame& frame, PresetFiles* files)
    : f_(frame), files_(files), tip_(frame.actions->apply_live->toolTip()) {
  connect(f_.parts.document, &PresetDocument::changed, this, &LiveSettings::update);
  connect(f_.parts.engine, &EngineClient::state_changed, this, &LiveSettings::update);
  connect(f_.parts.engine, &EngineClient::settings_changed, this, &LiveSettings::take_length);
  connect(f_.actions->apply_live, &QAction::triggered, this, &LiveSettings::apply);
}

void LiveSettings::update() {
  if (f_.parts.engine->is_running() && !going_) {
    // The draft of an attached run may have edits since its start.
    applied_ = f_.parts.engine->is_attached() ? f_.parts.engine->job().preset
                                              : f_.parts.document->preset();
  }
  going_ = f_.parts.engine->is_running();
  const RunState state = f_.parts.engine->shown_state();
  const bool going =
      state == RunState::training || state == RunState::pausing || state == RunState::paused;
  const bool useful = going && edited() != f_.parts.engine->job().preset;
  for (const std::string_view key : live_settings()) {
    if (FieldRow* row = f_.setup->form()->row(to_qstring(key))) {
      row->set_live(going);
    }
  }
  f_.actions->apply_live->setToolTip(useful ? changes_text() : tip_);
  if (f_.actions->apply_live->isEnabled() != useful) {
    f_.actions->apply_live->setEnabled(useful);
    if (going) {
      f_.bar->set_state(state, {});
    }
  }
}

Preset LiveSettings::edited() const {
  return with_live_edits(f_.parts.engine->job().preset, applied_, f_.parts.document->preset());
}

QString LiveSettings::changes_text() const {
  QStringList lines{tr("Apply to the current run:")};
  for (const PresetChange& change : diff_presets(f_.parts.engine->job().preset, edited())) {
    const QString key = to_qstring(change.key);
    lines << QStringLiteral("%1: %2 → %3")
                 .arg(setting_label(key), value_text(key, change.a), value_text(key, change.b));
  }
  return lines.join(QLatin1Char('\n'));
}

void LiveSettings::take_length(const Preset& running) {
  f_.parts.run_data->set_length(run_length(running, f_.parts.run_data->length().batches_per_epoch));
}

void LiveSettings::apply() {
  if (!files_->settle_text()) {
    return;
  }
  const Preset wanted = edited();
  applied_ = f_.parts.document->preset();
  f_.parts.engine->request_settings(wanted);
  take_length(f_.parts.engine->job().preset);
  f_.messages->show_info(tr("The run uses the changed settings after this step."));
}

}  // namespace mantissa::gui
