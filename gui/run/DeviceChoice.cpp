#include "gui/run/DeviceChoice.h"

#include <QStringList>
#include <algorithm>

#include "engine/plan/backend.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"

namespace mantissa::gui {

DeviceChoice::DeviceChoice(AppSettings* settings, QWidget* parent)
    : NoWheelCombo(parent), settings_(settings) {
  setAccessibleName(tr("Device"));
  addItem(tr("CPU"), QStringLiteral("cpu"));
}

void DeviceChoice::set_devices(const std::vector<DeviceInfo>& devices) {
  for (const DeviceInfo& device : devices) {
    const QString id = to_qstring(device.id);
    if (!device.usable || findData(id) >= 0) {
      continue;
    }
    addItem(QStringLiteral("%1 (%2)").arg(to_qstring(device.name), id), id);
  }
  // Until one is chosen, a card that can train: who has one seldom wants the processor.
  const bool first_card = !settings_->chose_device() && count() > 1;
  setCurrentIndex(first_card ? 1 : std::max(0, find_device(settings_->device())));
}

QString DeviceChoice::device() const {
  return currentData().toString();
}

std::string DeviceChoice::first_device() const {
  return devices_of(device().toStdString()).front();
}

std::vector<std::string> DeviceChoice::cards() const {
  std::vector<std::string> cards;
  for (int i = 0; i < count(); ++i) {
    const QString id = itemData(i).toString();
    if (id != QLatin1String("cpu") && !is_several(i)) {
      cards.push_back(id.toStdString());
    }
  }
  return cards;
}

void DeviceChoice::choose(const QString& device) {
  if (const int index = find_device(device); index >= 0) {
    settings_->set_device(device);
    setCurrentIndex(index);
  }
}

void DeviceChoice::update_texts() {
  for (int i = 0; i < count(); ++i) {
    if (is_several(i)) {
      name_several(i);
    }
  }
}

bool DeviceChoice::is_several(int index) const {
  return itemData(index).toString().contains(QLatin1Char(','));
}

int DeviceChoice::find_device(const QString& device) {
  const int known = findData(device);
  const bool several = device.contains(QLatin1Char(','));
  if (known >= 0 || !several) {
    return known;
  }
  for (const std::string& card : devices_of(device.toStdString())) {
    if (findData(to_qstring(card)) < 0) {
      return -1;
    }
  }
  for (int i = count() - 1; i >= 0; --i) {
    if (is_several(i)) {
      removeItem(i);  // one choice of several at a time
    }
  }
  addItem(QString(), device);
  name_several(count() - 1);
  return count() - 1;
}

void DeviceChoice::name_several(int index) {
  QStringList cards;
  for (const std::string& card : devices_of(itemData(index).toString().toStdString())) {
    cards << to_qstring(card);
  }
  const CardUse use = settings_->card_use();
  setItemText(index, (use == CardUse::each    ? tr("%1 cards: a run on each")
                      : use == CardUse::split ? tr("%1 cards: one model across all")
                                              : tr("%1 cards: one run on all"))
                         .arg(cards.size()));
  setItemData(index, cards.join(QStringLiteral(", ")), Qt::ToolTipRole);
}

}  // namespace mantissa::gui
