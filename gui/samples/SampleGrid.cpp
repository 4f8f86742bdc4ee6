#include "gui/samples/SampleGrid.h"

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/base/Text.h"
#include "gui/samples/FreePrompt.h"
#include "gui/samples/ImagePane.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/EmptyState.h"
#include "gui/widgets/NoWheelSpin.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {
namespace {

constexpr int kStrengths = 40;  // slider positions, up to 200%
constexpr int kLeastCell = 112, kMostCell = 3 * SampleModel::kThumb + 8;  // logical pixels
constexpr int kFewRows = 2;             // fewer make no cell larger
constexpr double kColumnsInView = 2.5;  // at least; the half one shows that there are more

/// Draws the thumbnail in the middle of its cell, sharp at any scale.
class ThumbDelegate : public QStyledItemDelegate {
 public:
  ThumbDelegate(const Theme* theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

  void paint(QPainter* p, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const ThemeColors& c = theme_->colors();
    const QRectF cell = QRectF(option.rect).adjusted(4, 4, -4, -4);
    p->save();
    p->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    const bool current = option.state & QStyle::State_Selected;
    if (current) {
      p->setPen(QPen(c.accent, 2));
      p->setBrush(c.raised);
      p->drawRoundedRect(cell.adjusted(-2, -2, 2, 2), 5, 5);
    }
    const QImage image = index.data(Qt::DecorationRole).value<QImage>();
    if (!image.isNull()) {
      const QSizeF size = QSizeF(image.size()).scaled(cell.size(), Qt::KeepAspectRatio);
      const QRectF at(cell.center() - QPointF(size.width() / 2, size.height() / 2), size);
      p->drawImage(at, image);
    } else {
      p->setPen(c.muted);
      p->drawText(cell, Qt::AlignCenter | Qt::TextWordWrap, index.data(Qt::DisplayRole).toString());
    }
    p->restore();
  }

 private:
  const Theme* theme_;
};

}  // namespace

SampleGrid::SampleGrid(SampleModel* model, const Theme* theme, QWidget* parent)
    : Page(parent), model_(model), theme_(theme) {
  stack_ = new QStackedLayout(this);
  stack_->setContentsMargins(0, 0, 0, 0);

  empty_ = new EmptyState(Icon::samples, QString(), theme, this);
  stack_->addWidget(empty_);

  auto* page = new QSplitter(Qt::Horizontal, this);
  page->setHandleWidth(Space::large);
  page->setChildrenCollapsible(false);
  table_ = new QTableView(page);
  table_->setModel(model_);
  table_->setItemDelegate(new ThumbDelegate(theme, table_));
  table_->setAccessibleName(tr("Samples by prompt and step"));
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setCornerButtonEnabled(false);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->horizontalHeader()->setMinimumSectionSize(kLeastCell);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->verticalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setAccessibleName(tr("Steps"));
  table_->verticalHeader()->setAccessibleName(tr("Prompts"));
  table_->installEventFilter(this);
  page->addWidget(table_);

  page->addWidget(build_card(theme));
  page->setStretchFactor(0, 3);
  page->setStretchFactor(1, 2);
  page->setSizes({600, 400});
  stack_->addWidget(page);

  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &SampleGrid::show_current);
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    update_empty();
    fit_cells();
    update_steps();
    show_current();
  });
  connect(model_, &SampleModel::sample_added, this, [this](const SampleRecord&) {
    const bool first = stack_->currentIndex() == 0;
    update_empty();
    update_steps();
    const QModelIndex now = table_->currentIndex();
    // Follows the latest step until the user selects an older one.
    if (first || !now.isValid() || now.column() >= model_->columnCount() - 2) {
      const int row = now.isValid() ? now.row() : 0;
      const int column = model_->columnCount() - 1;
      table_->setCurrentIndex(
          model_->index(model_->at(model_->index(row, column)) != nullptr ? row : 0, column));
      show_current();
    }
  });
  update_empty();
  update_steps();
  update_strength();
}

QWidget* SampleGrid::build_card(const Theme* theme) {
  auto* card = make_card(this);
  card->setMinimumWidth(320);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  caption_ = make_heading(QString(), card);
  column->addWidget(caption_);
  preview_ = new ImagePane(tr("Choose a sample on the left."), card);
  column->addWidget(preview_, 1);
  controls_ = new QStackedWidget(card);
  controls_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  controls_->addWidget(build_fixed(controls_));
  free_ = new FreePrompt(theme, controls_);
  controls_->addWidget(free_);
  column->addWidget(build_views(card));
  column->addWidget(controls_);
  return card;
}

/// The choice between the preset's prompts and free ones.
QWidget* SampleGrid::build_views(QWidget* parent) {
  auto* box = new QWidget(parent);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::tiny);
  const auto chip = [&](const QString& name, const QString& tip, bool free) {
    auto* button = new QToolButton(box);
    button->setText(name);
    explain(button, tip);
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setProperty("kind", QStringLiteral("chip"));
    button->setAccessibleName(summary_of(tip));
    connect(button, &QToolButton::clicked, this, [this, free] { show_free_view(free); });
    row->addWidget(button);
    return button;
  };
  fixed_chip_ = chip(tr("Sample"),
                     tr("Samples of the preset's prompts.\nGood: what was trained appears, and the "
                        "rest of the prompt still counts.\nIf all samples look alike, use an "
                        "earlier checkpoint or a lower strength."),
                     false);
  free_chip_ = chip(tr("Other prompts"),
                    tr("Render prompts that the preset doesn't have.\nSeveral checkpoints or "
                       "strengths become one image to compare."),
                    true);
  row->addStretch();
  fixed_chip_->setChecked(true);
  return box;
}

QWidget* SampleGrid::build_fixed(QWidget* parent) {
  auto* card = new QWidget(parent);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  prompt_ = make_label(QString(), "muted", card);
  prompt_->setWordWrap(true);
  prompt_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(prompt_);

  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(Space::small);
  grid->setVerticalSpacing(Space::small);
  grid->addWidget(make_label(tr("Step"), "muted", card), 0, 0);
  steps_ = new QSlider(Qt::Horizontal, card);
  steps_->setAccessibleName(tr("Step of the sample"));
  steps_->setPageStep(1);
  grid->addWidget(steps_, 0, 1, 1, 2);
  step_text_ = make_label(QString(), "", card);
  step_text_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("100000")));
  step_text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  grid->addWidget(step_text_, 0, 3);
  compare_ = new QToolButton(card);
  compare_->setText(tr("Before / after"));
  compare_->setCheckable(true);
  compare_->setProperty("kind", QStringLiteral("chip"));
  compare_->setAccessibleName(tr("Compare the image with an earlier one"));
  before_ = new NoWheelCombo(card);
  before_->setAccessibleName(tr("Step to compare with"));
  before_->setEnabled(false);
  auto* comparison = new QHBoxLayout;  // no part of the columns, which it would make wide
  comparison->setSpacing(Space::small);
  comparison->addWidget(compare_);
  comparison->addWidget(before_, 1);
  grid->addLayout(comparison, 1, 0, 1, 4);
  grid->setColumnStretch(1, 1);
  add_strength(grid, 2, card);
  column->addLayout(grid);

  connect(steps_, &QSlider::valueChanged, this, [this](int column) {
    const int row = std::max(table_->currentIndex().row(), 0);
    if (table_->currentIndex().column() != column) {
      table_->setCurrentIndex(model_->index(row, column));
    }
  });
  connect(compare_, &QToolButton::toggled, this, [this](bool on) {
    before_->setEnabled(on);
    show_split();
  });
  connect(before_, &QComboBox::currentIndexChanged, this, &SampleGrid::show_split);
  return card;
}

void SampleGrid::add_strength(QGridLayout* grid, int row, QWidget* parent) {
  grid->addWidget(make_label(tr("Strength"), "muted", parent), row, 0);
  strength_ = new QSlider(Qt::Horizontal, parent);
  strength_->setRange(0, kStrengths);
  strength_->setValue(kStrengths / 2);
  strength_->setPageStep(2);
  strength_->setAccessibleName(tr("Strength of the adapter"));
  strength_->setToolTip(tr("How much of the finished adapter is added to the base model"));
  grid->addWidget(strength_, row, 1);
  strength_text_ = make_label(QString(), "", parent);
  strength_text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  grid->addWidget(strength_text_, row, 2);
  render_ = new QPushButton(tr("Render"), parent);
  bind_icon(render_, Icon::sample, theme_);
  grid->addWidget(render_, row, 3);
  refusal_ = make_label(QString(), "muted", parent);
  refusal_->setWordWrap(true);
  grid->addWidget(refusal_, row + 1, 0, 1, 4);
  connect(strength_, &QSlider::valueChanged, this, &SampleGrid::update_strength);
  connect(render_, &QPushButton::clicked, this, [this] {
    if (rendering_) {
      emit cancel_requested();
    } else if (const SampleRecord* sample = model_->at(table_->currentIndex())) {
      emit render_requested(sample->prompt_index, strength());
    }
  });
}

double SampleGrid::strength() const {
  return 2.0 * strength_->value() / kStrengths;
}

void SampleGrid::set_render_refusal(const QString& reason) {
  refusal_text_ = reason;
  update_strength();
}

void SampleGrid::set_rendering(bool on) {
  rendering_ = on;
  update_strength();
}

void SampleGrid::update_strength() {
  strength_text_->setText(percent_text(strength()));
  const bool chosen = model_->at(table_->currentIndex()) != nullptr;
  const QString why = !refusal_text_.isEmpty() ? refusal_text_
                      : !chosen                ? tr("Choose a sample first.")
                                               : QString();
  strength_->setEnabled(why.isEmpty() && !rendering_);
  render_->setEnabled(why.isEmpty());
  render_->setText(rendering_ ? tr("Cancel") : tr("Render"));
  render_->setAccessibleName(rendering_ ? tr("Cancel the rendering")
                                        : tr("Render this prompt at the chosen strength"));
  refusal_->setText(why);
  refusal_->setVisible(!why.isEmpty());
}

void SampleGrid::update_steps() {
  const int count = model_->columnCount();
  const QSignalBlocker quiet(steps_), quiet_too(before_);
  steps_->setRange(0, std::max(count - 1, 0));
  steps_->setEnabled(count > 1);
  const std::int64_t chosen = before_->currentData().toLongLong();
  before_->clear();
  for (int column = 0; column < count; ++column) {
    const std::int64_t step = model_->step_of(column);
    before_->addItem(step == 0 ? tr("Before training") : tr("Step %1").arg(step_text(step)),
                     static_cast<qlonglong>(step));
  }
  before_->setCurrentIndex(std::max(before_->findData(static_cast<qlonglong>(chosen)), 0));
}

void SampleGrid::show_rendered(const QString& path, int prompt, double weight) {
  const QString strength = percent_text(weight);
  shown_label_ = tr("Strength %1").arg(strength);
  caption_->setText(
      tr("Prompt %1 · strength %2 of the finished adapter").arg(prompt + 1).arg(strength));
  preview_->show_file(path);
  show_split();
}

void SampleGrid::show_split() {
  const QModelIndex now = table_->currentIndex();
  const SampleRecord* before =
      model_->find(before_->currentData().toLongLong(), std::max(now.row(), 0));
  const bool wanted = compare_->isChecked() && before != nullptr && before_->count() > 0;
  preview_->show_before(wanted ? path_text(before->path) : QString(), before_->currentText(),
                        shown_label_);
}

bool SampleGrid::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) {
    fit_cells();
  }
  return Page::eventFilter(watched, event);
}

/// Cells that fill the table's height with their rows, as long as some columns stay in view. A
/// sample that arrives changes nothing: its column is scrolled to.
void SampleGrid::fit_cells() {
  const int labels = table_->verticalHeader()->sizeHint().width();
  const int titles = table_->horizontalHeader()->sizeHint().height();
  const int around = 2 * table_->frameWidth();
  const int across =
      table_->width() - labels - around - table_->verticalScrollBar()->sizeHint().width();
  const int down =
      table_->height() - titles - around - table_->horizontalScrollBar()->sizeHint().height();
  const int side = std::clamp(std::min(static_cast<int>(across / kColumnsInView),
                                       down / std::max(model_->rowCount(), kFewRows)),
                              kLeastCell, kMostCell);
  if (table_->horizontalHeader()->defaultSectionSize() == side) {
    return;
  }
  table_->horizontalHeader()->setDefaultSectionSize(side);
  table_->verticalHeader()->setDefaultSectionSize(side);
  table_->scrollTo(table_->currentIndex());
}

std::vector<Page::Look> SampleGrid::looks() {
  const auto look = [this](const char* id, bool free) {
    return Look{QString::fromLatin1(id), [this, free] {
                  show_free_view(free);
                  return true;
                }};
  };
  return {look("samples-free", true), look("samples-fixed", false)};
}

void SampleGrid::show_free_view(bool on) {
  controls_->setCurrentIndex(on ? 1 : 0);
  (on ? free_chip_ : fixed_chip_)->setChecked(true);
  update_empty();
  if (on) {
    free_->prompts()->setFocus(Qt::OtherFocusReason);
  } else {
    show_current();
  }
}

bool SampleGrid::is_free_view() const {
  return controls_->currentIndex() == 1;
}

void SampleGrid::show_free(const QString& path) {
  caption_->setText(tr("Other prompts · %1").arg(QFileInfo(path).fileName()));
  preview_->show_before(QString());
  preview_->show_file(path);
}

bool SampleGrid::is_loading() const {
  return model_->is_loading();
}

void SampleGrid::show_step(std::int64_t step) {
  const int column = model_->column_of(step);
  if (column >= 0) {
    table_->setCurrentIndex(model_->index(std::max(table_->currentIndex().row(), 0), column));
  }
}

void SampleGrid::update_empty() {
  stack_->setCurrentIndex(model_->newest() == nullptr && !is_free_view() ? 0 : 1);
}

void SampleGrid::show_current() {
  const QModelIndex now = table_->currentIndex();
  const SampleRecord* sample = model_->at(now);
  update_strength();
  if (now.isValid()) {
    const QSignalBlocker quiet(steps_);
    steps_->setValue(now.column());
    step_text_->setText(step_text(model_->step_of(now.column())));
  } else {
    step_text_->clear();
  }
  if (sample == nullptr) {
    caption_->clear();
    prompt_->clear();
    preview_->show_file(QString());
    preview_->show_before(QString());
    return;
  }
  shown_label_ = tr("Step %1").arg(step_text(sample->step));
  caption_->setText(
      tr("Step %1 · prompt %2").arg(step_text(sample->step)).arg(sample->prompt_index + 1));
  prompt_->setText(shown(to_qstring(sample->prompt)));
  preview_->show_file(path_text(sample->path));
  show_split();
}

}  // namespace mantissa::gui
