#include "gui/samples/SampleGrid.h"

#include <QHeaderView>
#include <QImageReader>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QSplitter>
#include <QStackedLayout>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/app/Text.h"
#include "gui/samples/SampleModel.h"
#include "gui/widgets/Parts.h"

namespace mantissa {
namespace {

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
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {SampleModel::kThumb + 8, SampleModel::kThumb + 8};
  }

 private:
  const Theme* theme_;
};

}  // namespace

PicturePane::PicturePane(const QString& empty_text, QWidget* parent)
    : QWidget(parent), empty_text_(empty_text), text_(empty_text) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(empty_text);
}

void PicturePane::show_file(const QString& path) {
  image_ = QImage();
  scaled_ = QImage();
  text_ = empty_text_;
  if (!path.isEmpty()) {
    QImageReader reader(path);
    image_ = reader.read();
    if (image_.isNull()) {
      text_ = tr("%1 can't be read: %2").arg(path, reader.errorString());
    }
  }
  setAccessibleName(image_.isNull() ? text_ : tr("Sample picture %1").arg(path));
  update();
}

void PicturePane::resizeEvent(QResizeEvent*) {
  scaled_ = QImage();
}

void PicturePane::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (image_.isNull()) {
    p.setPen(palette().color(QPalette::PlaceholderText));
    p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, text_);
    return;
  }
  const double ratio = devicePixelRatioF();
  const QSize room = size() * ratio;
  QSize wanted = image_.size().scaled(room, Qt::KeepAspectRatio);
  if (wanted.width() > 4 * image_.width()) {
    wanted = image_.size() * 4;
  }
  if (scaled_.size() != wanted) {
    // Enlarged pixels stay pixels: a small sample is shown as what it is.
    const bool enlarged = wanted.width() >= 2 * image_.width();
    scaled_ = image_.scaled(wanted, Qt::IgnoreAspectRatio,
                            enlarged ? Qt::FastTransformation : Qt::SmoothTransformation);
    scaled_.setDevicePixelRatio(ratio);
  }
  const QSizeF shown = QSizeF(wanted) / ratio;
  p.drawImage(QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2), scaled_);
}

SampleGrid::SampleGrid(SampleModel* model, const Theme* theme, QWidget* parent)
    : QWidget(parent), model_(model) {
  stack_ = new QStackedLayout(this);
  stack_->setContentsMargins(0, 0, 0, 0);

  auto* nothing = new QWidget(this);
  auto* middle = new QVBoxLayout(nothing);
  auto* picture = new QLabel(nothing);
  bind_icon(
      picture, Icon::samples, theme, [](const ThemeColors& c) { return c.muted; }, 48);
  auto* words = make_label(tr("No samples yet.\nAdd sample prompts in Setup, then start a run or "
                              "press Sample now (F8)."),
                           "muted", nothing);
  words->setAlignment(Qt::AlignCenter);
  middle->addStretch();
  middle->addWidget(picture, 0, Qt::AlignCenter);
  middle->addSpacing(Space::small);
  middle->addWidget(words, 0, Qt::AlignCenter);
  middle->addStretch();
  stack_->addWidget(nothing);

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
  table_->horizontalHeader()->setDefaultSectionSize(SampleModel::kThumb + 8);
  table_->verticalHeader()->setDefaultSectionSize(SampleModel::kThumb + 8);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->verticalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setAccessibleName(tr("Steps"));
  table_->verticalHeader()->setAccessibleName(tr("Prompts"));
  page->addWidget(table_);

  auto* card = make_card(page);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(Space::medium, Space::medium, Space::medium, Space::medium);
  column->setSpacing(Space::small);
  caption_ = make_heading(QString(), card);
  column->addWidget(caption_);
  preview_ = new PicturePane(tr("Choose a sample on the left."), card);
  column->addWidget(preview_, 1);
  prompt_ = make_label(QString(), "muted", card);
  prompt_->setWordWrap(true);
  prompt_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(prompt_);
  page->addWidget(card);
  page->setStretchFactor(0, 3);
  page->setStretchFactor(1, 2);
  page->setSizes({600, 400});
  stack_->addWidget(page);

  connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &SampleGrid::show_current);
  connect(model_, &QAbstractItemModel::modelReset, this, [this] {
    update_empty();
    show_current();
  });
  connect(model_, &SampleModel::sample_added, this, [this](const SampleRecord&) {
    const bool first = stack_->currentIndex() == 0;
    update_empty();
    const QModelIndex now = table_->currentIndex();
    // Keeps up with the newest step until the user looks at an older one.
    if (first || !now.isValid() || now.column() >= model_->columnCount() - 2) {
      const int row = now.isValid() ? now.row() : 0;
      const int column = model_->columnCount() - 1;
      table_->setCurrentIndex(
          model_->index(model_->at(model_->index(row, column)) != nullptr ? row : 0, column));
      show_current();
    }
  });
  update_empty();
}

void SampleGrid::show_step(std::int64_t step) {
  const int column = model_->column_of(step);
  if (column >= 0) {
    table_->setCurrentIndex(model_->index(std::max(table_->currentIndex().row(), 0), column));
  }
}

void SampleGrid::update_empty() {
  stack_->setCurrentIndex(model_->newest() == nullptr ? 0 : 1);
}

void SampleGrid::show_current() {
  const SampleRecord* sample = model_->at(table_->currentIndex());
  if (sample == nullptr) {
    caption_->clear();
    prompt_->clear();
    preview_->show_file(QString());
    return;
  }
  caption_->setText(tr("Step %1 · prompt %2")
                        .arg(QLocale::c().toString(static_cast<qlonglong>(sample->step)))
                        .arg(sample->prompt_index + 1));
  prompt_->setText(to_qstring(sample->prompt));
  preview_->show_file(path_text(sample->path));
}

}  // namespace mantissa
