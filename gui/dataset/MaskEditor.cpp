#include "gui/dataset/MaskEditor.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QUndoStack>
#include <QVBoxLayout>

#include "engine/core/ascii.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/data/masks.h"
#include "engine/io/file.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/dataset/ImageLoader.h"
#include "gui/dataset/MaskCanvas.h"
#include "gui/dataset/MaskPainting.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/ToolRow.h"

namespace mantissa::gui {
namespace {

constexpr int kSliderWidth = 110;

/// Where the mask is written: over a PNG, else beside the image under the usual name.
std::filesystem::path target_of(const std::filesystem::path& image,
                                const std::filesystem::path& mask) {
  const bool is_png =
      !mask.empty() && lower_ascii(path_to_utf8(mask.extension())) == std::string_view(".png");
  return is_png ? mask : mask_path(image);
}

}  // namespace

MaskEditor::MaskEditor(ImageLoader* loader, const Theme* theme, QWidget* parent)
    : QWidget(parent), loader_(loader), theme_(theme) {
  painting_ = new MaskPainting(this);
  canvas_ = new MaskCanvas(painting_, theme, this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(Space::small);
  column->addWidget(new ToolRow(build_tools(), this));
  auto* head = new QHBoxLayout;
  name_ = new ElideLabel(QString(), this);
  head->addWidget(name_, 1);
  hint_ = make_label(QString(), "warning", this);
  head->addWidget(hint_);
  hint_action_ = new QPushButton(this);
  head->addWidget(hint_action_);
  connect(hint_action_, &QPushButton::clicked, this, &MaskEditor::hint_followed);
  column->addLayout(head);
  column->addWidget(canvas_, 1);
  state_ = make_label(QString(), "muted", this);
  state_->setWordWrap(true);
  column->addWidget(state_);
  connect(canvas_, &MaskCanvas::brush_changed, this, &MaskEditor::show_brush);
  connect(painting_->undo_stack(), &QUndoStack::indexChanged, this, &MaskEditor::show_brush);
  connect(loader_, &ImageLoader::loaded, this, &MaskEditor::show_image);
  setFocusProxy(canvas_);
  set_hint({}, {});
  show_brush();
}

QToolButton* MaskEditor::add_tool(QHBoxLayout* row, Icon icon, const QString& text,
                                  const QString& tip) {
  auto* tool = new QToolButton(this);
  tool->setText(text);
  tool->setAccessibleName(text);
  tool->setToolTip(tip);
  tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  tool->setFocusPolicy(Qt::TabFocus);  // a click leaves the keys to the canvas
  bind_icon(tool, icon, theme_);
  row->addWidget(tool);
  return tool;
}

QSlider* MaskEditor::add_slider(QHBoxLayout* row, const QString& name, const QString& tip,
                                int least, int most) {
  auto* label = make_label(name, "muted", this);
  row->addWidget(label);
  auto* slider = new QSlider(Qt::Horizontal, this);
  slider->setRange(least, most);
  slider->setFixedWidth(kSliderWidth);
  slider->setAccessibleName(name);
  slider->setToolTip(tip);
  slider->setFocusPolicy(Qt::TabFocus);
  row->addWidget(slider);
  return slider;
}

QWidget* MaskEditor::build_tools() {
  auto* bar = new QWidget(this);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(Space::small);
  brush_ = add_tool(row, Icon::brush, tr("Brush"), tr("Paint what counts (X switches)"));
  eraser_ = add_tool(row, Icon::eraser, tr("Eraser"), tr("Paint what doesn't count (X switches)"));
  for (QToolButton* tool : {brush_, eraser_}) {
    tool->setCheckable(true);
    connect(tool, &QToolButton::clicked, this, [this, tool] {
      canvas_->set_erases(tool == eraser_);
      canvas_->setFocus();
    });
  }
  size_ = add_slider(row, tr("Size"), tr("Size of the brush in pixels of the crop ([ and ])"),
                     MaskCanvas::kLeastSize, MaskCanvas::kMostSize);
  hardness_ = add_slider(
      row, tr("Hardness"),
      tr("How much of the brush is painted in full; the rest fades out ({ and })"), 0, 100);
  connect(size_, &QSlider::valueChanged, canvas_, &MaskCanvas::set_brush_size);
  connect(hardness_, &QSlider::valueChanged, canvas_, &MaskCanvas::set_hardness);
  const auto on_click = [this](QToolButton* tool, auto slot) {
    connect(tool, &QToolButton::clicked, this, [this, slot] {
      slot();
      canvas_->setFocus();
    });
  };
  on_click(
      add_tool(row, Icon::invert, tr("Invert"), tr("What counts and what doesn't change places")),
      [this] { painting_->invert(); });
  on_click(add_tool(row, Icon::reset, tr("Clear"), tr("Everything counts, as without a mask")),
           [this] { painting_->clear(); });
  on_click(add_tool(row, Icon::undo, tr("Undo"), tr("Undo the last stroke (Ctrl+Z)")),
           [this] { undo_stack()->undo(); });
  on_click(add_tool(row, Icon::redo, tr("Redo"), tr("Redo the stroke (Ctrl+Y)")),
           [this] { undo_stack()->redo(); });
  on_click(add_tool(row, Icon::fit, tr("Fit"), tr("Show the whole crop (0); the wheel enlarges")),
           [this] { canvas_->fit(); });
  row->addStretch(1);
  auto* cancel = new QPushButton(tr("Cancel"), bar);
  cancel->setToolTip(tr("Discard the strokes: the mask stays as it was"));
  cancel->setAccessibleName(tr("Leave the mask as it was"));
  connect(cancel, &QPushButton::clicked, this, &MaskEditor::cancel);
  row->addWidget(cancel);
  done_ = new QPushButton(tr("Save mask"), bar);
  done_->setProperty("kind", QStringLiteral("primary"));
  done_->setAccessibleName(tr("Save mask"));
  done_->setToolTip(tr("Save the mask and close it (Esc), as any other way out does"));
  connect(done_, &QPushButton::clicked, this, &MaskEditor::finish);
  row->addWidget(done_);
  return bar;
}

QUndoStack* MaskEditor::undo_stack() const {
  return painting_->undo_stack();
}

void MaskEditor::open(const ImageItem& item, const Placement& placement) {
  const QSize size = mask_size(item.width, item.height);
  const QImage mask = item.mask.empty() ? blank_mask(size) : read_mask(item.mask, size);
  hash_ = item.mask.empty() ? std::string() : sha256_file(item.mask);
  image_ = item.path;
  file_ = item.mask;
  placement_ = placement;
  painting_->open(mask);
  const double x = static_cast<double>(size.width()) / placement.scaled_width,
               y = static_cast<double>(size.height()) / placement.scaled_height;
  canvas_->show_crop({placement.left * x, placement.top * y, placement.bucket.width * x,
                      placement.bucket.height * y},
                     placement.bucket.width);
  name_->set_text(shown(to_qstring(item.name)));
  show_image();
  show_brush();
}

void MaskEditor::show_image() {
  if (is_open()) {
    canvas_->set_image(loader_->get(path_text(image_), ImageVersion{placement_}));
  }
}

void MaskEditor::set_hint(const QString& hint, const QString& action) {
  hint_->setText(hint);
  hint_->setVisible(!hint.isEmpty());
  hint_action_->setText(action);
  hint_action_->setAccessibleName(action.isEmpty() ? tr("About the mask") : action);
  hint_action_->setVisible(!action.isEmpty());
}

void MaskEditor::show_brush() {
  brush_->setChecked(!canvas_->erases());
  eraser_->setChecked(canvas_->erases());
  const QSignalBlocker quiet_size(size_), quiet_hardness(hardness_);
  size_->setValue(canvas_->brush_size());
  hardness_->setValue(canvas_->hardness());
  const QString brush = tr("%1 px, %2 hard")
                            .arg(step_text(canvas_->brush_size()),
                                 percent_text(QString::number(canvas_->hardness())));
  const QString means =
      is_blank(painting_->mask())
          ? tr("Everything counts. The brush's first stroke makes only what it paints count; the "
               "eraser's takes out what it paints.")
          : tr("Coloured places don't count.");
  state_->setText(brush + QStringLiteral(" · ") + means);
}

/// Another program's mask is never overwritten.
void MaskEditor::require_unchanged() const {
  const std::filesystem::path target = target_of(image_, file_);
  std::error_code error;
  const bool there = std::filesystem::exists(target, error);
  const bool expected = there == (target == file_);
  if (!expected || (there && sha256_file(target) != hash_)) {
    throw Error(
        message<"{file} was changed by another program and was not overwritten; press Scan again "
                "to read it.">(path_to_utf8(target)));
  }
}

bool MaskEditor::save() {
  painting_->end();
  if (!is_open() || !painting_->is_changed()) {
    return true;
  }
  const std::filesystem::path image = image_;
  try {
    if (is_blank(painting_->mask())) {
      if (!file_.empty()) {
        emit emptied(image);
      }
      painting_->open(painting_->mask());
      return true;
    }
    require_unchanged();
    const std::filesystem::path target = target_of(image_, file_);
    write_mask(target, painting_->mask());
    hash_ = sha256_file(target);
    file_ = target;
    painting_->open(painting_->mask());
    emit saved(image, target);
  } catch (const Error& e) {
    emit problem(message_text(message_of(e)));
    return false;
  }
  return true;
}

void MaskEditor::finish() {
  if (save()) {
    leave();
  }
}

void MaskEditor::cancel() {
  painting_->open(blank_mask({1, 1}));
  leave();
}

void MaskEditor::leave() {
  if (is_open()) {
    image_.clear();
    undo_stack()->clear();
    emit closed();
  }
}

void MaskEditor::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    finish();  // as another view or page does: only Cancel discards
  } else {
    QWidget::keyPressEvent(event);
  }
}

}  // namespace mantissa::gui
