#pragma once

#include <string>
#include <vector>

#include "engine/plan/devices.h"
#include "gui/widgets/NoWheelSpin.h"

namespace mantissa::gui {

class AppSettings;

/// The devices to train on, one of them or several cards; the choice is kept in the settings.
class DeviceChoice : public NoWheelCombo {
  Q_OBJECT

 public:
  explicit DeviceChoice(AppSettings* settings, QWidget* parent = nullptr);

  /// Offers usable devices; selects the one chosen last, or the first card if none ever was.
  void set_devices(const std::vector<DeviceInfo>& devices);
  /// As chosen: all cards.
  QString device() const;
  std::string first_device() const;
  /// Every card that is offered.
  std::vector<std::string> cards() const;
  /// Selects a usable device, "cuda:0", or several cards, "cuda:0,2", and keeps it.
  void choose(const QString& device);
  /// What several cards do has changed: their entries say so.
  void update_texts();

 private:
  /// The index of a device; several cards are added if each is there. -1 if it isn't.
  int find_device(const QString& device);
  /// Gives an entry of several cards its text.
  void name_several(int index);
  bool is_several(int index) const;

  AppSettings* settings_;
};

}  // namespace mantissa::gui
