#include "gui/app/PageTable.h"

#include <QCoreApplication>

#include "gui/app/SetupPage.h"
#include "gui/dataset/DataPage.h"
#include "gui/device/DevicePage.h"
#include "gui/history/HistoryPage.h"
#include "gui/run/RunPage.h"
#include "gui/samples/SampleGrid.h"
#include "gui/tools/ToolsPage.h"

namespace mantissa::gui {
namespace {

Page* make_setup(const PageSources& from, QWidget* parent) {
  const WindowParts& p = from.parts;
  return new SetupPage(p.document, p.settings, p.watcher, from.open_preset, p.reader, p.theme,
                       parent);
}

Page* make_data(const PageSources& from, QWidget* parent) {
  const WindowParts& p = from.parts;
  return new DataPage(p.document, from.page<SetupPage>()->job(), p.settings, p.theme, parent);
}

Page* make_train(const PageSources& from, QWidget* parent) {
  const WindowParts& p = from.parts;
  return new RunPage(p.run_data, p.sample_model, p.settings, p.theme, parent);
}

Page* make_samples(const PageSources& from, QWidget* parent) {
  return new SampleGrid(from.parts.sample_model, from.parts.theme, parent);
}

Page* make_history(const PageSources& from, QWidget* parent) {
  return new HistoryPage(from.parts.runs, from.parts.theme, parent);
}

Page* make_device(const PageSources& from, QWidget* parent) {
  return new DevicePage(from.parts.theme, parent);
}

Page* make_tools(const PageSources& from, QWidget* parent) {
  return new ToolsPage(from.parts.theme, parent);
}

// A new page: its row, and a function above that makes it.
constexpr PageRow kPages[] = {
    {"setup", QT_TRANSLATE_NOOP("pages", "Setup"), QT_TRANSLATE_NOOP("pages", "&Setup"),
     Icon::setup, Qt::CTRL | Qt::Key_1, make_setup},
    {"data", QT_TRANSLATE_NOOP("pages", "Data"), QT_TRANSLATE_NOOP("pages", "&Data"), Icon::data,
     Qt::CTRL | Qt::Key_2, make_data},
    {"train", QT_TRANSLATE_NOOP("pages", "Train"), QT_TRANSLATE_NOOP("pages", "&Train"),
     Icon::train, Qt::CTRL | Qt::Key_3, make_train},
    {"samples", QT_TRANSLATE_NOOP("pages", "Samples"), QT_TRANSLATE_NOOP("pages", "Sa&mples"),
     Icon::samples, Qt::CTRL | Qt::Key_4, make_samples},
    {"history", QT_TRANSLATE_NOOP("pages", "History"), QT_TRANSLATE_NOOP("pages", "H&istory"),
     Icon::history, Qt::CTRL | Qt::Key_5, make_history},
    {"device", QT_TRANSLATE_NOOP("pages", "Device"), QT_TRANSLATE_NOOP("pages", "D&evice"),
     Icon::device, Qt::CTRL | Qt::Key_6, make_device},
    {"tools", QT_TRANSLATE_NOOP("pages", "Tools"), QT_TRANSLATE_NOOP("pages", "T&ools"),
     Icon::tools, Qt::CTRL | Qt::Key_7, make_tools},
};

}  // namespace

std::span<const PageRow> page_table() {
  return kPages;
}

}  // namespace mantissa::gui
