#include "gui/precision/FindingCard.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/app/Text.h"
#include "gui/widgets/Parts.h"

namespace mantissa {

FindingCard::FindingCard(const Finding& finding, const Theme* theme, QWidget* parent)
    : QFrame(parent) {
  const bool refused = finding.verdict == "refused", warning = finding.verdict == "warning";
  setProperty("card", refused ? QStringLiteral("error") : QStringLiteral("true"));
  const Icon icon = refused ? Icon::error : warning ? Icon::warning : Icon::info;
  const QString verdict = refused                         ? tr("Refused")
                          : warning                       ? tr("Warning")
                          : finding.verdict == "adjusted" ? tr("Adjusted")
                                                          : tr("Works");
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::small, Space::small, Space::small, Space::small);
  column->setSpacing(Space::tiny);
  auto* top = new QHBoxLayout;
  auto* picture = new QLabel(this);
  bind_icon(picture, icon, theme, [=](const ThemeColors& c) {
    return refused ? c.error : warning ? c.warning : c.accent;
  });
  top->addWidget(picture);
  top->addWidget(
      make_heading(QStringLiteral("%1 · %2").arg(to_qstring(finding.id), verdict), this));
  top->addStretch();
  column->addLayout(top);
  auto* message = make_label(to_qstring(finding.message), "", this);
  message->setWordWrap(true);
  message->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(message);
  for (const std::string& field : finding.fields) {
    const QString key = to_qstring(field);
    auto* link = new QToolButton(this);
    link->setProperty("kind", QStringLiteral("disclosure"));
    link->setText(key);
    link->setAccessibleName(tr("Show the setting %1").arg(key));
    column->addWidget(link, 0, Qt::AlignLeft);
    connect(link, &QToolButton::clicked, this, [this, key] { emit field_requested(key); });
  }
  if (!finding.fix_json.empty() && finding.fix_json != "{}") {
    const QString patch = to_qstring(finding.fix_json), id = to_qstring(finding.id);
    auto* fix = new QPushButton(tr("Fix: %1").arg(patch), this);
    fix->setAccessibleName(tr("Apply the fix of %1").arg(id));
    column->addWidget(fix, 0, Qt::AlignLeft);
    connect(fix, &QPushButton::clicked, this, [this, patch, id] { emit fix_requested(patch, id); });
  }
}

}  // namespace mantissa
