#pragma once

#include <QImage>
#include <QWidget>

namespace mantissa::gui {

/// An image, scaled to fit, enlarged at most four times. With a second one it is split by a
/// draggable line: before on the left, after on the right.
class ImagePane : public QWidget {
  Q_OBJECT

 public:
  explicit ImagePane(const QString& empty_text, QWidget* parent = nullptr);
  /// Empty path: shows the empty text. An unreadable file is named.
  void show_file(const QString& path);
  /// An image that was read elsewhere; a null one is shown as `problem`.
  void show_image(const QString& path, const QImage& image, const QString& problem = {});
  /// Empty path: no split. The labels are at the two sides.
  void show_before(const QString& path, const QString& before_label = {},
                   const QString& after_label = {});
  bool has_image() const { return !image_.isNull(); }
  bool is_split() const { return !before_.isNull() && !image_.isNull(); }
  const QString& file() const { return file_; }
  /// Share of the width showing the earlier image, 0 to 1.
  double split() const { return split_; }
  void set_split(double share);
  QSize sizeHint() const override { return {320, 320}; }
  QSize minimumSizeHint() const override { return {120, 80}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF image_rect() const;
  const QImage& scaled_to(QSize wanted, const QImage& from, QImage& kept) const;

  QString empty_text_, text_, file_, before_label_, after_label_;
  QImage image_, before_;
  mutable QImage scaled_, before_scaled_;
  double split_ = 0.5;
};

}  // namespace mantissa::gui
