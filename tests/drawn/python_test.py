"""tests/golden/drawn.py unpacks what the build unpacks for the tests, and draws what PyTorch 2.15 drew.

    python3 tests/drawn/python_test.py build/test_data/golden        exit status 77 without numpy
"""

import pathlib
import sys
import tempfile
import unittest

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
sys.path.insert(0, str(GOLDEN))
try:
    import numpy as np
except ImportError:
    sys.exit(77)
import drawn  # noqa: E402

UNPACKED = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else None


class Drawn(unittest.TestCase):
    def test_values_are_pytorchs(self):
        values = drawn.normal(41, 0, 37)
        np.testing.assert_allclose(values[:3], [0.2465023, -0.4717024, -1.5183909], atol=1e-6)
        np.testing.assert_allclose(values[21:24], [-0.6472877, 1.2868885, 0.2797523], atol=1e-6)
        np.testing.assert_allclose(values[34:], [0.4649832, -0.0321482, 0.1085360], atol=1e-6)
        np.testing.assert_allclose(drawn.normal(41, 53, 16)[:2], [-0.1647784, -0.3936818], atol=1e-6)

    def test_patterns_are_nearest_with_ties_to_even(self):
        values = np.random.default_rng(0).standard_normal(100000) * 10.0 ** np.arange(-8, 2).repeat(10000)
        values[:6] = 0, -0.0, 1 + 2 ** -11, 1 + 3 * 2 ** -11, 2 ** -25, 3 * 2 ** -25
        np.testing.assert_array_equal(drawn.patterns(values, "F16"), values.astype(np.float16).view(np.uint16))
        exact = drawn.patterns(values, "BF16").astype(np.uint32) << 16  # as FP32
        off = np.abs(exact.view(np.float32) - values)
        self.assertTrue((off <= np.abs(values) * 2.0 ** -8).all())

    def test_a_file_is_the_same_packed_and_unpacked(self):
        line = ["F16", "300", "5", "53", "0.25", "1.0", "7:3c01"]
        values = drawn.stretch(*line)
        drawn.known[values] = line, b""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a")
            content = b"{}" + values + bytes(drawn.GAIN) + values + b"end"
            path.write_bytes(content)
            drawn.pack(path)
            self.assertFalse(path.exists())
            self.assertLess(drawn.packed(path).stat().st_size, 200)
            self.assertEqual(drawn.unpack(drawn.packed(path)), content)
            self.assertEqual(drawn.whole(path).read_bytes(), content)
            damaged = drawn.packed(path).read_bytes().replace(b"drawn %d" % len(content), b"drawn %d" % 9)
            drawn.packed(path).write_bytes(damaged)
            self.assertRaises(ValueError, drawn.unpack, drawn.packed(path))

    def test_singles_lie_steps_from_the_rounded_values(self):
        steps = np.arange(300).astype(np.int8) % 7
        line = ["F32", "300", "5", "53", "0.25", "0.0", "7:40f00000"]
        values = drawn.stretch(*line, steps=steps.tobytes())
        rounded = (0.25 * drawn.normal(5, 53, 300)).astype(np.float32).view(np.uint32)
        self.assertEqual(np.frombuffer(values, np.float32)[7], 7.5)
        np.testing.assert_array_equal(np.delete(np.frombuffer(values, np.uint32) - rounded - steps, 7), 0)
        drawn.known[values] = line, steps.tobytes()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a")
            content = b"{}" + values + bytes(drawn.GAIN) + values + b"end"
            path.write_bytes(content)
            drawn.pack(path)
            self.assertEqual(drawn.whole(path).read_bytes(), content)

    def test_a_file_without_draws_is_packed_if_it_is_worth_while(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a")
            for content, worth in ((b"\n\n" * drawn.GAIN, True), (b"end" * 10, False)):
                path.write_bytes(content)
                drawn.pack(path)
                self.assertEqual(path.exists(), not worth)
                self.assertEqual(drawn.whole(path).read_bytes(), content)

    def test_a_file_may_be_the_same_as_another(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a")
            (path / "b").mkdir(parents=True)
            (path / "c").write_bytes(b"once")
            (path / "b" / "c.same").write_text("../c\n")
            self.assertEqual((drawn.whole(path) / "b" / "c").read_bytes(), b"once")

    def test_every_golden_file_is_what_the_tests_read(self):
        files = sorted(GOLDEN.rglob("*.drawn"))
        self.assertGreater(len(files), 40)
        for path in files:
            content = drawn.unpack(path)  # checks its checksum
            if UNPACKED:
                self.assertEqual((UNPACKED / path.relative_to(GOLDEN)).with_suffix("").read_bytes(), content, path)


if __name__ == "__main__":
    unittest.main()
