#include "engine/cli/tool_options.h"

#include "engine/cli/adapter_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/core/amount_text.h"
#include "engine/core/printable.h"
#include "engine/readers/verdict_text.h"

namespace mantissa {
namespace {

std::string& text_of(ToolField field, ToolRequest& request) {
  switch (field) {
    case ToolField::base:
      return request.base;
    case ToolField::tuned:
      return request.tuned;
    case ToolField::format:
      return request.format;
    case ToolField::reader:
      return request.reader;
    case ToolField::dtype:
      return request.dtype;
    case ToolField::weights:
      return request.weights;
    case ToolField::axis:
      return request.axis;
    case ToolField::out:
      return request.out;
    default:
      return request.file;
  }
}

CLI::Option* add_option(CLI::App& command, const ToolOption& row, ToolArguments& arguments) {
  ToolRequest& request = arguments.request;
  const bool repeats = row.field == ToolField::adapters || row.field == ToolField::readers;
  const std::string name(row.name);
  const std::string help = row.help.text() + (repeats ? "; may be repeated" : "");
  switch (row.field) {
    case ToolField::overwrite:
      add_overwrite(command, request.overwrite);
      return nullptr;
    case ToolField::adapters:
      return command.add_option(name, arguments.adapters, help)->allow_extra_args(false);
    case ToolField::readers:
      return command.add_option(name, request.readers, help)->delimiter(',');
    case ToolField::rank:
      return command.add_option(name, request.rank, help)
          ->check(whole_number(kLeastToolRank, kMostToolRank));
    case ToolField::energy:
      return command.add_option(name, request.energy, help)->check(share_above_zero());
    case ToolField::format:
      return command.add_option(name, request.format, help)->capture_default_str();
    default:
      return command.add_option(name, text_of(row.field, request), help);
  }
}

}  // namespace

CLI::App* add_tool(CLI::App& app, Tool tool, ToolArguments& arguments) {
  const ToolRow row = tool_row(tool);
  CLI::App* command = app.add_subcommand(std::string(row.name), row.summary.text());
  for (const ToolOption& each : row.options) {
    CLI::Option* option = add_option(*command, each, arguments);
    if (option == nullptr) {
      continue;
    }
    option->type_name(std::string(each.value))->required(each.required);
    if (std::vector<std::string> words = tool_words(each.field); !words.empty()) {
      option->check(one_of(std::move(words)));
    }
    if (each.field == ToolField::reader) {
      option->excludes("--format");
    }
  }
  return command;
}

int run_tool_command(CommandSession& session, Tool tool, const ToolArguments& arguments,
                     nlohmann::ordered_json (*done)(const ToolResult&)) {
  ToolRequest request = arguments.request;
  for (const std::string& text : arguments.adapters) {
    SampleRequest::Lora lora = parse_lora(text);
    request.adapters.push_back({std::move(lora.file), lora.weight});
  }
  ToolWatch watch;
  watch.size_text = bytes_text;
  if (session.json) {
    watch.coded = [&session](const std::string& name, double sqnr) {
      write_event(session.out(), {{"event", "weight"}, {"name", name}, {"sqnr", sqnr}});
    };
  }
  const ToolResult result = run_tool(tool, request, watch);
  for (const Message& notice : result.notices) {
    session.people() << "warning: " << printable(notice.text()) << std::endl;
  }
  if (session.json) {
    nlohmann::ordered_json event{{"event", "done"}, {"path", result.path}};
    event.update(done(result));
    write_event(session.out(), std::move(event));
  } else if (session.level() <= LogLevel::info) {
    session.out() << printable(result.summary.text()) << ": " << printable(result.path)
                  << std::endl;
  }
  for (const ReaderVerdict& verdict : result.verdicts) {
    session.people() << printable(verdict_message(verdict).text()) << std::endl;
  }
  return 0;
}

}  // namespace mantissa
