#include "gui/app/SetupPage.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/engine/AppSettings.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/PresetTextView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

SetupPage::SetupPage(PresetDocument* document, AppSettings* settings, const PlanWatcher* watcher,
                     PathChooser choose_file, const Theme* theme, QWidget* parent)
    : Page(parent), document_(document), settings_(settings), watcher_(watcher) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::large);

  auto* left = new QVBoxLayout;
  left->setSpacing(Space::medium);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  views_ = new QButtonGroup(this);
  const std::pair<QString, QString> views[] = {
      {tr("Form"), tr("The preset as a form")},
      {tr("Text"), tr("The preset as text, to read, copy, paste and edit (Ctrl+E)")},
      {tr("Compare"), tr("The preset beside the defaults or another one (Ctrl+D)")}};
  int id = 0;
  for (const auto& [name, tip] : views) {
    auto* button = new QToolButton(this);
    button->setText(name);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(true);
    button->setProperty("kind", QStringLiteral("chip"));
    views_->addButton(button, id++);
    top->addWidget(button);
  }
  connect(views_, &QButtonGroup::idClicked, this,
          [this](int view) { show_view(static_cast<View>(view)); });
  top->addSpacing(Space::small);
  search_box_ = build_search(theme);
  top->addWidget(search_box_, 1);
  left->addLayout(top);

  form_ = new SchemaForm(document, theme, this);
  text_ = new PresetTextView(document, theme, this);
  diff_ = new PresetDiff(document, std::move(choose_file), theme, this);
  stack_ = new QStackedWidget(this);
  // In the order of View.
  for (QWidget* view : std::initializer_list<QWidget*>{form_, text_, diff_}) {
    stack_->addWidget(view);
  }
  left->addWidget(stack_, 1);
  row->addLayout(left, 1);
  row->addWidget(build_side(settings, document, theme));

  connect(search_, &QLineEdit::textChanged, form_, &SchemaForm::set_filter);
  connect(form_, &SchemaForm::filtered, this, [this](int rows) {
    found_->setText(form_->filter().trimmed().isEmpty() ? QString()
                                                        : tr("%n found", nullptr, rows));
  });
  connect(precision_, &PrecisionPanel::field_requested, this, [this](const QString& key) {
    show_view(form_view);
    search_->clear();
    form_->jump_to(key);
  });
  connect(precision_, &PrecisionPanel::ignored_changed, this, [this] {
    settings_->set_ignored_warnings(document_->identity(), precision_->ignored());
  });
  connect(document_, &PresetDocument::title_changed, this, &SetupPage::load_ignored);
  load_ignored();
  show_view(form_view);
}

QWidget* SetupPage::build_search(const Theme* theme) {
  auto* box = new QWidget(this);
  auto* top = new QHBoxLayout(box);
  top->setContentsMargins(0, 0, 0, 0);
  top->setSpacing(Space::small);
  search_ = new QLineEdit(box);
  search_->setPlaceholderText(tr("Search settings (Ctrl+K)"));
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
  found_ = make_label(QString(), "muted", box);
  top->addWidget(found_);
  for (const char* word : {"@modified", "@advanced"}) {
    const QString query = QString::fromLatin1(word);
    auto* button = new QToolButton(box);
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
  auto* leave = new QAction(this);
  leave->setShortcut(Qt::Key_Escape);
  leave->setShortcutContext(Qt::WidgetShortcut);
  search_->addAction(leave);
  connect(leave, &QAction::triggered, search_, &QLineEdit::clear);
  return box;
}

QWidget* SetupPage::build_side(AppSettings* settings, PresetDocument* document,
                               const Theme* theme) {
  auto* area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setAccessibleName(tr("Paths and preflight"));
  area->setFixedWidth(392);
  auto* side = new QWidget;
  side->setProperty("flat", QStringLiteral("true"));
  auto* right = new QVBoxLayout(side);
  right->setContentsMargins(0, 0, Space::small, 0);
  right->setSpacing(Space::medium);
  job_ = new JobPanel(settings, theme, side);
  precision_ = new PrecisionPanel(document, theme, side);
  right->addWidget(job_);
  right->addWidget(precision_);
  right->addStretch();
  area->setWidget(side);
  return area;
}

bool SetupPage::is_loading() const {
  return watcher_ != nullptr && watcher_->is_busy();
}

void SetupPage::show_view(View view) {
  stack_->setCurrentIndex(view);
  views_->button(view)->setChecked(true);
  search_box_->setEnabled(view == form_view);
}

SetupPage::View SetupPage::view() const {
  return static_cast<View>(stack_->currentIndex());
}

void SetupPage::load_ignored() {
  precision_->set_ignored(settings_->ignored_warnings(document_->identity()));
}

void SetupPage::focus_search() {
  show_view(form_view);
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

}  // namespace mantissa::gui
