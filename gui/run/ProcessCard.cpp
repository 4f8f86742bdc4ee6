#include "gui/run/ProcessCard.h"

#include <QGridLayout>
#include <QLabel>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr std::size_t kMostRows = 8;

}  // namespace

ProcessCard::ProcessCard(const Theme* theme, QWidget* parent) : QFrame(parent), theme_(theme) {
  setProperty("card", QStringLiteral("true"));
  setAccessibleName(tr("What trains the run"));
  grid_ = new QGridLayout(this);
  grid_->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  grid_->setVerticalSpacing(Space::tiny);
  grid_->setColumnStretch(1, 1);
  hide();
}

void ProcessCard::show_rates(const std::optional<RunRates>& rates) {
  if (!rates) {
    shown_step_ = -1;
    hide();
    return;
  }
  if (rates->step == shown_step_) {
    return;
  }
  shown_step_ = rates->step;
  while (QLayoutItem* item = grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto count = static_cast<int>(rates->processes.size());
  const bool cards = std::ranges::all_of(rates->processes, &ProcessRate::is_card);
  auto* heading = make_heading(
      cards ? tr("%n card(s)", nullptr, count) : tr("%n process(es)", nullptr, count), this);
  heading->setToolTip(
      tr("Images per second of each while it computes, and the share of the time in "
         "which it does"));
  grid_->addWidget(heading, 0, 0, 1, 4);
  std::vector<ProcessRate> rows = rates->processes;
  std::stable_partition(rows.begin(), rows.end(),
                        [](const ProcessRate& rate) { return rate.slow; });
  for (std::size_t i = 0; i < std::min(rows.size(), kMostRows); ++i) {
    add_row(rows[i]);
  }
  if (rows.size() > kMostRows) {
    grid_->addWidget(
        make_label(tr("and %n more", nullptr, static_cast<int>(rows.size() - kMostRows)), "muted",
                   this),
        grid_->rowCount(), 0, 1, 4);
  }
  show();
}

void ProcessCard::add_row(const ProcessRate& rate) {
  const int row = grid_->rowCount();
  const char* role = rate.slow ? "warning" : "muted";
  if (rate.slow) {
    auto* icon = new QLabel(this);
    bind_icon(icon, Icon::warning, theme_, [](const ThemeColors& c) { return c.warning; });
    icon->setAccessibleName(tr("Slow"));
    icon->setToolTip(tr("The others wait for it in every step"));
    grid_->addWidget(icon, row, 0);
  } else if (!rate.is_card()) {
    grid_->addWidget(make_label(QString::number(rate.process), "muted", this), row, 0);
  }
  const QString host = shown(to_qstring(rate.host));
  const QString slow =
      rate.is_card() ? tr("%1, slow").arg(host) : tr("%1 on %2, slow").arg(rate.process).arg(host);
  auto* name = new ElideLabel(rate.slow ? slow : host, this);
  name->set_muted(!rate.slow);
  grid_->addWidget(name, row, 1);
  grid_->addWidget(make_label(tr("%1/s").arg(format_number(rate.images_per_second, 3)), "", this),
                   row, 2, Qt::AlignRight);
  grid_->addWidget(make_label(percent_text(rate.share), role, this), row, 3, Qt::AlignRight);
}

}  // namespace mantissa::gui
