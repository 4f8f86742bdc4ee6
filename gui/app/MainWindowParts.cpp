// The frame of MainWindow: page rail, header and menus.
#include <QActionGroup>
#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QToolButton>
#include <QUndoGroup>
#include <QVBoxLayout>

#include "engine/core/error.h"
#include "gui/app/MainWindow.h"
#include "gui/app/SetupPage.h"
#include "gui/engine/AppSettings.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunActions.h"
#include "gui/widgets/ElideLabel.h"
#include "gui/widgets/Parts.h"

namespace mantissa::gui {

QWidget* MainWindow::build_rail() {
  auto* frame = new QFrame(this);
  frame->setProperty("bar", QStringLiteral("rail"));
  frame->setAccessibleName(tr("Pages"));
  auto* column = new QVBoxLayout(frame);
  column->setContentsMargins(Space::tiny, Space::small, Space::tiny, Space::small);
  column->setSpacing(Space::tiny);
  rail_ = new QButtonGroup(this);
  const std::pair<QString, Icon> pages[] = {
      {tr("Setup"), Icon::setup},     {tr("Data"), Icon::data},       {tr("Train"), Icon::train},
      {tr("Samples"), Icon::samples}, {tr("History"), Icon::history}, {tr("Device"), Icon::device}};
  int id = 0;
  for (const auto& [name, icon] : pages) {
    auto* button = new QToolButton(frame);
    button->setProperty("kind", QStringLiteral("rail"));
    button->setText(name);
    button->setCheckable(true);
    button->setIconSize(QSize(22, 22));
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setFixedWidth(72);
    button->setAccessibleName(tr("Page %1").arg(name));
    button->setToolTip(tr("%1 (Ctrl+%2)").arg(name).arg(id + 1));
    bind_icon(button, icon, p_.theme, [](const ThemeColors& c) { return c.muted; });
    rail_->addButton(button, id++);
    column->addWidget(button);
  }
  column->addStretch();
  connect(rail_, &QButtonGroup::idClicked, this,
          [this](int page) { show_page(static_cast<Page>(page)); });
  return frame;
}

QWidget* MainWindow::build_header() {
  auto* frame = new QFrame(this);
  frame->setProperty("bar", QStringLiteral("top"));
  auto* row = new QHBoxLayout(frame);
  row->setContentsMargins(Space::large, Space::small, Space::medium, Space::small);
  row->setSpacing(Space::tiny);
  row->addWidget(make_label(tr("Preset"), "muted", frame));
  row->addSpacing(Space::tiny);
  name_ = new ElideLabel(QString(), frame);
  QFont font = name_->font();
  font.setWeight(QFont::DemiBold);
  name_->setFont(font);
  name_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  row->addWidget(name_);
  changed_ = make_label(tr("● not saved"), "warning", frame);
  row->addSpacing(Space::small);
  row->addWidget(changed_);
  row->addStretch(1);
  return frame;
}

void MainWindow::build_menus() {
  auto* header = qobject_cast<QHBoxLayout*>(name_->parentWidget()->layout());
  const auto in_header = [&](QAction* action, Icon icon) {
    auto* button = new QToolButton(name_->parentWidget());
    button->setToolTip(
        QStringLiteral("%1 (%2)").arg(QString(action->text()).remove(QLatin1Char('&')),
                                      action->shortcut().toString(QKeySequence::NativeText)));
    button->setAccessibleName(QString(action->text()).remove(QLatin1Char('&')));
    bind_icon(button, icon, p_.theme);
    button->setEnabled(action->isEnabled());
    connect(action, &QAction::changed, button, [=] { button->setEnabled(action->isEnabled()); });
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    header->addWidget(button);
  };

  QMenu* file = menuBar()->addMenu(tr("&File"));
  auto* fresh = file->addAction(tr("&New preset"), QKeySequence::New, this, [this] {
    settle_unsaved([this] { p_.document->load(Preset{}, QString()); });
  });
  fresh->setStatusTip(tr("Start from the defaults"));
  auto* open = file->addAction(tr("&Open preset…"), QKeySequence::Open, this, [this] {
    ask_.open_preset(this, p_.settings->last_folder(), [this](const QString& chosen) {
      settle_unsaved([this, chosen] { open_preset(chosen); });
    });
  });
  library_menu_ = file->addMenu(tr("Built-in &presets"));
  library_menu_->setEnabled(false);
  add_preset_actions(file, nullptr);
  file->addSeparator();
  auto* save =
      file->addAction(tr("&Save preset"), QKeySequence::Save, this, [this] { save_preset(); });
  file->addAction(tr("Save preset &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                  [this] { save_preset_as(); });
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &QWidget::close);

  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = undo_->createUndoAction(this, tr("&Undo"));
  undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));
  QAction* redo = undo_->createRedoAction(this, tr("&Redo"));
  redo->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::Key_Y), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
  edit->addAction(undo);
  edit->addAction(redo);
  edit->addSeparator();
  edit->addAction(tr("&Copy preset as text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                  [this] {
                    QApplication::clipboard()->setText(p_.document->to_text());
                    show_info(tr("The preset is on the clipboard."));
                  });
  edit->addAction(tr("&Paste preset from text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V),
                  this, &MainWindow::paste_preset);
  add_preset_actions(nullptr, edit);
  edit->addAction(tr("Reset &everything to the defaults"), this,
                  [this] { p_.document->replace(Preset{}, tr("reset")); });
  edit->addSeparator();
  edit->addAction(tr("&Search settings"), QKeySequence(Qt::CTRL | Qt::Key_K), this, [this] {
    show_page(setup);
    setup_->focus_search();
  });

  QMenu* run = menuBar()->addMenu(tr("&Run"));
  run->addActions(
      {actions_->check, actions_->start, actions_->pause, actions_->stop_save, actions_->stop});
  run->addSeparator();
  run->addActions({actions_->save, actions_->sample});
  run->addSeparator();
  run->addActions({actions_->enqueue, actions_->open_folder, actions_->go_on, actions_->compare});
  run->addSeparator();
  run->addAction(tr("Use the built-in &demo"), this, [this] {
    setup_->job()->use_demo();
    show_page(setup);
  });

  QMenu* view = menuBar()->addMenu(tr("&View"));
  const QString names[] = {tr("&Setup"),   tr("&Data"),    tr("&Train"),
                           tr("Sa&mples"), tr("H&istory"), tr("D&evice")};
  for (int i = 0; i < static_cast<int>(std::size(names)); ++i) {
    view->addAction(names[i], QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this,
                    [this, i] { show_page(static_cast<Page>(i)); });
  }
  view->addSeparator();
  QMenu* theme = view->addMenu(tr("T&heme"));
  auto* group = new QActionGroup(this);
  const std::pair<QString, ThemeMode> modes[] = {{tr("&System"), ThemeMode::system},
                                                 {tr("&Light"), ThemeMode::light},
                                                 {tr("&Dark"), ThemeMode::dark}};
  for (const auto& [name, mode] : modes) {
    QAction* action = theme->addAction(name, this, [this, mode = mode] { set_theme(mode); });
    action->setCheckable(true);
    action->setChecked(p_.theme->mode() == mode);
    group->addAction(action);
  }
  view->addAction(tr("Show all &advanced settings"), this, [this] {
    show_page(setup);
    setup_->form()->set_show_advanced(true);
  });

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  add_help(help);

  in_header(undo, Icon::undo);
  in_header(redo, Icon::redo);
  in_header(open, Icon::open);
  in_header(save, Icon::save);
}

}  // namespace mantissa::gui
