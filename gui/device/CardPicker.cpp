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
  for (const auto& [use, text] : {std::pair(CardUse::together, tr("One run on all")),
                                  std::pair(CardUse::each, tr("A run on each")),
                                  std::pair(CardUse::split, tr("One model across all"))}) {
    auto* button = new QToolButton(ways_);
    button->setText(text);
    button->setAccessibleName(text);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setProperty("kind", QStringLiteral("chip"));
    row->addWidget(button);
    buttons_.emplace_back(use, button);
    connect(button, &QToolButton::clicked, this, [this, use] {
      update_ways();
      emit use_chosen(use);
    });
  }
  row->addStretch();
  ways->addLayout(row);
  way_text_ = make_label(QString(), "muted", ways_);
  way_text_->setWordWrap(true);
  ways->addWidget(way_text_);
  column->addWidget(ways_);
  way(CardUse::together)->setChecked(true);
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
  show_choice(to_qstring(device_of(chosen_)), use());
}

void CardPicker::show_choice(const QString& device, CardUse use) {
  try {
    chosen_ = devices_of(device.toStdString());
  } catch (const Error&) {
    chosen_.clear();  // another machine's; Setup says so
  }
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    boxes_[i]->setChecked(std::ranges::find(chosen_, cards_[i]) != chosen_.end());
  }
  way(use)->setChecked(true);
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
  switch (use()) {
    case CardUse::together:
      way_text_->setText(
          tr("The cards share the micro-steps of each step (gradient accumulation), so that one "
             "run is faster."));
      break;
    case CardUse::each:
      way_text_->setText(
          tr("The queue trains as many runs at the same time, each on a card of its own."));
      break;
    case CardUse::split:
      way_text_->setText(
          tr("Each card holds some of the model's layers, so that a model too large for one card "
             "trains. The cards compute one after another: one run, not a faster one."));
      break;
  }
}

QToolButton* CardPicker::way(CardUse use) const {
  return std::ranges::find(buttons_, use, &std::pair<CardUse, QToolButton*>::first)->second;
}

CardUse CardPicker::use() const {
  for (const auto& [use, button] : buttons_) {
    if (button->isChecked()) {
      return use;
    }
  }
  return CardUse::together;
}

}  // namespace mantissa::gui
