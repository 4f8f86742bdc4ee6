#pragma once
// defines: HistoryPage

#include <QWidget>

#include "gui/app/Theme.h"

namespace mantissa {

/// Every run of this computer: find, compare, continue.
class HistoryPage : public QWidget {
  Q_OBJECT

 public:
  explicit HistoryPage(const Theme* theme, QWidget* parent = nullptr);
};

}  // namespace mantissa
