#include "gui/app/PresetFiles.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileInfo>

#include "engine/preset/family_badge.h"
#include "gui/app/PageStack.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/preset/ImportDialog.h"
#include "gui/preset/PresetDiff.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/PresetPicker.h"
#include "gui/preset/PresetTextView.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

PresetFiles::PresetFiles(const WindowFrame& frame) : f_(frame) {
  connect(f_.setup->text(), &PresetTextView::edited, this, [this] {
    if (!told_.isEmpty() && f_.messages->text() == told_) {
      f_.messages->hide();
    }
    told_.clear();
  });
}

bool PresetFiles::settle_text() {
  const QString wrong = f_.setup->text()->settle();
  if (wrong.isEmpty()) {
    return true;
  }
  f_.pages->show_page(f_.setup);
  f_.setup->show_view(SetupPage::text_view);
  f_.setup->text()->editor()->setFocus(Qt::OtherFocusReason);
  f_.messages->show_error(wrong);
  told_ = f_.messages->text();
  return false;
}

bool PresetFiles::has_edits() const {
  return f_.parts.document->is_dirty() || f_.setup->text()->is_edited();
}

void PresetFiles::remember(const QString& file) {
  f_.parts.settings->set_last_folder(QFileInfo(file).absolutePath());
  f_.parts.settings->add_recent_file(QFileInfo(file).absoluteFilePath(),
                                     family_key(f_.parts.document->preset()));
}

void PresetFiles::ask_open() {
  f_.ask.open_preset(f_.window, f_.parts.settings->last_folder(),
                     [this](const QString& chosen) { open_or_import(chosen); });
}

bool PresetFiles::open(const QString& file) {
  try {
    f_.parts.document->open(file);
  } catch (const std::exception& e) {
    f_.messages->show_exception(e);
    return false;
  }
  remember(file);
  f_.messages->hide();
  f_.pages->show_page(f_.setup);
  return true;
}

bool PresetFiles::write(const QString& file) {
  try {
    f_.parts.document->save_as(file);
  } catch (const std::exception& e) {
    f_.messages->show_exception(e);
    return false;
  }
  remember(file);
  return true;
}

void PresetFiles::save(std::function<void()> then) {
  if (!settle_text()) {
    return;
  }
  const QString file = f_.parts.document->file();
  if (file.isEmpty()) {
    save_as(std::move(then));
  } else if (write(file) && then) {
    then();
  }
}

void PresetFiles::save_as(std::function<void()> then) {
  if (!settle_text()) {
    return;
  }
  const PresetDocument& document = *f_.parts.document;
  const QString start = document.file().isEmpty()
                            ? QDir(f_.parts.settings->last_folder())
                                  .filePath(document.display_name() + QLatin1String(".json"))
                            : document.file();
  f_.ask.save_preset(f_.window, start, [this, then = std::move(then)](const QString& file) {
    if (write(file) && then) {
      then();
    }
  });
}

void PresetFiles::settle_unsaved(std::function<void()> then) {
  if (!has_edits()) {
    then();
    return;
  }
  f_.ask.unsaved(f_.window, tr("Save the changes to “%1”?").arg(f_.parts.document->display_name()),
                 [this, then = std::move(then)](WindowQuestions::Answer answer) {
                   if (answer == WindowQuestions::Answer::save) {
                     save(then);
                   } else if (answer == WindowQuestions::Answer::discard) {
                     f_.setup->text()->revert();
                     then();
                   }
                 });
}

void PresetFiles::take(const Preset& preset, std::function<void()> then) {
  settle_unsaved([this, preset, then = std::move(then)] {
    f_.parts.document->load(preset, QString());
    if (then) {
      then();
    }
  });
}

void PresetFiles::ask_import() {
  f_.ask.import_preset(f_.window, f_.parts.settings->last_folder(),
                       [this](const QString& chosen) { import_file(chosen); });
}

void PresetFiles::import_file(const QString& file) {
  f_.parts.reader->read(file, this,
                        [this, file](const SettingsFile& read) { import_read(file, read); });
}

void PresetFiles::import_read(const QString& file, const SettingsFile& read) {
  if (!read.result) {
    f_.messages->show_error(error_text(read.problem));
    return;
  }
  f_.messages->hide();
  f_.parts.settings->set_last_folder(QFileInfo(file).absolutePath());
  show_import(*read.result, QFileInfo(file).fileName());
}

void PresetFiles::open_or_import(const QString& file, bool settled) {
  f_.parts.reader->read(file, this, [this, file, settled](const SettingsFile& read) {
    const bool preset = read.result && read.result->format == ImportFormat::mantissa &&
                        !file.endsWith(QLatin1String(".safetensors"), Qt::CaseInsensitive);
    if (preset && settled) {
      open(file);
    } else if (preset) {
      settle_unsaved([this, file] { open(file); });
    } else {
      import_read(file, read);
    }
  });
}

void PresetFiles::show_import(const ImportResult& result, const QString& name) {
  if (!settle_text()) {
    return;  // the import replaces the text's values as well as the form's
  }
  auto* dialog =
      new ImportDialog(result, name, f_.parts.document->preset(), f_.parts.theme, f_.window);
  connect(dialog, &ImportDialog::applied, this, [this, name](const Preset& preset) {
    f_.parts.document->replace(preset, tr("import of %1").arg(name));
    f_.pages->show_page(f_.setup);
  });
  dialog->open();
}

void PresetFiles::copy() {
  if (!settle_text()) {
    return;
  }
  QApplication::clipboard()->setText(f_.parts.document->to_text());
  f_.messages->show_info(tr("The preset is on the clipboard."));
}

void PresetFiles::paste() {
  const QString name = tr("clipboard");
  f_.parts.reader->read_text(QApplication::clipboard()->text(), name, this,
                             [this, name](const SettingsFile& read) {
                               if (read.result) {
                                 show_import(*read.result, name);
                               } else {
                                 f_.messages->show_error(error_text(read.problem));
                               }
                             });
}

void PresetFiles::set_library(const std::vector<PresetEntry>& presets) {
  library_ = in_groups(presets);
  f_.setup->diff()->set_library(library_);
}

void PresetFiles::show_picker() {
  auto* picker = new PresetPicker(library_, f_.parts.theme, f_.window);
  connect(picker, &PresetPicker::chosen, this, [this](const Preset& preset) {
    take(preset, [this] { f_.pages->show_page(f_.setup); });
  });
  picker->open();
}

}  // namespace mantissa::gui
