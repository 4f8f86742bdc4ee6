#include "gui/app/PageRail.h"

#include <QButtonGroup>
#include <QCoreApplication>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/app/PageStack.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLeastWidth = 72, kPadding = 16;  // of a button

}  // namespace

PageRail::PageRail(PageStack* pages, const Theme* theme, QWidget* parent) : QFrame(parent) {
  setProperty("bar", QStringLiteral("rail"));
  setAccessibleName(tr("Pages"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::tiny, Space::small, Space::tiny, Space::small);
  column->setSpacing(Space::tiny);
  auto* buttons = new QButtonGroup(this);
  int id = 0;
  QFont bold = font();  // of the shown page's name
  bold.setBold(true);
  int width = kLeastWidth;
  for (const PageRow& row : page_table()) {
    const QString name = QCoreApplication::translate("pages", row.title);
    width = std::max(width, QFontMetrics(bold).horizontalAdvance(name) + kPadding);
  }
  for (const PageRow& row : page_table()) {
    const QString name = QCoreApplication::translate("pages", row.title);
    auto* button = new QToolButton(this);
    button->setProperty("kind", QStringLiteral("rail"));
    button->setText(name);
    button->setCheckable(true);
    button->setIconSize(QSize(22, 22));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setFixedWidth(width);
    button->setAccessibleName(tr("Page %1").arg(name));
    button->setToolTip(QStringLiteral("%1 (%2)").arg(
        name, QKeySequence(row.keys).toString(QKeySequence::NativeText)));
    bind_icon(button, row.icon, theme, [](const ThemeColors& c) { return c.muted; });
    buttons->addButton(button, id++);
    column->addWidget(button);
  }
  column->addStretch();
  connect(buttons, &QButtonGroup::idClicked, pages,
          [pages](int at) { pages->show_page(pages->pages()[static_cast<std::size_t>(at)]); });
  connect(pages, &PageStack::chosen, this, [pages, buttons](Page* page) {
    buttons->button(pages->indexOf(page))->setChecked(true);
  });
}

}  // namespace mantissa::gui
