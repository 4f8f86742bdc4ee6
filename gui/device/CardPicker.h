#pragma once

#include <QFrame>
#include <string>
#include <vector>

#include "engine/plan/devices.h"

class QCheckBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace mantissa::gui {

/// Which cards train, and whether several share one run or have a run each. Hidden on a machine
/// without a card that can be used.
class CardPicker : public QFrame {
  Q_OBJECT

 public:
  explicit CardPicker(QWidget* parent = nullptr);

  void set_devices(const std::vector<DeviceInfo>& devices);
  /// `device` as in JobSpec: "cpu", "cuda:0", "cuda:0,2".
  void show_choice(const QString& device, bool each);
  const std::vector<QCheckBox*>& boxes() const { return boxes_; }
  QToolButton* together() const { return together_; }
  QToolButton* each() const { return each_; }

 signals:
  /// By the user.
  void device_chosen(const QString& device);
  void each_chosen(bool each);

 private:
  void tick();
  void update_ways();

  QGridLayout* grid_;
  QWidget* ways_;
  QToolButton *together_, *each_;
  QLabel* way_text_;
  std::vector<QCheckBox*> boxes_;
  std::vector<std::string> cards_;  ///< of the boxes
  std::vector<std::string> chosen_;
};

}  // namespace mantissa::gui
