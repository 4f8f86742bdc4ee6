#include "gui/precision/PrecisionPanel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/Text.h"
#include "gui/plot/Axis.h"
#include "gui/precision/FindingCard.h"
#include "gui/widgets/Parts.h"

namespace mantissa {

PrecisionPanel::PrecisionPanel(const Theme* theme, QWidget* parent)
    : QWidget(parent), theme_(theme) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(Space::small);
  auto* card = make_card(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  top->addWidget(make_heading(tr("Preflight"), card));
  top->addStretch();
  check_ = new QPushButton(tr("Check"), card);
  check_->setAccessibleName(tr("Check precision and memory"));
  check_->setToolTip(tr("Works out memory, precision and findings without training (F4)"));
  bind_icon(check_, Icon::check, theme);
  top->addWidget(check_);
  column->addLayout(top);
  state_ = make_label(tr("Not checked yet."), "muted", card);
  state_->setWordWrap(true);
  column->addWidget(state_);
  memory_ = make_label(QString(), "", card);
  column->addWidget(memory_);
  bar_ = new QProgressBar(card);
  bar_->setTextVisible(false);
  bar_->setRange(0, 1000);
  bar_->setAccessibleName(tr("Memory needed of what is available"));
  column->addWidget(bar_);
  parts_ = make_label(QString(), "muted", card);
  parts_->setWordWrap(true);
  column->addWidget(parts_);
  outer->addWidget(card);
  cards_ = new QVBoxLayout;
  cards_->setSpacing(Space::small);
  outer->addLayout(cards_);
  memory_->hide();
  bar_->hide();
  parts_->hide();
}

void PrecisionPanel::clear_cards() {
  while (QLayoutItem* item = cards_->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    delete item;
  }
}

void PrecisionPanel::show_plan(const PlanReport& report) {
  has_plan_ = true;
  clear_cards();
  const auto refused = std::count_if(report.findings.begin(), report.findings.end(),
                                     [](const Finding& f) { return f.verdict == "refused"; });
  const auto warnings = std::count_if(report.findings.begin(), report.findings.end(),
                                      [](const Finding& f) { return f.verdict == "warning"; });
  set_property(state_, "role", refused > 0 ? QStringLiteral("error") : QStringLiteral("muted"));
  if (refused == 0 && warnings == 0) {
    state_->setText(tr("Ready: nothing stands against this run."));
  } else {
    state_->setText(tr("Refused: %1 · warnings: %2").arg(refused).arg(warnings));
  }
  memory_->show();
  parts_->show();
  const QString need = format_bytes(report.peak_bytes);
  if (report.free_bytes > 0) {
    memory_->setText(tr("Needs %1 of %2 available").arg(need, format_bytes(report.free_bytes)));
    const double share =
        static_cast<double>(report.peak_bytes) / static_cast<double>(report.free_bytes);
    bar_->setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * 1000));
    set_property(bar_, "level",
                 share > 1     ? QStringLiteral("error")
                 : share > 0.9 ? QStringLiteral("warning")
                               : QStringLiteral("ok"));
    bar_->show();
  } else {
    memory_->setText(tr("Needs %1").arg(need));
    bar_->hide();
  }
  parts_->setText(tr("weights %1 · activations %2 · adapter and optimizer %3")
                      .arg(format_bytes(report.weight_bytes), format_bytes(report.arena_bytes),
                           format_bytes(report.adapter_bytes)));
  for (const Finding& finding : report.findings) {
    if (finding.verdict == "works") {
      continue;
    }
    auto* card = new FindingCard(finding, theme_, this);
    connect(card, &FindingCard::field_requested, this, &PrecisionPanel::field_requested);
    connect(card, &FindingCard::fix_requested, this, &PrecisionPanel::fix_requested);
    cards_->addWidget(card);
  }
}

void PrecisionPanel::show_problem(const QString& message) {
  has_plan_ = false;
  clear_cards();
  memory_->hide();
  bar_->hide();
  parts_->hide();
  set_property(state_, "role", QStringLiteral("error"));
  state_->setText(message);
}

void PrecisionPanel::set_busy(bool busy) {
  check_->setText(busy ? tr("Checking…") : tr("Check"));
}

void PrecisionPanel::set_stale() {
  if (has_plan_) {
    set_property(state_, "role", QStringLiteral("muted"));
    state_->setText(tr("The settings have changed since this check."));
  }
}

}  // namespace mantissa
