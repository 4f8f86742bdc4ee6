#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/record_json.h"
#include "engine/cli/run_record.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "engine/io/overwrite.h"
#include "engine/io/program_folder.h"
#include "engine/run/run_beginning.h"
#include "engine/run/run_delete.h"
#include "engine/run/run_files.h"
#include "engine/run/run_folder.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

struct ExportOptions {
  std::string run, out;
  bool overwrite = false;
};

struct DeleteOptions {
  std::vector<std::string> runs;
  bool yes = false;
};

/// A frozen text of the database; null if it is no JSON.
Json parsed(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  return value.is_discarded() ? Json() : value;
}

template <typename Rows, typename Entry>
Json list_of(const Rows& rows, Entry entry) {
  Json list = Json::array();
  for (const auto& row : rows) {
    list.push_back(entry(row));
  }
  return list;
}

Json without_event(Json event) {
  event.erase("event");
  return event;
}

Json exported(RunReader& reader, const RunRow& run) {
  Json all = without_event(run_event(run));
  all["preset"] = parsed(run.preset_json);
  all["plan"] = parsed(run.plan_json);
  all["training"] = list_of(reader.metrics(run.id),
                            [](const StepRow& row) { return without_event(step_event(row)); });
  all["validation"] = record_json(reader.validation(run.id));
  all["rates"] = record_json(reader.rates(run.id));
  all["pauses"] = record_json(reader.pauses(run.id));
  all["checkpoints"] = record_json(reader.checkpoints(run.id));
  all["samples"] = list_of(reader.samples(run.id), [](const SampleRow& s) {
    return Json{
        {"step", s.step}, {"index", s.prompt_index}, {"prompt", s.prompt}, {"path", s.path}};
  });
  all["events"] = list_of(reader.events(run.id), [](const EventRow& e) {
    return Json{
        {"time", e.time}, {"level", static_cast<int>(e.level)}, {"message", e.message.text()}};
  });
  return all;
}

int export_run(CommandSession& session, const ExportOptions& o) {
  const std::filesystem::path out = path_from_utf8(o.out);
  if (!o.out.empty()) {
    require_output(out, OutputKind::file, o.overwrite);
  }
  RunReader reader(session.context.runs_database());
  const RunRow run = find_run(reader, o.run);
  const std::string text =
      printable_json(
          exported(reader, run).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) +
      "\n";
  if (o.out.empty()) {
    session.out() << text << std::flush;
    return 0;
  }
  require_space(out, text.size());
  atomic_write(out, text);
  if (session.json) {
    write_event(session.out(), {{"event", "done"}, {"path", o.out}});
  } else if (session.level() <= LogLevel::info) {
    session.out() << fmt::format("{}: {}", printable(run.id), printable(o.out)) << std::endl;
  }
  return 0;
}

void tell_deleted(CommandSession& session, const RunRow& run, const DeletedRun& deleted) {
  if (session.json) {
    Json left = list_of(deleted.left, [](const auto& path) { return path_to_utf8(path); });
    write_event(session.out(), {{"event", "deleted"},
                                {"id", run.id},
                                {"folder", path_to_utf8(deleted.folder)},
                                {"folder_kept", deleted.elsewhere || !deleted.left.empty()},
                                {"left", std::move(left)}});
    return;
  }
  std::ostream& out = session.out();
  out << "Deleted " << printable(run.id);
  if (deleted.elsewhere) {
    out << "; its folder was chosen by --out and stays, with checkpoints, samples and results. "
           "Delete it yourself to free the space: "
        << printable_path(deleted.folder);
  } else if (!deleted.left.empty()) {
    out << fmt::format(
        "; {} not written by the run stay in {}",
        deleted.left.size() == 1 ? "one entry" : fmt::format("{} entries", deleted.left.size()),
        printable_path(deleted.folder));
  }
  out << std::endl;
}

/// Asks before runs are deleted; `kept` of them have folders that stay.
std::string deletion_question(const std::string& names, std::size_t runs, std::size_t kept) {
  if (kept == 0) {
    return fmt::format("Delete {} with its checkpoints, samples and results?", names);
  }
  if (kept == runs) {
    return fmt::format("Delete the record of {}? Folders chosen by --out stay.", names);
  }
  return fmt::format(
      "Delete {} with checkpoints, samples and results? Folders chosen by --out stay.", names);
}

int delete_runs(CommandSession& session, const DeleteOptions& o) {
  const std::filesystem::path database = session.context.runs_database();
  const std::filesystem::path folder = database.parent_path() / "runs";
  std::vector<RunRow> runs;
  {
    RunReader reader(database);
    for (const std::string& name : o.runs) {
      RunRow run = find_run(reader, name);
      if (std::ranges::find(runs, run.id, &RunRow::id) == runs.end()) {
        runs.push_back(std::move(run));
      }
    }
  }
  if (!o.yes) {
    std::string names;
    for (const RunRow& run : runs) {
      names += (names.empty() ? "" : ", ") + printable(run.id);
    }
    if (!session.context.confirm) {
      throw Error(
          message<"deleting runs asks first, and there is no terminal to ask on; give --yes "
                  "to delete {runs}">(names));
    }
    const auto kept = static_cast<std::size_t>(std::ranges::count_if(
        runs, [&](const RunRow& run) { return !is_kept_among(path_from_utf8(run.out), folder); }));
    if (!session.context.confirm(deletion_question(names, runs.size(), kept))) {
      session.err() << "Nothing was deleted." << std::endl;
      return 0;
    }
  }
  RunStore store(database, owner_is_alive);
  for (const RunRow& run : runs) {
    tell_deleted(session, run, delete_run(store, run, folder));
  }
  return 0;
}

}  // namespace

void add_runs_export(CLI::App& runs, CommandSession& session, Action& action) {
  CLI::App* command = runs.add_subcommand("export", "All that is recorded of a run, as JSON");
  const auto o = std::make_shared<ExportOptions>();
  command->add_option("RUN", o->run, "Id, the beginning of one, or folder")
      ->type_name("RUN")
      ->required();
  command->add_option("--out", o->out, "File to write; without it, the output")->type_name("FILE");
  add_overwrite(*command, o->overwrite);
  on_call(*command, session, action, o, export_run);
}

void add_runs_delete(CLI::App& runs, CommandSession& session, Action& action) {
  CLI::App* command = runs.add_subcommand(
      "delete",
      "Delete runs: their records and, unless --out chose the folder, their files\n"
      "A folder that was chosen by --out is left as it is: delete it yourself to free its space. "
      "Whatever a run didn't write stays too.");
  const auto o = std::make_shared<DeleteOptions>();
  command->add_option("RUN", o->runs, "Ids, beginnings of some, or folders")
      ->type_name("RUN")
      ->required();
  command->add_flag("--yes", o->yes, "Don't ask");
  on_call(*command, session, action, o, delete_runs);
}

}  // namespace mantissa
