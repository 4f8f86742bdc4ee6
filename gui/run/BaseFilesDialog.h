#pragma once

#include <QDialog>
#include <map>
#include <memory>
#include <optional>

#include "gui/base/Theme.h"
#include "gui/run/BaseFilesWatcher.h"

class QGridLayout;
class QPushButton;

namespace mantissa::gui {

class ColumnArea;
class PartRow;

/// Makes one base model of files that lie apart, as ComfyUI keeps them: a path for each part that
/// the transformer lacks, filled in with what fits, and checked while they are chosen. Saving
/// writes their list as JSON.
class BaseFilesDialog : public QDialog {
  Q_OBJECT

 public:
  /// `base`: the transformer's file, or a JSON to be changed; anything else begins empty.
  BaseFilesDialog(const QString& base, const Theme* theme, QWidget* parent);
  ~BaseFilesDialog() override;

  PartRow* transformer() const { return transformer_.get(); }
  /// The row of a part; null if the transformer's family needs no file for it.
  PartRow* part(Part part) const;
  PartRow* tokenizer(Part part) const;
  PartRow* target() const { return target_.get(); }
  QPushButton* save_button() const { return save_; }

 signals:
  /// The JSON was written.
  void saved(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  using Rows = std::map<Part, std::unique_ptr<PartRow>>;
  /// Reads what `base` lists.
  void take(const QString& base);
  std::unique_ptr<PartRow> make_row(const QString& name, bool folder);
  /// Rows for what the transformer lacks, with the paths chosen so far.
  void make_rows(const BaseFit& fit);
  void place_target();
  /// Tab follows the rows, whenever they were made.
  void order_keys();
  /// As high as all lines need; never smaller.
  void grow();
  BaseFiles files() const;
  void edited();
  void show_fit(const BaseFit& fit);
  void show_target();
  void update_save();
  void save();

  const Theme* theme_;
  QGridLayout* grid_;
  ColumnArea* area_ = nullptr;  ///< with the grid
  int next_row_ = 0;            ///< of the grid
  std::unique_ptr<PartRow> transformer_, target_;
  Rows parts_, tokenizers_;
  BaseFiles chosen_;  ///< by the JSON, until its rows are there
  QString searched_;  ///< the transformer whose companions were looked for
  QString asked_;     ///< the same of the check under way
  std::vector<Part> shown_parts_, shown_tokenizers_;
  QPushButton *save_ = nullptr, *cancel_ = nullptr;
  BaseFilesWatcher watcher_;
};

}  // namespace mantissa::gui
