#include "gui/device/CardPicker.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/core/error.h"
#include "engine/plan/backend.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

CardPicker::CardPicker(QWidget* parent) : QFrame(parent) {
  setProperty("card", QStringLiteral("true"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::medium, Space::large, Space::medium);
  column->setSpacing(Space::small);
  column->addWidget(make_heading(tr("Cards that train"), this));
  grid_ = new QGridLayout;
  grid_->setHorizontalSpacing(Space::large);
  grid_->setVerticalSpacing(Space::tiny);
  grid_->setColumnStretch(1, 1);
  column->addLayout(grid_);
  ways_ = new QWidget(this);
  auto* ways = new QVBoxLayout(ways_);
  ways->setContentsMargins(0, 0, 0, 0);
  ways->setSpacing(Space::small);
  auto* row = new QHBoxLayout;
  row->setSpacing(Space::tiny);
  const auto chip = [&](const QString& text) {
    auto* button = new QToolButton(ways_);
    button->setText(text);
    button->setAccessibleName(text);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setProperty("kind", QStringLiteral("chip"));
    row->addWidget(button);
    return button;
  };
  together_ = chip(tr("One run on all"));
  each_ = chip(tr("A run on each"));
  row->addStretch();
  ways->addLayout(row);
  way_text_ = make_label(QString(), "muted", ways_);
  way_text_->setWordWrap(true);
  ways->addWidget(way_text_);
  column->addWidget(ways_);
  together_->setChecked(true);
  connect(together_, &QToolButton::clicked, this, [this] {
    update_ways();
    emit each_chosen(false);
  });
  connect(each_, &QToolButton::clicked, this, [this] {
    update_ways();
    emit each_chosen(true);
  });
  setAccessibleName(tr("Cards that train"));
  update_ways();
  hide();
}

void CardPicker::set_devices(const std::vector<DeviceInfo>& devices) {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  boxes_.clear();
  cards_.clear();
  for (const DeviceInfo& device : devices) {
    if (!device.usable || device.id == "cpu") {
      continue;
    }
    const int row = static_cast<int>(boxes_.size());
    auto* box = new QCheckBox(to_qstring(device.id), this);
    box->setAccessibleName(
        tr("Train on %1, %2").arg(to_qstring(device.id), shown(to_qstring(device.name))));
    grid_->addWidget(box, row, 0);
    grid_->addWidget(make_label(shown(to_qstring(device.name)), "", this), row, 1);
    grid_->addWidget(make_label(format_bytes(device.memory_bytes), "muted", this), row, 2);
    connect(box, &QCheckBox::clicked, this, &CardPicker::tick);
    boxes_.push_back(box);
    cards_.push_back(device.id);
  }
  setVisible(!boxes_.empty());
  show_choice(to_qstring(device_of(chosen_)), each_->isChecked());
}

void CardPicker::show_choice(const QString& device, bool each) {
  try {
    chosen_ = devices_of(device.toStdString());
  } catch (const Error&) {
    chosen_.clear();  // another machine's; Setup says so
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    boxes_[i]->setChecked(std::ranges::find(chosen_, cards_[i]) != chosen_.end());
  }
  (each ? each_ : together_)->setChecked(true);
  update_ways();
}

void CardPicker::tick() {
  chosen_.clear();
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    if (boxes_[i]->isChecked()) {
      chosen_.push_back(cards_[i]);
    }
  }
  update_ways();
  emit device_chosen(to_qstring(device_of(chosen_)));
}

void CardPicker::update_ways() {
  ways_->setVisible(std::ranges::count(boxes_, true, &QCheckBox::isChecked) > 1);
  way_text_->setText(
      each_->isChecked()
          ? tr("The queue trains as many runs at the same time, each on a card of its own.")
          : tr("The cards share the micro-steps of each step (gradient accumulation), so that one "
               "run is faster."));
}

}  // namespace mantissa::gui
