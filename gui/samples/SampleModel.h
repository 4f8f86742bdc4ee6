#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QImage>
#include <QThreadPool>
#include <vector>

#include "engine/run/run.h"

namespace mantissa::gui {

/// The samples of a run: one row per prompt, one column per step. Images are read and scaled down
/// on a separate thread; an unreadable image is reported in its cell.
class SampleModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit SampleModel(QObject* parent = nullptr);
  ~SampleModel() override;

  void clear();
  /// Replaces an earlier sample of the same step and prompt.
  void add(const SampleRecord& sample);
  /// In the order of their arrival.
  const std::vector<SampleRecord>& all() const { return order_; }
  /// The latest sample; null if there is none.
  const SampleRecord* newest() const;
  const SampleRecord* at(const QModelIndex& index) const;
  /// Null if that prompt has no sample of that step.
  const SampleRecord* find(std::int64_t step, int prompt) const;
  /// The column of a step; -1 if it has no samples.
  int column_of(std::int64_t step) const;
  std::int64_t step_of(int column) const { return steps_[static_cast<std::size_t>(column)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// Images are still being read.
  bool is_loading() const { return reading_ > 0; }

  static constexpr int kThumb = 160;  ///< half of the pixels that are kept of an image

 signals:
  void sample_added(const SampleRecord& sample);

  // From the reading thread.
  void loaded(const QString& path, const QImage& thumb);

 private:
  struct Cell {
    SampleRecord record;
    bool present = false;
  };
  const Cell* cell(int row, int column) const;

  std::vector<std::int64_t> steps_;
  std::vector<QString> prompts_;
  std::vector<std::vector<Cell>> columns_;  // [step][prompt]
  std::vector<SampleRecord> order_;
  QHash<QString, QImage> thumbs_;
  int reading_ = 0;
  QThreadPool pool_;
};

}  // namespace mantissa::gui
