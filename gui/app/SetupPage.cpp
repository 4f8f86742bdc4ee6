#include "gui/app/SetupPage.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/Parts.h"

namespace mantissa {

SetupPage::SetupPage(PresetDocument* document, AppSettings* settings, const Theme* theme,
                     QWidget* parent)
    : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::large);

  auto* left = new QVBoxLayout;
  left->setSpacing(Space::medium);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  search_ = new QLineEdit(this);
  search_->setPlaceholderText(tr("Search settings (Ctrl+K), or @modified, @advanced"));
  search_->setAccessibleName(tr("Search settings"));
  search_->setClearButtonEnabled(true);
  for (QToolButton* clear : search_->findChildren<QToolButton*>()) {
    clear->setAccessibleName(tr("Clear the search"));
  }
  auto* glass = search_->addAction(QIcon(), QLineEdit::LeadingPosition);
  const auto dress = [=] { glass->setIcon(make_icon(Icon::search, theme->colors().muted)); };
  dress();
  connect(theme, &Theme::changed, glass, dress);
  for (QToolButton* button : search_->findChildren<QToolButton*>()) {
    if (button->accessibleName().isEmpty()) {
      button->setAccessibleName(tr("Search settings"));
    }
  }
  top->addWidget(search_, 1);
  found_ = make_label(QString(), "muted", this);
  top->addWidget(found_);
  for (const char* word : {"@modified", "@advanced"}) {
    const QString query = QString::fromLatin1(word);
    auto* button = new QToolButton(this);
    button->setText(query);
    button->setCheckable(true);
    button->setProperty("kind", QStringLiteral("chip"));
    button->setAccessibleName(query == QLatin1String("@modified")
                                  ? tr("Show only changed settings")
                                  : tr("Show only advanced settings"));
    top->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, query](bool on) {
      QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
      words.removeAll(query);
      if (on) {
        words << query;
      }
      search_->setText(words.join(QLatin1Char(' ')));
    });
    connect(search_, &QLineEdit::textChanged, button, [button, query](const QString& text) {
      button->setChecked(text.split(QLatin1Char(' ')).contains(query));
    });
  }
  left->addLayout(top);
  form_ = new SchemaForm(document, theme, this);
  left->addWidget(form_, 1);
  row->addLayout(left, 1);

  auto* area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setAccessibleName(tr("Paths and preflight"));
  area->setFixedWidth(372);
  auto* side = new QWidget;
  side->setProperty("flat", QStringLiteral("true"));
  auto* right = new QVBoxLayout(side);
  right->setContentsMargins(0, 0, Space::small, 0);
  right->setSpacing(Space::medium);
  job_ = new JobPanel(settings, theme, side);
  precision_ = new PrecisionPanel(theme, side);
  right->addWidget(job_);
  right->addWidget(precision_);
  right->addStretch();
  area->setWidget(side);
  row->addWidget(area);

  connect(search_, &QLineEdit::textChanged, form_, &SchemaForm::set_filter);
  connect(form_, &SchemaForm::filtered, this, [this](int rows) {
    found_->setText(form_->filter().trimmed().isEmpty() ? QString()
                                                        : tr("%n found", nullptr, rows));
  });
  auto* leave = new QAction(this);
  leave->setShortcut(Qt::Key_Escape);
  leave->setShortcutContext(Qt::WidgetShortcut);
  search_->addAction(leave);
  connect(leave, &QAction::triggered, search_, &QLineEdit::clear);
  connect(precision_, &PrecisionPanel::field_requested, this, [this](const QString& key) {
    search_->clear();
    form_->jump_to(key);
  });
  connect(document, &PresetDocument::changed, precision_, &PrecisionPanel::set_stale);
  connect(job_, &JobPanel::changed, precision_, &PrecisionPanel::set_stale);
}

void SetupPage::focus_search() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

}  // namespace mantissa
