#include "gui/app/RunVerifier.h"

#include "engine/core/paths.h"
#include "engine/run/first_steps.h"
#include "engine/train/verify_run.h"
#include "gui/app/PageStack.h"
#include "gui/app/VerifyDialog.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/engine/EngineClient.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunLibrary.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

RunVerifier::RunVerifier(const WindowFrame& frame) : f_(frame) {
  connect(f_.history, &HistoryPage::verify_requested, this, &RunVerifier::verify);
  connect(f_.parts.engine, &EngineClient::verified, this, &RunVerifier::show_report);
  connect(f_.parts.engine, &EngineClient::verify_failed, this, [this](const RunEnd& end) {
    if (end.how == RunEnd::How::stopped) {
      f_.messages->show_info(plain_text(end.failure.message));
    } else {
      f_.messages->show_error(plain_text(end.failure.message));
    }
  });
}

void RunVerifier::verify(const QString& id) {
  const RunSummary* run = f_.parts.runs->run(id);
  if (run == nullptr) {
    return;
  }
  if (!f_.parts.engine->verify(path_from_utf8(run->out))) {
    f_.messages->show_info(tr("The engine is at work. Verify the run once that is done."));
    return;
  }
  f_.messages->offer(tr("Takes the first steps of “%1” again. The run stays as it is.")
                         .arg(f_.parts.runs->label(*run)),
                     {{tr("Cancel"), [this] { f_.parts.engine->cancel_task(); }}});
}

void RunVerifier::offer_after_update(const QString& version) {
  if (f_.messages->isVisible()) {
    return;  // a run that was left comes first; at the next start
  }
  AppSettings* settings = f_.parts.settings;
  const QString last = settings->version();
  settings->set_version(version);
  if (last.isEmpty() || last == version) {
    return;
  }
  std::error_code none;
  for (const RunSummary& run : f_.parts.runs->runs()) {  // the newest first
    if (run.state != "finished" ||
        !std::filesystem::exists(trace_file(path_from_utf8(run.out)), none)) {
      continue;
    }
    f_.messages->offer(
        tr("Mantissa was updated. Verify takes the first steps of “%1” again and shows whether "
           "this version computes the same.")
            .arg(f_.parts.runs->label(run)),
        {{tr("Verify"), [this, id = to_qstring(run.id)] { verify(id); }}});
    return;
  }
}

void RunVerifier::show_report(const VerifyReport& report) {
  f_.messages->hide();
  auto* dialog = new VerifyDialog(report, f_.window);
  dialog->open();
}

}  // namespace mantissa::gui
