#include "gui/preset/PresetDocument.h"

#include <QFileInfo>
#include <QSaveFile>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/schema.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/preset/SchemaText.h"

namespace mantissa::gui {

/// One setting from one value to another; typed edits of the same setting merge.
class SettingCommand : public QUndoCommand {
 public:
  SettingCommand(PresetDocument* document, const Setting& setting, nlohmann::json before,
                 nlohmann::json after, bool typing, std::uint64_t seal)
      : document_(document),
        setting_(&setting),
        before_(std::move(before)),
        after_(std::move(after)),
        typing_(typing),
        seal_(seal) {
    setText(PresetDocument::tr("change of %1").arg(to_qstring(setting.label)));
  }

  void undo() override { document_->store(setting_->key, before_); }
  void redo() override { document_->store(setting_->key, after_); }
  int id() const override {
    return typing_ ? static_cast<int>(setting_ - settings().data()) + 1 : -1;
  }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SettingCommand*>(other);
    if (next->setting_ != setting_ || next->seal_ != seal_) {
      return false;
    }
    after_ = next->after_;
    setObsolete(after_ == before_);
    return true;
  }

 private:
  PresetDocument* document_;
  const Setting* setting_;
  nlohmann::json before_, after_;
  bool typing_;
  std::uint64_t seal_;
};

/// The whole preset from one to another.
class ReplaceCommand : public QUndoCommand {
 public:
  ReplaceCommand(PresetDocument* document, Preset after, const QString& name)
      : document_(document), before_(document->preset()), after_(std::move(after)) {
    setText(name);
  }
  void undo() override { document_->store_all(before_); }
  void redo() override { document_->store_all(after_); }

 private:
  PresetDocument* document_;
  Preset before_, after_;
};

PresetDocument::PresetDocument(QObject* parent) : QObject(parent) {
  connect(&undo_, &QUndoStack::cleanChanged, this, &PresetDocument::title_changed);
  connect(this, &PresetDocument::changed, this, [this](const QString& key) {
    if (key.isEmpty() || key == QLatin1String("name")) {
      emit title_changed();
    }
  });
}

QString PresetDocument::display_name() const {
  if (!preset_.name.empty()) {
    return to_qstring(preset_.name);
  }
  return file_.isEmpty() ? tr("Untitled") : QFileInfo(file_).completeBaseName();
}

void PresetDocument::store(std::string_view key, const nlohmann::json& value) {
  set_setting(preset_, key, value);
  emit changed(to_qstring(key));
}

void PresetDocument::store_all(const Preset& preset) {
  preset_ = preset;
  emit changed(QString());
}

QString PresetDocument::edit(std::string_view key, const nlohmann::json& value, bool typing) {
  const Setting& setting = require_setting(key);
  Preset tried = preset_;
  const std::vector<Problem> problems = try_set_setting(tried, key, value);
  if (!problems.empty()) {
    QStringList lines;
    for (const Problem& p : problems) {
      lines << plain_text(p.message);
    }
    if (const QString bare = to_qstring(setting.key);
        lines[0].startsWith(bare + QLatin1Char(' '))) {
      lines[0].replace(0, bare.size(), schema_text(setting.label));  // "name", a key of one word
    }
    return lines.join(QLatin1Char('\n'));
  }
  nlohmann::json before = get_setting(preset_, setting.key);
  nlohmann::json after = get_setting(tried, setting.key);
  if (before != after) {
    undo_.push(
        new SettingCommand(this, setting, std::move(before), std::move(after), typing, seal_));
  }
  return {};
}

void PresetDocument::reset(std::string_view key) {
  seal();
  edit(key, default_value(key));
  seal();
}

QString PresetDocument::apply_patch(const std::string& patch_json, const QString& name) {
  Preset patched = preset_;
  try {
    mantissa::apply_patch(patched, nlohmann::json::parse(patch_json));
  } catch (const std::exception& e) {
    return error_text(message_of(e));
  }
  replace(patched, name);
  return {};
}

void PresetDocument::replace(const Preset& preset, const QString& name) {
  if (!(preset == preset_)) {
    undo_.push(new ReplaceCommand(this, preset, name));
  }
}

void PresetDocument::load(const Preset& preset, const QString& file) {
  file_ = file;
  saved_ = preset;
  undo_.clear();
  store_all(preset);
  emit title_changed();
}

void PresetDocument::restore(const Preset& saved, const QString& file, const Preset& now) {
  load(saved, file);
  replace(now, tr("edits of the last session"));
}

void PresetDocument::open(const QString& file) {
  load(load_preset(to_path(file)), file);
}

bool PresetDocument::rename_for(const QString& file) {
  const bool kept = file == file_ || preset_.name.empty() || preset_.name != saved_.name;
  const int before = undo_.index();
  if (!kept) {
    // A file's name that the rules for names forbid leaves the old one.
    seal();
    edit("name", QFileInfo(file).completeBaseName().toStdString());
    seal();
  }
  return undo_.index() != before;
}

void PresetDocument::save_as(const QString& file) {
  const bool renamed = rename_for(file);
  const std::string text = to_json(preset_);
  // Written beside the file and renamed over it: a full disk never costs the old preset.
  QSaveFile out(file);
  const bool written = out.open(QIODevice::WriteOnly) &&
                       out.write(text.data(), static_cast<qint64>(text.size())) ==
                           static_cast<qint64>(text.size()) &&
                       out.commit();
  if (!written) {
    if (renamed) {
      undo_.undo();
    }
    throw Error(
        message<"can't save the preset to {file}: {reason}; choose a folder you may write to.">(
            file.toStdString(), out.errorString().toStdString()));
  }
  file_ = file;
  saved_ = preset_;
  undo_.setClean();
  emit title_changed();
}

QString PresetDocument::to_text() const {
  return to_qstring(to_json(preset_));
}

void PresetDocument::paste_text(const QString& text) {
  replace(parse_preset(text.toStdString(), tr("clipboard").toStdString()), tr("paste"));
}

}  // namespace mantissa::gui
