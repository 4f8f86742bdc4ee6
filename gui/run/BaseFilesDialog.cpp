#include "gui/run/BaseFilesDialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/run/PartRow.h"
#include "gui/widgets/ColumnArea.h"
#include "gui/widgets/Parts.h"
#include "gui/widgets/PathEdit.h"

namespace mantissa::gui {
namespace {

constexpr int kDialogWidth = 720, kFrameHeight = 40;

QString part_title(Part part, const std::string& folder) {
  const QString name = to_qstring(folder);
  const QString encoder = QStringLiteral("text_encoder");
  return part == kVae                ? BaseFilesDialog::tr("VAE")
         : !name.startsWith(encoder) ? name
         : name == encoder
             ? BaseFilesDialog::tr("Text encoder")
             : BaseFilesDialog::tr("Text encoder %1").arg(name.mid(encoder.size() + 1));
}

QString file_names(const std::vector<std::filesystem::path>& files) {
  QStringList names;
  for (const auto& file : files) {
    names << path_text(file.filename());
  }
  return names.join(QStringLiteral(", "));
}

/// Whether the file may be replaced without a question: it is such a list itself.
bool lists_files(const std::filesystem::path& json) {
  try {
    read_base_files(json);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

BaseFilesDialog::BaseFilesDialog(const QString& base, const Theme* theme, QWidget* parent)
    : QDialog(parent), theme_(theme), grid_(new QGridLayout) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Base model of separate files"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  column->setSpacing(Space::medium);
  auto* about = make_label(
      tr("Transformer, text encoder and VAE in files of their own, as ComfyUI keeps them. They "
         "stay where they are; a small JSON file lists them."),
      "muted", this);
  about->setWordWrap(true);
  column->addWidget(about);
  grid_->setHorizontalSpacing(Space::small);
  grid_->setVerticalSpacing(Space::tiny);
  grid_->setColumnStretch(2, 1);
  // On a small screen the rows scroll, and the buttons stay in sight.
  area_ = new ColumnArea(tr("Files of the base model"), this);
  auto* inside = new QWidget;
  inside->setProperty("flat", QStringLiteral("true"));
  inside->setLayout(grid_);
  grid_->setContentsMargins(0, 0, 0, 0);
  area_->set_column(inside);
  column->addWidget(area_);
  column->addStretch();
  transformer_ = make_row(tr("Transformer"), false);
  place_target();
  auto* buttons = new QDialogButtonBox(this);
  save_ = buttons->addButton(tr("Save and use"), QDialogButtonBox::AcceptRole);
  save_->setAccessibleName(tr("Save the list and use it as the base model"));
  set_property(save_, "kind", QStringLiteral("primary"));
  save_->setDefault(true);
  cancel_ = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  cancel_->setAccessibleName(tr("Close without saving"));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &BaseFilesDialog::save);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(&watcher_, &BaseFilesWatcher::checked, this, &BaseFilesDialog::show_fit);
  take(base);
  edited();
  transformer_->edit()->setFocus();
  order_keys();
  resize(kDialogWidth, sizeHint().height());
}

BaseFilesDialog::~BaseFilesDialog() = default;

void BaseFilesDialog::take(const QString& base) {
  const std::filesystem::path path = to_path(base);
  try {
    if (is_base_files(path)) {
      chosen_ = read_base_files(path);
      target_->edit()->set_path(base);
      transformer_->edit()->set_path(QDir::toNativeSeparators(path_text(chosen_.parts[kDenoiser])));
    } else if (QFileInfo(base).isFile()) {
      transformer_->edit()->set_path(base);
    }
  } catch (const std::exception&) {
    chosen_ = {};  // another JSON: begins empty, as with any path that is no model's
  }
}

std::unique_ptr<PartRow> BaseFilesDialog::make_row(const QString& name, bool folder) {
  auto* edit = new PathEdit(
      {.name = name,
       .placeholder = folder ? tr("Folder") : tr(".safetensors or .gguf file"),
       .choose = folder ? folder_chooser(name)
                        : file_chooser(name, tr("Models (*.safetensors *.gguf);;All files (*)"))},
      theme_, this);
  connect(edit, &PathEdit::changed, this, &BaseFilesDialog::edited);
  const int at = std::exchange(next_row_, next_row_ + PartRow::kRows);
  return std::make_unique<PartRow>(name, edit, grid_, at, theme_, this);
}

void BaseFilesDialog::place_target() {
  const QString name = tr("Save as");
  auto* edit = new PathEdit(
      {.name = name,
       .placeholder = tr("A new .json file"),
       .choose = save_chooser(name, tr("Base models (*.json)"), QStringLiteral(".json"))},
      theme_, this);
  connect(edit, &PathEdit::changed, this, [this] {
    show_target();
    update_save();
  });
  // Far below, so that the parts' rows come between.
  constexpr int kLast = 100;
  target_ = std::make_unique<PartRow>(name, edit, grid_, kLast, theme_, this);
}

PartRow* BaseFilesDialog::part(Part part) const {
  const auto found = parts_.find(part);
  return found == parts_.end() ? nullptr : found->second.get();
}

PartRow* BaseFilesDialog::tokenizer(Part part) const {
  const auto found = tokenizers_.find(part);
  return found == tokenizers_.end() ? nullptr : found->second.get();
}

BaseFiles BaseFilesDialog::files() const {
  BaseFiles files;
  files.parts[kDenoiser] = to_path(transformer_->path());
  for (const auto& [rows, into] :
       {std::pair{&parts_, &files.parts}, std::pair{&tokenizers_, &files.tokenizers}}) {
    for (const auto& [part, row] : *rows) {
      if (!row->path().isEmpty()) {
        (*into)[part] = to_path(row->path());
      }
    }
  }
  return files;
}

void BaseFilesDialog::edited() {
  const QString path = transformer_->path();
  target_->prefill(path.isEmpty() ? QString() : path_text(base_files_beside(to_path(path))));
  if (path.isEmpty()) {
    transformer_->set_status(PartRow::State::open, tr("Choose the transformer's file."));
  } else {
    asked_ = path;
    watcher_.set_files(files(), path != searched_);
    transformer_->set_status(PartRow::State::busy, tr("Checking…"));
  }
  show_target();
  update_save();
}

void BaseFilesDialog::make_rows(const BaseFit& fit) {
  if (fit.parts == shown_parts_ && fit.tokenizers == shown_tokenizers_) {
    return;
  }
  shown_parts_ = fit.parts;
  shown_tokenizers_ = fit.tokenizers;
  // The user's own choices stay, what was filled in for another transformer doesn't.
  const auto keep = [](const Rows& rows, std::map<Part, std::filesystem::path>& paths) {
    for (const auto& [part, row] : rows) {
      if (!row->is_prefilled()) {
        paths[part] = to_path(row->path());
      }
    }
  };
  BaseFiles before = std::exchange(chosen_, {});
  keep(parts_, before.parts);
  keep(tokenizers_, before.tokenizers);
  parts_.clear();
  tokenizers_.clear();
  next_row_ = PartRow::kRows;
  const auto fill = [](PartRow& row, const auto& paths, Part part) {
    if (const auto path = paths.find(part); path != paths.end()) {
      row.edit()->set_path(QDir::toNativeSeparators(path_text(path->second)));
    }
  };
  const auto add = [&](Rows& rows, Part part, const QString& title, const auto& paths,
                       bool folder) {
    const auto& row = rows[part] = make_row(title, folder);
    fill(*row, paths, part);
  };
  for (const Part part : fit.parts) {
    add(parts_, part, part_title(part, fit.folders.at(part)), before.parts, false);
  }
  for (const Part part : fit.tokenizers) {
    add(tokenizers_, part, tr("Tokenizer (%1)").arg(to_qstring(fit.tokenizer_folders.at(part))),
        before.tokenizers, true);
  }
  order_keys();
}

void BaseFilesDialog::order_keys() {
  std::vector<PartRow*> rows{transformer_.get()};
  for (const Rows* list : {&parts_, &tokenizers_}) {
    for (const auto& [part, row] : *list) {
      rows.push_back(row.get());
    }
  }
  rows.push_back(target_.get());
  QWidget* last = nullptr;
  const auto add = [&](QWidget* next) {
    if (last != nullptr) {
      setTabOrder(last, next);
    }
    last = next;
  };
  for (const PartRow* row : rows) {
    const auto inside = Qt::FindDirectChildrenOnly;
    add(row->edit()->findChild<QLineEdit*>(QString(), inside));
    add(row->edit()->findChild<QToolButton*>(QString(), inside));
  }
  add(save_);
  add(cancel_);
}

void BaseFilesDialog::grow() {
  const auto height_of = [](const QLayout* of, int width) {
    return of->hasHeightForWidth() ? of->totalHeightForWidth(width) : of->totalSizeHint().height();
  };
  area_->widget()->layout()->activate();
  area_->setFixedHeight(1);
  layout()->activate();
  const int others = height_of(layout(), width()) - 1;
  const int rows = height_of(area_->widget()->layout(), area_->viewport()->width());
  const int most = screen()->availableSize().height() - kFrameHeight;
  area_->setFixedHeight(std::max(std::min(rows, most - others), 1));
  const int needed = others + area_->height();
  setMinimumHeight(std::min(needed, most));
  resize(width(), std::max(height(), minimumHeight()));
}

void BaseFilesDialog::resizeEvent(QResizeEvent* event) {
  QDialog::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) {
    grow();  // the lines below the paths wrap differently
  }
}

void BaseFilesDialog::show_fit(const BaseFit& fit) {
  using State = PartRow::State;
  const auto wrong = [](const std::map<Part, Message>& why, Part part) {
    const auto found = why.find(part);
    return found == why.end() ? QString() : error_text(found->second);
  };
  if (const QString why = wrong(fit.misfits.parts, kDenoiser); !why.isEmpty()) {
    transformer_->set_status(State::bad, why);
    update_save();
    return;
  }
  make_rows(fit);
  if (fit.found) {
    searched_ = asked_;
    for (const auto& [part, found] : fit.found->fitting) {
      if (PartRow* row = this->part(part)) {
        row->prefill(found.size() == 1 ? QDir::toNativeSeparators(path_text(found.front()))
                                       : QString());
      }
    }
  }
  transformer_->set_status(State::good, to_qstring(fit.family));
  const auto tell = [&](PartRow& row, const QString& why, const QString& open) {
    row.set_status(row.path().isEmpty() ? State::open
                   : why.isEmpty()      ? State::good
                                        : State::bad,
                   row.path().isEmpty() ? open
                   : why.isEmpty()      ? tr("Fits")
                                        : why);
  };
  for (const auto& [part, row] : parts_) {
    const auto* found =
        fit.found && fit.found->fitting.contains(part) ? &fit.found->fitting.at(part) : nullptr;
    QString open = row->status();
    if (found != nullptr) {
      open = found->empty() ? tr("No file that fits was found. Choose one.")
                            : tr("Several files fit: %1. Choose one.").arg(file_names(*found));
    } else if (open.isEmpty() || row->state() != State::open) {
      open = tr("Choose a file.");
    }
    tell(*row, wrong(fit.misfits.parts, part), open);
  }
  for (const auto& [part, row] : tokenizers_) {
    tell(*row, wrong(fit.misfits.tokenizers, part),
         tr("This folder is part of the original model. Choose it."));
  }
  update_save();
}

void BaseFilesDialog::show_target() {
  using State = PartRow::State;
  const QString text = target_->path();
  const std::filesystem::path path = to_path(text);
  if (text.isEmpty()) {
    target_->set_status(State::open, QString());
  } else if (!is_base_files(path)) {
    target_->set_status(State::bad, tr("The name must end in .json."));
  } else if (!QFileInfo::exists(text)) {
    target_->set_status(State::good, tr("Creates a new file."));
  } else if (lists_files(path)) {
    target_->set_status(State::good, tr("Replaces the list of that name."));
  } else {
    target_->set_status(State::bad, tr("Another file has this name. Choose another one."));
  }
}

void BaseFilesDialog::update_save() {
  const auto good = [](const Rows& rows) {
    return std::ranges::all_of(
        rows, [](const auto& row) { return row.second->state() == PartRow::State::good; });
  };
  grow();
  save_->setEnabled(!watcher_.is_busy() && transformer_->state() == PartRow::State::good &&
                    target_->state() == PartRow::State::good && good(parts_) && good(tokenizers_));
}

void BaseFilesDialog::save() {
  const QString path = target_->path();
  try {
    write_base_files(to_path(path), files());
  } catch (const std::exception& e) {
    target_->set_status(PartRow::State::bad, error_text(message_of(e)));
    update_save();
    return;
  }
  emit saved(path);
  accept();
}

}  // namespace mantissa::gui
