#include "gui/app/DraftKeeper.h"

#include <QEvent>
#include <QFileInfo>
#include <QMainWindow>
#include <QUndoStack>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.h"
#include "engine/preset/preset_io.h"
#include "gui/app/PageStack.h"
#include "gui/app/SetupPage.h"
#include "gui/base/EngineText.h"
#include "gui/base/Text.h"
#include "gui/engine/AppSettings.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/PresetTextView.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {
namespace {

constexpr int kDelayMs = 1000;
constexpr const char* kSource = "the last session";

nlohmann::json json_of(const Preset& preset) {
  return nlohmann::json::parse(to_json(preset, WriteMode::full));
}

Preset preset_of(const nlohmann::json& json) {
  return parse_preset(json.dump(), kSource);
}

}  // namespace

DraftKeeper::DraftKeeper(const WindowFrame& frame) : f_(frame) {
  later_.setSingleShot(true);
  later_.setInterval(kDelayMs);
  connect(&later_, &QTimer::timeout, this, &DraftKeeper::keep);
}

void DraftKeeper::restore() {
  const QByteArray work = f_.parts.settings->draft();
  if (!work.isEmpty()) {
    try {
      take(work, true);
    } catch (const std::exception& e) {
      f_.parts.settings->set_unreadable_draft(work);
      f_.messages->show_error(tr("The edits of the last session can't be restored: %1")
                                  .arg(message_text(message_of(e))));
    }
  }
  begin();
}

void DraftKeeper::take_over() {
  take(f_.parts.settings->draft(), false);
  begin();
}

void DraftKeeper::begin() {
  if (std::exchange(keeping_, true)) {
    return;
  }
  const PresetDocument* document = f_.parts.document;
  connect(document, &PresetDocument::changed, this, &DraftKeeper::touch);
  connect(document, &PresetDocument::title_changed, this, &DraftKeeper::touch);
  connect(f_.setup->text(), &PresetTextView::edited, this, &DraftKeeper::touch);
  connect(f_.setup, &SetupPage::view_changed, this, &DraftKeeper::touch);
  connect(f_.pages, &PageStack::chosen, this, &DraftKeeper::touch);
  f_.window->installEventFilter(this);
}

bool DraftKeeper::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Move) {
    touch();
  }
  return QObject::eventFilter(watched, event);
}

void DraftKeeper::touch() {
  // Not restarted: someone who types without a pause must not wait for it.
  if (!later_.isActive()) {
    later_.start();
  }
}

QByteArray DraftKeeper::work() const {
  const PresetDocument& document = *f_.parts.document;
  nlohmann::json work;
  work["preset"] = json_of(document.preset());
  if (document.is_dirty()) {
    work["saved"] = json_of(document.saved());
  }
  work["file"] = document.file().toStdString();
  if (const auto text = f_.setup->text()->unapplied()) {
    work["text"] = text->toStdString();
  }
  work["page"] = f_.pages->currentIndex();
  work["view"] = static_cast<int>(f_.setup->view());
  return QByteArray::fromStdString(work.dump());
}

void DraftKeeper::take_preset(const nlohmann::json& work) {
  const Preset preset = preset_of(work.at("preset"));
  const QString file = to_qstring(work.at("file").get<std::string>());
  PresetDocument* document = f_.parts.document;
  if (work.contains("saved")) {
    document->restore(preset_of(work["saved"]), file, preset);
  } else if (QFileInfo(file).isFile()) {
    document->open(file);  // it may have changed since
  } else {
    document->load(preset, file);
  }
}

void DraftKeeper::take(const QByteArray& kept, bool with_preset) {
  const nlohmann::json work = nlohmann::json::parse(kept.toStdString());
  if (with_preset) {
    take_preset(work);
  }
  if (work.contains("text")) {
    f_.setup->text()->set_unapplied(to_qstring(work["text"].get<std::string>()));
  }
  f_.setup->show_view(static_cast<SetupPage::View>(
      std::clamp(work.at("view").get<int>(), 0, static_cast<int>(SetupPage::rate_view))));
  const auto& pages = f_.pages->pages();
  const auto page = work.at("page").get<std::size_t>();
  f_.pages->show_page(pages[std::min(page, pages.size() - 1)]);
}

bool DraftKeeper::keep() {
  later_.stop();
  if (!keeping_) {
    return true;
  }
  f_.parts.settings->set_draft(work());
  if (const auto* window = qobject_cast<const QMainWindow*>(f_.window)) {
    f_.parts.settings->set_geometry(window->saveGeometry());
  }
  return f_.parts.settings->flush();
}

}  // namespace mantissa::gui
