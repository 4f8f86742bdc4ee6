#include "gui/precision/PrecisionPanel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/precision/FileFindings.h"
#include "gui/precision/FindingCard.h"
#include "gui/precision/FixText.h"
#include "gui/precision/PlanLine.h"
#include "gui/precision/PreflightList.h"
#include "gui/precision/StartEstimate.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

void clear_layout(QLayout* layout) {
  while (QLayoutItem* item = layout->takeAt(0)) {
    if (QWidget* widget = item->widget()) {
      widget->hide();
      widget->deleteLater();
    }
    delete item;
  }
}

bool same(const Finding& a, const Finding& b) {
  return a.id == b.id && a.verdict == b.verdict && a.fields == b.fields && a.message == b.message &&
         a.fix_json == b.fix_json;
}

bool are_same(const std::vector<Finding>& a, const std::vector<Finding>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// A problem of the job, not of its preset.
bool is_of_the_job(const Finding& finding) {
  return find_catalogue_entry(finding.id) == nullptr;
}

}  // namespace

PrecisionPanel::PrecisionPanel(PresetDocument* document, const Theme* theme, QWidget* parent)
    : QWidget(parent), document_(document), theme_(theme) {
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(Space::small);
  auto* card = make_card(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);

  list_ = new PreflightList(theme, parent);
  check_ = list_->check_button();
  connect(list_, &PreflightList::fix_requested, this, &PrecisionPanel::fix_requested);
  connect(list_, &PreflightList::field_requested, this, &PrecisionPanel::field_requested);
  column->addWidget(make_heading(tr("Memory and number types"), card));

  estimate_ = new StartEstimate(column, card);
  column->addWidget(build_plan(card));

  fix_all_ = new QPushButton(tr("Apply safe fixes…"), card);
  fix_all_->setAccessibleName(tr("Apply every safe fix for what is refused or adjusted"));
  fix_all_->setToolTip(tr("Shows every change before anything is applied"));
  column->addWidget(fix_all_, 0, Qt::AlignLeft);
  connect(fix_all_, &QPushButton::clicked, this, &PrecisionPanel::fix_all_requested);
  probe_ = new QPushButton(tr("Find sensitive layers…"), card);
  probe_->setAccessibleName(tr("Find the layers that need a wider type"));
  probe_->setToolTip(tr("The probe compares the first steps with FP32 (Ctrl+P)"));
  probe_->setProperty("kind", QStringLiteral("link"));
  column->addWidget(probe_, 0, Qt::AlignLeft);
  connect(probe_, &QPushButton::clicked, this, &PrecisionPanel::probe_requested);
  // What comes and goes with the findings is last: it moves no button.
  fits_box_ = new QWidget(card);
  fits_ = new QVBoxLayout(fits_box_);
  fits_->setContentsMargins(0, 0, 0, 0);
  fits_->setSpacing(Space::tiny);
  column->addWidget(fits_box_);
  outer->addWidget(card);
  for (QWidget* widget : std::initializer_list<QWidget*>{plan_, plan_toggle_, fix_all_}) {
    keep_room(widget);
  }

  cards_ = new QVBoxLayout;
  cards_->setSpacing(Space::small);
  outer->addLayout(cards_);
  show_ignored_ = new QToolButton(this);
  show_ignored_->setProperty("kind", QStringLiteral("disclosure"));
  show_ignored_->setAccessibleName(tr("Show ignored warnings"));
  show_ignored_->setCursor(Qt::PointingHandCursor);
  outer->addWidget(show_ignored_, 0, Qt::AlignLeft);
  connect(show_ignored_, &QToolButton::clicked, this, [this] {
    ignored_.clear();
    emit ignored_changed();
    fill_cards();
  });
  for (QWidget* widget : std::initializer_list<QWidget*>{fits_box_, fix_all_, show_ignored_}) {
    widget->hide();
  }
}

QWidget* PrecisionPanel::build_plan(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::tiny);
  plan_ = make_label(QString(), "", box);
  plan_->setWordWrap(true);
  plan_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  explain(plan_,
          tr("In which number types the denoiser is kept and computed.\nWeights are those of the "
             "base model, which don't change; activations pass from layer to layer; gradients and "
             "the optimizer's state belong to what is trained.\nClipping bounds the gradients; "
             "loss scaling keeps small ones from becoming zero in FP16."));
  column->addWidget(plan_);
  plan_->hide();
  plan_toggle_ = new QToolButton(box);
  plan_toggle_->setProperty("kind", QStringLiteral("disclosure"));
  plan_toggle_->setText(tr("Types by part"));
  plan_toggle_->setAccessibleName(tr("Show number types by part"));
  plan_toggle_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  plan_toggle_->setCheckable(true);
  column->addWidget(plan_toggle_, 0, Qt::AlignLeft);
  plan_table_ = new QWidget(box);
  table_grid_ = new QGridLayout(plan_table_);
  table_grid_->setContentsMargins(0, 0, 0, 0);
  table_grid_->setHorizontalSpacing(Space::medium);
  table_grid_->setVerticalSpacing(2);
  column->addWidget(plan_table_);
  plan_table_->hide();
  plan_toggle_->hide();
  const auto dress = [this] {
    plan_toggle_->setIcon(
        make_icon(plan_toggle_->isChecked() ? Icon::chevron_down : Icon::chevron_right,
                  theme_->colors().accent));
  };
  dress();
  connect(theme_, &Theme::changed, plan_toggle_, dress);
  connect(plan_toggle_, &QToolButton::toggled, this, [this, dress](bool on) {
    plan_table_->setVisible(on);
    dress();
  });
  return box;
}

void PrecisionPanel::fill_table(const std::string& precision_json) {
  clear_layout(table_grid_);
  const QStringList titles{tr("Part"), tr("Modules"), tr("Storage"), tr("Compute"),
                           tr("Accumulation")};
  for (int c = 0; c < titles.size(); ++c) {
    table_grid_->addWidget(make_label(titles[c], "muted", plan_table_), 0, c);
  }
  QString before;
  int r = 1;
  for (const QStringList& row : plan_table(precision_json)) {
    for (int c = 0; c < row.size(); ++c) {
      auto* cell = make_label(c == 0 && row[0] == before ? QString() : row[c], "", plan_table_);
      cell->setWordWrap(c == 1);
      table_grid_->addWidget(cell, r, c, Qt::AlignTop);
    }
    before = row[0];
    ++r;
  }
  table_grid_->setColumnStretch(1, 1);
}

void PrecisionPanel::clear_cards() {
  clear_layout(cards_);
}

void PrecisionPanel::fill_cards() {
  clear_cards();
  refused_ = warnings_ = 0;
  int hidden = 0, fixable = 0;
  QWidget* before = probe_;
  std::vector<Finding> listed;
  for (const Finding& finding : findings_) {
    if (is_warning(finding) && ignored_.contains(to_qstring(finding.id))) {
      ++hidden;
      continue;
    }
    refused_ += is_refused(finding);
    warnings_ += is_warning(finding);
    fixable += !is_warning(finding) && has_fix(finding);
    listed.push_back(finding);
    auto* card = new FindingCard(finding, document_->preset(), theme_, this);
    connect(card, &FindingCard::field_requested, this, &PrecisionPanel::field_requested);
    connect(card, &FindingCard::fix_requested, this, &PrecisionPanel::fix_requested);
    if (remedy_) {
      card->offer(remedy_(finding));
    }
    if (is_warning(finding)) {
      card->offer_ignore();
    }
    connect(card, &FindingCard::ignore_requested, this, [this](const QString& id) {
      ignored_.insert(id);
      emit ignored_changed();
      fill_cards();
    });
    cards_->addWidget(card);
    before = chain_tab_stops(before, card);
  }
  setTabOrder(before, show_ignored_);
  list_->show_findings(listed, remedy_, document_->preset());
  can_fix_ = fixable > 0;
  fix_all_->setVisible(can_fix_);
  show_ignored_->setVisible(hidden > 0);
  show_ignored_->setText(tr("%1 ignored · show again").arg(hidden));
  fill_state();
  emit counted();
}

void PrecisionPanel::fill_state() {
  QStringList parts;
  if (refused_ > 0) {
    parts << errors_text(refused_);
  }
  if (warnings_ > 0) {
    parts << (warnings_ == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings_));
  }
  const auto adjusted = std::count_if(findings_.begin(), findings_.end(), [](const Finding& f) {
    return !is_refused(f) && !is_warning(f);
  });
  if (adjusted > 0) {
    parts << tr("%n adjusted automatically", nullptr, static_cast<int>(adjusted));
  }
  if (parts.isEmpty()) {
    parts << (has_job_ ? tr("Nothing blocks Start.") : tr("Checking…"));
  }
  list_->set_summary(parts.join(QStringLiteral(" · ")), refused_ > 0);
}

QString PrecisionPanel::errors_text(int errors) {
  return errors == 1 ? tr("1 problem blocks Start") : tr("%1 problems block Start").arg(errors);
}

void PrecisionPanel::show_findings(const PlanReport& report) {
  take_findings(report, false);
}

void PrecisionPanel::take_findings(const PlanReport& report, bool whole) {
  const QString line = plan_line(report.precision_json, document_->preset());
  plan_->setText(line);
  plan_->setVisible(!line.isEmpty());
  plan_toggle_->setVisible(!line.isEmpty());
  if (!line.isEmpty()) {
    fill_table(report.precision_json);
  }
  // An unchanged card keeps its place and the focus.
  std::vector<Finding> findings = report.findings;
  std::erase_if(findings, [](const Finding& f) { return f.verdict == Verdict::works; });
  std::ranges::move(file_findings(report), std::back_inserter(findings));
  if (!whole) {
    // Typing doesn't change the job's own problems; the whole plan follows.
    std::copy_if(findings_.begin(), findings_.end(), std::back_inserter(findings),
                 [&report](const Finding& f) {
                   return is_of_the_job(f) &&
                          std::ranges::none_of(report.findings,
                                               [&f](const Finding& told) { return same(f, told); });
                 });
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
      return std::pair(!is_refused(a), !is_warning(a)) < std::pair(!is_refused(b), !is_warning(b));
    });
  }
  if (!has_plan_ || !are_same(findings_, findings)) {
    findings_ = std::move(findings);
    has_plan_ = true;
    fill_cards();
  }
  if (has_memory_) {
    estimate_->set_outdated();
  }
}

void PrecisionPanel::show_plan(const PlanReport& report) {
  const bool first = !std::exchange(has_job_, true);
  take_findings(report, true);
  if (first) {
    fill_state();
  }
  if (report.peak_bytes == 0) {
    show_memory_problem(tr("The memory is known once nothing above prevents a plan."));
    return;
  }
  has_memory_ = true;
  show_fits({});
  estimate_->show_plan(report);
}

QString PrecisionPanel::start_text() const {
  return estimate_->start_text();
}

void PrecisionPanel::show_fits(const QVector<FitOption>& options) {
  clear_layout(fits_);
  fits_box_->setVisible(!options.isEmpty());
  if (options.isEmpty()) {
    return;
  }
  const auto memory = std::find_if(findings_.begin(), findings_.end(),
                                   [](const Finding& f) { return f.id == "memory"; });
  if (memory != findings_.end() && !has_fix(*memory)) {
    memory->fix_json = options.front().patch_json;
    fill_cards();
  }
  fits_->addWidget(make_label(tr("This would make it fit:"), "muted", fits_box_));
  for (const FitOption& option : options) {
    const QString patch = to_qstring(option.patch_json);
    const QString changes = changes_text(option.patch_json, document_->preset());
    const QString need = format_bytes(option.needs.peak_bytes);
    auto* button =
        new QPushButton(option.needs.step_seconds > 0
                            ? tr("%1 (needs %2, about %3 a step)")
                                  .arg(changes, need, format_step_time(option.needs.step_seconds))
                            : tr("%1 (needs %2)").arg(changes, need),
                        fits_box_);
    button->setAccessibleName(tr("Make it fit: %1").arg(button->text()));
    button->setProperty("kind", QStringLiteral("choice"));
    button->setToolTip(button->text().toHtmlEscaped());
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // never widens the panel
    fits_->addWidget(button);
    connect(button, &QPushButton::clicked, this,
            [this, patch] { emit fix_requested(patch, QStringLiteral("memory")); });
  }
}

void PrecisionPanel::show_memory_problem(const QString& message) {
  has_memory_ = false;
  show_fits({});
  estimate_->show_problem(message);
}

void PrecisionPanel::show_problem(const QString& message) {
  has_plan_ = false;
  has_memory_ = false;
  findings_.clear();
  fill_cards();
  estimate_->hide();
  show_fits({});
  list_->show_problem(message);
  list_->set_summary(errors_text(1), true);
}

void PrecisionPanel::set_busy(bool busy) {
  check_->setText(busy ? tr("Checking…") : tr("Check"));
}

void PrecisionPanel::set_ignored(const QStringList& ids) {
  const QSet<QString> wanted(ids.begin(), ids.end());
  if (wanted != ignored_) {
    ignored_ = wanted;
    if (has_plan_) {
      fill_cards();
    }
  }
}

QStringList PrecisionPanel::ignored() const {
  QStringList ids(ignored_.begin(), ignored_.end());
  ids.sort();
  return ids;
}

QString PrecisionPanel::refusal(bool with_job) const {
  for (const Finding& finding : findings_) {
    if (is_refused(finding) && (with_job || !is_of_the_job(finding))) {
      return is_of_the_job(finding)
                 ? finding_text(finding)
                 : QStringLiteral("%1: %2").arg(to_qstring(finding.id), finding_text(finding));
    }
  }
  return {};
}

}  // namespace mantissa::gui
