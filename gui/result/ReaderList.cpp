#include "gui/result/ReaderList.h"

#include <QGridLayout>
#include <QLabel>

#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

ReaderList::ReaderList(const Theme* theme, QWidget* parent)
    : QWidget(parent), theme_(theme), grid_(new QGridLayout(this)) {
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(Space::small);
  grid_->setVerticalSpacing(Space::tiny);
  grid_->setColumnStretch(2, 1);
}

void ReaderList::show_lines(const std::vector<ReaderLine>& lines) {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  texts_.clear();
  int row = 0;
  for (const ReaderLine& line : lines) {
    auto* mark = new QLabel(this);
    mark->setFixedSize(16, 16);
    const Icon icon = line.works ? Icon::check : line.known ? Icon::warning : Icon::info;
    bind_icon(
        mark, icon, theme_,
        [works = line.works, known = line.known](const ThemeColors& c) {
          return works ? c.ok : known ? c.warning : c.muted;
        },
        16);
    mark->setAccessibleName(line.works   ? tr("Works")
                            : line.known ? tr("Doesn't work as trained")
                                         : tr("Not for this base model"));
    grid_->addWidget(mark, row, 0, Qt::AlignTop);
    auto* name = make_label(line.program, "", this);
    grid_->addWidget(name, row, 1, Qt::AlignTop);
    auto* verdict = make_label(line.verdict, line.works ? "muted" : "", this);
    verdict->setWordWrap(true);
    verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid_->addWidget(verdict, row, 2);
    if (!line.rules.isEmpty()) {
      const QString tip = tr("By the rules of:\n%1").arg(line.rules).toHtmlEscaped();
      verdict->setToolTip(QString(tip).replace(QLatin1Char('\n'), QLatin1String("<br>")));
    }
    texts_ << QStringLiteral("%1: %2").arg(line.program, line.verdict);
    ++row;
  }
}

}  // namespace mantissa::gui
