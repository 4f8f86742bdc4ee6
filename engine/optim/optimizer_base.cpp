#include "engine/optim/optimizer_base.h"

#include <cmath>
#include <fmt/format.h>

#include "engine/core/error.h"
#include "engine/core/random.h"

namespace mantissa {
namespace {

/// Joins b to a if every view of b begins where a's ends.
bool join(ParameterUpdate& a, const ParameterUpdate& b) {
  if (a.rate_ratio != b.rate_ratio || a.factor != b.factor ||
      a.first + a.parameter.count() != b.first) {
    return false;
  }
  View* first[] = {&a.parameter, &a.gradient, &a.compensation, &a.m.values,
                   &a.v.values,  &a.s.values, &a.start};
  const View* second[] = {&b.parameter, &b.gradient, &b.compensation, &b.m.values,
                          &b.v.values,  &b.s.values, &b.start};
  for (std::size_t i = 0; i < std::size(first); ++i) {
    const View& x = *first[i];
    const View& y = *second[i];
    const auto bytes = static_cast<std::size_t>(x.count()) * dtype_size(x.dtype);
    const bool adjacent = x.data == nullptr ? y.data == nullptr
                                            : x.dtype == y.dtype && x.dtype != DType::u8 &&
                                                  x.as<std::byte>() + bytes == y.data;
    if (!adjacent) {
      return false;
    }
  }
  const std::int64_t count = a.parameter.count() + b.parameter.count();
  for (View* v : first) {
    if (v->data != nullptr) {
      *v = View(v->data, v->dtype, {count});
    }
  }
  return true;
}

void check_inputs(const OptimizerInputs& in, const OptimizerSettings& settings,
                  std::int64_t count) {
  if (in.parameters.dtype != settings.parameters || in.parameters.count() != count) {
    throw Error(Message::verbatim(fmt::format(
        "the optimizer was made for {} {} parameters; it got {} {}", count,
        dtype_name(settings.parameters), in.parameters.count(), dtype_name(in.parameters.dtype))));
  }
  const DType g = in.gradients.dtype;
  if ((g != DType::f32 && g != DType::bf16 && g != DType::f16) || in.gradients.count() != count) {
    throw Error(Message::verbatim(
        fmt::format("the optimizer takes {} gradients in fp32, bf16 or fp16; it got {} {}", count,
                    in.gradients.count(), dtype_name(g))));
  }
}

}  // namespace

OptimizerBase::OptimizerBase(Kernels& kernels, const OptimizerSettings& settings,
                             std::vector<OptimizerTensor> tensors)
    : kernels_(kernels),
      settings_(settings),
      tensors_(std::move(tensors)),
      buffers_(kernels, settings, tensors_) {}

void OptimizerBase::begin(const OptimizerInputs& inputs) {
  check_inputs(inputs, settings_, flat_count(tensors_));
  inputs_ = inputs;
  updates_ += inputs.cell.data == nullptr ? 1 : 0;
}

GroupCell OptimizerBase::numbers_of(std::int64_t update) const {
  GroupCell cell;
  cell.update = static_cast<double>(update);
  return cell;
}

GroupCell OptimizerBase::adam_numbers(std::int64_t update) const {
  GroupCell cell = OptimizerBase::numbers_of(update);
  cell.correction1 = 1.0 - std::pow(settings_.beta1, static_cast<double>(update));
  cell.correction2 = 1.0 - std::pow(settings_.beta2, static_cast<double>(update));
  return cell;
}

void OptimizerBase::set_corrections(UpdateOptions& o) const {
  if (inputs_.cell.data == nullptr) {
    const GroupCell numbers = numbers_of(updates_);
    o.correction1 = numbers.correction1;
    o.correction2 = numbers.correction2;
  }
}

GroupCell OptimizerBase::next_cell(double learning_rate) const {
  GroupCell cell = numbers_of(updates_ + 1);
  cell.learning_rate = learning_rate;
  return cell;
}

View OptimizerBase::part_of(const View& flat, std::size_t index) const {
  const OptimizerTensor& t = tensors_[index];
  auto* data = flat.as<std::byte>() + static_cast<std::size_t>(t.offset) * dtype_size(flat.dtype);
  return View(data, flat.dtype, {t.rows, t.cols});
}

ParameterUpdate OptimizerBase::update_of(std::size_t index) const {
  const OptimizerTensor& t = tensors_[index];
  ParameterUpdate u;
  u.parameter = part_of(inputs_.parameters, index);
  u.gradient = part_of(inputs_.gradients, index);
  u.compensation = buffers_.slice("compensation", t.offset, t.count());
  u.m = buffers_.moment(averages() ? "offset" : "exp_avg", index);
  u.v = buffers_.moment("exp_avg_sq", index);
  u.s = buffers_.moment("path", index);
  u.start = buffers_.slice("start", t.offset, t.count());
  u.rate_ratio = t.rate_ratio;
  u.first = t.first();
  return u;
}

bool OptimizerBase::averages() const {
  return optimizer_row(settings_.type).schedule_free;
}

void OptimizerBase::average(const View& parameters) {
  ParameterUpdate u;
  u.parameter = parameters;
  u.gradient = buffers_.slice("offset", 0, parameters.count());
  u.factor = -1;
  UpdateOptions o;
  o.rule = UpdateRule::direction;
  o.learning_rate = 1;
  kernels_.optimizer_step({&u, 1}, o);
}

std::vector<ParameterUpdate> OptimizerBase::updates_of_all() const {
  std::vector<ParameterUpdate> all;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const ParameterUpdate u = update_of(i);
    if (all.empty() || !join(all.back(), u)) {
      all.push_back(u);
    }
  }
  return all;
}

RandomKey OptimizerBase::rounding_key() const {
  constexpr std::uint64_t kBuffers = 4;  // RoundedBuffer: one stream each
  return random_key(settings_.seed, RandomStream::rounding, static_cast<std::uint64_t>(updates_),
                    settings_.instance * kBuffers);
}

}  // namespace mantissa
