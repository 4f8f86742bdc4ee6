#include "gui/precision/DraftTestView.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/base/Text.h"
#include "gui/preset/PresetDocument.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastBar = 60;

}  // namespace

DraftTestView::DraftTestView(PresetDocument* document, const Names& names, QWidget* parent)
    : QWidget(parent), document_(document), column_(new QVBoxLayout(this)) {
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(Space::small);
  tools_ = new QHBoxLayout;
  tools_->setSpacing(Space::small);
  column_->addLayout(tools_);
  run_ = new QPushButton(this);
  run_->setAccessibleName(names.run);
  run_->setProperty("kind", QStringLiteral("primary"));
  tools_->addWidget(run_);
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setAccessibleName(names.cancel);
  tools_->addWidget(cancel_);
  progress_ = new QWidget(this);
  auto* inner = new QHBoxLayout(progress_);
  inner->setContentsMargins(0, 0, 0, 0);
  inner->setSpacing(Space::small);
  bar_ = new QProgressBar(progress_);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(names.progress);
  bar_->setMinimumWidth(kLeastBar);
  inner->addWidget(bar_, 1);
  // In the middle: how far it is and how long it takes are at the ends.
  phase_ = new ElideLabel(QString(), progress_);
  phase_->set_muted(true);
  inner->addWidget(phase_, 3);
  tools_->addWidget(progress_, 1);
  tools_->addStretch();
  verdict_ = make_label(QString(), "", this);
  verdict_->setWordWrap(true);
  verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  note_ = make_label(QString(), "muted", this);
  note_->setWordWrap(true);
  connect(cancel_, &QPushButton::clicked, this, &DraftTestView::cancel_requested);
  connect(document_, &PresetDocument::changed, this, &DraftTestView::update_state);
}

void DraftTestView::add_tool(QWidget* tool) {
  tools_->insertWidget(tools_->count() - 2, tool);
}

void DraftTestView::add_verdict() {
  column_->addWidget(verdict_);
  column_->addWidget(note_);
}

void DraftTestView::add_intro(EmptyState* intro, const QString& run) {
  begin_ = intro->add_button(run, run_->accessibleName());
  connect(begin_, &QPushButton::clicked, run_, &QPushButton::click);
}

void DraftTestView::set_refusal(const QString& why) {
  refusal_ = why;
  update_state();
}

void DraftTestView::set_running(bool on) {
  if (on && !running_) {
    phase_->set_text(QString());
    bar_->setRange(0, 0);
  }
  running_ = on;
  update_state();
}

void DraftTestView::show_progress(const QString& phase, std::int64_t done, std::int64_t total) {
  phase_->set_text(phase);
  bar_->setRange(0, static_cast<int>(total));
  bar_->setValue(static_cast<int>(done));
}

void DraftTestView::tell(const QString& verdict, const QString& role) {
  set_property(verdict_, "role", role);
  verdict_->setText(shown(verdict));
}

void DraftTestView::show_common(const QString& run, const QString& why, const QString& otherwise) {
  run_->setVisible(!running_);
  run_->setEnabled(why.isEmpty());
  run_->setText(run);
  begin_->setEnabled(why.isEmpty() && !running_);
  // Of two that do the same, one stands out.
  set_property(run_, "kind", begin_->isVisibleTo(this) ? QString() : QStringLiteral("primary"));
  cancel_->setVisible(running_);
  progress_->setVisible(running_);
  verdict_->setVisible(!verdict_->text().isEmpty());
  note_->setText(!why.isEmpty() && !running_ ? why : otherwise);
  note_->setVisible(!note_->text().isEmpty());
}

QString DraftTestView::verdict() const {
  return verdict_->text();
}

QString DraftTestView::note() const {
  return note_->text();
}

}  // namespace mantissa::gui
