#include "gui/app/SetupPage.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/engine/AppSettings.h"
#include "gui/precision/PlanWatcher.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/PreflightList.h"
#include "gui/precision/ProbeView.h"
#include "gui/precision/RateTestView.h"
#include "gui/preset/FieldRow.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/PresetTextView.h"
#include "gui/preset/SchemaForm.h"
#include "gui/preset/SearchWords.h"
#include "gui/run/JobPanel.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kSideWidth = 392, kLeastSideWidth = 330, kMostSideWidth = 1800;
constexpr int kTwoColumns = 960;  ///< of the side, from which its cards stand side by side
constexpr int kLeastSearch = 80;  ///< beside what was found, where there is hardly room
constexpr int kFormWidth = 760;   ///< of readable rows; beside them the paths take the rest

}  // namespace

SetupPage::SetupPage(PresetDocument* document, AppSettings* settings, const PlanWatcher* watcher,
                     PathChooser choose_file, SettingsReader* reader, const Theme* theme,
                     QWidget* parent)
    : Page(parent), document_(document), settings_(settings), watcher_(watcher) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::large);

  left_ = new QWidget(this);
  auto* left = new QVBoxLayout(left_);
  left->setContentsMargins(0, 0, 0, 0);
  left->setSpacing(Space::medium);
  head_ = new QBoxLayout(QBoxLayout::LeftToRight);
  head_->setSpacing(Space::small);
  head_->addLayout(build_chips());
  search_box_ = build_search(theme);
  head_->addWidget(search_box_, 1);
  left->addLayout(head_);

  stack_ = new QStackedWidget(left_);
  form_ = new SchemaForm(document, theme, stack_);
  text_ = new PresetTextView(document, theme, stack_);
  diff_ = new PresetDiff(document, std::move(choose_file), reader, theme, stack_);
  probe_ = new ProbeView(document, theme, stack_);
  rates_ = new RateTestView(document, theme, stack_);
  // In the order of View.
  for (QWidget* view : std::initializer_list<QWidget*>{form_, text_, diff_, probe_, rates_}) {
    stack_->addWidget(view);
  }
  left->addWidget(stack_, 1);
  row->addWidget(left_, 1);
  row->addWidget(build_side(settings, document, theme));
  row->addStretch();

  connect_parts();
  add_rate_button();
  load_ignored();
  show_view(form_view);
}

QLayout* SetupPage::build_chips() {
  auto* chips = new QHBoxLayout;
  chips->setSpacing(Space::small);
  views_ = new QButtonGroup(this);
  const std::pair<QString, QString> views[] = {
      {tr("Form"),
       tr("The preset as a form.\nGood: nothing in the preflight blocks Start.\nThe search finds a "
          "setting; its ? explains it.")},
      {tr("Text"),
       tr("The preset as text (Ctrl+E).\nTo read, copy, paste and edit; a mistake is marked where "
          "it is.")},
      {tr("Compare"),
       tr("The preset beside the defaults, another preset or a run (Ctrl+D).\nUse takes over "
          "a single value.")},
      {tr("Probe"),
       tr("The layers that this precision damages (Ctrl+P).\nGood: a gradient cosine near 1 for "
          "all.\nPin the layers that are suggested; Find types compares memory with error.")},
      {tr("Rate"),
       tr("Loss against learning rate.\nGood: a curve that falls, then rises steeply.\nUse the "
          "suggestion; without one, test more steps or a wider range.")}};
  int id = 0;
  for (const auto& [name, tip] : views) {
    auto* button = new QToolButton(this);
    button->setText(name);
    explain(button, tip);
    button->setAccessibleName(summary_of(tip));
    button->setCheckable(true);
    button->setProperty("kind", QStringLiteral("chip"));
    views_->addButton(button, id++);
    chips->addWidget(button);
  }
  chips->addStretch();
  connect(views_, &QButtonGroup::idClicked, this,
          [this](int view) { show_view(static_cast<View>(view)); });
  return chips;
}

void SetupPage::connect_parts() {
  connect(search_, &QLineEdit::textChanged, form_, &SchemaForm::set_filter);
  connect(form_, &SchemaForm::filter_dropped, search_, &QLineEdit::clear);
  connect(form_, &SchemaForm::filtered, this, [this](int rows) {
    say_found(form_->filter().trimmed().isEmpty() ? QString() : tr("%n found", nullptr, rows));
  });
  connect(precision_, &PrecisionPanel::field_requested, this, [this](const QString& key) {
    if (QWidget* field = job_->field(key)) {
      field->setFocus(Qt::OtherFocusReason);
      return;
    }
    show_view(form_view);
    search_->clear();
    form_->jump_to(key);
  });
  connect(precision_, &PrecisionPanel::ignored_changed, this, [this] {
    settings_->set_ignored_warnings(document_->identity(), precision_->ignored());
  });
  connect(precision_, &PrecisionPanel::probe_requested, this, [this] { show_view(probe_view); });
  connect(document_, &PresetDocument::title_changed, this, &SetupPage::load_ignored);
}

/// The field gives the room: what the row needs stays the same.
void SetupPage::say_found(const QString& text) {
  found_->setText(text);
  found_->setVisible(!text.isEmpty());
  const int taken = text.isEmpty() ? 0 : found_->sizeHint().width() + Space::small;
  search_->setMinimumWidth(std::max(kLeastSearch, search_width_ - taken));
}

void SetupPage::add_rate_button() {
  FieldRow* row = form_->row(QStringLiteral("optimizer.learning_rate"));
  rate_button_ = new QPushButton(tr("Test learning rates…"), row);
  rate_button_->setToolTip(tr("A short run with a growing learning rate, which suggests one"));
  rate_button_->setAccessibleName(rate_button_->toolTip());
  auto* below = new QWidget(row);  // as wide as its text, not as the row
  auto* line = new QHBoxLayout(below);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(rate_button_);
  line->addStretch();
  row->add_below(below);
  connect(rate_button_, &QPushButton::clicked, this, [this] {
    show_view(rate_view);
    rates_->run_button()->setFocus(Qt::OtherFocusReason);
  });
}

QWidget* SetupPage::build_search(const Theme* theme) {
  auto* box = new QWidget(this);
  auto* top = new QHBoxLayout(box);
  top->setContentsMargins(0, 0, 0, 0);
  top->setSpacing(Space::small);
  search_ = new QLineEdit(box);
  search_->setPlaceholderText(tr("Search settings"));
  search_->setToolTip(tr("Search settings (Ctrl+K)"));
  constexpr int kAround = 64;  // icon, button and frame beside what is said
  search_width_ = fontMetrics().horizontalAdvance(search_->placeholderText()) + kAround;
  search_->setMinimumWidth(search_width_);
  search_->setAccessibleName(tr("Search settings"));
  add_clear_button(search_, tr("Clear the search"));
  auto* glass = search_->addAction(QIcon(), QLineEdit::LeadingPosition);
  const auto dress = [=] { glass->setIcon(make_icon(Icon::search, theme->colors().muted)); };
  dress();
  connect(theme, &Theme::changed, glass, dress);
  for (QToolButton* button : search_->findChildren<QToolButton*>()) {
    if (button->accessibleName().isEmpty()) {
      button->setAccessibleName(tr("Search settings"));
      button->setToolTip(search_->toolTip());
    }
  }
  top->addWidget(search_, 1);
  found_ = make_label(QString(), "muted", box);
  found_->hide();
  top->addWidget(found_);
  top->addWidget(add_state_chip(SettingState::modified, tr("Modified"),
                                tr("Show only changed settings"), box));
  top->addWidget(add_state_chip(SettingState::advanced, tr("Advanced"),
                                tr("Show only advanced settings"), box));
  auto* leave = new QAction(this);
  leave->setShortcut(Qt::Key_Escape);
  leave->setShortcutContext(Qt::WidgetShortcut);
  search_->addAction(leave);
  connect(leave, &QAction::triggered, search_, &QLineEdit::clear);
  return box;
}

QToolButton* SetupPage::add_state_chip(SettingState state, const QString& name, const QString& tip,
                                       QWidget* box) {
  auto* button = new QToolButton(box);
  button->setText(name);
  button->setCheckable(true);
  button->setProperty("kind", QStringLiteral("chip"));
  button->setAccessibleName(tip);
  button->setToolTip(tr("%1, as %2 in the search does").arg(tip, state_word(state)));
  const auto is_it = [state](const QString& word) { return state_of_word(word) == state; };
  connect(button, &QToolButton::clicked, this, [this, state, is_it](bool on) {
    QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    words.removeIf(is_it);
    if (on) {
      words << state_word(state);
    }
    search_->setText(words.join(QLatin1Char(' ')));
  });
  connect(search_, &QLineEdit::textChanged, button, [button, is_it](const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '));
    button->setChecked(std::any_of(words.begin(), words.end(), is_it));
  });
  return button;
}

QWidget* SetupPage::build_side(AppSettings* settings, PresetDocument* document,
                               const Theme* theme) {
  auto* box = side_ = new QWidget(this);
  box->setFixedWidth(kSideWidth);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::medium);
  area_ = new ColumnArea(tr("Paths and preflight"), box);
  auto* side = new QWidget(area_->viewport());
  side->setProperty("flat", QStringLiteral("true"));
  cards_ = new QBoxLayout(QBoxLayout::TopToBottom, side);
  cards_->setContentsMargins(0, 0, 0, 0);
  cards_->setSpacing(Space::medium);
  job_ = new JobPanel(settings, theme, side);
  const auto ask_for_images = [this, document] {
    job_->set_needs_images(!trains_own_images(document->preset()));
  };
  connect(document, &PresetDocument::changed, this, ask_for_images);
  ask_for_images();
  precision_ = new PrecisionPanel(document, theme, side);
  precision_->set_remedies([this](const Finding& finding) { return job_->remedy(finding); });
  cards_->addWidget(job_, 0, Qt::AlignTop);
  cards_->addWidget(precision_, 0, Qt::AlignTop);
  cards_->addStretch();
  area_->set_column(side);
  // Above what scrolls: always in sight, and as wide.
  list_row_ = new QHBoxLayout;
  list_row_->addWidget(precision_->list());
  column->addLayout(list_row_);
  area_->viewport()->installEventFilter(this);
  column->addWidget(area_, 1);
  return box;
}

bool SetupPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == area_->viewport() && event->type() == QEvent::Resize) {
    const QRect inside = area_->viewport()->geometry();
    list_row_->setContentsMargins(inside.left(), 0, area_->width() - 1 - inside.right(), 0);
  }
  return Page::eventFilter(watched, event);
}

/// With the chips above the search, not beside it.
QSize SetupPage::minimumSizeHint() const {
  const int left =
      std::max(head_->itemAt(0)->minimumSize().width(), search_box_->minimumSizeHint().width());
  const QMargins around = layout()->contentsMargins();
  return {around.left() + left + Space::large + kLeastSideWidth + around.right(),
          Page::minimumSizeHint().height()};
}

void SetupPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  precision_->list()->set_room(height());
  share_width();
}

void SetupPage::share_width() {
  const int least = std::clamp(width() * 36 / 100, kLeastSideWidth, kSideWidth);
  const int rest = width() - kFormWidth - Space::large;
  const bool rows = view() == form_view;
  left_->setMaximumWidth(rows ? kFormWidth : QWIDGETSIZE_MAX);
  side_->setFixedWidth(rows ? std::clamp(rest, least, kMostSideWidth) : least);
  const bool two = side_->width() >= kTwoColumns;
  cards_->setDirection(two ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  for (int card = 0; card < 2; ++card) {
    cards_->setStretch(card, two ? 1 : 0);
  }
  cards_->setStretch(2, two ? 0 : 1);
  const int beside = width() - side_->width() - Space::large;
  const int room = rows ? std::min(beside, kFormWidth) : beside;
  // With the room for what is found, so that nothing moves when it is said.
  const int found =
      fontMetrics().horizontalAdvance(tr("%n found", nullptr, 999)) + 2 * Space::small;
  const bool one_row = head_->itemAt(0)->minimumSize().width() + Space::small +
                           search_box_->minimumSizeHint().width() + found <=
                       room;
  head_->setDirection(one_row ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

bool SetupPage::is_loading() const {
  return watcher_ != nullptr && watcher_->is_busy();
}

void SetupPage::show_view(View view) {
  stack_->setCurrentIndex(view);
  views_->button(view)->setChecked(true);
  search_box_->setVisible(view == form_view);  // it searches the form alone
  share_width();
  emit view_changed();
}

std::vector<Page::Look> SetupPage::looks() {
  const auto look = [this](const char* id, View view) {
    return Look{QString::fromLatin1(id), [this, view] {
                  show_view(view);
                  return true;
                }};
  };
  return {look("setup-text", text_view), look("setup-compare", diff_view),
          look("setup-probe", probe_view), look("setup-rate", rate_view),
          look("setup-form", form_view)};
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
