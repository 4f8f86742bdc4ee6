#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/text.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/file.h"
#include "engine/io/overwrite.h"
#include "engine/io/preset_file.h"
#include "engine/preset/preset_docs.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "engine/preset/schema.h"

namespace mantissa {
namespace {

using Json = nlohmann::ordered_json;

struct PresetOptions {
  std::string a, b, out;
  std::vector<std::string> set;
  bool full = false, markdown = false, overwrite = false;
};

PresetLibrary library(const CommandSession& session) {
  return PresetLibrary(session.context.presets_folder());
}

/// Without its full stop. A point inside a name or a number ("FLUX.2", "3.5 GB") ends no sentence.
std::string first_sentence(const std::string& text) {
  const std::string first =
      text.substr(0, std::min({text.find(". "), text.find("; "), text.size()}));
  return first.ends_with('.') ? first.substr(0, first.size() - 1) : first;
}

int list(CommandSession& session) {
  Table table({"Name", "Description"});
  for (const PresetEntry& entry : library(session).list()) {
    if (session.json) {
      write_event(session.out(), {{"event", "preset"},
                                  {"id", entry.id},
                                  {"name", entry.preset.name},
                                  {"description", entry.preset.description},
                                  {"tags", entry.preset.tags},
                                  {"path", path_to_utf8(entry.file)}});
    }
    table.add({entry.id,
               fmt::format("{}. {}", entry.preset.name, first_sentence(entry.preset.description))});
  }
  if (!session.json) {
    table.print_fitted(session.out());
  }
  return 0;
}

/// Before the work.
void check_output(const PresetOptions& o) {
  if (!o.out.empty()) {
    refuse_input(path_from_utf8(o.out), std::vector{path_from_utf8(o.a), path_from_utf8(o.b)});
    require_output(path_from_utf8(o.out), OutputKind::file, o.overwrite);
  }
}

/// To --out, else to the output stream.
void deliver(CommandSession& session, const PresetOptions& o, const std::string& text) {
  if (o.out.empty()) {
    session.out() << text << std::flush;
  } else {
    atomic_write(path_from_utf8(o.out), text);
    session.err() << "Wrote " << printable(o.out) << std::endl;
  }
}

/// One line in a table; the whole value is in --json.
std::string shown_value(const std::string& value) {
  constexpr std::size_t kColumns = 40;
  std::string text = printable(value);
  if (text.size() > kColumns) {
    std::size_t cut = kColumns;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) {
      --cut;
    }
    text = text.substr(0, cut) + "…";
  }
  return text;
}

int show(CommandSession& session, const PresetOptions& o) {
  const Preset preset = library(session).load(o.a);
  if (session.json || o.full) {
    session.out() << to_json(preset, o.full ? WriteMode::full : WriteMode::changed) << std::flush;
    return 0;
  }
  Table table({"Setting", "Value", "Default"});
  for (const Setting& s : settings()) {
    if (!is_default(preset, s.key)) {
      table.add({std::string(s.key), shown_value(get_setting(preset, s.key).dump()),
                 shown_value(default_value(s.key).dump())});
    }
  }
  table.print(session.out());
  return 0;
}

void print_changes(CommandSession& session, std::ostream& out, const Preset& a, const Preset& b,
                   const std::string& name_a, const std::string& name_b) {
  const auto changes = diff_presets(a, b);
  if (session.json) {
    for (const PresetChange& c : changes) {
      write_event(session.out(), {{"event", "difference"}, {"key", c.key}, {"a", c.a}, {"b", c.b}});
    }
    return;
  }
  if (changes.empty()) {
    out << "No difference." << std::endl;
    return;
  }
  Table table({"Setting", name_a, name_b});
  for (const PresetChange& c : changes) {
    std::string from = shown_value(c.a.dump()), to = shown_value(c.b.dump());
    if (from == to) {  // they differ beyond the cut
      from = c.a.dump();
      to = c.b.dump();
    }
    table.add({c.key, from, to});
  }
  table.print(out);
}

int diff(CommandSession& session, const PresetOptions& o) {
  print_changes(session, session.out(), library(session).load(o.a), library(session).load(o.b),
                printable(o.a), printable(o.b));
  return 0;
}

/// "→ adapter.rank" or "ignored: A path: …": the outcome for a key.
std::string outcome(const ImportRow& row) {
  const std::string targets = row.targets.empty() || row.fate == ImportFate::ignored
                                  ? std::string()
                                  : fmt::format("→ {}", fmt::join(row.targets, ", "));
  if (row.fate == ImportFate::mapped) {
    return targets;
  }
  return fmt::format("{}{}{}: {}", targets, targets.empty() ? "" : "  ", import_fate_name(row.fate),
                     printable(row.note.text()));
}

void print_report(CommandSession& session, const ImportResult& result) {
  std::ostream& out = session.err();
  out << fmt::format(
      "Read as {}: {} mapped, {} changed in meaning, {} ignored, {} unknown, {} "
      "assumed\n",
      import_format_title(result.format).text(), result.count(ImportFate::mapped),
      result.count(ImportFate::changed), result.count(ImportFate::ignored),
      result.count(ImportFate::unknown), result.count(ImportFate::assumed));
  Table table({"  Key", "Value", "Becomes"});
  for (const ImportRow& row : result.rows) {
    table.add({"  " + printable(row.source), shown_value(row.value), outcome(row)});
  }
  table.print(out);
}

Json report_event(const ImportRow& row) {
  return {{"event", "import"},
          {"key", row.source},
          {"line", row.line},
          {"value", row.value},
          {"fate", import_fate_name(row.fate)},
          {"settings", row.targets},
          {"note", row.note.text()}};
}

/// From a preset, another program's configuration, or an adapter that carries one.
int import(CommandSession& session, const PresetOptions& o) {
  check_output(o);
  const ImportResult result = import_preset_file(path_from_utf8(o.a));
  const std::string text = to_json(result.preset, o.full ? WriteMode::full : WriteMode::changed);
  if (!session.json) {
    print_report(session, result);
    deliver(session, o, text);
    session.err() << "It differs from the defaults in:\n";
    print_changes(session, session.err(), Preset{}, result.preset, "Default", "Imported");
    return 0;
  }
  for (const ImportRow& row : result.rows) {
    write_event(session.out(), report_event(row));
  }
  if (!o.out.empty()) {
    deliver(session, o, text);
  }
  write_event(session.out(), {{"event", "preset"},
                              {"format", import_format_title(result.format).text()},
                              {"preset", Json::parse(text)}});
  return 0;
}

int export_preset(CommandSession& session, const PresetOptions& o) {
  check_output(o);
  Preset preset = library(session).load(o.a);
  for (const std::string& assignment : o.set) {
    apply_set(preset, assignment);
  }
  deliver(session, o, to_json(preset, o.full ? WriteMode::full : WriteMode::changed));
  return 0;
}

}  // namespace

void add_presets(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("presets", "List, show, compare and exchange presets");
  command->require_subcommand(1);
  const auto o = std::make_shared<PresetOptions>();
  const auto add = [&, o](const char* name, const char* what, auto run) {
    CLI::App* sub = command->add_subcommand(name, what);
    sub->callback(
        [&session, &action, o, run] { action = [&session, o, run] { return run(session, *o); }; });
    return sub;
  };
  add("list", "The built-in presets",
      [](CommandSession& s, const PresetOptions&) { return list(s); });
  CLI::App* sub = add("show", "What a preset changes", show);
  sub->add_option("PRESET", o->a, "A preset file, or a built-in name")
      ->type_name("PRESET")
      ->required();
  sub->add_flag("--full", o->full, "Every setting, as JSON");
  sub = add("diff", "Where two presets differ", diff);
  sub->add_option("A", o->a, "A preset file, or a built-in name")->type_name("PRESET")->required();
  sub->add_option("B", o->b, "A preset file, or a built-in name")->type_name("PRESET")->required();
  sub =
      add("import", "Take over a preset from another program or an adapter, with a report", import);
  sub->add_option(
         "FILE", o->a,
         "A configuration of another trainer (JSON, TOML or YAML), an adapter, or a preset")
      ->type_name("FILE")
      ->required();
  sub->add_option("--out", o->out, "File to write; without it, the output")->type_name("FILE");
  add_overwrite(*sub, o->overwrite);
  sub->add_flag("--full", o->full, "Write every setting, not only what differs from the default");
  sub = add("export", "Write a preset, with --set applied", export_preset);
  sub->add_option("PRESET", o->a, "A preset file, or a built-in name")
      ->type_name("PRESET")
      ->required();
  add_set_option(*sub, o->set);
  sub->add_option("--out", o->out, "File to write; without it, the output")->type_name("FILE");
  add_overwrite(*sub, o->overwrite);
  sub->add_flag("--full", o->full, "Write every setting, not only what differs from the default");
  sub = add("schema", "The JSON Schema of presets",
            [](CommandSession& s, const PresetOptions& options) {
              s.out() << (options.markdown ? reference_markdown() : json_schema()) << std::flush;
              return 0;
            });
  sub->add_flag("--markdown", o->markdown, "The reference of all settings instead");
}

}  // namespace mantissa
