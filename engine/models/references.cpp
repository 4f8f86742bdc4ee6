#include "engine/models/references.h"

#include <fmt/format.h>
#include <string>

#include "engine/io/model_titles.h"
#include "engine/models/diffusion_model.h"

namespace mantissa {

std::string reference_name(std::size_t index) {
  return "reference_" + std::to_string(index + 1);
}

ReferenceRule reference_rule(const DiffusionModel& model) {
  const Family& family = model.family();
  return {family.reference_pixels,     model.reference_multiple(), family.lone_reference_pixels,
          family.reference_sizes,      model.most_references(),    family.references_fill_area,
          family.references_stretched, model.seen_pixels()};
}

Message unread_references(const WeightSource& source, std::string_view option) {
  const Family& family = source.family();
  if (family.reference_pixels == 0) {
    return message<
        "{model} reads no reference images. Leave {option} out, or choose a base model "
        "that edits images">(family.title(), option);
  }
  const Message why =
      family.references_unread == nullptr ? Message() : family.references_unread(source);
  return why.empty() ? Message()
                     : message<
                           "{model} reads no reference images: {reason}. Leave {option} out, or "
                           "choose a base model that edits images, such as {edits}">(
                           full_title(source), why, option, newest_edit(family));
}

std::string newest_edit(const Family& family) {
  return fmt::format("{} {}", family.title(), family.edit_variants.front());
}

std::vector<LatentSize> sizes_of(std::span<const ReferenceLatents> references) {
  std::vector<LatentSize> sizes;
  for (const ReferenceLatents& reference : references) {
    sizes.push_back(reference.size);
  }
  return sizes;
}

std::vector<Value> reference_inputs(Graph& graph, std::int64_t batch, std::int64_t channels,
                                    std::span<const LatentSize> sizes) {
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    inputs.push_back(graph.input(reference_name(i), DType::f32,
                                 {batch, sizes[i].height, sizes[i].width, channels}));
  }
  return inputs;
}

std::vector<LatentSize> reference_sizes(const Executor& executor) {
  std::vector<LatentSize> sizes;
  while (executor.has_input(reference_name(sizes.size()))) {
    const Shape shape = executor.input(reference_name(sizes.size())).shape;
    sizes.push_back({shape[1], shape[2]});
  }
  return sizes;
}

void feed_references(Executor& executor, std::span<const ReferenceLatents> references) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    executor.feed(reference_name(i), references[i].values);
  }
}

}  // namespace mantissa
