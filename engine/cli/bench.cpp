#include <fmt/format.h>
#include <memory>

#include "engine/cli/job_options.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/preset/preset_io.h"
#include "engine/preset/preset_library.h"
#include "engine/train/roofline.h"

namespace mantissa {
namespace {

struct BenchOptions {
  std::string preset, base, card;
  std::vector<std::string> set;
  int resolution = 0, batch = 0;
  bool roofline = false;
};

JobSpec bench_job(const CommandSession& session, const BenchOptions& o) {
  JobSpec job;
  job.preset = PresetLibrary(session.context.presets_folder()).load(o.preset);
  for (const std::string& assignment : o.set) {
    apply_set(job.preset, assignment);
  }
  if (o.resolution > 0) {
    apply_set(job.preset, fmt::format("data.resolution={}", o.resolution));
  }
  if (o.batch > 0) {
    apply_set(job.preset, fmt::format("data.batch_size={}", o.batch));
  }
  job.base = path_from_utf8(o.base);
  return job;
}

nlohmann::ordered_json roofline_event(const CardSpec& card, const Roofline& r) {
  nlohmann::ordered_json kinds = nlohmann::ordered_json::object();
  const auto add = [&kinds](std::string_view name, const RooflineKind& kind) {
    if (kind.nodes > 0) {
      kinds[std::string(name)] = {
          {"ms", kind.ms}, {"flop", kind.flop}, {"bytes", kind.bytes}, {"nodes", kind.nodes}};
    }
  };
  for (int i = 0; i < kCostKinds; ++i) {
    add(cost_kind_name(static_cast<CostKind>(i)), r.by_kind[static_cast<std::size_t>(i)]);
  }
  add("optimizer", r.optimizer);
  return {{"event", "roofline"},
          {"card", card.id},
          {"ms", r.ms},
          {"floor_ms", r.floor_ms},
          {"nodes", r.nodes},
          {"bytes", r.bytes},
          {"flop", r.flop},
          {"peak_bytes", r.peak_bytes},
          {"by_kind", std::move(kinds)}};
}

void print_roofline(std::ostream& out, const CardSpec& card, const Roofline& r) {
  out << fmt::format("{}: {:.1f} ms a step, of which at least {:.1f} at the card's peak rates\n",
                     card.name, r.ms, r.floor_ms);
  Table table({"  kind", "ms", "TFLOP", "GB", "nodes"});
  const auto add = [&table](std::string_view name, const RooflineKind& kind) {
    if (kind.nodes > 0) {
      table.add({"  " + std::string(name), fmt::format("{:.2f}", kind.ms),
                 fmt::format("{:.2f}", kind.flop * 1e-12), fmt::format("{:.2f}", kind.bytes * 1e-9),
                 std::to_string(kind.nodes)});
    }
  };
  for (int i = 0; i < kCostKinds; ++i) {
    add(cost_kind_name(static_cast<CostKind>(i)), r.by_kind[static_cast<std::size_t>(i)]);
  }
  add("optimizer", r.optimizer);
  table.add({"  all", fmt::format("{:.2f}", r.ms), fmt::format("{:.2f}", r.flop * 1e-12),
             fmt::format("{:.2f}", r.bytes * 1e-9), std::to_string(r.nodes)});
  table.print(out);
  const Efficiency e;
  out << fmt::format(
      "Peak memory as planned: {} of {:.0f} GB.\n"
      "Estimated from the plan with stated efficiencies, not measured: GEMM {:.0f} %, skinny GEMM "
      "{:.0f} %,\nconvolution {:.0f} %, attention {:.0f} % of peak, memory {:.0f} %, {} µs a "
      "node.\n",
      bytes_text(r.peak_bytes), card.memory_gb, 100 * e.gemm, 100 * e.skinny_gemm,
      100 * e.convolution, 100 * e.attention, 100 * e.copy, e.launch_us);
}

int bench(CommandSession& session, const BenchOptions& o) {
  if (!o.roofline) {
    throw Error(
        message<"bench needs --roofline, which prices a training step on a card from its plan">());
  }
  const CardSpec& card = roofline_card(o.card);
  const Roofline result = roofline(bench_job(session, o), card);
  if (session.json) {
    write_event(session.out(), roofline_event(card, result));
  } else {
    print_roofline(session.out(), card, result);
  }
  session.out() << std::flush;
  return 0;
}

}  // namespace

void add_bench(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("bench", "Estimate what a training step costs on a card; needs no card");
  const auto o = std::make_shared<BenchOptions>();
  command->add_flag("--roofline", o->roofline,
                    "Price the recorded step by kind of op: ms, FLOP, bytes, nodes, memory");
  command->add_option("PRESET", o->preset, "A preset file, or the name of a built-in preset")
      ->required();
  command->add_option("--base", o->base, "Base model: .safetensors, diffusers folder, or demo")
      ->type_name("PATH")
      ->required();
  std::string cards;
  for (const CardSpec& card : roofline_cards()) {
    cards += (cards.empty() ? "" : ", ") + std::string(card.id);
  }
  command->add_option("--card", o->card, "One of " + cards)->type_name("CARD")->required();
  command->add_option("--resolution", o->resolution, "In place of the preset's data.resolution")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  command->add_option("--batch", o->batch, "In place of the preset's data.batch_size")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_set_option(*command, o->set);
  command->callback(
      [&session, &action, o] { action = [&session, o] { return bench(session, *o); }; });
}

}  // namespace mantissa
