// Session: the first start, and recorded runs. Requests of the history, runs of other processes,
// and runs whose process died.
#include "engine/store/store.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/RunStarter.h"
#include "gui/app/Session.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Text.h"
#include "gui/history/HistoryPage.h"
#include "gui/history/RunModel.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"
#include "gui/wizard/FirstRunWizard.h"

namespace mantissa::gui {

void Session::connect_history() {
  HistoryPage* page = window_->history_page();
  const auto guarded = [this](auto work) {
    try {
      work();
    } catch (const std::exception& e) {
      window_->show_exception(e);
    }
  };
  connect(page, &HistoryPage::open_requested, this, [this, guarded](const QString& id) {
    if (!may_show_run()) {
      return;
    }
    window_->files()->settle_unsaved([this, guarded, id] { guarded([&] { open_run(id); }); });
  });
  connect(page, &HistoryPage::resume_requested, this, &Session::resume_run);
  connect(page, &HistoryPage::duplicate_requested, this,
          [this](const Preset& preset, const QString& name) {
            window_->files()->settle_unsaved([this, preset, name] {
              document_->load(preset, QString());
              window_->setup_page()->job()->set_resume(QString());
              window_->show_page(window_->setup_page());
              window_->show_info(
                  tr("This is the preset of “%1”. Start begins a new run with it.").arg(name));
            });
          });
  connect(runs_.get(), &RunLibrary::recovered, this, [this](const QStringList& ids) {
    const QString id = ids.first();
    const QString text = ids.size() == 1
                             ? tr("Run %1 was interrupted when its program closed. It can continue "
                                  "from its last checkpoint.")
                                   .arg(id)
                             : tr("%n run(s) were interrupted when their program closed. They can "
                                  "continue from their last checkpoints.",
                                  nullptr, static_cast<int>(ids.size()));
    std::vector<MessageBar::Offer> offers;
    if (ids.size() == 1) {
      offers.push_back({tr("Resume"), [this, id] { resume_run(id); }});
    }
    offers.push_back({tr("Show in History"), [this, id] {
                        window_->show_page(window_->history_page());
                        window_->history_page()->choose(id);
                      }});
    window_->messages()->offer(text, std::move(offers));
  });
  connect(run_watcher_.get(), &RunWatcher::gained, this, &Session::show_gain);
  connect(run_watcher_.get(), &RunWatcher::ended, this,
          [this](const QString& id, const QString& state) {
            window_->show_info(tr("Run %1: %2.").arg(id, run_state_text(state.toStdString())));
          });
  // A run started here takes over the page.
  connect(engine_.get(), &EngineClient::state_changed, this, [this] {
    if (engine_->is_running()) {
      run_watcher_->stop();
    }
  });
}

bool Session::may_show_run() {
  if (!engine_->is_running()) {
    return true;
  }
  window_->show_info(
      tr("A run is in progress on the Train page. Curves of other runs are below the list."));
  return false;
}

void Session::resume_run(const QString& id) {
  if (!may_show_run()) {
    return;
  }
  window_->files()->settle_unsaved([this, id] {
    try {
      open_run(id);
      if (run_watcher_->is_watching()) {
        return;  // another process already continues it
      }
      window_->starter()->start();
    } catch (const std::exception& e) {
      window_->show_exception(e);
    }
  });
}

void Session::show_gain(const RunDetail& detail) {
  RunPage* page = window_->run_page();
  data_.append(detail.steps);
  for (const HealthRecord& record : detail.health) {
    data_.health.add(record);
  }
  for (const ValidationRecord& record : detail.validation) {
    data_.add_validation(record);
  }
  for (const SampleRow& s : detail.samples) {
    const bool known = samples_->find(s.step, s.prompt_index) != nullptr;
    if (!known) {
      samples_->add({s.step, s.prompt_index, s.prompt, to_path(to_qstring(s.path))});
      data_.add_marker(PlotMarker::Kind::sample, s.step, tr("sample rendered"));
    }
  }
  for (const CheckpointRow& c : detail.checkpoints) {
    const QString path = to_qstring(c.path);
    const auto& markers = data_.markers();
    const bool known = std::any_of(markers.begin(), markers.end(), [&](const PlotMarker& m) {
      return m.kind == PlotMarker::Kind::saved && m.step == c.step;
    });
    if (!known) {
      data_.add_marker(PlotMarker::Kind::saved, c.step, tr("saved to %1").arg(path), path);
    }
  }
  QVector<LogLine> lines;
  for (const EventRow& e : detail.events) {
    lines.push_back({e.level, e.message});
  }
  page->log()->append(lines);
  page->on_frame();
  page->on_labels();
}

FirstRunWizard* Session::welcome() {
  if (settings_.welcomed()) {
    return nullptr;
  }
  settings_.set_welcomed();
  auto* wizard = new FirstRunWizard(options_.library, &theme_, window_.get());
  connect(wizard, &FirstRunWizard::chosen, this, [this](const FirstRunChoice& choice) {
    window_->setup_page()->job()->set_paths(choice.base, choice.images);
    if (choice.preset) {
      document_->load(*choice.preset, QString());
    }
    window_->show_page(window_->setup_page());
  });
  wizard->open();
  return wizard;
}

void Session::begin_background() {
  if (options_.load_library) {
    try {
      options_.library = options_.load_library();
      window_->files()->set_library(options_.library);
    } catch (const std::exception& e) {
      window_->show_exception(e);
    }
  }
  runs_->recover();
}

}  // namespace mantissa::gui
