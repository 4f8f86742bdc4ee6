#include "kernels/cuda/embedded/kernel_names.h"

#include <gtest/gtest.h>

namespace mantissa::cuda {
namespace {

/// What nvcc on Linux calls a kernel, and the type that MinGW makes of the same one.
struct Named {
  const char* device;
  const char* type;
  const char* text;
};

constexpr Named kKernels[] = {
    {"_ZN8mantissa4cuda43_GLOBAL__N__54e78125_10_context_cu_d9319cb914set_run_kernelEPNS0_"
     "7RunCellES2_",
     "N8mantissa4cuda10KernelNameIXadL_ZNS0_12_GLOBAL__N_114set_run_kernelEPNS0_7RunCellES3_EEEE",
     "mantissa::cuda::(anonymous namespace)::set_run_kernel"},
    {"_ZN8mantissa4cuda50_GLOBAL__N__e5ab0ca8_17_optim_factored_cu_410ae67d20factored_sums_"
     "kernelILb1"
     "EEEvPKNS1_11FactoredRowEiNS1_17FactoredConstantsE",
     "N8mantissa4cuda10KernelNameIXadL_ZNS0_12_GLOBAL__N_120factored_sums_kernelILb1EEEvPKNS2_"
     "11FactoredRowEiNS2_17FactoredConstantsEEEEE",
     "void mantissa::cuda::(anonymous namespace)::factored_sums_kernel<true>("
     "mantissa::cuda::(anonymous namespace)::FactoredRow const*, int, "
     "mantissa::cuda::(anonymous namespace)::FactoredConstants)"},
    // 64-bit integers: a type, a parameter and a literal.
    {"_ZN1m4cuda36_GLOBAL__N__7a2adff4_4_t_cu_002b3c3a11some_kernelIdNS1_1FELi4ELl7ELNS0_"
     "4RuleE1EEEvlNS0_"
     "3KeyET0_PT_",
     "N1m4cuda4NameIXadL_ZNS0_12_GLOBAL__N_111some_kernelIdNS2_1FELi4ELx7ELNS0_4RuleE1EEEvxNS0_"
     "3KeyET0_"
     "PT_EEEE",
     "void m::cuda::(anonymous namespace)::some_kernel<double, m::cuda::(anonymous namespace)::F, "
     "4, "
     "7l, (m::cuda::Rule)1>(long, m::cuda::Key, m::cuda::(anonymous namespace)::F, double*)"},
    {"_ZN1m4cuda36_GLOBAL__N__7a2adff4_4_t_cu_002b3c3a11bool_kernelILb1EEEvPKhPm",
     "N1m4cuda4NameIXadL_ZNS0_12_GLOBAL__N_111bool_kernelILb1EEEvPKhPyEEEE",
     "void m::cuda::(anonymous namespace)::bool_kernel<true>(unsigned char const*, unsigned "
     "long*)"},
};

TEST(KernelNames, OfBothCompilersAreOneText) {
  for (const Named& kernel : kKernels) {
    EXPECT_EQ(kernel_named(kernel.device), kernel.text);
    EXPECT_EQ(kernel_of_type(kernel.type), kernel.text);
  }
}

TEST(KernelNames, OfOtherArgumentsDiffer) {
  const char* other = "_ZN1m4cuda36_GLOBAL__N__7a2adff4_4_t_cu_002b3c3a11bool_kernelILb0EEEvPKhPm";
  EXPECT_NE(kernel_named(other), kernel_of_type(kKernels[3].type));
}

}  // namespace
}  // namespace mantissa::cuda
