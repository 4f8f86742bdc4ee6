#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFileInfo>
#include <cstdio>
#include <cstring>
#include <memory>

#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/core/system.h"
#include "engine/plan/draft_plan.h"
#include "engine/preflight/preflight.h"
#include "engine/preset/preset_library.h"
#include "engine/probe/probe.h"
#include "engine/probe/rate_test.h"
#include "engine/render/sample.h"
#include "engine/run/run.h"
#include "engine/train/run_training.h"
#include "gui/app/PresetFiles.h"
#include "gui/app/Session.h"
#include "gui/app/SetupPage.h"
#include "gui/base/Language.h"
#include "gui/base/Text.h"
#include "gui/desktop/FirstStudio.h"
#include "gui/desktop/StartFailure.h"
#include "gui/engine/AppSettings.h"
#include "gui/engine/LaunchedRun.h"
#include "gui/preset/SettingsReader.h"
#include "gui/run/JobPanel.h"
#include "gui/run/RunLoader.h"

namespace mantissa::gui {
namespace {

/// Installed beside the resources; in a source tree, beside its resources folder.
std::optional<std::filesystem::path> presets_folder() {
  const auto folder = find_resource("presets");
  return folder ? folder : find_resource("../presets");
}

std::vector<PresetEntry> built_in_presets() {
  const auto folder = presets_folder();
  return folder ? PresetLibrary(*folder).list() : std::vector<PresetEntry>();
}

/// What a later start of the program was given.
void open_in_front(Session& session, const QString& file) {
  MainWindow& window = session.window();
  window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
  window.raise();
  window.activateWindow();
  window.files()->open_or_import(file);
}

/// The program's arguments.
struct Arguments {
  const QCommandLineOption run{QStringLiteral("run"),
                               QCoreApplication::translate("main", "Show a recorded run."),
                               QStringLiteral("RUN")};
  const QCommandLineOption shots{
      QStringLiteral("screenshots"),
      QCoreApplication::translate("main", "Render every page to DIR/<page>.png and exit."),
      QStringLiteral("DIR")};
  const QCommandLineOption theme{
      QStringLiteral("theme"),
      QCoreApplication::translate("main", "system, light or dark, for this start only."),
      QStringLiteral("THEME")};
  const QCommandLineOption language{
      QStringLiteral("lang"),
      QCoreApplication::translate("main", "Language: en, zh_CN or ja, for this start only."),
      QStringLiteral("LANG")};
  const QCommandLineOption scale{
      QStringLiteral("scale"),
      QCoreApplication::translate("main", "Scale the whole window by this factor."),
      QStringLiteral("FACTOR")};
  const QCommandLineOption size{
      QStringLiteral("size"),
      QCoreApplication::translate("main", "Width and height of the window, for this start only."),
      QStringLiteral("WxH")};
  const QCommandLineOption base{
      QStringLiteral("base"),
      QCoreApplication::translate("main", "Base model to start with; demo for the built-in one."),
      QStringLiteral("MODEL")};
  const QCommandLineOption images{
      QStringLiteral("images"),
      QCoreApplication::translate("main",
                                  "Image folder to start with; may be given more than once."),
      QStringLiteral("FOLDER")};
  const QCommandLineOption startup{
      QStringLiteral("startup-time"),
      QCoreApplication::translate("main", "Print the milliseconds to the first frame and exit.")};
  QCommandLineParser parser;

  explicit Arguments(const QApplication& app) {
    parser.setApplicationDescription(
        QCoreApplication::translate("main", "Trains LoRA adapters for diffusion models."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("PRESET"),
        QCoreApplication::translate("main", "A preset file, or the name of a built-in preset."),
        QStringLiteral("[PRESET]"));
    parser.addOptions({run, base, images, shots, theme, language, scale, size, startup});
    parser.process(app);
  }
  bool has(const QCommandLineOption& option) const { return parser.isSet(option); }
  QString value(const QCommandLineOption& option) const { return parser.value(option); }
  QStringList presets() const { return parser.positionalArguments(); }
  /// If all that was given is a file, as by a double-click on it: its path.
  QString only_file() const {
    const bool alone = parser.optionNames().isEmpty() && presets().size() == 1;
    const QFileInfo file(alone ? presets().front() : QString());
    return file.isFile() ? file.absoluteFilePath() : QString();
  }
};

SessionOptions studio_options() {
  SessionOptions options;
  options.runner = run_training;
  options.apart = train_apart;
  options.launches = RunLaunch::all;
  options.beside = launch_training;
  options.planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::whole); };
  options.live_planner = [](const JobSpec& job) { return preflight(job, PreflightDepth::draft); };
  options.inspection = [](const JobSpec& job, const Progress& progress) {
    return preflight(job, PreflightDepth::whole, progress);
  };
  options.sample_runner = run_sample;
  options.prober = run_probe;
  options.solver = solve_precision;
  options.rate_tester = run_rate_test;
  options.verifier = [](const std::filesystem::path& run, RunControl& control,
                        RunObserver& observer) { return verify_run(run, {}, control, observer); };
  options.draft_planner = [planner = std::make_shared<DraftPlanner>()](const JobSpec& job) {
    return planner->plan(job);
  };
  options.load_run = [](const QString& run) { return load_run(run); };
  options.places = RunPlaces::of_this_machine();
  options.load_library = built_in_presets;
  return options;
}

ThemeMode theme_called(const QString& name) {
  return name == QLatin1String("dark")    ? ThemeMode::dark
         : name == QLatin1String("light") ? ThemeMode::light
                                          : ThemeMode::system;
}

/// The preset and the run that were named.
void open_what_was_named(Session& session, const Arguments& given, bool rendering) {
  for (const QString& preset : given.presets()) {
    if (QFileInfo(preset).isFile() && rendering) {
      session.document().open(preset);
    } else if (QFileInfo(preset).isFile()) {
      session.window().files()->open_or_import(preset, true);
    } else {
      const auto folder = presets_folder();
      session.document().load(
          PresetLibrary(folder.value_or(std::filesystem::path())).load(preset.toStdString()),
          QString());
    }
  }
  if (given.has(given.run)) {
    session.open_run(given.value(given.run));
  }
}

/// Opens what is named, after the user's answer if edits of the last session would be replaced.
void open_named(Session& session, const Arguments& given, bool rendering) {
  if (given.presets().isEmpty() && !given.has(given.run)) {
    return;
  }
  const auto open = [&session, &given] {
    try {
      open_what_was_named(session, given, false);
    } catch (const std::exception& e) {
      session.window().show_exception(e);
    }
  };
  if (rendering) {
    open_what_was_named(session, given, true);  // a script needs the exit status
  } else if (session.window().files()->has_edits() && !given.presets().isEmpty()) {
    QObject::connect(&session.window(), &MainWindow::first_frame, &session,
                     [&session, open] { session.window().files()->settle_unsaved(open); });
  } else {
    open();
  }
}

int run_studio(QApplication& app, const QElapsedTimer& started) {
  const Arguments given(app);
  const QString settings = AppSettings().file();
  if (!given.only_file().isEmpty() && FirstStudio::hand_over(settings, given.only_file())) {
    return 0;
  }
  const QString language =
      given.has(given.language) ? given.value(given.language) : AppSettings().language();
  if (!load_language(app, language) && given.has(given.language)) {
    throw Error(message<"there is no translation for --lang {language}; use en, zh_CN or ja.">(
        given.value(given.language).toStdString()));
  }
  Session session(app, studio_options());
  MainWindow& window = session.window();
  if (given.has(given.theme)) {
    session.theme().apply(app, theme_called(given.value(given.theme)));
  }
  if (given.presets().size() > 1) {
    throw Error(
        message<"mantissa-studio takes one preset; it was given {count}.">(given.presets().size()));
  }
  const bool rendering = given.has(given.shots);
  if (!rendering) {
    session.restore_draft();
  }
  open_named(session, given, rendering);
  if (given.has(given.base) || given.has(given.images)) {
    window.setup_page()->job()->set_paths(given.value(given.base),
                                          given.parser.values(given.images));
  }
  if (given.has(given.startup)) {
    QObject::connect(&window, &MainWindow::first_frame, &app, [&started] {
      std::printf("%lld\n", static_cast<long long>(started.elapsed()));
      QCoreApplication::quit();
    });
  }
  if (given.has(given.size)) {
    const QStringList sides = given.value(given.size).split(QLatin1Char('x'));
    window.resize(sides.value(0).toInt(), sides.value(1).toInt());
  }
  window.show();
  if (rendering) {
    session.begin_background();
    session.save_screenshots(given.value(given.shots));
    return 0;
  }
  const FirstStudio first(settings);
  QObject::connect(&first, &FirstStudio::asked_to_open, &session,
                   [&session](const QString& file) { open_in_front(session, file); });
  // The first frame is drawn before looking for presets, runs or devices.
  const bool plain_start =
      given.presets().isEmpty() && !given.has(given.run) && !given.has(given.startup);
  QObject::connect(&window, &MainWindow::first_frame, &session, [&session, plain_start] {
    session.begin_background();
    if (plain_start) {
      session.welcome();
    }
  });
  return QApplication::exec();
}

}  // namespace
}  // namespace mantissa::gui

int main(int argc, char** argv) {
  mantissa::open_standard_streams();
  mantissa::restrict_library_search();
  if (const auto status = mantissa::gui::run_settings_reader(argc, argv)) {
    return *status;
  }
  QElapsedTimer started;
  started.start();
  // Qt reads its scale before any option can be parsed.
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::strcmp(argv[i], "--scale") == 0) {
      qputenv("QT_SCALE_FACTOR", argv[i + 1]);
    }
  }
  QApplication app(argc, argv);
  QApplication::setApplicationName(QStringLiteral("mantissa-studio"));
  // By which a desktop finds the icon: packaging/linux/mantissa-studio.desktop.
  QGuiApplication::setDesktopFileName(QStringLiteral("mantissa-studio"));
  QApplication::setApplicationDisplayName(QStringLiteral("Mantissa"));
  QApplication::setApplicationVersion(QStringLiteral(MANTISSA_VERSION));
  try {
    return mantissa::gui::run_studio(app, started);
  } catch (const mantissa::Error& e) {
    mantissa::gui::tell_start_failure(mantissa::printable_lines(e.what()));
    return exit_code(e.kind());
  } catch (const std::exception& e) {
    mantissa::gui::tell_start_failure(mantissa::printable_lines(e.what()));
    return 2;
  }
}
