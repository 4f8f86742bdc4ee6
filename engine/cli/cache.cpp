#include <fmt/format.h>
#include <memory>

#include "engine/cli/commands.h"
#include "engine/cli/json_observer.h"
#include "engine/cli/option_values.h"
#include "engine/cli/text.h"
#include "engine/core/amount_text.h"
#include "engine/core/error.h"
#include "engine/core/paths.h"
#include "engine/core/printable.h"
#include "engine/data/cache_content.h"

namespace mantissa {
namespace {

struct CacheOptions {
  bool all = false, older = false;
  std::int64_t unused_days = -1;
};

std::string days_text(std::int64_t days) {
  return days == 0 ? "today" : days == 1 ? "1 day ago" : fmt::format("{} days ago", days);
}

std::string count_text(std::int64_t entries) {
  return counted(entries, "entry", "entries");
}

int list(CommandSession& session) {
  const std::filesystem::path cache = cache_dir();
  const std::vector<CacheGroup> groups = list_cache(cache);
  std::int64_t entries = 0;
  std::uint64_t bytes = 0;
  Table table({"kind", "base model", "entries", "size", "last used", "oldest use"});
  for (const CacheGroup& g : groups) {
    entries += g.entries;
    bytes += g.bytes;
    if (session.json) {
      write_event(session.out(), {{"event", "cache_group"},
                                  {"kind", g.kind},
                                  {"base", g.base},
                                  {"form", g.older ? "older" : "current"},
                                  {"entries", g.entries},
                                  {"bytes", g.bytes},
                                  {"last_used_days", g.newest_days},
                                  {"oldest_use_days", g.oldest_days}});
    }
    table.add({g.kind, g.older ? "(older form)" : g.base, std::to_string(g.entries),
               bytes_text(g.bytes), days_text(g.newest_days), days_text(g.oldest_days)});
  }
  if (session.json) {
    write_event(session.out(), {{"event", "cache"},
                                {"path", path_to_utf8(cache)},
                                {"entries", entries},
                                {"bytes", bytes}});
    return 0;
  }
  if (!groups.empty()) {
    table.print(session.out());
  }
  session.out() << fmt::format("{}, {} in {}\n", count_text(entries), bytes_text(bytes),
                               printable_path(cache))
                << std::flush;
  return 0;
}

int prune(CommandSession& session, const CacheOptions& options) {
  if (!options.all && !options.older && options.unused_days < 0) {
    throw Error(message<"choose what to prune: --all, --older-form or --unused-days N">());
  }
  const std::filesystem::path cache = cache_dir();
  PruneChoice choice{options.all, options.older, {}};
  if (options.unused_days >= 0) {
    choice.unused_days = options.unused_days;
  }
  const PrunedEntries pruned = prune_cache(cache, choice);
  if (session.json) {
    write_event(session.out(), {{"event", "pruned"},
                                {"path", path_to_utf8(cache)},
                                {"entries", pruned.entries},
                                {"bytes", pruned.bytes}});
  } else {
    session.out() << fmt::format("Removed {}, {}, from {}\n", count_text(pruned.entries),
                                 bytes_text(pruned.bytes), printable_path(cache))
                  << std::flush;
  }
  return 0;
}

}  // namespace

void add_cache(CLI::App& app, CommandSession& session, Action& action) {
  CLI::App* command =
      app.add_subcommand("cache", "List or prune the cached encodings of images and captions");
  command->require_subcommand(1);
  const auto options = std::make_shared<CacheOptions>();
  CLI::App* listing = command->add_subcommand("list", "What is cached, by kind and base model");
  listing->callback([&session, &action] { action = [&session] { return list(session); }; });
  CLI::App* pruning = command->add_subcommand(
      "prune", "Remove cached encodings, which the next run that needs them makes again");
  CLI::Option* all = pruning->add_flag("--all", options->all, "Remove all of them");
  pruning
      ->add_flag("--older-form", options->older,
                 "Remove those that an earlier version wrote, whose texts are all FP32")
      ->excludes(all);
  pruning
      ->add_option("--unused-days", options->unused_days,
                   "Remove those that no run used for so many days")
      ->check(whole_number(0, 36'500))
      ->type_name("N")
      ->excludes(all);
  on_call(*pruning, session, action, options, prune);
}

}  // namespace mantissa
