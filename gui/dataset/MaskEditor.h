#pragma once

#include <QWidget>
#include <filesystem>
#include <string>

#include "engine/data/buckets.h"
#include "engine/data/dataset.h"
#include "gui/base/Icons.h"
#include "gui/base/Theme.h"

class QHBoxLayout;
class QLabel;
class QPushButton;
class QSlider;
class QToolButton;
class QUndoStack;

namespace mantissa::gui {

class ElideLabel;
class ImageLoader;
class MaskCanvas;
class MaskPainting;

/// Paints the mask of an image over its crop, and writes the file that training reads. A mask of
/// which everything counts is never written: its file, if there is one, is to be removed.
class MaskEditor : public QWidget {
  Q_OBJECT

 public:
  MaskEditor(ImageLoader* loader, const Theme* theme, QWidget* parent = nullptr);

  /// Throws Error if the image's mask can't be read.
  void open(const ImageItem& item, const Placement& placement);
  bool is_open() const { return !image_.empty(); }
  /// Writes what was changed. False if it couldn't be, which is told.
  bool save();
  /// Saves, and closes if that worked.
  void finish();
  /// Closes; what wasn't saved is given up.
  void cancel();
  /// What is to be said about masks in this preset; empty: nothing.
  void set_hint(const QString& hint, const QString& action);

  QUndoStack* undo_stack() const;
  MaskCanvas* canvas() const { return canvas_; }
  MaskPainting* painting() const { return painting_; }
  QPushButton* done() const { return done_; }

 signals:
  /// The mask of `image` is now in `file`; a mask that was there before may have another name.
  void saved(const std::filesystem::path& image, const std::filesystem::path& file);
  void emptied(const std::filesystem::path& image);
  void closed();
  void hint_followed();
  void problem(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* build_tools();
  QToolButton* add_tool(QHBoxLayout* row, Icon icon, const QString& text, const QString& tip);
  QSlider* add_slider(QHBoxLayout* row, const QString& name, const QString& tip, int least,
                      int most);
  void leave();
  void show_brush();
  void show_image();
  void require_unchanged() const;

  ImageLoader* loader_;
  const Theme* theme_;
  MaskPainting* painting_;
  MaskCanvas* canvas_;
  ElideLabel* name_;
  QLabel *hint_, *state_;
  QPushButton *hint_action_, *done_;
  QToolButton *brush_, *eraser_;
  QSlider *size_, *hardness_;
  std::filesystem::path image_;
  std::filesystem::path file_;  ///< of the mask; empty: there is none
  std::string hash_;            ///< of that, as it was read or written
  Placement placement_;
};

}  // namespace mantissa::gui
