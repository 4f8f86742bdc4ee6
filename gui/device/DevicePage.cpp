#include "gui/device/DevicePage.h"

#include <QVBoxLayout>

#include "gui/widgets/EmptyState.h"

namespace mantissa {

DevicePage::DevicePage(const Theme* theme, QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(new EmptyState(Icon::device, tr("Looking at the devices…"), theme, this));
}

}  // namespace mantissa
