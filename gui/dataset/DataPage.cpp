#include "gui/dataset/DataPage.h"

#include <QVBoxLayout>

#include "gui/widgets/EmptyState.h"

namespace mantissa {

DataPage::DataPage(const Theme* theme, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new EmptyState(
      Icon::data, tr("Choose image folders in Setup; their pictures and captions are shown here."),
      theme, this));
}

}  // namespace mantissa
