#include "gui/history/HistoryPage.h"

#include <QVBoxLayout>

#include "gui/widgets/EmptyState.h"

namespace mantissa {

HistoryPage::HistoryPage(const Theme* theme, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new EmptyState(Icon::history,
                                   tr("No runs yet. Each run that you start, here or with the "
                                      "mantissa command, is listed on this page."),
                                   theme, this));
}

}  // namespace mantissa
