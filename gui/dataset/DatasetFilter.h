#pragma once

#include <QAbstractProxyModel>
#include <QStringList>
#include <QTimer>
#include <QVector>
#include <functional>

namespace mantissa::gui {

class DatasetModel;

/// Images whose name or caption contains every search word, optionally with a given tag and bucket.
/// Large data sets are filtered in slices, a turn of the event loop each, and the result is shown
/// whole: until then the former one stays. A newer filter cancels an older one.
class DatasetFilter : public QAbstractProxyModel {
  Q_OBJECT

 public:
  /// Images per turn of the event loop; so many are filtered at once.
  static constexpr int kSlice = 2000;

  explicit DatasetFilter(DatasetModel* model, QObject* parent = nullptr);
  void set_text(const QString& text);
  void set_tag(const QString& tag);
  /// Index of the bucket; -1: any.
  void set_bucket(int bucket);
  /// Only images in groups, each group's together; at once.
  void set_grouped(bool grouped);
  bool is_grouped() const { return grouped_; }
  /// Only images that stood out in a run; at once.
  void set_outstanding(bool outstanding);
  bool is_outstanding() const { return outstanding_; }
  /// Only images that it takes, as they are now; none: any.
  using Pick = std::function<bool(int item)>;
  void set_pick(Pick pick);
  bool has_pick() const { return static_cast<bool>(pick_); }
  bool is_filtering() const { return next_turn_.isActive(); }
  /// Filters again: captions changed.
  void refresh() { restart(); }
  /// Shows the result of a filter that is under way.
  void finish();
  /// The items that are shown, in their order.
  const QVector<int>& items() const { return shown_; }
  const QString& tag() const { return tag_; }
  int bucket() const { return bucket_; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QModelIndex mapToSource(const QModelIndex& index) const override;
  QModelIndex mapFromSource(const QModelIndex& index) const override;

 signals:
  /// Around the change of what is shown by a filter, not by another data set.
  void about_to_show();
  void filtered();

 private:
  void restart();
  void filter_slice();
  bool filter_rest(int end);
  void show_found();
  void set_shown(QVector<int> items);
  bool takes_all() const;
  bool accepts(int item) const;

  DatasetModel* model_;
  QStringList words_;
  QString tag_;
  int bucket_ = -1;
  bool grouped_ = false, outstanding_ = false;
  Pick pick_;
  QTimer next_turn_;
  int next_ = 0;         ///< the first item that isn't filtered yet
  QVector<int> found_;   ///< of those before
  QVector<int> shown_;   ///< items by row
  QVector<int> row_of_;  ///< rows by item; -1: hidden
};

}  // namespace mantissa::gui
