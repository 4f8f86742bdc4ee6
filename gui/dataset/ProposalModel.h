#pragma once

#include <QAbstractTableModel>
#include <QVector>
#include <utility>
#include <vector>

#include "engine/caption/caption_images.h"

namespace mantissa::gui {

class DatasetModel;

/// Captions that a tagger proposes, each with its tick; those ticked are written.
class ProposalModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { image, now, proposed, columns };

  explicit ProposalModel(DatasetModel* images, QObject* parent = nullptr);

  /// The items of the next captions, in their order; forgets the former ones.
  void expect(QVector<int> items);
  void add(const std::vector<CaptionedImage>& done);
  int ticked() const;
  int unreadable() const;
  /// The captions that are ticked, by item.
  std::vector<std::pair<int, QString>> chosen() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 private:
  struct Row {
    int item = -1;
    QString caption, problem;  ///< of an image that can't be read the latter
    bool ticked = false;
  };
  QVariant text(const Row& row, int column) const;
  /// Whether writing a caption would do something.
  bool is_new(const Row& row) const;

  DatasetModel* images_;
  QVector<int> expected_;
  QVector<Row> rows_;
};

}  // namespace mantissa::gui
