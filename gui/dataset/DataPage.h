#pragma once
// defines: DataPage

#include <QWidget>

#include "gui/app/Theme.h"

namespace mantissa {

/// The pictures that training sees: their captions, their buckets, and what is left out.
class DataPage : public QWidget {
  Q_OBJECT

 public:
  explicit DataPage(const Theme* theme, QWidget* parent = nullptr);
};

}  // namespace mantissa
