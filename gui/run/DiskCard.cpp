#include "gui/run/DiskCard.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/base/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

DiskCard::DiskCard(const Theme* theme, QWidget* parent) : QFrame(parent) {
  setProperty("card", QStringLiteral("error"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  auto* icon = new QLabel(this);
  bind_icon(icon, Icon::warning, theme, [](const ThemeColors& c) { return c.error; });
  top->addWidget(icon);
  top->addWidget(make_heading(tr("Paused: the disk is full"), this));
  top->addStretch();
  retry_ = new QPushButton(tr("Retry"), this);
  retry_->setAccessibleName(tr("Try to write again"));
  folder_ = new QPushButton(tr("Save to another folder…"), this);
  stop_ = new QPushButton(tr("Stop without saving"), this);
  folder_->setAccessibleName(folder_->text());
  stop_->setAccessibleName(stop_->text());
  for (QPushButton* button : {retry_, folder_, stop_}) {
    top->addWidget(button);
  }
  column->addLayout(top);
  text_ = make_label(QString(), "", this);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(text_);
  hide();
  connect(retry_, &QPushButton::clicked, this, &DiskCard::retry_requested);
  connect(folder_, &QPushButton::clicked, this, &DiskCard::folder_wanted);
  connect(stop_, &QPushButton::clicked, this, &DiskCard::stop_requested);
}

void DiskCard::show_full(const FullDisk& full) {
  text_->setText(
      tr("The folder %1 needs %2 free; it has %3. Nothing is lost: the run continues from here as "
         "soon as there is space.")
          .arg(shown(path_text(full.folder)), format_bytes(full.needed), format_bytes(full.free)));
  folder_->setVisible(full.movable);
  show();
}

QString DiskCard::text() const {
  return text_->text();
}

}  // namespace mantissa::gui
