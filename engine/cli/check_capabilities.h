#pragma once

namespace mantissa {

struct CommandSession;

/// `check --capabilities`: the reference as Markdown, or with --json one event of every choice.
int print_capabilities(CommandSession& session);

}  // namespace mantissa
