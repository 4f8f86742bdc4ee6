#pragma once
// defines: DevicePage

#include <QWidget>

#include "gui/app/Theme.h"

namespace mantissa {

/// What this computer can train on, and why it can't use the rest.
class DevicePage : public QWidget {
  Q_OBJECT

 public:
  explicit DevicePage(const Theme* theme, QWidget* parent = nullptr);
};

}  // namespace mantissa
