#include "gui/result/ResultView.h"

#include <QBoxLayout>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStyle>
#include <QTableWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/base/Text.h"
#include "gui/plot/Axis.h"
#include "gui/result/ReaderList.h"
#include "gui/result/SamplePairView.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kTwoColumns = 820;    ///< pixels from which the samples have a column of their own
constexpr int kMostRows = 6;        ///< of the files in sight; more scroll
constexpr int kLeastSamples = 240;  ///< pixels of height
constexpr int kFile = 0, kFrom = 1, kSize = 2;

}  // namespace

ResultView::ResultView(const Theme* theme, QWidget* parent) : QWidget(parent), theme_(theme) {
  pool_.setMaxThreadCount(1);
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  stack_ = new QStackedWidget(this);
  outer->addWidget(stack_);
  stack_->addWidget(new EmptyState(
      Icon::check,
      tr("No result yet.\nOnce a run ends, its files, figures and samples are shown here."), theme,
      stack_));
  auto* area = new ColumnArea(tr("Result of the run"), stack_);
  auto* inside = new QWidget(area->viewport());
  inside->setProperty("flat", QStringLiteral("true"));
  across_ = new QBoxLayout(QBoxLayout::LeftToRight, inside);
  across_->setContentsMargins(0, 0, 0, 0);
  across_->setSpacing(Space::medium);
  facts_ = build_facts();
  across_->addWidget(facts_, 1);
  sample_card_ = make_card(inside);
  auto* column = new QVBoxLayout(sample_card_);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  column->addWidget(make_heading(tr("Samples"), sample_card_));
  samples_ = new SamplePairView(sample_card_);
  samples_->setMinimumHeight(kLeastSamples);
  column->addWidget(samples_, 1);
  across_->addWidget(sample_card_, 1);
  area->set_column(inside);
  stack_->addWidget(area);
  connect(theme_, &Theme::changed, this, &ResultView::update_buttons);
  update_buttons();
}

ResultView::~ResultView() {
  pool_.clear();
  pool_.waitForDone();
}

QWidget* ResultView::build_facts() {
  auto* card = make_card(this);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  auto* top = new QHBoxLayout;
  top->setSpacing(Space::small);
  mark_ = new QLabel(card);
  mark_->setFixedSize(18, 18);
  top->addWidget(mark_, 0, Qt::AlignTop);
  title_ = make_heading(QString(), card);
  title_->setWordWrap(true);
  top->addWidget(title_, 1);
  column->addLayout(top);
  figures_ = make_label(QString(), "muted", card);
  figures_->setWordWrap(true);
  figures_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(figures_);
  suggestion_ = make_label(QString(), "", card);
  suggestion_->setWordWrap(true);
  suggestion_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  suggestion_->setToolTip(
      tr("By the validation images, whose noise and times are the same for every checkpoint: the "
         "earliest whose loss is within the error of the lowest. Look at its samples as well."));
  column->addWidget(suggestion_);
  memorising_ = make_label(QString(), "", card);
  memorising_->setWordWrap(true);
  memorising_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  memorising_->setToolTip(
      tr("A run that has memorised its images draws them again. Samples are compared with training "
         "images and with validation images, which it has never seen: nearer to the former means "
         "that it repeats them. An earlier checkpoint, more images or a lower rank help."));
  column->addWidget(memorising_);
  reason_ = make_label(QString(), "error", card);
  reason_->setWordWrap(true);
  reason_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(reason_);

  column->addSpacing(Space::tiny);
  column->addWidget(make_heading(tr("Files"), card));
  no_files_ = make_label(tr("The run has written no adapter."), "muted", card);
  no_files_->setWordWrap(true);
  column->addWidget(no_files_);
  table_ = new QTableWidget(0, 3, card);
  table_->setAccessibleName(tr("Files of the result"));
  table_->setHorizontalHeaderLabels({tr("File"), tr("Of"), tr("Size")});
  table_->setProperty("rows", QStringLiteral("true"));
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(kFile, QHeaderView::Stretch);
  column->addWidget(table_);
  column->addLayout(build_buttons());

  readers_title_ = make_heading(QString(), card);
  readers_title_->setWordWrap(true);
  column->addSpacing(Space::tiny);
  column->addWidget(readers_title_);
  readers_ = new ReaderList(theme_, card);
  column->addWidget(readers_);
  note_ = make_label(QString(), "muted", card);
  note_->setWordWrap(true);
  column->addWidget(note_);
  column->addStretch();
  connect(table_, &QTableWidget::itemSelectionChanged, this, &ResultView::update_buttons);
  return card;
}

QLayout* ResultView::build_buttons() {
  buttons_ = new QGridLayout;
  buttons_->setHorizontalSpacing(Space::small);
  buttons_->setVerticalSpacing(Space::small);
  const auto add = [this](const QString& text, const QString& tip, Icon icon, int at) {
    auto* button = new QPushButton(text, this);
    button->setToolTip(tip);
    button->setAccessibleName(text);
    bind_icon(button, icon, theme_);
    buttons_->addWidget(button, at / 2, at % 2);
    return button;
  };
  folder_ = add(tr("Show in folder"), tr("Open the folder of the chosen file"), Icon::folder, 0);
  again_ = add(tr("Train again"), tr("Take the run's settings as the draft of another run"),
               Icon::reset, 1);
  const QString tip = tr(
      "Copy the chosen file to the LoRA folder of %1. The folder is found, or asked for once; no "
      "file there is replaced without a question.");
  const QString text = tr("Copy to %1…");
  comfyui_ = add(text.arg(program_title(Program::comfyui)),
                 tip.arg(program_title(Program::comfyui)), Icon::copy, 2);
  webui_ = add(text.arg(program_title(Program::webui)), tip.arg(program_title(Program::webui)),
               Icon::copy, 3);
  buttons_->setColumnStretch(2, 1);
  connect(folder_, &QPushButton::clicked, this,
          [this] { emit folder_requested(file().isEmpty() ? run_.folder : file()); });
  connect(again_, &QPushButton::clicked, this, &ResultView::again_requested);
  for (const auto& [button, program] :
       {std::pair{comfyui_, Program::comfyui}, std::pair{webui_, Program::webui}}) {
    connect(button, &QPushButton::clicked, this,
            [this, program = program] { emit copy_requested(file(), copy_name(), program); });
  }
  return buttons_;
}

QPushButton* ResultView::copy_button(Program program) const {
  return program == Program::comfyui ? comfyui_ : webui_;
}

bool ResultView::is_loading() const {
  return reading_ > 0 || samples_->is_loading();
}

QString ResultView::figures() const {
  return figures_->text();
}

QString ResultView::suggestion() const {
  return suggestion_->text();
}

QString ResultView::memorising() const {
  return memorising_->text();
}

void ResultView::clear() {
  ++asked_;
  run_ = {};
  found_ = {};
  stack_->setCurrentIndex(0);
}

void ResultView::show_run(const EndedRun& run) {
  const bool other = run.folder != run_.folder;
  run_ = run;
  ++reading_;
  if (other) {
    found_ = {};
    show_files();
  }
  title_->setText(shown(run.title));
  QStringList parts{tr("%n step(s)", nullptr, static_cast<int>(run.steps))};
  if (run.seconds > 0) {
    parts << tr("training steps took %1").arg(format_duration(run.seconds));
  }
  if (std::isfinite(run.last_tenth)) {
    parts << tr("mean loss of the last tenth: %1").arg(format_number(run.last_tenth));
  }
  if (run.best) {
    parts << tr("lowest validation loss: %1 at step %2")
                 .arg(format_number(run.best->loss), step_text(run.best->step));
  }
  figures_->setText(parts.join(QStringLiteral(" · ")));
  reason_->setText(shown(run.reason));
  reason_->setVisible(!run.reason.isEmpty());
  std::vector<SamplePair> pairs = sample_pairs(run.samples);
  sample_card_->setVisible(!pairs.empty());
  samples_->show_pairs(std::move(pairs));
  stack_->setCurrentIndex(1);
  arrange();
  update_buttons();
  pool_.start([this, run, asked = ++asked_] {
    RunFiles found = read_run_files(run.folder, run.preset);
    QMetaObject::invokeMethod(
        this,
        [this, asked, found = std::move(found)] {
          --reading_;
          if (asked == asked_) {
            take(found);
          }
        },
        Qt::QueuedConnection);
  });
}

void ResultView::take(const RunFiles& found) {
  found_ = found;
  show_files();
}

void ResultView::show_files() {
  const QString before = file();
  table_->setRowCount(static_cast<int>(found_.files.size()));
  int chosen = 0;
  for (int row = 0; row < table_->rowCount(); ++row) {
    const ResultFile& file = found_.files[static_cast<std::size_t>(row)];
    const QString name = file.path.section(QLatin1Char('/'), -1).section(QLatin1Char('\\'), -1);
    const QString texts[] = {shown(name), origin_text(file), format_bytes(file.bytes)};
    for (const int column : {kFile, kFrom, kSize}) {
      auto* item = new QTableWidgetItem(texts[column]);
      item->setToolTip(shown(file.path).toHtmlEscaped());
      table_->setItem(row, column, item);
    }
    chosen = file.path == before ? row : chosen;
  }
  const int rows = std::clamp(table_->rowCount(), 1, kMostRows);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         rows * table_->verticalHeader()->defaultSectionSize() +
                         2 * table_->frameWidth() + 2);
  table_->setVisible(table_->rowCount() > 0);
  no_files_->setVisible(table_->rowCount() == 0 && reading_ == 0);
  if (table_->rowCount() > 0) {
    table_->selectRow(chosen);
  }
  suggestion_->setText(found_.suggestion);
  suggestion_->setVisible(!found_.suggestion.isEmpty());
  memorising_->setText(found_.memorising);
  memorising_->setVisible(!found_.memorising.isEmpty());
  readers_->show_lines(found_.readers);
  const bool any = !found_.readers.empty() || !found_.problem.isEmpty();
  readers_title_->setText(found_.proven.isEmpty()
                              ? tr("What other programs make of it")
                              : tr("What other programs make of %1").arg(found_.proven));
  readers_title_->setVisible(any);
  note_->setText(!found_.problem.isEmpty() ? shown(found_.problem)
                                           : tr("Read back by these programs' rules when it was "
                                                "saved. Load it with strength 1."));
  note_->setVisible(any);
  update_buttons();
}

QString ResultView::origin_text(const ResultFile& file) const {
  if (!file.step) {
    return tr("The result");
  }
  const QString step = step_text(*file.step);
  return file.step == found_.suggested ? tr("Step %1, suggested").arg(step)
                                       : tr("Step %1").arg(step);
}

QString ResultView::file() const {
  const int row = table_->selectionModel()->hasSelection() ? table_->currentRow() : -1;
  return row >= 0 && row < static_cast<int>(found_.files.size())
             ? found_.files[static_cast<std::size_t>(row)].path
             : QString();
}

QString ResultView::copy_name() const {
  const QFileInfo info(file());
  const int row = table_->currentRow();
  const bool known = row >= 0 && row < static_cast<int>(found_.files.size());
  const auto step = known ? found_.files[static_cast<std::size_t>(row)].step : std::nullopt;
  return step ? QStringLiteral("%1-step-%2.%3")
                    .arg(info.completeBaseName(), step_text(*step), info.suffix())
              : info.fileName();
}

void ResultView::set_copying(bool copying) {
  copying_ = copying;
  update_buttons();
}

void ResultView::update_buttons() {
  const int row = file().isEmpty() ? -1 : table_->currentRow();
  const bool one = row >= 0 && !found_.files[static_cast<std::size_t>(row)].is_folder;
  const bool adapter = run_.preset.training.method != TrainingMethod::full;
  folder_->setEnabled(!run_.folder.isEmpty());
  for (QPushButton* button : {comfyui_, webui_}) {
    button->setVisible(adapter);
    button->setEnabled(one && !copying_);
  }
  const ThemeColors& c = theme_->colors();
  mark_->setPixmap(make_icon(run_.failed     ? Icon::error
                             : run_.complete ? Icon::check
                                             : Icon::stop,
                             run_.failed     ? c.error
                             : run_.complete ? c.ok
                                             : c.muted)
                       .pixmap(QSize(18, 18), devicePixelRatioF()));
}

void ResultView::arrange() {
  const bool wide = width() >= kTwoColumns;
  across_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

// That of both cards below each other, as a narrow view shows them. The layout's own is of the last
// arrangement, even after it has changed.
QSize ResultView::minimumSizeHint() const {
  const int cards =
      std::max(facts_->minimumSizeHint().width(), sample_card_->minimumSizeHint().width());
  return {cards + style()->pixelMetric(QStyle::PM_ScrollBarExtent),
          QWidget::minimumSizeHint().height()};
}

void ResultView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace mantissa::gui
