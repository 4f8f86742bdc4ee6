#include "gui/tools/ToolsPage.h"

#include <QAction>
#include <QDir>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/core/error.h"
#include "engine/preset/family_table.h"
#include "engine/readers/verdict_text.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/OpenFolder.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kListWidth = 170, kFormWidth = 760, kResultLeast = 240;

/// As high as its form where there is room, so that the buttons stand below it.
class FormArea : public ColumnArea {
 public:
  using ColumnArea::ColumnArea;
  QSize sizeHint() const override {
    return {ColumnArea::sizeHint().width(), widget()->heightForWidth(viewport()->width())};
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    ColumnArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) {
      updateGeometry();
    }
  }
};

}  // namespace

ToolsPage::ToolsPage(const Theme* theme, QWidget* parent) : Page(parent), theme_(theme) {
  task_ = new ToolTask(this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::medium);
  row->addWidget(build_list());
  row->addWidget(build_work(), 3);
  row->addWidget(build_result(), 2);
  setAcceptDrops(true);
  connect(task_, &ThreadTask::changed, this, &ToolsPage::update_buttons);
  connect(task_, &ThreadTask::progressed, this, [this](qint64 done, qint64 total) {
    clock_.advance(RunPhase::loading, done, total);
    show_progress();
  });
  connect(task_, &ToolTask::finished, this, &ToolsPage::show_result);
  connect(task_, &ThreadTask::failed, this,
          [this](const Message& message) { say(tool_text(message), "error"); });
  auto* find = new QAction(this);
  find->setShortcut(QKeySequence::Find);
  connect(find, &QAction::triggered, this, [this] {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
  });
  addAction(find);
  tools_->setCurrentRow(0);
  update_buttons();
}

QWidget* ToolsPage::build_list() {
  auto* box = new QWidget(this);
  box->setFixedWidth(kListWidth);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  search_ = new QLineEdit(box);
  search_->setPlaceholderText(tr("Search (Ctrl+F)"));
  search_->setAccessibleName(tr("Search tools and their options"));
  add_clear_button(search_, tr("Clear the search"));
  column->addWidget(search_);
  tools_ = new QListWidget(box);
  tools_->setAccessibleName(tr("Tools"));
  tools_->setSpacing(3);
  column->addWidget(tools_, 1);
  connect(search_, &QLineEdit::textChanged, this, &ToolsPage::filter);
  connect(tools_, &QListWidget::currentRowChanged, this, [this](int at) {
    if (at >= 0) {
      show_form(at);
      if (said_ != nullptr && said_->property("role") == QLatin1String("error")) {
        of_->setText(tr("Result"));
        say(tr("The result of a tool is shown here."), "muted");  // it was of another tool
      }
      update_buttons();
    }
  });
  return box;
}

QWidget* ToolsPage::build_work() {
  auto* card = make_card(this);
  card->setMaximumWidth(kFormWidth);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, 0, 0, Space::medium);
  column->setSpacing(Space::small);
  forms_ = new QStackedWidget(card);
  for (ToolRow& tool : tool_table()) {
    auto* item = new QListWidgetItem(message_text(tool.title), tools_);
    item->setToolTip(tool_text(tool.summary).toHtmlEscaped());
    places_.push_back({std::move(tool)});
  }
  forms_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  column->addWidget(forms_, 1);
  auto* work = new QHBoxLayout;
  work->setContentsMargins(Space::medium, 0, Space::medium, 0);
  work->setSpacing(Space::small);
  start_ = new QPushButton(card);
  set_property(start_, "kind", QStringLiteral("primary"));
  work->addWidget(start_);
  cancel_ = new QPushButton(tr("Cancel"), card);
  cancel_->setAccessibleName(tr("Cancel the tool"));
  work->addWidget(cancel_);
  bar_ = new QProgressBar(card);
  bar_->setTextVisible(false);
  bar_->setAccessibleName(tr("Progress of the tool"));
  keep_room(bar_);
  work->addWidget(bar_, 1);
  column->addLayout(work);
  progress_ = make_label(QString(), "muted", card);
  progress_->setWordWrap(true);
  progress_->setContentsMargins(Space::medium, 0, Space::medium, 0);
  progress_->setMinimumHeight(fontMetrics().lineSpacing());
  column->addWidget(progress_);
  column->addStretch();
  connect(start_, &QPushButton::clicked, this, &ToolsPage::start);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    task_->cancel();
    say(tr("Cancelled; nothing was written."), "muted");
  });
  return card;
}

/// Made when its tool is first shown: together they are as much as a page.
void ToolsPage::make_form(Place& place) {
  auto* area = new FormArea(tr("Options: %1").arg(message_text(place.row.title)), forms_);
  area->setFocusPolicy(Qt::NoFocus);
  place.form = new ToolForm(place.row, theme_, area->viewport());
  place.form->setProperty("flat", QStringLiteral("true"));
  connect(place.form, &ToolForm::changed, this, &ToolsPage::update_buttons);
  area->set_column(place.form);
  place.area = area;
  forms_->addWidget(area);
}

void ToolsPage::show_form(int at) {
  Place& chosen = places_[static_cast<std::size_t>(at)];
  if (chosen.form == nullptr) {
    make_form(chosen);
  }
  // The stack is as high as the form that it shows, whichever were shown before.
  for (const Place& place : places_) {
    if (place.area != nullptr) {
      place.area->setSizePolicy(QSizePolicy::Preferred, place.area == chosen.area
                                                            ? QSizePolicy::Preferred
                                                            : QSizePolicy::Ignored);
    }
  }
  forms_->setCurrentWidget(chosen.area);
}

QWidget* ToolsPage::build_result() {
  auto* card = make_card(this);
  card->setMinimumWidth(kResultLeast);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  of_ = make_heading(tr("Result"), card);
  column->addWidget(of_);
  said_ = make_label(tr("The result of a tool is shown here."), "muted", card);
  said_->setWordWrap(true);
  said_->setAccessibleName(tr("Result"));
  said_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(said_);
  notices_ = make_label(QString(), "warning", card);
  notices_->setWordWrap(true);
  notices_->hide();
  column->addWidget(notices_);
  rows_ = new QTableWidget(0, 2, card);
  rows_->setAccessibleName(tr("What the file holds"));
  rows_->setProperty("rows", QStringLiteral("true"));
  rows_->setShowGrid(false);
  rows_->setWordWrap(true);
  rows_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
  rows_->horizontalHeader()->hide();
  rows_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  rows_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
  rows_->verticalHeader()->hide();
  rows_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  rows_->hide();
  column->addWidget(rows_, 1);
  column->addStretch();
  open_ = new QPushButton(tr("Open folder"), card);
  open_->setAccessibleName(tr("Open the folder of the result"));
  open_->hide();
  column->addWidget(open_, 0, Qt::AlignLeft);
  connect(open_, &QPushButton::clicked, this, [this] {
    if (const QString why = open_folder(written_); !why.isEmpty()) {
      emit problem(why);
    }
  });
  return card;
}

std::vector<Page::Look> ToolsPage::looks() {
  std::vector<Look> looks;
  for (int at = 1; at < tools_->count(); ++at) {
    const std::string_view name = places_[static_cast<std::size_t>(at)].row.name;
    looks.push_back({QStringLiteral("tools-%1").arg(to_qstring(name)), [this, at] {
                       tools_->setCurrentRow(at);
                       return true;
                     }});
  }
  looks.push_back({QStringLiteral("tools-merge"), [this] {
                     tools_->setCurrentRow(0);
                     return true;
                   }});
  return looks;
}

ToolForm* ToolsPage::form() const {
  return places_[static_cast<std::size_t>(tools_->currentRow())].form;
}

void ToolsPage::show_tool(Tool tool) {
  const auto found =
      std::ranges::find_if(places_, [tool](const Place& p) { return p.row.tool == tool; });
  tools_->setCurrentRow(static_cast<int>(found - places_.begin()));
}

/// Tools whose words hold all that are typed, as said in the window or on the command line.
void ToolsPage::filter(const QString& words) {
  const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  int first = -1;
  for (int at = 0; at < tools_->count(); ++at) {
    const ToolRow& row = places_[static_cast<std::size_t>(at)].row;
    QString text = to_qstring(row.name) + message_text(row.title) + message_text(row.summary);
    for (const ToolOption& option : row.options) {
      text += QLatin1Char(' ') + to_qstring(option.name) + QLatin1Char(' ') +
              message_text(option.label) + QLatin1Char(' ') + message_text(option.help);
    }
    const bool found = std::ranges::all_of(
        wanted, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    tools_->item(at)->setHidden(!found);
    first = found && first < 0 ? at : first;
  }
  if (first >= 0 && tools_->currentItem()->isHidden()) {
    tools_->setCurrentRow(first);
  }
}

void ToolsPage::update_buttons() {
  const bool busy = task_->is_busy();
  const QString missing = form()->missing();
  start_->setText(message_text(form()->row().title));
  start_->setAccessibleName(start_->text());
  start_->setEnabled(!busy && missing.isEmpty());
  start_->setToolTip(missing);
  cancel_->setEnabled(busy);
  bar_->setVisible(busy);
  if (!busy) {
    progress_->setText(missing);
  }
}

void ToolsPage::start() {
  if (task_->is_busy()) {
    return;
  }
  notices_->hide();
  rows_->hide();
  open_->hide();
  clock_.clear();
  bar_->setRange(0, 0);
  // It stays beside the form of another tool.
  of_->setText(tr("Result: %1").arg(message_text(form()->row().title)));
  try {
    const ToolRequest request = form()->request();
    say(tr("%1: working…").arg(message_text(form()->row().title)), "muted");
    task_->start(form()->row().tool, request);
    progress_->clear();
  } catch (const Error& e) {
    say(tool_text(e.message()), "error");
  }
}

void ToolsPage::show_progress() {
  bar_->setRange(0, static_cast<int>(clock_.total()));
  bar_->setValue(static_cast<int>(clock_.done()));
  QString text = tr("%1 of %2 weights").arg(step_text(clock_.done()), step_text(clock_.total()));
  if (const double left = clock_.remaining(); left >= 1) {
    text += QStringLiteral(" · ") + tr("ETA %1").arg(format_duration(left));
  }
  progress_->setText(text);
}

void ToolsPage::show_result(const ToolResult& result) {
  written_ = to_qstring(result.path);
  const QString summary = tool_text(result.summary);
  say(written_.isEmpty() ? summary : QStringLiteral("%1: %2").arg(summary, shown(written_)), "");
  open_->setVisible(!written_.isEmpty());
  QStringList notices;
  for (const Message& notice : result.notices) {
    notices << tool_text(notice);
  }
  notices_->setText(notices.join(QLatin1Char('\n')));
  notices_->setVisible(!notices.isEmpty());
  show_rows(result);
}

namespace {

/// The value of one of a tool's own rows, in the window's names.
QString fact_text(const Message& name, const Message& value) {
  const std::string& row = name.source();
  const FamilyRow* family = row == "Family" ? find_family_row(value.text()) : nullptr;
  return family != nullptr ? to_qstring(family->title)
         : row == "Holds"  ? capitalised(message_text(value))
         : row == "Parameters" || row == "Tensors"
             ? QLocale().toString(QString::fromStdString(value.text()).toLongLong())
             : plain_words(message_text(value));
}

}  // namespace

void ToolsPage::show_rows(const ToolResult& result) {
  rows_->setRowCount(0);
  const auto add = [this](const QString& name, const QString& value) {
    const int at = rows_->rowCount();
    rows_->insertRow(at);
    rows_->setItem(at, 0, new QTableWidgetItem(name));
    rows_->setItem(at, 1, new QTableWidgetItem(value));
    rows_->item(at, 1)->setToolTip(value.toHtmlEscaped());
  };
  for (const auto& [name, value] : result.rows) {
    // What the file says for itself stays as it is.
    const bool own = name.kind() == Message::Kind::verbatim;
    add(message_text(name), own ? message_text(value) : fact_text(name, value));
  }
  for (const ReaderVerdict& verdict : result.verdicts) {
    add(verdict.works() ? tr("Works") : tr("Fails"), tool_text(verdict_message(verdict)));
  }
  rows_->setVisible(rows_->rowCount() > 0);
}

void ToolsPage::say(const QString& text, const char* role) {
  set_property(said_, "role", QString::fromLatin1(role));
  said_->setText(text);
}

QString ToolsPage::said() const {
  return said_->text();
}

void ToolsPage::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  if (std::ranges::any_of(urls, [](const QUrl& url) { return url.isLocalFile(); })) {
    event->acceptProposedAction();
  }
}

void ToolsPage::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) {
      form()->take_file(QDir::toNativeSeparators(url.toLocalFile()));
    }
  }
  event->acceptProposedAction();
}

}  // namespace mantissa::gui
