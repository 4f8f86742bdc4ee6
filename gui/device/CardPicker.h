#pragma once

#include <QFrame>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/devices.h"
#include "gui/base/CardUse.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace mantissa::gui {

/// Which cards train, and what several do: share one run, have a run each, or hold one model in
/// parts. Hidden on a machine without a card that can be used.
class CardPicker : public QFrame {
  Q_OBJECT

 public:
  explicit CardPicker(QWidget* parent = nullptr);

  void set_devices(const std::vector<DeviceInfo>& devices);
  /// `device` as in JobSpec: "cpu", "cuda:0", "cuda:0,2".
  void show_choice(const QString& device, CardUse use);
  const std::vector<QCheckBox*>& boxes() const { return boxes_; }
  QToolButton* way(CardUse use) const;

 signals:
  /// By the user.
  void device_chosen(const QString& device);
  void use_chosen(CardUse use);

 private:
  void tick();
  void update_ways();
  CardUse use() const;

  QGridLayout* grid_;
  QWidget* ways_;
  std::vector<std::pair<CardUse, QToolButton*>> buttons_;
  QLabel* way_text_;
  std::vector<QCheckBox*> boxes_;
  std::vector<std::string> cards_;  ///< of the boxes
  std::vector<std::string> chosen_;
};

}  // namespace mantissa::gui
