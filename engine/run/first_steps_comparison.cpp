#include "engine/run/first_steps_comparison.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace mantissa {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_same(double a, double b) {
  return a == b || (!std::isfinite(a) && !std::isfinite(b));
}

double relative(double a, double b) {
  if (is_same(a, b)) {
    return 0;
  }
  const double largest = std::max(std::fabs(a), std::fabs(b));
  return std::isfinite(a) && std::isfinite(b) ? std::fabs(a - b) / largest : kInfinity;
}

StepDifference compare_steps(const TracedStep& then, const TracedStep& now,
                             const std::vector<std::string>& tensors) {
  StepDifference d;
  d.loss = relative(then.loss, now.loss);
  d.grad_norm = relative(then.grad_norm, now.grad_norm);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const double norm = relative(then.norms[i], now.norms[i]);
    if (norm > d.norm) {
      d.norm = norm;
      d.tensor = tensors[i];
    }
    if (d.first_tensor.empty() && then.hashes[i] != now.hashes[i]) {
      d.first_tensor = tensors[i];
    }
  }
  return d;
}

/// A tensor that one version trains and the other doesn't, else the first that has another place.
std::string other_tensor(const std::vector<std::string>& then,
                         const std::vector<std::string>& now) {
  const auto [a, b] = std::mismatch(then.begin(), then.end(), now.begin(), now.end());
  return a != then.end() ? *a : *b;
}

/// Why the same steps may be rounded otherwise; empty: nothing explains it.
Message why_rounded(const FirstSteps& then, const FirstSteps& now) {
  if (then.device != now.device) {
    return message<"another processor or kernels: {then} then, {now} now">(then.device, now.device);
  }
  if (then.version != now.version) {
    return message<"another version: {then} then, {now} now">(then.version, now.version);
  }
  return then.repeatable && now.repeatable
             ? Message()
             : message<"the fastest kernels of {device} round otherwise from run to run">(
                   now.device);
}

Message share_text(double share) {
  return Message::verbatim(std::isfinite(share) ? fmt::format("{:.2g}", share) : "NaN/Inf");
}

Message differences_text(const FirstStepsComparison& c) {
  return message<
      "relative differences: losses and gradient norms {largest} (rounding: up to {bound}), tensor "
      "norms {norm} (up to {norm_bound})">(share_text(c.largest), share_text(c.bound),
                                           share_text(c.largest_norm), share_text(c.norm_bound));
}

Message different_text(const FirstStepsComparison& c) {
  const FirstDifference& first = *c.first;
  const Message where =
      first.tensor.empty()
          ? message<"different: first in the loss or the gradients of step {step}">(first.step)
          : message<"different: first at {tensor} of step {step}">(first.tensor, first.step);
  return message<"{where}; {differences}">(where, differences_text(c));
}

void note_first(FirstStepsComparison& c, std::int64_t step, const TracedStep& then,
                const TracedStep& now) {
  if (c.first) {
    return;
  }
  if (!is_same(then.loss, now.loss) || !is_same(then.grad_norm, now.grad_norm) ||
      !is_same(then.loss_scale, now.loss_scale) || then.skipped != now.skipped) {
    c.first = FirstDifference{step, {}};
  } else if (!c.steps.back().first_tensor.empty()) {
    c.first = FirstDifference{step, c.steps.back().first_tensor};
  }
}

}  // namespace

double norm_rounding_bound(const std::string& compute) {
  return std::sqrt(rounding_bound(compute));
}

double rounding_bound(const std::string& compute) {
  constexpr double kRoundings = 8, kLeast = 1e-5;
  const int mantissa = compute == "fp32" ? 23 : compute == "tf32" || compute == "fp16" ? 10 : 7;
  return std::max(kRoundings * std::ldexp(1.0, -(mantissa + 1)), kLeast);
}

FirstStepsComparison compare_first_steps(const FirstSteps& then, const FirstSteps& now) {
  FirstStepsComparison c;
  c.bound = rounding_bound(then.compute);
  c.norm_bound = norm_rounding_bound(then.compute);
  if (then.tensors != now.tensors) {
    c.sameness = Sameness::different;
    c.first = FirstDifference{1, other_tensor(then.tensors, now.tensors)};
    c.largest = kInfinity;
    c.verdict = message<"different: other tensors are trained, first {tensor}">(c.first->tensor);
    return c;
  }
  bool same_decisions = then.steps.size() == now.steps.size();
  for (std::size_t i = 0; i < std::min(then.steps.size(), now.steps.size()); ++i) {
    const TracedStep &a = then.steps[i], &b = now.steps[i];
    c.steps.push_back(compare_steps(a, b, then.tensors));
    const StepDifference& d = c.steps.back();
    c.largest = std::max({c.largest, d.loss, d.grad_norm});
    c.largest_norm = std::max(c.largest_norm, d.norm);
    same_decisions = same_decisions && a.skipped == b.skipped && a.loss_scale == b.loss_scale;
    note_first(c, static_cast<std::int64_t>(i) + 1, a, b);
  }
  if (then.steps.size() != now.steps.size() && !c.first) {
    c.first = FirstDifference{static_cast<std::int64_t>(c.steps.size()) + 1, {}};
  }
  if (!c.first) {
    c.verdict = message<"the same to the bit">();
    return c;
  }
  const Message why = why_rounded(then, now);
  const bool rounded = c.largest <= c.bound && c.largest_norm <= c.norm_bound;
  if (!why.empty() && same_decisions && rounded) {
    c.sameness = Sameness::rounding;
    c.verdict =
        message<"the same within rounding ({why}): {differences}">(why, differences_text(c));
    return c;
  }
  c.sameness = Sameness::different;
  c.verdict = different_text(c);
  return c;
}

}  // namespace mantissa
