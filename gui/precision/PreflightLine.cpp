#include "gui/precision/PreflightLine.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/precision/catalogue.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/precision/FixText.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kLongestButton = 250;  ///< pixels; the rest is in its tooltip

QLabel* wrapped_line(const QString& text, const char* role, QWidget* parent) {
  QLabel* label = make_label(text, role, parent);
  label->setWordWrap(true);
  return label;
}

}  // namespace

PreflightLine::PreflightLine(const Finding& finding, const RemedyOf& remedy, const Preset& now,
                             const Theme* theme, QWidget* parent)
    : QWidget(parent) {
  const bool refused = is_refused(finding), warning = is_warning(finding);
  const QString words = finding_text(finding);
  build(words,
        refused   ? Icon::error
        : warning ? Icon::warning
                  : Icon::info,
        refused   ? &ThemeColors::error
        : warning ? &ThemeColors::warning
                  : &ThemeColors::accent,
        theme);
  icon_->setAccessibleName(verdict_text(finding));
  // With the keys of presets, for whoever writes those.
  words_->setToolTip(error_text(finding.message).toHtmlEscaped());
  text_ = QStringLiteral("%1: %2").arg(verdict_text(finding), words);
  add_button(finding, remedy, now);
  explain(finding, now);
}

PreflightLine::PreflightLine(const QString& problem, const Theme* theme, QWidget* parent)
    : QWidget(parent), text_(problem) {
  build(problem, Icon::error, &ThemeColors::error, theme);
}

void PreflightLine::build(const QString& words, Icon icon, QColor ThemeColors::*color,
                          const Theme* theme) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, Space::tiny, 0, Space::tiny);
  row->setSpacing(Space::small);
  icon_ = new QLabel(this);
  bind_icon(
      icon_, icon, theme, [color](const ThemeColors& c) { return c.*color; }, 16);
  row->addWidget(icon_, 0, Qt::AlignTop);
  column_ = new QVBoxLayout;
  column_->setContentsMargins(0, 0, 0, 0);
  column_->setSpacing(0);
  row->addLayout(column_, 1);
  words_ = wrapped_line(words, "", this);
  column_->addWidget(words_);
}

void PreflightLine::add_button(const Finding& finding, const RemedyOf& remedy, const Preset& now) {
  button_ = new QPushButton(this);
  button_->setProperty("kind", QStringLiteral("link"));
  button_->setCursor(Qt::PointingHandCursor);
  QString name;
  const Remedy helps = remedy ? remedy(finding) : Remedy{};
  if (has_fix(finding)) {
    name = change_text(finding.fix_json);
    button_->setToolTip(tr("%1\nApplied as an edit, which Undo takes back")
                            .arg(changes_text(finding.fix_json, now))
                            .toHtmlEscaped());
    connect(button_, &QPushButton::clicked, this,
            [this, patch = to_qstring(finding.fix_json), id = to_qstring(finding.id)] {
              emit fix_requested(patch, id);
            });
  } else if (!helps.text.isEmpty()) {
    name = helps.text;
    connect(button_, &QPushButton::clicked, this, helps.act);
  } else if (!finding.fields.empty()) {
    name = tr("Show");
    connect(button_, &QPushButton::clicked, this,
            [this, field = to_qstring(finding.fields.front())] { emit field_requested(field); });
  }
  button_->setText(button_->fontMetrics().elidedText(name, Qt::ElideRight, kLongestButton));
  button_->setAccessibleName(tr("%1: %2").arg(name, words_->text()));
  button_->setVisible(!name.isEmpty());
}

void PreflightLine::explain(const Finding& finding, const Preset& now) {
  auto* links = new QHBoxLayout;
  links->setSpacing(Space::medium);
  links->addWidget(button_);
  column_->addLayout(links);
  QStringList why;
  if (const CatalogueEntry* entry = find_catalogue_entry(finding.id)) {
    why << QCoreApplication::translate("catalogue", std::string(entry->cause).c_str());
  }
  if (has_fix(finding)) {
    why << changes_text(finding.fix_json, now);
  }
  if (!why.isEmpty()) {
    auto* toggle = new QPushButton(tr("Why?"), this);
    toggle->setProperty("kind", QStringLiteral("link"));
    toggle->setCursor(Qt::PointingHandCursor);
    toggle->setAccessibleName(tr("Why: %1").arg(words_->text()));
    connect(toggle, &QPushButton::clicked, this, [this] { set_open(!is_open()); });
    links->addWidget(toggle);
    why_ = wrapped_line(why.join(QLatin1Char('\n')), "muted", this);
    why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    why_->hide();
    column_->addWidget(why_);
    // The sentence itself opens it too.
    words_->setCursor(Qt::PointingHandCursor);
    words_->installEventFilter(this);
  }
  links->addStretch();
}

bool PreflightLine::is_open() const {
  return why_ != nullptr && !why_->isHidden();
}

void PreflightLine::set_open(bool open) {
  if (why_ != nullptr && open != is_open()) {
    why_->setVisible(open);
    if (open) {
      emit opened();
    }
  }
}

bool PreflightLine::eventFilter(QObject* watched, QEvent* event) {
  if (watched == words_ && event->type() == QEvent::MouseButtonRelease &&
      static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
    set_open(!is_open());
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace mantissa::gui
