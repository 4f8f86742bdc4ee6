#include "gui/app/MainWindow.h"

#include <QAction>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QTimer>
#include <QUndoGroup>
#include <QUndoStack>
#include <QVBoxLayout>

#include "engine/run/run_files.h"
#include "gui/app/CloseGuard.h"
#include "gui/app/DraftKeeper.h"
#include "gui/app/DraftProbe.h"
#include "gui/app/DraftReview.h"
#include "gui/app/DropTarget.h"
#include "gui/app/EmptyPages.h"
#include "gui/app/FrameTicker.h"
#include "gui/app/FreeRenders.h"
#include "gui/app/HeaderBar.h"
#include "gui/app/LengthNotes.h"
#include "gui/app/LiveSettings.h"
#include "gui/app/NoticeDialog.h"
#include "gui/app/Notifier.h"
#include "gui/app/PageRail.h"
#include "gui/app/PageStack.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/RunFeed.h"
#include "gui/app/RunResults.h"
#include "gui/app/RunStarter.h"
#include "gui/app/RunStatus.h"
#include "gui/app/RunVerifier.h"
#include "gui/app/SetupPage.h"
#include "gui/app/StrengthRenders.h"
#include "gui/app/WindowMenus.h"
#include "gui/base/Text.h"
#include "gui/dataset/DataPage.h"
#include "gui/dataset/ImageTrash.h"
#include "gui/desktop/ScreenFit.h"
#include "gui/device/CardPicker.h"
#include "gui/device/DevicePage.h"
#include "gui/engine/AppSettings.h"
#include "gui/history/ComparePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/preset/PresetDocument.h"
#include "gui/preset/SchemaForm.h"
#include "gui/run/JobPanel.h"
#include "gui/run/LogView.h"
#include "gui/run/PlotsPanel.h"
#include "gui/run/RunActions.h"
#include "gui/run/RunBar.h"
#include "gui/run/RunPage.h"
#include "gui/run/RunQueue.h"
#include "gui/samples/SampleGrid.h"
#include "gui/widgets/FocusKeeper.h"
#include "gui/widgets/MessageBar.h"

namespace mantissa::gui {

MainWindow::MainWindow(const WindowParts& parts, WindowQuestions questions, QWidget* parent)
    : QMainWindow(parent) {
  setObjectName(QStringLiteral("MainWindow"));
  setWindowIcon(app_icon());
  frame_.window = this;
  frame_.parts = parts;
  frame_.ask = std::move(questions);
  frame_.actions = new RunActions(this);
  frame_.queue = new RunQueue(parts.engine, parts.settings, parts.beside, this);
  notifier_ =
      new Notifier(parts.engine, parts.run_data, parts.settings, *frame_.actions, this, this);
  frame_.ticker = new FrameTicker(parts.engine, parts.run_data, this, this);
  undo_ = new QUndoGroup(this);
  lay_out();
  find_pages();

  files_ = std::make_unique<PresetFiles>(frame_);
  drops_ = std::make_unique<DropTarget>(this, frame_.pages, frame_.setup, files_.get(),
                                        parts.reader, frame_.messages);
  keeper_ = std::make_unique<DraftKeeper>(frame_);
  guard_ = std::make_unique<CloseGuard>(this, frame_.ask, parts.engine, frame_.queue, files_.get(),
                                        keeper_.get(), frame_.data_page);
  menus_ = std::make_unique<WindowMenus>(frame_, files_.get(), undo_, menuBar());
  connect(menus_.get(), &WindowMenus::language_chosen, this, &MainWindow::language_chosen);
  connect(menus_.get(), &WindowMenus::notices_wanted, this,
          [this] { (new NoticeDialog(frame_.parts.settings, notifier_, this))->open(); });
  header_->add_button(menus_->undo, Icon::undo);
  header_->add_button(menus_->redo, Icon::redo);
  header_->add_button(menus_->open, Icon::open);
  header_->add_button(menus_->save, Icon::save);
  live_ = std::make_unique<LiveSettings>(frame_, files_.get());
  lengths_ = std::make_unique<LengthNotes>(parts.document, frame_.data_page, frame_.setup);
  status_ = std::make_unique<RunStatus>(frame_);
  feed_ = std::make_unique<RunFeed>(frame_);
  verifier_ = std::make_unique<RunVerifier>(frame_);
  draft_ = std::make_unique<DraftReview>(frame_, files_.get());
  probe_ = std::make_unique<DraftProbe>(parts.engine, parts.document, frame_.setup, draft_.get());
  starter_ = std::make_unique<RunStarter>(frame_, draft_.get(), status_.get());
  results_ = std::make_unique<RunResults>(frame_, status_.get());
  const RenderParts rendering{parts.engine,        parts.run_data,     status_.get(),
                              frame_.setup->job(), frame_.sample_grid, frame_.messages};
  strengths_ = std::make_unique<StrengthRenders>(rendering);
  free_ = std::make_unique<FreeRenders>(rendering);
  empty_ = std::make_unique<EmptyPages>(frame_);
  connect_pages();
  connect_run_page();

  resize(1280, 860);
  setMinimumSize(900, 560);
  if (!parts.settings->geometry().isEmpty()) {
    restoreGeometry(parts.settings->geometry());
  }
  update_title();
  status_->update_details();
  show_page(frame_.setup);
}

MainWindow::~MainWindow() = default;

void MainWindow::lay_out() {
  const Theme* theme = frame_.parts.theme;
  auto* central = new QWidget(this);
  auto* rows = new QVBoxLayout(central);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(0);
  auto* across = new QHBoxLayout;
  across->setSpacing(0);
  frame_.pages = new PageStack(frame_.parts, frame_.ask.open_preset, central);
  across->addWidget(new PageRail(frame_.pages, theme, this));
  auto* content = new QVBoxLayout;
  content->setSpacing(0);
  header_ = new HeaderBar(theme, this);
  content->addWidget(header_);
  auto* inner = new QVBoxLayout;
  inner->setContentsMargins(Space::large, Space::large, Space::large, Space::large);
  inner->setSpacing(Space::medium);
  inner->addWidget(frame_.pages, 1);
  // Over the page: a message never moves what is being clicked.
  frame_.messages = new MessageBar(theme, central);
  frame_.messages->float_over(frame_.pages);
  connect(frame_.messages, &MessageBar::covers, frame_.pages, &PageStack::set_covered);
  connect(frame_.pages, &QStackedWidget::currentChanged, frame_.messages, &MessageBar::leave_page);
  content->addLayout(inner, 1);
  across->addLayout(content, 1);
  rows->addLayout(across, 1);
  frame_.bar = new RunBar(frame_.actions, theme, central);
  rows->addWidget(frame_.bar);
  setCentralWidget(central);
  // Otherwise the first widget would have the focus, with its ring, at start.
  central->setFocusPolicy(Qt::ClickFocus);
  central->setAccessibleName(QStringLiteral("Mantissa"));
  central->setFocus();
  new FocusKeeper(this);
}

/// Pages accessed by name from other folders, and the requests of pages to the window.
void MainWindow::find_pages() {
  PageStack* pages = frame_.pages;
  frame_.setup = pages->get<SetupPage>();
  frame_.setup->job()->set_program_roots(frame_.parts.find_roots);
  frame_.data_page = pages->get<DataPage>();
  frame_.data_page->trash()->set_question(frame_.ask.move_to_trash);
  frame_.data_page->set_run_images([this](const std::set<std::string>& names, QObject* context,
                                          const std::function<void(const RunImages&)>& got) {
    frame_.parts.runs->load_influences(
        names, context, [got](const QString& run, const std::vector<ImageInfluence>& images) {
          got({run, images});
        });
  });
  frame_.run = pages->get<RunPage>();
  frame_.sample_grid = pages->get<SampleGrid>();
  frame_.history = pages->get<HistoryPage>();
  frame_.device = pages->get<DevicePage>();
  QUndoStack* preset = frame_.parts.document->undo_stack();
  undo_->addStack(preset);
  for (Page* page : pages->pages()) {
    connect(page, &Page::news, this, [this](const QString& text) {
      show_info(text);
      news_ = frame_.messages->text();
    });
    connect(page, &Page::problem, this, &MainWindow::show_error);
    if (QUndoStack* own = page->undo_stack()) {
      undo_->addStack(own);
    }
  }
  connect(pages, &PageStack::chosen, this, [this, preset](Page* page) {
    QUndoStack* own = page->undo_stack();
    undo_->setActiveStack(own != nullptr ? own : preset);
  });
  // What a page told is no longer true after an undo.
  connect(undo_, &QUndoGroup::indexChanged, this, &MainWindow::drop_news);
  connect(frame_.data_page, &DataPage::undo_stack_changed, this, [this] {
    QUndoStack* own = frame_.data_page->undo_stack();
    undo_->addStack(own);
    if (frame_.data_page->isVisible()) {
      undo_->setActiveStack(own);
    }
  });
}

void MainWindow::drop_news() {
  if (!news_.isEmpty() && frame_.messages->text() == news_) {
    frame_.messages->hide();
  }
  news_.clear();
}

/// Connections between pages.
void MainWindow::connect_pages() {
  PresetDocument* document = frame_.parts.document;
  connect(document, &PresetDocument::title_changed, this, &MainWindow::update_title);
  connect(document->undo_stack(), &QUndoStack::cleanChanged, this, &MainWindow::update_title);
  connect(frame_.history, &HistoryPage::deleted, this, [this](const QString& text) {
    frame_.messages->offer(text, {{tr("Undo"), [this] { frame_.parts.runs->restore(); }}});
  });
  connect(frame_.data_page, &DataPage::trashed, this, [this](const QString& text) {
    frame_.messages->offer(text, {{tr("Undo"), [this] { frame_.data_page->restore_trashed(); }}});
  });
  connect(frame_.data_page, &DataPage::captions_converted, this, [this](const QString& text) {
    frame_.messages->offer(text,
                           {{tr("Undo"), [this] { frame_.data_page->put_back_converted(); }}});
  });
  connect(this, &MainWindow::first_frame, frame_.device, &DevicePage::refresh);
  connect(this, &MainWindow::first_frame, draft_.get(), &DraftReview::plan);
  connect(this, &MainWindow::first_frame, this, [this] {
    const Language* language = find_language(frame_.parts.settings->language());
    const QString hint =
        language != nullptr ? font_hint(*language, frame_.parts.has_script) : QString();
    if (!hint.isEmpty()) {
      show_info(hint);
    }
  });
  connect_devices();
  connect(notifier_, &Notifier::percent_changed, this, &MainWindow::update_title);
  // Also while the window is minimised, when only the taskbar shows.
  connect(frame_.ticker, &FrameTicker::frame, notifier_, &Notifier::update);
  connect(draft_.get(), &DraftReview::readiness_changed, status_.get(), &RunStatus::update_details);
}

/// Setup and the device page choose the same devices.
void MainWindow::connect_devices() {
  JobPanel* job = frame_.setup->job();
  CardPicker* picker = frame_.device->picker();
  const auto show = [this, job, picker] {
    picker->show_choice(job->device(), frame_.parts.settings->card_use());
  };
  connect(frame_.device, &DevicePage::reported, this, [this, job, show] {
    job->set_devices(frame_.device->report().devices);
    show();
  });
  connect(job, &JobPanel::device_chosen, this, show);
  connect(picker, &CardPicker::device_chosen, job, &JobPanel::choose_device);
  connect(picker, &CardPicker::use_chosen, job, &JobPanel::set_card_use);
}

void MainWindow::connect_run_page() {
  connect(frame_.run, &RunPage::field_requested, this, [this](const QString& key) {
    show_page(frame_.setup);
    frame_.setup->form()->jump_to(key);
  });
  connect(frame_.run, &RunPage::samples_requested, this, [this](qint64 step) {
    show_page(frame_.sample_grid);
    frame_.sample_grid->show_step(step);
  });
  connect(frame_.actions->compare, &QAction::triggered, this, [this] {
    show_page(frame_.history);
    if (const QString run = status_->shown_run(); !run.isEmpty()) {
      frame_.history->compare_with_another(to_qstring(run_id_of(to_path(run))));
    }
  });
  ComparePage* compare = frame_.history->compare();
  compare->set_smoothing(frame_.parts.settings->smoothing());
  connect(frame_.run->plots(), &PlotsPanel::smoothing_changed, compare,
          &ComparePage::set_smoothing);
  connect(frame_.queue, &RunQueue::ended_beside, notifier_, &Notifier::tell_end);
  connect(notifier_, &Notifier::undelivered, this, [this](const Message& why) {
    frame_.run->log()->append({{LogLevel::warning, why}});
  });
  connect_closing();
}

void MainWindow::connect_closing() {
  using Wait = CloseGuard::Wait;
  connect(frame_.queue, &RunQueue::ended_beside, this, [this](const RunEnd& end) {
    if (guard_->wait() == Wait::end) {
      frame_.parts.settings->add_left_run(path_text(end.result.folder));
      close();  // unless others still train
    }
  });
  connect(frame_.parts.engine, &EngineClient::begun, this, [this] {
    if (guard_->wait() == Wait::begin) {
      close();
    }
  });
  connect(status_.get(), &RunStatus::ended, this, [this](bool failed) {
    if (guard_->wait() == Wait::end) {
      frame_.parts.settings->add_left_run(status_->shown_run());
      close();
    } else if (guard_->wait() == Wait::hand_over && !failed) {
      // After all other listeners were notified of the end.
      QMetaObject::invokeMethod(this, &MainWindow::hand_over, Qt::QueuedConnection);
    } else if (failed) {
      guard_->set_wait(Wait::none);
      show_page(frame_.run);
    }
  });
}

/// The run that was stopped for it continues in a process of its own.
void MainWindow::hand_over() {
  if (status_->is_finished()) {
    guard_->set_wait(CloseGuard::Wait::none);
    close();  // it had ended by then
    return;
  }
  JobSpec job = frame_.parts.engine->job();
  if (!status_->shown_run().isEmpty()) {
    job.resume = to_path(status_->shown_run());
    job.start_over = false;
  }
  guard_->set_wait(CloseGuard::Wait::begin);
  starter_->launch_apart(job);
}

void MainWindow::show_page(Page* page) {
  frame_.pages->show_page(page);
}

Page* MainWindow::page() const {
  return frame_.pages->page();
}

const std::vector<Page*>& MainWindow::pages() const {
  return frame_.pages->pages();
}

bool MainWindow::is_loading() const {
  return !begun_ || page()->is_loading();
}

void MainWindow::update_title() {
  const PresetDocument& document = *frame_.parts.document;
  const QString name = shown(document.display_name());
  header_->set_preset(name, document.is_dirty());
  // Taskbars show the title: put the progress first.
  const QString percent =
      notifier_->percent() < 0
          ? QString()
          : percent_text(QString::number(notifier_->percent())) + QStringLiteral(" · ");
  setWindowTitle(QStringLiteral("%1%2[*] – Mantissa").arg(percent, name));
  setWindowModified(document.is_dirty());
}

void MainWindow::paintEvent(QPaintEvent* event) {
  QMainWindow::paintEvent(event);
  if (!drawn_) {
    drawn_ = true;
    // Never so narrow that a page's controls would be cut; their size is known once they are drawn.
    setMinimumSize(minimumSizeHint().expandedTo(minimumSize()).boundedTo(ScreenFit::room(*this)));
    // Once everything in it is drawn too.
    QTimer::singleShot(0, this, [this] {
      begun_ = true;
      emit first_frame();
    });
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!guard_->may_close()) {
    event->ignore();
    return;
  }
  frame_.parts.settings->set_geometry(saveGeometry());
  event->accept();
}

void MainWindow::show_error(const QString& text) {
  frame_.messages->show_error(text);
}

void MainWindow::show_exception(const std::exception& e) {
  frame_.messages->show_exception(e);
}

void MainWindow::show_info(const QString& text) {
  frame_.messages->show_info(text);
}

}  // namespace mantissa::gui
