#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/adapter_file.h"
#include "engine/adapters/adapter_module.h"

namespace mantissa {

/// A tensor's values as fp32. Throws Error naming file and tensor for non-numeric types.
std::vector<float> tensor_floats(const TensorInfo& tensor, const std::string& file);

/// A file's module as the change of its weight, from any form; exact for each (the algebra in fp64,
/// rounded once to fp32):
///  - LoRA, and LoCon with a Tucker core: down' = mid·down;
///  - LoHa, (w1_a·w1_b)∘(w2_a·w2_b): a LoRA whose rank is the product of both, its columns all
///    products of one column of each;
///  - LoKr, w1 ⊗ w2: a LoRA of rank min(rows, columns of w1)·rank of w2;
///  - diff: the change itself.
/// LoHa and LoKr without cores keep their factors beside (AdapterModule::product).
/// A rank that saves nothing over the change itself becomes AdapterModule::dense. `given_scale` is
/// used if the file has no alpha tensor; without either it is 1. Magnitudes and changes of biases
/// are left to the caller. Throws Error naming file and module if tensors are missing or
/// inconsistent.
AdapterModule adapter_module(const std::string& path, const ModuleTensors& tensors,
                             std::optional<double> given_scale, const std::string& file);

/// The module's product as a low rank or a dense change, where it has neither (adapter_module),
/// with its magnitudes.
AdapterModule expanded(const AdapterModule& module);

/// The alpha that stands for a module's own and its `scalar` (LyCORIS's use_scalar), for readers
/// that know no scalar. Empty without a scalar, and where the form's readers ignore alpha.
std::optional<double> alpha_with_scalar(const ModuleTensors& tensors, const std::string& file);

}  // namespace mantissa
