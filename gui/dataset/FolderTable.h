#pragma once

#include <QTableWidget>

#include "engine/preflight/dataset_check.h"

namespace mantissa::gui {

class PresetDocument;

/// The folders of the images with their repeats, loss weight, resolution and caption prefix:
/// data.folders of the preset, edited in place. A row at its defaults has no entry.
class FolderTable : public QTableWidget {
  Q_OBJECT

 public:
  enum Column { folder, images, repeats, weight, resolution, prefix, columns };

  explicit FolderTable(PresetDocument* document, QWidget* parent = nullptr);
  void show_check(const DatasetCheck& check);

 signals:
  /// An edit was refused, and why.
  void problem(const QString& text);

 private:
  void fill();
  void take(const QTableWidgetItem* item);

  PresetDocument* document_;
  std::vector<std::pair<QString, int>> folders_;  ///< with their images, by name
  bool filling_ = false;
};

}  // namespace mantissa::gui
