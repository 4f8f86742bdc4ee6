#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/progress_bar.h"
#include "engine/cli/signal.h"
#include "engine/cli/style.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/plan/cuda_problem.h"
#include "engine/toolkit/install.h"
#include "engine/toolkit/installed.h"
#include "kernels/load.h"

namespace mantissa {
namespace {
using State = InstalledLibraries::State;
using Stage = InstallProgress::Stage;

constexpr double kRedraw = 0.1;  // seconds between redraws on a terminal
constexpr double kLine = 5;      // seconds between lines in a pipe
constexpr int kBarWidth = 20;
constexpr std::string_view kPackaged = "Part of the program's package,";

struct CudaOptions {
  std::string from, index;
  bool anyway = false;
};

std::string_view stage_name(Stage stage) {
  switch (stage) {
    case Stage::downloading:
      return "Downloading";
    case Stage::checking:
      return "Checking";
    case Stage::unpacking:
      return "Unpacking";
  }
  return {};
}

std::string_view state_name(State state) {
  switch (state) {
    case State::none:
      return "none";
    case State::complete:
      return "complete";
    case State::damaged:
      return "damaged";
    case State::other_version:
      return "other_version";
  }
  return {};
}

/// One line that is redrawn on a terminal, a line now and then in a pipe, or events.
class ProgressLine {
 public:
  explicit ProgressLine(const CommandSession& session) : session_(session) {}

  void show(const InstallProgress& now) {
    const double seconds = session_.context.seconds();
    const bool next = now.stage != stage_ || now.package != package_;
    if (next) {
      eta_ = {};
    }
    eta_.update(units(now.done), seconds);
    const double due = session_.people_is_terminal() ? kRedraw : kLine;
    if (!next && seconds - drawn_ < due && now.done < now.total) {
      return;
    }
    stage_ = now.stage;
    package_ = now.package;
    drawn_ = seconds;
    if (session_.json) {
      write_event(session_.out(), {{"event", "progress"},
                                   {"stage", lower(stage_name(now.stage))},
                                   {"package", now.package},
                                   {"bytes", now.done},
                                   {"total_bytes", now.total},
                                   {"share", now.share}});
    } else if (session_.level() <= LogLevel::info) {
      print(now);
    }
  }

  /// Ends the redrawn line.
  void finish() {
    if (open_) {
      session_.out() << std::endl;
      open_ = false;
    }
  }

 private:
  /// Of the estimate: 4 MiB, of which it averages some twenty.
  static std::int64_t units(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes >> 22); }

  static std::string lower(std::string_view name) {
    std::string text(name);
    std::ranges::transform(text, text.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return text;
  }

  void print(const InstallProgress& now) {
    const double left = eta_.remaining(units(now.done), units(now.total));
    std::string text = now.stage == Stage::checking
                           ? fmt::format("{} {}", stage_name(now.stage), now.package)
                           : fmt::format("{} {}  {} of {}", stage_name(now.stage), now.package,
                                         bytes_text(now.done), bytes_text(now.total));
    if (now.stage == Stage::downloading && left >= 0 && now.done < now.total) {
      text += "  ETA " + duration_text(left);
    }
    if (!session_.people_is_terminal()) {
      session_.out() << text << std::endl;
      return;
    }
    text = progress_bar(now.share, kBarWidth, session_.context.unicode) + "  " + text;
    text.resize(std::max(text.size(), drawn_size_), ' ');
    drawn_size_ = text.size();
    session_.out() << '\r' << text << std::flush;
    open_ = true;
  }

  const CommandSession& session_;
  std::optional<Stage> stage_;
  std::string package_;
  EtaEstimate eta_;
  double drawn_ = 0;
  std::size_t drawn_size_ = 0;
  bool open_ = false;
};

void announce(const CommandSession& session, const InstallRequest& request) {
  if (session.json || session.level() > LogLevel::info) {
    return;
  }
  session.out() << wrapped(
      fmt::format(
          "NVIDIA's libraries: {}{} on disk in {}. By installing them you accept {}, whose texts "
          "are installed with them.",
          request.wheels.empty() ? bytes_text(request.table.download_bytes()) + " to download, "
                                 : "",
          bytes_text(request.table.unpacked_bytes()), printable_path(request.root),
          licence_titles(request.table)),
      0, paragraph_columns(session.out()));
}

void tell_folder(const CommandSession& session, std::string_view what,
                 const std::filesystem::path& folder) {
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"path", path_to_utf8(folder)}});
  } else if (session.level() <= LogLevel::info) {
    session.out() << fmt::format("{} in {}\n", what, printable_path(folder)) << std::flush;
  }
}

/// Nothing is downloaded for a program that couldn't use it. Without a card or its driver only a
/// warning: they may be installed later.
void require_use(const CommandSession& session, const CudaOptions& options) {
  using Kind = CudaProblem::Kind;
  if (options.anyway || !options.from.empty()) {
    return;
  }
  const CudaProblem problem = cuda_report(cuda_library_folder()).problem;
  const Message reason = cuda_problem_text(problem);
  switch (problem.kind) {
    case Kind::relative_path:
    case Kind::no_library:
    case Kind::other_version:
      throw Error(message<"NVIDIA's libraries would not be used: {reason}. --anyway installs them "
                          "all the same">(reason));
    case Kind::no_driver:
    case Kind::old_driver:
    case Kind::no_card:
    case Kind::old_card:
      session.people() << "warning: NVIDIA's libraries alone are not enough: "
                       << printable(reason.text()) << std::endl;
      break;
    default:
      break;
  }
}

int install(CommandSession& session, const CudaOptions& options) {
  InstallRequest request{library_table(), libraries_root(), path_from_utf8(options.from)};
  if (!options.index.empty()) {
    request.table.index = options.index;
  }
  while (request.table.index.ends_with('/')) {
    request.table.index.pop_back();
  }
  const InstalledLibraries present = usable_libraries(request.table);
  if (present.state == State::complete) {
    tell_folder(session, present.packaged ? kPackaged : "Already installed", present.folder);
    return 0;
  }
  require_use(session, options);
  announce(session, request);
  std::stop_source stop;
  std::optional<InterruptGuard> guard;
  if (session.context.handle_signals) {
    guard.emplace([&] { stop.request_stop(); });
  }
  ProgressLine line(session);
  std::filesystem::path folder;
  try {
    folder = install_libraries(request, stop.get_token(),
                               [&](const InstallProgress& now) { line.show(now); });
  } catch (...) {
    line.finish();
    throw;
  }
  line.finish();
  tell_folder(session, "Installed", folder);
  return 0;
}

std::string state_text(const InstalledLibraries& found, const LibraryTable& table) {
  switch (found.state) {
    case State::none:
      return fmt::format("Not installed; `mantissa cuda install` downloads {}",
                         bytes_text(table.download_bytes()));
    case State::complete:
      return fmt::format("{} in {}", found.packaged ? kPackaged : "Installed",
                         printable_path(found.folder));
    case State::damaged:
      return fmt::format(
          "Damaged: {} in {} is missing or incomplete; `mantissa cuda install` repairs "
          "it",
          found.detail, printable_path(found.folder));
    case State::other_version:
      return fmt::format(
          "Those of another version of Mantissa are installed; `mantissa cuda install` "
          "replaces them ({})",
          bytes_text(table.download_bytes()));
  }
  return {};
}

int status(CommandSession& session) {
  const LibraryTable libraries = library_table();
  const InstalledLibraries found = usable_libraries(libraries);
  if (session.json) {
    for (const LibraryWheel& wheel : libraries.wheels) {
      write_event(session.out(), {{"event", "cuda_package"},
                                  {"package", wheel.package},
                                  {"version", wheel.version},
                                  {"file", wheel.file},
                                  {"bytes", wheel.bytes},
                                  {"sha256", wheel.sha256},
                                  {"licence", wheel.licence}});
    }
    write_event(session.out(), {{"event", "cuda_libraries"},
                                {"state", state_name(found.state)},
                                {"packaged", found.packaged},
                                {"path", path_to_utf8(found.folder)}});
    return 0;
  }
  Table table({"package", "version", "download", "file"});
  for (const LibraryWheel& wheel : libraries.wheels) {
    table.add({wheel.package, wheel.version, bytes_text(wheel.bytes), wheel.file});
  }
  table.print(session.out());
  session.out() << state_text(found, libraries) << std::endl;
  return 0;
}

int remove(CommandSession& session) {
  const std::filesystem::path root = libraries_root();
  const std::uint64_t bytes = remove_libraries(root);
  if (session.json) {
    write_event(session.out(),
                {{"event", "removed"}, {"path", path_to_utf8(root)}, {"bytes", bytes}});
  } else {
    session.out() << fmt::format("Removed {} from {}\n", bytes_text(bytes), printable_path(root));
    if (const InstalledLibraries left = usable_libraries(library_table()); left.packaged) {
      session.out() << fmt::format("{} and still used: {}\n", kPackaged,
                                   printable_path(left.folder));
    }
    session.out() << std::flush;
  }
  return 0;
}

}  // namespace

void add_cuda(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("cuda", "Install NVIDIA's libraries, which training on its cards needs");
  command->require_subcommand(1);
  const auto options = std::make_shared<CudaOptions>();
  CLI::App* installing = command->add_subcommand(
      "install",
      "Download and install them for this user, or continue an interrupted installation");
  installing
      ->add_option(
          "--from", options->from,
          "A folder with the wheels that `mantissa cuda status` lists, for a machine without "
          "a network: nothing is downloaded")
      ->type_name("DIR");
  installing
      ->add_option("--index", options->index,
                   "A mirror of the Python package index; default MANTISSA_CUDA_INDEX, else PyPI. "
                   "Proxies are those of the environment (https_proxy)")
      ->type_name("URL")
      ->excludes("--from");
  installing->add_flag("--anyway", options->anyway,
                       "Download them even for a program without its CUDA library");
  on_call(*installing, session, action, options, install);
  CLI::App* showing = command->add_subcommand("status",
                                              "Which versions, how large, and whether they "
                                              "are installed");
  showing->callback([&session, &action] { action = [&session] { return status(session); }; });
  CLI::App* removing = command->add_subcommand(
      "remove", "Remove them and what an interrupted installation downloaded");
  removing->callback([&session, &action] { action = [&session] { return remove(session); }; });
}

}  // namespace mantissa
