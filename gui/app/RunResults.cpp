#include "gui/app/RunResults.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "gui/app/PageStack.h"
#include "gui/app/RunStatus.h"
#include "gui/base/Text.h"
#include "gui/engine/EngineClient.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/result/ResultView.h"
#include "gui/run/RunData.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/MessageBar.h"
#include "gui/widgets/OpenFolder.h"

namespace mantissa::gui {
namespace {

/// As step_figures.
double last_tenth(const SeriesStore& loss) {
  const std::size_t count = loss.empty() ? 0 : std::max<std::size_t>(loss.size() / 10, 1);
  const std::span<const double> tail = loss.values().last(count);
  return count > 0 ? std::accumulate(tail.begin(), tail.end(), 0.0) / static_cast<double>(count)
                   : std::nan("");
}

std::optional<ValidationRecord> lowest(const SeriesStore& losses) {
  std::optional<ValidationRecord> best;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double loss = losses.values()[i];
    if (std::isfinite(loss) && (!best || loss < best->loss)) {
      best = ValidationRecord{losses.steps()[i], loss};
    }
  }
  return best;
}

}  // namespace

RunResults::RunResults(const WindowFrame& frame, RunStatus* status)
    : f_(frame), status_(status), copier_(frame.parts.settings) {
  view_ = new ResultView(f_.parts.theme, f_.run);
  f_.run->add_view(tr("Result"),
                   tr("Files, figures and samples of the run that ended.\nGood: the samples show "
                      "what was trained and still follow the prompt.\nIf they repeat training "
                      "images, use an earlier checkpoint."),
                   view_);
  copier_.set_questions(f_.ask.adapter_folder, f_.ask.name_taken);
  copier_.set_roots(f_.parts.find_roots);
  ResultView* of_history = f_.history->compare()->result_view();
  connect_view(view_);
  connect_view(of_history);
  connect(view_, &ResultView::again_requested, this, [this] {
    const Preset& preset = f_.parts.run_data->preset;
    emit again_requested(preset, to_qstring(preset.output.name));
  });
  connect(of_history, &ResultView::again_requested, f_.history->actions().duplicate,
          &QAction::trigger);
  connect(&copier_, &AdapterCopier::copied, this, &RunResults::tell_copied);
  connect(&copier_, &AdapterCopier::failed, f_.messages, &MessageBar::show_error);
  connect(status_, &RunStatus::shown_run_changed, this, &RunResults::show_shown_run);
  connect(status_, &RunStatus::ended, this, [this](bool failed) {
    show_shown_run();
    // Curves that someone looks at stay.
    if (!failed && status_->is_finished() && !f_.run->isVisible()) {
      f_.run->show_view(view_);
    }
  });
  connect(status_, &RunStatus::result_wanted, this, [this] {
    f_.pages->show_page(f_.run);
    f_.run->show_view(view_);
    f_.messages->hide();
  });
  // A new run begins with its curves.
  connect(f_.parts.engine, &EngineClient::state_changed, this, [this] {
    if (f_.parts.engine->state() == RunState::preparing) {
      f_.run->leave_view(view_);
      view_->clear();
    }
  });
}

void RunResults::connect_view(ResultView* view) {
  connect(view, &ResultView::folder_requested, this, &RunResults::show_folder);
  connect(view, &ResultView::copy_requested, this,
          [this](const QString& file, const QString& name, Program program) {
            copier_.copy({file, name, program}, f_.window);
          });
  connect(&copier_, &AdapterCopier::busy_changed, view, &ResultView::set_copying);
}

void RunResults::show_shown_run() {
  const QString folder = status_->shown_run();
  if (folder.isEmpty() || f_.parts.engine->is_running()) {
    view_->clear();
    return;
  }
  const RunData& data = *f_.parts.run_data;
  EndedRun run;
  run.folder = folder;
  run.complete = status_->is_finished();
  const QString name = to_qstring(data.preset.output.name);
  run.title = (run.complete ? tr("%1 · Finished") : tr("%1 · Not finished")).arg(name);
  run.preset = data.preset;
  run.steps = data.step();
  run.seconds = data.clock.total();
  run.last_tenth = last_tenth(data.loss);
  run.best = lowest(data.validation);
  run.samples = f_.parts.sample_model->all();
  view_->show_run(run);
}

void RunResults::tell_copied(const AdapterCopier::Wish& wish, const QString& to, bool there) {
  const QString where = QDir::toNativeSeparators(to), program = program_title(wish.program);
  const QString text = there ? tr("%1 has it already: %2").arg(program, where)
                             : tr("Copied for %1 to %2").arg(program, where);
  f_.messages->offer(
      text, {{tr("Show in folder"), [this, to] { show_folder(to); }},
             {tr("Another folder…"), [this, wish] { copier_.copy_elsewhere(wish, f_.window); }}});
}

void RunResults::show_folder(const QString& path) {
  if (const QString problem = open_folder(path); !problem.isEmpty()) {
    f_.messages->show_error(problem);
  }
}

}  // namespace mantissa::gui
