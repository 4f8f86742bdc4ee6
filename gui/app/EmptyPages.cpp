#include "gui/app/EmptyPages.h"

#include <QPushButton>

#include "gui/app/PageStack.h"
#include "gui/app/SetupPage.h"
#include "gui/engine/EngineClient.h"
#include "gui/history/HistoryPage.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/EmptyState.h"

namespace mantissa::gui {

EmptyPages::EmptyPages(const WindowFrame& frame) : f_(frame) {
  QAction* start = f_.actions->start;
  for (EmptyState* empty : {f_.run->empty(), f_.history->empty()}) {
    QPushButton* button = empty->add_button(tr("Start a run"));
    const auto follow = [=] { button->setEnabled(start->isEnabled()); };
    follow();
    connect(start, &QAction::changed, button, follow);
    // What is missing is told on Setup, where it can be chosen.
    connect(button, &QPushButton::clicked, start, &QAction::trigger);
  }
  bring_ = f_.sample_grid->empty()->add_button(QString());
  connect(bring_, &QPushButton::clicked, this, &EmptyPages::bring_samples);
  QPushButton* write = f_.sample_grid->empty()->add_button(tr("Write a prompt…"));
  connect(write, &QPushButton::clicked, f_.sample_grid,
          [this] { f_.sample_grid->show_free_view(true); });
  connect(f_.parts.engine, &EngineClient::state_changed, this, &EmptyPages::update_samples);
  connect(f_.parts.document, &PresetDocument::changed, this, &EmptyPages::update_samples);
  connect(f_.actions->sample, &QAction::changed, this, &EmptyPages::update_samples);
  update_samples();
}

void EmptyPages::update_samples() {
  const bool running = f_.parts.engine->is_running();
  const Preset::Samples& samples = f_.parts.document->preset().samples;
  const bool prompts = !samples.prompts.empty();
  f_.sample_grid->empty()->set_text(
      running ? tr("No samples yet.\nThe run renders its prompts from time to time, or now.")
      : prompts && !samples.wanted()
          ? tr("No samples yet.\nSet “Sample every”, and a run renders the prompts of its preset "
               "as it trains.")
      : prompts ? tr("No samples yet.\nA run renders the prompts of its preset as it trains.")
                : tr("This preset has no sample prompts.\nA run renders each prompt as it trains, "
                     "so that you see what it has learned."));
  bring_->setText(running   ? tr("Sample now")
                  : prompts ? tr("Start a run")
                            : tr("Add a sample prompt"));
  bring_->setAccessibleName(bring_->text());
  bring_->setEnabled(!running || f_.actions->sample->isEnabled());
}

void EmptyPages::bring_samples() {
  if (f_.parts.engine->is_running()) {
    f_.actions->sample->trigger();
  } else if (!f_.parts.document->preset().samples.prompts.empty()) {
    f_.actions->start->trigger();
  } else {
    f_.pages->show_page(f_.setup);
    f_.setup->show_view(SetupPage::form_view);
    f_.setup->form()->jump_to(QStringLiteral("samples.prompts"));
  }
}

}  // namespace mantissa::gui
