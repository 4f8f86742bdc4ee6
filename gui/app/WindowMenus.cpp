#include "gui/app/WindowMenus.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QMenuBar>
#include <QUndoGroup>
#include <algorithm>
#include <utility>

#include "engine/preset/family_badge.h"
#include "engine/preset/preset_io.h"
#include "gui/app/HelpDialog.h"
#include "gui/app/PageStack.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/SetupPage.h"
#include "gui/app/ShortcutsDialog.h"
#include "gui/base/FamilyIcon.h"
#include "gui/base/Language.h"
#include "gui/base/PresetText.h"
#include "gui/base/Text.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/precision/PrecisionPanel.h"
#include "gui/precision/PreflightList.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/PresetPicker.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunPage.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

WindowMenus::WindowMenus(const WindowFrame& frame, PresetFiles* files, QUndoGroup* undo,
                         QMenuBar* bar)
    : f_(frame), files_(files), bar_(bar) {
  add_file(bar->addMenu(tr("&File")));
  add_edit(bar->addMenu(tr("&Edit")), undo);
  add_run(bar->addMenu(tr("&Run")));
  add_view(bar->addMenu(tr("&View")));
  add_help(bar->addMenu(tr("&Help")));
  connect(f_.pages, &PageStack::chosen, this, &WindowMenus::yield_keys);
}

std::vector<QAction*> WindowMenus::menu_actions() const {
  std::vector<QAction*> actions;
  for (const QAction* top : bar_->actions()) {
    for (QAction* action : top->menu()->actions()) {
      actions.push_back(action);
    }
  }
  return actions;
}

void WindowMenus::yield_keys(const QWidget* page) {
  for (const auto& [action, keys] : std::exchange(yielded_, {})) {
    action->setShortcuts(keys);
  }
  for (QAction* action : menu_actions()) {
    const QList<QKeySequence> keys = action->shortcuts();
    const bool taken = std::ranges::any_of(page->actions(), [&](const QAction* own) {
      return !own->shortcut().isEmpty() && keys.contains(own->shortcut());
    });
    if (taken) {  // with two for one key, Qt would call neither
      yielded_.emplace_back(action, keys);
      action->setShortcuts(QList<QKeySequence>());
    }
  }
}

void WindowMenus::add_file(QMenu* menu) {
  auto* fresh = menu->addAction(tr("&New preset"), QKeySequence::New, files_,
                                [this] { files_->take(Preset{}); });
  fresh->setStatusTip(tr("Start from the defaults"));
  open = menu->addAction(tr("&Open preset…"), QKeySequence::Open, files_, &PresetFiles::ask_open);
  menu->addAction(tr("Choose a &built-in preset…"), QKeySequence(Qt::CTRL | Qt::Key_B), files_,
                  &PresetFiles::show_picker);
  recent_ = menu->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &WindowMenus::fill_recent);
  fill_recent();
  menu->addAction(tr("&Import…"), QKeySequence(Qt::CTRL | Qt::Key_I), files_,
                  &PresetFiles::ask_import);
  menu->addSeparator();
  save =
      menu->addAction(tr("&Save preset"), QKeySequence::Save, files_, [this] { files_->save(); });
  menu->addAction(tr("Save preset &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), files_,
                  [this] { files_->save_as(); });
  menu->addSeparator();
  menu->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), f_.window, &QWidget::close);
}

void WindowMenus::add_edit(QMenu* menu, QUndoGroup* stacks) {
  undo = stacks->createUndoAction(f_.window, tr("&Undo"));
  undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
  redo = stacks->createRedoAction(f_.window, tr("&Redo"));
  redo->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
  menu->addAction(undo);
  menu->addAction(redo);
  menu->addSeparator();
  menu->addAction(tr("&Copy preset as text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
                  files_, &PresetFiles::copy);
  menu->addAction(tr("&Paste preset from text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
                  files_, &PresetFiles::paste);
  const auto show_setup = [this](SetupPage::View view) {
    f_.pages->show_page(f_.setup);
    f_.setup->show_view(view);
  };
  menu->addAction(tr("Edit preset as &text"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                  [show_setup] { show_setup(SetupPage::text_view); });
  menu->addAction(tr("Co&mpare presets"), QKeySequence(Qt::CTRL | Qt::Key_D), this,
                  [show_setup] { show_setup(SetupPage::diff_view); });
  menu->addAction(tr("Reset &everything to the defaults"), this,
                  [this] { f_.parts.document->replace(Preset{}, tr("reset")); });
  menu->addSeparator();
  menu->addAction(tr("&Search settings"), QKeySequence(Qt::CTRL | Qt::Key_K), this, [this] {
    f_.pages->show_page(f_.setup);
    f_.setup->focus_search();
  });
}

void WindowMenus::add_run(QMenu* menu) {
  const RunActions& a = *f_.actions;
  menu->addAction(a.check);
  menu->addAction(tr("Probe pre&cision"), QKeySequence(Qt::CTRL | Qt::Key_P), this, [this] {
    f_.pages->show_page(f_.setup);
    f_.setup->show_view(SetupPage::probe_view);
  });
  menu->addAction(tr("Test learnin&g rates"), this, [this] {
    f_.pages->show_page(f_.setup);
    f_.setup->show_view(SetupPage::rate_view);
  });
  menu->addActions({a.start, a.pause, a.stop_save, a.stop});
  menu->addSeparator();
  menu->addActions({a.save, a.sample});
  menu->addSeparator();
  menu->addActions({a.enqueue, a.sweep, a.open_folder, a.go_on, a.compare});
  menu->addSeparator();
  menu->addAction(tr("&Notifications…"), this, &WindowMenus::notices_wanted);
  menu->addAction(tr("Use the built-in &demo"), this, [this] {
    f_.setup->job()->use_demo();
    f_.pages->show_page(f_.setup);
  });
}

void WindowMenus::add_view(QMenu* menu) {
  for (std::size_t i = 0; i < page_table().size(); ++i) {
    const PageRow& row = page_table()[i];
    menu->addAction(QCoreApplication::translate("pages", row.menu_text), QKeySequence(row.keys),
                    f_.pages,
                    [pages = f_.pages, page = f_.pages->pages()[i]] { pages->show_page(page); });
  }
  menu->addSeparator();
  QMenu* themes = menu->addMenu(tr("T&heme"));
  auto* group = new QActionGroup(this);
  const std::pair<QString, ThemeMode> modes[] = {{tr("&System"), ThemeMode::system},
                                                 {tr("&Light"), ThemeMode::light},
                                                 {tr("&Dark"), ThemeMode::dark}};
  for (const auto& [name, mode] : modes) {
    QAction* action = themes->addAction(name, this, [this, mode = mode] {
      f_.parts.settings->set_theme(mode);
      f_.parts.theme->apply(*qobject_cast<QApplication*>(QCoreApplication::instance()), mode);
    });
    action->setCheckable(true);
    action->setChecked(f_.parts.theme->mode() == mode);
    group->addAction(action);
  }
  add_languages(menu->addMenu(tr("&Language")));
  menu->addAction(tr("Show all &advanced settings"), this, [this] {
    f_.pages->show_page(f_.setup);
    f_.setup->form()->set_show_advanced(true);
  });
}

void WindowMenus::add_languages(QMenu* menu) {
  languages_ = new QActionGroup(this);
  const QString now = f_.parts.settings->language();
  const auto add = [&](const QString& name, const QString& code) {
    QAction* action = menu->addAction(name, this, [this, code] { choose_language(code); });
    action->setCheckable(true);
    action->setChecked(code == now);
    action->setData(code);
    languages_->addAction(action);
  };
  add(tr("&System"), QString());
  for (const Language& language : languages()) {
    const QString name = QString::fromUtf8(language.name);
    const bool boxes = !font_hint(language, f_.parts.has_script).isEmpty();
    // A name that is drawn as boxes says nothing; not translated, as the others.
    add(boxes ? QStringLiteral("%1 (%2), no font installed")
                    .arg(QString::fromLatin1(language.english_name), name)
              : name,
        QString::fromLatin1(language.code));
  }
}

void WindowMenus::choose_language(const QString& code) {
  const Language* language = find_language(code);
  const QString hint = language != nullptr ? font_hint(*language, f_.parts.has_script) : QString();
  if (hint.isEmpty()) {
    emit language_chosen(code);
    return;
  }
  for (QAction* action : languages_->actions()) {
    action->setChecked(action->data() == f_.parts.settings->language());
  }
  f_.messages->offer(hint, {{tr("Use it anyway"), [this, code] { emit language_chosen(code); }}});
}

void WindowMenus::add_help(QMenu* menu) {
  const auto show = [this](HelpDialog::Page page) {
    (new HelpDialog(page, f_.parts.theme, f_.window))->open();
  };
  menu->addAction(tr("&Guide"), QKeySequence(Qt::CTRL | Qt::Key_F1), this,
                  [show] { show(HelpDialog::guide); });
  menu->addAction(tr("&Precision catalogue"), this, [show] { show(HelpDialog::catalogue); });
  menu->addSeparator();
  auto* keys = menu->addAction(tr("&Keyboard shortcuts"), this, [this] {
    (new ShortcutsDialog(f_.window, f_.parts.theme, f_.window))->open();
  });
  keys->setShortcuts({QKeySequence(Qt::Key_F1), QKeySequence(Qt::Key_Question)});
  menu->addSeparator();
  menu->addAction(tr("Copy &diagnostics"), this, [this] {
    QApplication::clipboard()->setText(diagnostics_text());
    f_.messages->show_info(
        tr("Versions, devices, the draft and the log are on the clipboard, for a bug report."));
  });
  menu->addAction(tr("&About Mantissa"), this, [this] {
    (new AboutDialog(f_.device->report().versions, f_.parts.theme, f_.window))->open();
  });
}

QString WindowMenus::diagnostics_text() const {
  QStringList parts{device_report_text(f_.device->report())};
  for (const PresetChange& change : diff_presets(Preset{}, f_.parts.document->preset())) {
    parts << QStringLiteral("%1 = %2").arg(to_qstring(change.key), to_qstring(change.b.dump()));
  }
  parts << QString() << f_.setup->precision()->list()->lines() << QString()
        << f_.run->log()->text();
  return parts.join(QLatin1Char('\n'));
}

void WindowMenus::fill_recent() {
  recent_->clear();
  recent_->setToolTipsVisible(true);
  for (const QString& path : f_.parts.settings->recent_files()) {
    QString name = shown(QFileInfo(path).fileName());
    const std::string family = f_.parts.settings->recent_family(path);
    QAction* action = recent_->addAction(
        family_icon(family), name.replace(QLatin1Char('&'), QLatin1String("&&")), files_,
        [this, path] { files_->settle_unsaved([this, path] { files_->open(path); }); });
    const QString about = QStringLiteral("%1\n%2").arg(family_title(family), shown(path));
    action->setToolTip(about.toHtmlEscaped());
    action->setStatusTip(shown(path));
    action->setIconVisibleInMenu(true);
  }
  recent_->setEnabled(!recent_->isEmpty());
}

}  // namespace mantissa::gui
