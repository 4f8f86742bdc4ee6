#include "gui/dataset/BucketView.h"

#include <QHeaderView>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <algorithm>

#include "engine/train/dataset_check.h"
#include "gui/base/Text.h"
#include "gui/plot/Axis.h"

namespace mantissa::gui {
namespace {

constexpr int kShareRole = Qt::UserRole, kBucketRole = Qt::UserRole + 1;
enum Column { size_column, aspect, images, share, batches, fillers, columns };

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
    if (path == path_ && (side == kSide || side == ImageLoader::kVersion)) {
      update();
    }
  });
}

void CropView::show_image(const QString& path, const Placement& placement) {
  path_ = path;
  placement_ = placement;
  version_.reset();
  setAccessibleDescription(tr("%1 by %2 pixels are scaled to %3 by %4 and cut to %5 by %6")
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
  return {p.left / w, p.top / h, p.bucket.width / w, p.bucket.height / h};
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

BucketView::BucketView(const Theme* theme, QWidget* parent) : QTableWidget(parent) {
  setAccessibleName(tr("Images by bucket"));
  setProperty("rows", QStringLiteral("true"));
  setColumnCount(columns);
  setHorizontalHeaderLabels({tr("Size"), tr("Aspect"), tr("Images"), QString(),
                             tr("Batches an epoch"), tr("Repeated to fill a batch")});
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
    emit chosen(this->item(item->row(), size_column)->data(kBucketRole).toInt());
  });
}

void BucketView::show_check(const DatasetCheck& check) {
  std::vector<BucketUse> use = check.use;
  std::sort(use.begin(), use.end(),
            [](const BucketUse& a, const BucketUse& b) { return a.images > b.images; });
  std::int64_t most = 1;
  for (const BucketUse& u : use) {
    most = std::max(most, u.images);
  }
  setRowCount(static_cast<int>(use.size()));
  for (int row = 0; row < static_cast<int>(use.size()); ++row) {
    const BucketUse& u = use[static_cast<std::size_t>(row)];
    const Bucket& b = check.buckets[u.bucket];
    const QString texts[] = {QStringLiteral("%1 × %2").arg(b.width).arg(b.height),
                             format_number(static_cast<double>(b.width) / b.height, 3),
                             step_text(u.images),
                             QString(),
                             step_text(u.batches),
                             step_text(u.fillers)};
    for (int column = 0; column < columns; ++column) {
      auto* item = new QTableWidgetItem(texts[column]);
      if (column != size_column && column != share) {
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      }
      setItem(row, column, item);
    }
    item(row, size_column)->setData(kBucketRole, static_cast<int>(u.bucket));
    item(row, size_column)->setToolTip(tr("Enter shows the images of this size"));
    item(row, share)
        ->setData(kShareRole, static_cast<double>(u.images) / static_cast<double>(most));
  }
}

}  // namespace mantissa::gui
