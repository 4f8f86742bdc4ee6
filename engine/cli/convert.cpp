#include "engine/adapters/convert.h"

#include <fmt/format.h>
#include <memory>

#include "engine/adapters/merge.h"
#include "engine/adapters/read_adapter.h"
#include "engine/cli/adapter_options.h"
#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/reader_options.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/io/overwrite.h"
#include "engine/plan/job_paths.h"
#include "engine/preset/names.h"
#include "engine/readers/file_readings.h"
#include "engine/readers/verdict_text.h"
#include "engine/run/run_adapters.h"

namespace mantissa {
namespace {

struct ConvertOptions {
  std::string file, base, out, tuned, format = "kohya", dtype, axis;
  std::string reader;  ///< of --for
  int rank = 0;
  double energy = 1;
  bool overwrite = false;
};

int tell_written(CommandSession& session, const ConvertOptions& o, const ConvertResult& result) {
  for (const Message& notice : result.notices) {
    session.people() << "warning: " << printable(notice.text()) << std::endl;
  }
  if (session.json) {
    write_event(session.out(), {{"event", "done"},
                                {"path", o.out},
                                {"modules", result.modules},
                                {"rank", result.rank},
                                {"error", result.error},
                                {"renamed", result.renamed}});
  } else if (session.level() <= LogLevel::info) {
    session.out() << fmt::format(
                         "{} modules{}{}: {}", result.modules,
                         result.renamed ? ", every tensor as it was" : "",
                         result.error > 0
                             // As --energy counts: squares.
                             ? fmt::format(", rank up to {}, at most {:.2g} % of a change's "
                                           "energy left out",
                                           result.rank, 100 * result.error * result.error)
                             : "",
                         printable(o.out))
                  << std::endl;
  }
  return 0;
}

ConvertRequest request_of(const ConvertOptions& o) {
  ConvertRequest request;
  request.file = adapter_at(path_from_utf8(o.file));
  request.out = path_from_utf8(o.out);
  request.format = *enum_from_name<OutputFormat>(o.format);
  request.dtype = enum_from_name<MasterType>(o.dtype);
  request.dora_axis = dora_axis_of(o.axis);
  request.rank = o.rank;
  request.energy = o.energy;
  return request;
}

/// A file, or with the format peft a folder.
void require_adapter_out(const ConvertOptions& o) {
  const std::filesystem::path out = path_from_utf8(o.out);
  const bool folder = enum_from_name<OutputFormat>(o.format) == OutputFormat::peft;
  if (folder == (out.extension() == ".safetensors")) {
    throw Error(folder ? message<"--out {file}: with the format peft a folder is written; give a "
                                 "name without .safetensors">(o.out)
                       : message<"--out {file}: the adapter is written as a file; end the name in "
                                 ".safetensors">(o.out));
  }
  require_output(out, folder ? OutputKind::folder : OutputKind::file, o.overwrite);
}

/// What is read may not be written, whatever --overwrite says.
void check_out(const ConvertOptions& o, const std::filesystem::path& other) {
  refuse_input(path_from_utf8(o.out), std::vector{resolve_base(path_from_utf8(o.base)), other});
  require_adapter_out(o);
}

/// The format that the program of --for reads as meant. Throws Error if none is.
OutputFormat format_of_reader(const ConvertOptions& o, const ConvertRequest& request,
                              const WeightSource& base) {
  const Reader& reader = *reader_called(o.reader);
  const std::vector<AdapterModule> modules =
      read_adapter(request.file, base, request.dora_axis).modules;
  if (const auto format = format_for(reader, modules, base)) {
    return *format;
  }
  throw Error(
      message<"--for {program}: none of the formats of this adapter is read by {title} in full; "
              "`mantissa inspect --for {program}` says why. Merge it into the base model instead">(
          o.reader, reader.title));
}

/// Reports how the program of --for reads the written file.
void tell_reading(CommandSession& session, const ConvertOptions& o, const WeightSource& base) {
  const Reader* reader = reader_called(o.reader);
  const FileReadings readings = read_file_as(path_from_utf8(o.out), base, {&reader, 1});
  for (const ReaderVerdict& verdict : readings.verdicts) {
    session.people() << printable(verdict_message(verdict).text()) << std::endl;
  }
}

int convert(CommandSession& session, const ConvertOptions& o) {
  ConvertRequest request = request_of(o);
  check_out(o, request.file);
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(o.base)));
  if (!o.reader.empty()) {
    request.format = format_of_reader(o, request, base);
  }
  const int status = tell_written(session, o, convert_adapter(request, base));
  if (!o.reader.empty()) {
    tell_reading(session, o, base);
  }
  return status;
}

int extract(CommandSession& session, const ConvertOptions& o) {
  const std::filesystem::path changed = resolve_base(path_from_utf8(o.tuned));
  check_out(o, changed);
  const WeightSource base = WeightSource::open(resolve_base(path_from_utf8(o.base)));
  const WeightSource tuned = WeightSource::open(changed);
  AdapterExport options;
  options.format = *enum_from_name<OutputFormat>(o.format);
  options.dtype = enum_from_name<MasterType>(o.dtype).value_or(MasterType::fp32);
  const ExtractResult found =
      extract_adapter(base, tuned, o.rank, o.energy, [&](std::span<const AdapterModule> changed) {
        require_space(path_from_utf8(o.out),
                      least_factor_bytes(changed, o.rank, o.energy, options.dtype));
      });
  options.base = base.model_names();
  options.title = path_to_utf8(path_from_utf8(o.out).stem());
  ConvertResult result;
  result.notices = write_adapter_file(path_from_utf8(o.out), found.modules, options).notices;
  if (!found.left_out.empty()) {
    result.notices.push_back(
        message<"{count} weights changed that no LoRA can hold (norms, biases, embeddings), the "
                "first of them {weight}">(found.left_out.size(), found.left_out.front()));
  }
  result.modules = static_cast<std::int64_t>(found.modules.size());
  result.error = found.error;
  for (const AdapterModule& m : found.modules) {
    result.rank = std::max(result.rank, m.rank);
  }
  return tell_written(session, o, result);
}

void add_common(CLI::App& command, ConvertOptions& o) {
  command.add_option("--base", o.base, "Base model the adapter is for: its modules give the names")
      ->type_name("PATH")
      ->required();
  command.add_option("--format", o.format, "Program the file is for, as output.format in a preset")
      ->type_name("FORMAT")
      ->check(one_of(enum_names<OutputFormat>()))
      ->capture_default_str();
  command.add_option("--dtype", o.dtype, "Type of the tensors in the file")
      ->type_name("TYPE")
      ->check(one_of(std::vector<std::string>{"fp32", "bf16", "fp16"}));
  command.add_option("--out", o.out, "File to write; with the format peft a folder")
      ->type_name("PATH")
      ->required();
  add_overwrite(command, o.overwrite);
}

void add_rank(CLI::App& command, ConvertOptions& o) {
  command.add_option("--rank", o.rank, "Largest rank of a module")
      ->type_name("N")
      ->check(whole_number(1, 4096))
      ->required();
  command
      .add_option(
          "--energy", o.energy,
          "Take only as much of the rank as holds this share of the energy of each module's "
          "change, the sum of its squares")
      ->type_name("X")
      ->check(finite_range(0, 1));
}

}  // namespace

void add_convert(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command = app.add_subcommand("convert", "Write an adapter in another program's form");
  const auto o = std::make_shared<ConvertOptions>();
  command
      ->add_option("FILE", o->file,
                   "Adapter file, a folder that PEFT wrote, or a checkpoint's or run's folder")
      ->required();
  add_common(*command, *o);
  add_reader(*command, o->reader,
             "Choose a format that this program reads in full, in place of --format");
  command->get_option("--for")->excludes("--format");
  add_dora_axis(*command, o->axis);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return convert(session, *o); }; });
}

void add_resize(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("resize", "Give an adapter another rank, by singular values");
  const auto o = std::make_shared<ConvertOptions>();
  command
      ->add_option("FILE", o->file,
                   "Adapter file (LoRA, DoRA, LoHa, LoKr …), or a checkpoint's or run's folder")
      ->required();
  add_common(*command, *o);
  add_rank(*command, *o);
  add_dora_axis(*command, o->axis);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return convert(session, *o); }; });
}

void add_extract(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("extract", "What a tuned model has that its base hasn't, as a LoRA");
  const auto o = std::make_shared<ConvertOptions>();
  command->add_option("--tuned", o->tuned, "The model that was trained or merged")
      ->type_name("PATH")
      ->required();
  add_common(*command, *o);
  add_rank(*command, *o);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return extract(session, *o); }; });
}

}  // namespace mantissa
