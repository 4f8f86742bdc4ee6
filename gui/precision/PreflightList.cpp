#include "gui/precision/PreflightList.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kMostLines = 5;  ///< in sight; the rest scrolls
constexpr int kLineHeight = 30;

}  // namespace

PreflightList::PreflightList(const Theme* theme, QWidget* parent) : QFrame(parent), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  setAccessibleName(tr("Preflight"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::small, Space::small, Space::small);
  column->setSpacing(Space::tiny);
  auto* top = new QHBoxLayout;
  top->addWidget(make_heading(tr("Preflight"), this));
  top->addStretch();
  check_ = new QPushButton(tr("Check"), this);
  check_->setAccessibleName(tr("Check precision and memory"));
  check_->setToolTip(
      tr("Checks memory and precision with this run's images, without training (F4)"));
  bind_icon(check_, Icon::check, theme);
  top->addWidget(check_);
  column->addLayout(top);
  summary_ = make_label(tr("Not checked yet."), "muted", this);
  summary_->setWordWrap(true);
  column->addWidget(summary_);
  area_ = new QScrollArea(this);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setProperty("plain", QStringLiteral("true"));
  area_->setAccessibleName(tr("Problems and warnings"));
  auto* page = new QWidget;
  page->setProperty("flat", QStringLiteral("true"));
  rows_ = new QVBoxLayout(page);
  rows_->setContentsMargins(0, 0, Space::tiny, 0);
  rows_->setSpacing(0);
  area_->setWidget(page);
  area_->hide();
  column->addWidget(area_);
}

QWidget* PreflightList::make_line(const Finding& finding, const RemedyOf& remedy) {
  auto* line = new QWidget(area_->widget());
  line->setFixedHeight(kLineHeight);
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  const bool refused = is_refused(finding), warning = is_warning(finding);
  auto* icon = new QLabel(line);
  bind_icon(
      icon,
      refused   ? Icon::error
      : warning ? Icon::warning
                : Icon::info,
      theme_,
      [=](const ThemeColors& c) { return refused   ? c.error
                                         : warning ? c.warning
                                                   : c.accent; }, 16);
  icon->setAccessibleName(verdict_text(finding));
  row->addWidget(icon);
  const QString text = finding_text(finding);
  auto* words = new ElideLabel(text, line);
  words->set_mode(Qt::ElideRight);
  row->addWidget(words, 1);
  texts_ << QStringLiteral("%1: %2").arg(verdict_text(finding), text);

  const QString id = to_qstring(finding.id);
  auto* button = new QPushButton(line);
  button->setProperty("kind", QStringLiteral("link"));
  row->addWidget(button);
  buttons_.push_back(button);
  const QString field = finding.fields.empty() ? QString() : to_qstring(finding.fields.front());
  const Remedy helps = remedy ? remedy(finding) : Remedy{};
  if (has_fix(finding)) {
    button->setText(tr("Fix"));
    button->setToolTip(tr("Applied as an edit, which Undo takes back"));
    connect(button, &QPushButton::clicked, this,
            [this, patch = to_qstring(finding.fix_json), id] { emit fix_requested(patch, id); });
  } else if (!helps.text.isEmpty()) {
    button->setText(helps.text);
    connect(button, &QPushButton::clicked, this, helps.act);
  } else {
    button->setText(tr("Show"));
    button->setVisible(!field.isEmpty());
    connect(button, &QPushButton::clicked, this, [this, field] { emit field_requested(field); });
  }
  button->setAccessibleName(tr("%1: %2").arg(button->text(), text));
  return line;
}

void PreflightList::show_findings(const std::vector<Finding>& findings, const RemedyOf& remedy) {
  // Else the focus of a line that goes falls to the next field below, which scrolls there.
  if (area_->isAncestorOf(window()->focusWidget())) {
    check_->setFocus();
  }
  while (QLayoutItem* item = rows_->takeAt(0)) {
    item->widget()->hide();
    item->widget()->deleteLater();
    delete item;
  }
  texts_.clear();
  buttons_.clear();
  for (const Finding& finding : findings) {
    rows_->addWidget(make_line(finding, remedy));
  }
  QWidget* before = check_;
  for (QPushButton* button : buttons_) {
    setTabOrder(before, button);
    before = button;
  }
  area_->setVisible(!findings.empty());
  area_->setFixedHeight(kLineHeight * std::min<int>(kMostLines, static_cast<int>(findings.size())));
}

void PreflightList::set_summary(const QString& text, bool blocked) {
  summary_->setText(text);
  set_property(summary_, "role", blocked ? QStringLiteral("error") : QStringLiteral("muted"));
}

QString PreflightList::summary() const {
  return summary_->text();
}

QStringList PreflightList::lines() const {
  return texts_;
}

QPushButton* PreflightList::button(int line) const {
  return buttons_.at(static_cast<std::size_t>(line));
}

}  // namespace mantissa::gui
