"""Shows that the tests would notice the mistakes other programs made.

    python3 tests/mutation/mutate.py FOLDER [name...]

For each mutation below: a copy of the sources in FOLDER (made where it is missing, kept for the next
time) gets the mistake and is built, and the tests named beside it must fail there. Prints one line a
mutation; exits 1 if a mistake goes unnoticed. Slow: several minutes.
"""
import pathlib
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# name: (file, what stands there, the mistake, test program, its filter)
MUTATIONS = {
    "unscale-before-clip": (
        "kernels/step_end.h",
        "rounded_product(rounded_product(groups[i].norm, inverse), inverse);",
        "groups[i].norm;",
        "engine_train_tests", "*Transaction*"),
    "single-scale-update": (
        "kernels/step_end.h",
        "    next_loss_scale(skipped, step.scale, step.clean);",
        "    for (int i = 0; i < count; ++i) {\n"
        "      next_loss_scale(!std::isfinite(groups[i].norm), step.scale, step.clean);\n    }",
        "engine_train_tests", "*Transaction*:*Scaler*"),
    "master-upcast": (
        "engine/adapters/adapter_set.cpp",
        "master_(dtype_of(preset.precision.adapter))",
        "master_(dtype_of(preset.precision.weights.unet))",
        "cases_tests", "*UnscaleFp16*"),
    "dequantise-in-norm": (
        "engine/graph/dora.cpp",
        "k.dora_norm({in[0], weight_scale,",
        "k.dora_norm({in[0], View{},",
        "engine_graph_tests", "*Dora*"),
    "stochastic-rounding": (
        "kernels/rounding.h",
        "std::min(magnitude + random, 0x7f7fffffu)",
        "std::min(magnitude + 0x7fffu + (magnitude >> 16 & 1u) + 0u * random, 0x7f7fffffu)",
        "engine_optim_tests", "*"),
    "wo-pin": (
        "engine/precision/rules.cpp",
        '"*.DenseReluDense.wo"',
        '"*.NoSuchLayer.wo"',
        "engine_models_tests", "*T5*"),
    "pin-inside-fp8": (
        "engine/precision/rules.cpp",
        "p.fp8 = p.fp8 && is_narrow(p.storage);",
        "",
        "engine_precision_tests", "PrecisionPlan*"),
    "one-dropout-for-all": (
        "engine/nn/adapted.cpp",
        "kAdapterDropoutStream + static_cast<std::uint32_t>(adapter.index)",
        "kAdapterDropoutStream",
        "engine_models_tests", "DoraSet*"),
    "one-start-for-all": (
        "engine/adapters/adapter_values.cpp",
        "static_cast<std::uint64_t>(adapter.index)",
        "0",
        "engine_models_tests", "Adapters.*"),
    "sign-of-alpha": (
        "engine/adapters/resize.cpp",
        "if (scale < 0) {",
        "if (false) {",
        "engine_models_tests", "AdapterForms*"),
    "warm-up-observed": (
        "engine/optim/prodigy.cpp",
        "const bool observe = inputs.learning_rate > 0;",
        "const bool observe = true;",
        "engine_optim_tests", "Prodigy*"),
    "flat-attention": (
        "engine/io/model_writer.cpp",
        "if (shape.rank() == 2) {\n        shape = {shape[0], shape[1], 1, 1};",
        "if (false) {\n        shape = {shape[0], shape[1], 1, 1};",
        "engine_train_tests", "FullTrainingTest.AWritten*"),
}


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **options)


def main():
    copy = pathlib.Path(sys.argv[1]).resolve()
    build = copy / "build"
    names = sys.argv[2:] or list(MUTATIONS)
    shutil.copytree(SOURCE, copy, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns(".git", "build*", "demo-out"))
    configured = run(["cmake", "-S", copy, "-B", build, "-G", "Ninja",
                      "-DCMAKE_BUILD_TYPE=Release", "-DMANTISSA_GUI=OFF"])
    if configured.returncode != 0:
        sys.exit(configured.stdout)
    unnoticed = []
    for name in names:
        file, correct, mistake, program, tests = MUTATIONS[name]
        path = copy / file
        text = path.read_text()
        if text.count(correct) != 1:
            sys.exit(f"{name}: {file} no longer holds exactly one\n{correct}")
        results = {}
        for kind, content in (("correct", text), ("mistaken", text.replace(correct, mistake))):
            path.write_text(content)
            built = run(["cmake", "--build", build, "--target", program])
            if built.returncode != 0:
                path.write_text(text)
                sys.exit(f"{name}: the {kind} sources don't build\n{built.stdout[-3000:]}")
            results[kind] = run([build / "bin" / program, f"--gtest_filter={tests}"])
        path.write_text(text)
        ran = "[  PASSED  ] 0 tests" not in results["correct"].stdout
        caught = [line.split("]")[1].split("(")[0].strip()
                  for line in results["mistaken"].stdout.splitlines()
                  if line.startswith("[  FAILED  ]") and " ms)" in line]
        good = ran and results["correct"].returncode == 0 and results["mistaken"].returncode != 0
        print(f"{name}: {'noticed by ' + ', '.join(caught) if good else 'NOT NOTICED'}", flush=True)
        if not good:
            print(results["correct"].stdout[-2000:])
            unnoticed.append(name)
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
