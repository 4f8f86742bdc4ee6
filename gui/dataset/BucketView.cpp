#include "gui/dataset/BucketView.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <algorithm>
#include <functional>

#include "engine/core/error.h"
#include "engine/preflight/dataset_check.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/MaskCanvas.h"
#include "gui/plot/Axis.h"
#include "gui/preset/PresetDocument.h"

namespace mantissa::gui {
namespace {

constexpr int kShareRole = Qt::UserRole;
constexpr char kKey[] = "data.skip_buckets";

/// A bar as long as the item's share.
class BarDelegate : public QStyledItemDelegate {
 public:
  BarDelegate(const Theme* theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

  void paint(QPainter* p, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    QStyledItemDelegate::paint(p, option, index);
    QRectF bar = QRectF(option.rect).adjusted(6, 7, -6, -7);
    bar.setWidth(std::max(2.0, bar.width() * index.data(kShareRole).toDouble()));
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    p->setPen(Qt::NoPen);
    p->setBrush(theme_->colors().accent);
    p->drawRoundedRect(bar, 2, 2);
    p->restore();
  }

 private:
  const Theme* theme_;
};

}  // namespace

CropView::CropView(ImageLoader* loader, const Theme* theme, QWidget* parent)
    : QWidget(parent), loader_(loader), theme_(theme) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("What training uses of the image"));
  connect(loader_, &ImageLoader::loaded, this, [this](const QString& path, int side) {
    if ((path == path_ || path == mask_) && (side == kSide || side == ImageLoader::kVersion)) {
      update();
    }
  });
}

namespace {

/// Whether a bucket is around all of its image, as that of a lone reference may be.
bool surrounds(const Placement& p) {
  return p.bucket.width > p.scaled_width || p.bucket.height > p.scaled_height;
}

}  // namespace

void CropView::show_image(const QString& path, const Placement& placement) {
  path_ = path;
  placement_ = placement;
  version_.reset();
  setAccessibleDescription((surrounds(placement)
                                ? tr("%1 by %2 pixels are scaled to %3 by %4 and reflected at "
                                     "the edges up to %5 by %6")
                                : tr("%1 by %2 pixels are scaled to %3 by %4 and cut to %5 by %6"))
                               .arg(placement.original_width)
                               .arg(placement.original_height)
                               .arg(placement.scaled_width)
                               .arg(placement.scaled_height)
                               .arg(placement.bucket.width)
                               .arg(placement.bucket.height));
  update();
}

void CropView::show_version(const QString& path, const ImageVersion& version) {
  show_image(path, version.placement);
  version_ = version;
}

void CropView::show_mask(const QString& path) {
  mask_ = path;
  update();
}

QImage CropView::overlay() const {
  if (path_.isEmpty() || mask_.isEmpty()) {
    return {};
  }
  const QImage mask = version_ ? loader_->get(mask_, ImageVersion{version_->placement})
                               : loader_->get(mask_, kSide);
  return mask.isNull() ? mask
                       : mask_overlay(mask.convertToFormat(QImage::Format_Grayscale8),
                                      theme_->colors().error);
}

void CropView::clear() {
  path_.clear();
  update();
}

QRectF CropView::kept() const {
  const Placement& p = placement_;
  if (path_.isEmpty() || p.scaled_width <= 0 || p.scaled_height <= 0) {
    return {};
  }
  if (version_) {
    return {0, 0, 1, 1};
  }
  const double w = p.scaled_width, h = p.scaled_height;
  return surrounds(p) ? QRectF(0, 0, 1, 1)
                      : QRectF(p.left / w, p.top / h, p.bucket.width / w, p.bucket.height / h);
}

QImage CropView::image() const {
  return path_.isEmpty() ? QImage()
         : version_      ? loader_->get(path_, *version_)
                         : loader_->get(path_, kSide);
}

void CropView::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const ThemeColors& c = theme_->colors();
  const QImage image = this->image();
  if (image.isNull()) {
    const bool known =
        version_ ? loader_->is_known(path_, *version_) : loader_->is_known(path_, kSide);
    p.setPen(c.muted);
    p.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
               path_.isEmpty() ? tr("Choose an image on the left.")
               : known         ? tr("This image can't be read.")
                               : tr("Reading…"));
    return;
  }
  p.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  const QSizeF shown =
      QSizeF(image.size()).scaled(QSizeF(size()) - QSizeF(4, 4), Qt::KeepAspectRatio);
  const QRectF place(QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2),
                     shown);
  p.drawImage(place, image);
  if (const QImage layer = overlay(); !layer.isNull()) {
    p.drawImage(place, layer);
  }
  const QRectF part = kept();
  const QRectF crop(place.x() + part.x() * place.width(), place.y() + part.y() * place.height(),
                    part.width() * place.width(), part.height() * place.height());
  QPainterPath outside, inside;
  outside.addRect(place);
  inside.addRect(crop);
  p.fillPath(outside.subtracted(inside), QColor(0, 0, 0, 150));
  // Two strokes: visible on bright and dark images.
  p.setBrush(Qt::NoBrush);
  p.setPen(QPen(QColor(0, 0, 0, 160), 3));
  p.drawRect(crop);
  p.setPen(QPen(QColor(255, 255, 255), 1.2));
  p.drawRect(crop);
}

BucketView::BucketView(PresetDocument* document, const Theme* theme, QWidget* parent)
    : QTableWidget(parent), document_(document) {
  setAccessibleName(tr("Images by bucket"));
  setProperty("rows", QStringLiteral("true"));
  setColumnCount(columns);
  setHorizontalHeaderLabels({tr("Size"), tr("Aspect"), tr("Images"), QString(),
                             tr("Batches an epoch"), tr("Repeated to fill a batch"),
                             tr("Cut away")});
  horizontalHeaderItem(cut_away)->setToolTip(
      tr("Share of its images' pixels outside the crops, on average"));
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setItemDelegateForColumn(share, new BarDelegate(theme, this));
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 12);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setSectionResizeMode(share, QHeaderView::Stretch);
  connect(theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
  connect(this, &QTableWidget::itemActivated, this, [this](const QTableWidgetItem* item) {
    const int bucket = rows_[static_cast<std::size_t>(item->row())].bucket;
    if (bucket >= 0) {
      emit chosen(bucket);
    }
  });
  connect(this, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
    if (filling_ || item->column() != size_column) {
      return;
    }
    const Bucket size = rows_[static_cast<std::size_t>(item->row())].size;
    const bool used = item->checkState() == Qt::Checked;
    // Later: the edit fills the table again, which must not happen to an item in use.
    QMetaObject::invokeMethod(
        this, [this, size, used] { set_used(size, used); }, Qt::QueuedConnection);
  });
}

void BucketView::keyPressEvent(QKeyEvent* event) {
  QTableWidgetItem* box = item(currentRow(), size_column);
  if (event->key() == Qt::Key_Space && box != nullptr) {
    box->setCheckState(box->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    return;
  }
  QTableWidget::keyPressEvent(event);
}

void BucketView::set_used(const Bucket& size, bool used) {
  std::vector<std::string> skipped = document_->preset().data.skip_buckets;
  std::erase(skipped, bucket_text(size));
  if (!used) {
    skipped.push_back(bucket_text(size));
  }
  Preset preset = document_->preset();
  preset.data.skip_buckets = skipped;
  QString wrong;
  try {
    make_buckets(bucket_options(preset, quantum_));
    wrong = document_->edit(kKey, skipped);
  } catch (const Error& e) {
    wrong = message_text(message_of(e));
  }
  if (!wrong.isEmpty()) {
    emit problem(wrong);
    fill(rows_);
  }
}

void BucketView::show_check(const DatasetCheck& check) {
  quantum_ = check.quantum;
  std::vector<Row> rows;
  for (const BucketUse& use : check.use) {
    rows.push_back(
        {check.buckets[use.bucket], static_cast<int>(use.bucket), use, check.cut_away[use.bucket]});
  }
  std::ranges::stable_sort(rows, std::greater(), [](const Row& row) { return row.use.images; });
  for (const Bucket& size : check.left_out) {
    rows.push_back({size});
  }
  fill(rows);
}

void BucketView::fill(const std::vector<Row>& rows) {
  const auto row_of = [&](const Bucket& size) {
    return static_cast<int>(std::ranges::find(rows, size, &Row::size) - rows.begin());
  };
  const bool had_row = currentRow() >= 0 && currentRow() < std::ssize(rows_);
  const int current = had_row ? row_of(rows_[static_cast<std::size_t>(currentRow())].size) : -1;
  filling_ = true;
  std::vector<Row> shown = rows;  // may be rows_ itself
  rows_ = std::move(shown);
  const std::int64_t most = rows_.empty() ? 1 : std::max<std::int64_t>(rows_[0].use.images, 1);
  setRowCount(static_cast<int>(rows_.size()));
  for (int row = 0; row < rowCount(); ++row) {
    const Row& r = rows_[static_cast<std::size_t>(row)];
    const bool used = r.bucket >= 0;
    const QString texts[] = {QStringLiteral("%1 × %2").arg(r.size.width).arg(r.size.height),
                             format_number(static_cast<double>(r.size.width) / r.size.height, 3),
                             step_text(r.use.images),
                             QString(),
                             step_text(r.use.batches),
                             step_text(r.use.fillers),
                             used ? percent_text(r.cut_away, 1) : QString()};
    for (int column = 0; column < columns; ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      if (column != size_column && column != share) {
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      }
      setItem(row, column, item);
    }
    item(row, size_column)->setCheckState(used ? Qt::Checked : Qt::Unchecked);
    item(row, size_column)
        ->setToolTip(used
                         ? tr("Enter shows the images of this size. Space leaves the size out: its "
                              "images go to the nearest other one.")
                         : tr("Left out; Space takes it in again."));
    item(row, share)
        ->setData(kShareRole, static_cast<double>(r.use.images) / static_cast<double>(most));
  }
  if (current >= 0 && current < rowCount()) {
    setCurrentCell(current, size_column);
  }
  filling_ = false;
}

}  // namespace mantissa::gui
