#include "gui/precision/FindingCard.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "engine/precision/catalogue.h"
#include "engine/preset/schema.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/FixText.h"
#include "gui/preset/SchemaText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

QLabel* wrapped(const QString& text, const char* role, QWidget* parent) {
  QLabel* label = make_label(text, role, parent);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

QString field_label(const QString& key) {
  return setting_label(key);
}

QString finding_text(const Finding& finding) {
  return plain_text(finding.message);
}

QString verdict_text(const Finding& finding) {
  return is_refused(finding)                    ? FindingCard::tr("Refused")
         : is_warning(finding)                  ? FindingCard::tr("Warning")
         : finding.verdict == Verdict::adjusted ? FindingCard::tr("Adjusted")
                                                : FindingCard::tr("Works");
}

FindingCard::FindingCard(const Finding& finding, const Preset& now, const Theme* theme,
                         QWidget* parent)
    : QFrame(parent), id_(to_qstring(finding.id)) {
  const bool refused = is_refused(finding), warning = is_warning(finding);
  const bool adjusted = finding.verdict == Verdict::adjusted;
  // An id is for looking up in the catalogue: what isn't there is called by its text.
  const CatalogueEntry* entry = find_catalogue_entry(finding.id);
  name_ = entry != nullptr ? id_ : finding_text(finding);
  setProperty("card", refused ? QStringLiteral("error") : QStringLiteral("true"));
  const Icon icon = refused ? Icon::error : warning ? Icon::warning : Icon::info;
  const QString verdict = verdict_text(finding);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::medium, Space::small, Space::small, Space::small);
  column->setSpacing(Space::tiny);

  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  auto* icon_label = new QLabel(this);
  bind_icon(icon_label, icon, theme, [=](const ThemeColors& c) {
    return refused ? c.error : warning ? c.warning : c.accent;
  });
  top->addWidget(icon_label);
  top->addWidget(
      make_heading(entry == nullptr ? verdict : QStringLiteral("%1 · %2").arg(verdict, id_), this));
  top->addStretch();
  column->addLayout(top);

  column->addWidget(wrapped(finding_text(finding), "", this));
  if (entry != nullptr) {
    column->addWidget(wrapped(tr("Why: %1").arg(QCoreApplication::translate(
                                  "catalogue", std::string(entry->cause).c_str())),
                              "muted", this));
  }
  auto* links = new QGridLayout;
  links->setHorizontalSpacing(Space::large);
  links->setVerticalSpacing(0);
  links->setColumnStretch(2, 1);
  column->addLayout(links);
  int placed = 0;
  for (const std::string& field : finding.fields) {
    const QString key = to_qstring(field);
    if (find_setting(field) == nullptr) {
      continue;
    }
    auto* link = new QPushButton(this);
    link->setProperty("kind", QStringLiteral("link"));
    link->setText(setting_label(key));
    link->setToolTip(tr("Show “%1” in the form").arg(setting_label(key)));
    link->setAccessibleName(tr("Show the setting “%1”").arg(setting_label(key)));
    link->setCursor(Qt::PointingHandCursor);
    links->addWidget(link, placed / 2, placed % 2, Qt::AlignLeft);
    ++placed;
    connect(link, &QPushButton::clicked, this, [this, key] { emit field_requested(key); });
  }

  const nlohmann::json patch = nlohmann::json::parse(finding.fix_json, nullptr, false);
  const bool fixable = patch.is_object() && !patch.empty();
  if (fixable) {
    column->addWidget(wrapped(changes_text(finding.fix_json, now), "", this));
  }
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(Space::small);
  if (fixable) {
    const QString text = to_qstring(finding.fix_json);
    auto* fix =
        new QPushButton(adjusted ? tr("Write into the preset") : tr("Apply this fix"), this);
    fix->setAccessibleName(tr("Apply the fix for %1").arg(name_));
    buttons_->addWidget(fix);
    connect(fix, &QPushButton::clicked, this,
            [this, text, id = id_] { emit fix_requested(text, id); });
  }
  buttons_->addStretch();
  column->addLayout(buttons_);
}

void FindingCard::offer(const Remedy& remedy) {
  if (remedy.text.isEmpty()) {
    return;
  }
  auto* button = new QPushButton(remedy.text, this);
  button->setAccessibleName(remedy.text);
  buttons_->insertWidget(0, button);
  connect(button, &QPushButton::clicked, this, remedy.act);
}

void FindingCard::offer_ignore() {
  auto* ignore = new QPushButton(tr("Ignore for this preset"), this);
  ignore->setAccessibleName(tr("Ignore the warning %1 for this preset").arg(name_));
  buttons_->insertWidget(buttons_->count() - 1, ignore);
  connect(ignore, &QPushButton::clicked, this, [this] { emit ignore_requested(id_); });
}

}  // namespace mantissa::gui
