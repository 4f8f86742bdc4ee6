#include "gui/precision/PreflightList.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/precision/PreflightLine.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastHeight = 72, kMostHeight = 240;  ///< of the lines; more of them scroll
constexpr int kBelow = 250;      ///< of the page, for the first fields of the run below
constexpr int kShareOfRest = 4;  ///< they have a quarter of what is left

}  // namespace

PreflightList::PreflightList(const Theme* theme, QWidget* parent) : QFrame(parent), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  setAccessibleName(tr("Preflight"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::small, Space::small, Space::small);
  column->setSpacing(Space::tiny);
  auto* top = new QHBoxLayout;
  QLabel* heading = make_heading(tr("Preflight"), this);
  explain(heading, tr("All that Start would refuse, warn about or change.\nGood: nothing blocks "
                      "Start.\nA line's button changes what it says; a click on the line explains "
                      "it."));
  top->addWidget(heading);
  top->addStretch();
  check_ = new QPushButton(tr("Check"), this);
  check_->setAccessibleName(tr("Check precision and memory"));
  check_->setToolTip(
      tr("Checks memory and precision with this run's images, without training (F4)"));
  bind_icon(check_, Icon::check, theme);
  top->addWidget(check_);
  column->addLayout(top);
  auto* state = new QHBoxLayout;
  summary_ = new ElideLabel(tr("Not checked yet."), this);
  summary_->set_mode(Qt::ElideRight);
  summary_->set_muted(true);
  state->addWidget(summary_, 1);
  more_ = new QPushButton(this);
  more_->setProperty("kind", QStringLiteral("link"));
  more_->setCursor(Qt::PointingHandCursor);
  keep_room(more_);
  state->addWidget(more_);
  connect(more_, &QPushButton::clicked, this, [this] { set_whole(!is_whole_); });
  column->addLayout(state);
  area_ = new QScrollArea(this);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setProperty("plain", QStringLiteral("true"));
  area_->setAccessibleName(tr("Problems and warnings"));
  auto* page = new QWidget(area_->viewport());
  page->setProperty("flat", QStringLiteral("true"));
  auto* lines = new QVBoxLayout(page);
  lines->setContentsMargins(0, 0, Space::tiny, 0);
  lines->setSpacing(0);
  rows_ = new QVBoxLayout;
  rows_->setSpacing(0);
  lines->addLayout(rows_);
  lines->addStretch();
  area_->setWidget(page);
  page->installEventFilter(this);
  column->addWidget(area_);
  set_room(0);
}

void PreflightList::set_room(int height) {
  room_ = height;
  set_whole(is_whole_);
}

int PreflightList::brief_height() const {
  const int share = std::clamp((room_ - kBelow) / kShareOfRest, kLeastHeight, kMostHeight);
  // Whole lines: in a script that the window's font lacks they are as high as its substitute's.
  const int line = fontMetrics()
                       .boundingRect(QRect(0, 0, 1000, 1000), Qt::TextWordWrap, tr("Preflight"))
                       .height();
  const int above = Space::tiny;
  return above + (share - above) / line * line;
}

int PreflightList::whole_height() const {
  const QLayout* lines = area_->widget()->layout();
  const int width = area_->viewport()->width();
  return lines->hasHeightForWidth() ? lines->totalHeightForWidth(width)
                                    : lines->totalSizeHint().height();
}

/// Only a click changes the height, never a finding.
void PreflightList::set_whole(bool on) {
  is_whole_ = on;
  const int brief = brief_height(), most = std::max(brief, room_ / 2);
  area_->setFixedHeight(on ? std::clamp(whole_height(), brief, most) : brief);
  more_->setText(on ? tr("Less") : tr("More"));
  more_->setAccessibleName(on ? tr("Show fewer lines of the preflight")
                              : tr("Show more lines of the preflight"));
  offer_more();
}

void PreflightList::offer_more() {
  more_->setVisible(is_whole_ || whole_height() > brief_height());
}

bool PreflightList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
    offer_more();
  }
  return QFrame::eventFilter(watched, event);
}

void PreflightList::clear() {
  // Else the focus of a line that goes falls to the next field below, which scrolls there.
  if (area_->isAncestorOf(window()->focusWidget())) {
    check_->setFocus();
  }
  for (PreflightLine* line : rows_made_) {
    rows_->removeWidget(line);
    line->hide();
    line->deleteLater();
  }
  rows_made_.clear();
  texts_.clear();
}

void PreflightList::show_findings(const std::vector<Finding>& findings, const RemedyOf& remedy,
                                  const Preset& now) {
  QStringList open;
  for (const PreflightLine* line : rows_made_) {
    if (line->is_open()) {
      open << line->text();
    }
  }
  clear();
  QWidget* before = check_;
  for (const Finding& finding : findings) {
    auto* line = new PreflightLine(finding, remedy, now, theme_, area_->widget());
    line->set_open(open.contains(line->text()));
    connect(line, &PreflightLine::fix_requested, this, &PreflightList::fix_requested);
    connect(line, &PreflightLine::field_requested, this, &PreflightList::field_requested);
    // Once its explanation has its height.
    connect(line, &PreflightLine::opened, line, [this, line] {
      QTimer::singleShot(0, line, [this, line] { area_->ensureWidgetVisible(line, 0, 0); });
    });
    rows_->addWidget(line);
    rows_made_.push_back(line);
    texts_ << line->text();
    before = chain_tab_stops(before, line);
  }
}

void PreflightList::show_problem(const QString& problem) {
  clear();
  auto* line = new PreflightLine(problem, theme_, area_->widget());
  rows_->addWidget(line);
  rows_made_.push_back(line);
  texts_ << line->text();
}

void PreflightList::set_summary(const QString& text, bool blocked) {
  summary_->set_text(text);
  summary_->set_muted(!blocked);
}

QString PreflightList::summary() const {
  return summary_->text();
}

QStringList PreflightList::lines() const {
  return texts_;
}

QPushButton* PreflightList::button(int line) const {
  return rows_made_.at(static_cast<std::size_t>(line))->button();
}

}  // namespace mantissa::gui
