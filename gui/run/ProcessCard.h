#pragma once

#include <QFrame>
#include <optional>

#include "engine/store/rows.h"
#include "gui/base/Theme.h"

class QGridLayout;

namespace mantissa::gui {

/// How fast each process of a run is, the slow one first and marked. Hidden for a run by one.
class ProcessCard : public QFrame {
  Q_OBJECT

 public:
  explicit ProcessCard(const Theme* theme, QWidget* parent = nullptr);

  void show_rates(const std::optional<RunRates>& rates);

 private:
  void add_row(const ProcessRate& rate);

  const Theme* theme_;
  QGridLayout* grid_;
  std::int64_t shown_step_ = -1;
};

}  // namespace mantissa::gui
