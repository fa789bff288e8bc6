# SPDX-License-Identifier: MIT
"""measure() over counters that only the test moves: each piece has exactly its step."""
import asyncio
import json
import logging
import os
import pickle
import sys
import unittest

import carbon
from libcarbon._energy import shown_carbon
from tree import ZONE, OnTree, Tree


class Pieces(OnTree):
    def test_with(self):
        with carbon.measure("outer", **self.options) as outer:
            self.tree.add(1.5)
            with carbon.measure("inner", **self.options) as inner:
                self.tree.add(2)
                self.assertEqual(inner.joules, 2)
            self.assertEqual(outer.joules, 3.5)
            self.tree.add(0.25)
        self.assertEqual((inner.joules, outer.joules), (2, 3.75))
        self.assertEqual(outer.quality, "measured")
        self.assertEqual(outer.components, {"package": 3.75, "memory": None})
        self.assertAlmostEqual(outer.kwh, 3.75 / 3.6e6, 15)
        self.assertAlmostEqual(outer.kgco2eq, outer.kwh * outer.facts["kgco2eq_per_kwh"], 15)
        self.assertGreater(outer.seconds, 0)
        self.assertIsNone(outer.net_j)
        self.assertIn("outer", repr(outer))
        self.assertIn("3.75 J", repr(outer))
        self.assertFalse(outer.failed)

    def test_decorated(self):
        @carbon.measure(**self.options)
        def work(joules):
            """Adds."""
            self.tree.add(joules)
            return joules * 2

        self.assertIsNone(work.last)
        self.assertEqual(work(2.5), 5)
        self.assertEqual(work.last.joules, 2.5)
        self.assertEqual(work(1), 2)
        self.assertEqual(work.last.joules, 1)
        self.assertEqual((work.__name__, work.__doc__), ("work", "Adds."))
        self.assertTrue(work.last.label.endswith("work"))

    def test_decorated_without_options(self):
        @carbon.measure
        def work():
            return 7

        self.assertEqual(work(), 7)
        self.assertGreater(work.last.seconds, 0)

    def test_a_method_and_an_exception(self):
        tree, options = self.tree, self.options

        class Worker:
            @carbon.measure(**options)
            def work(self):
                tree.add(1)
                raise ValueError("as it should")

        with self.assertRaisesRegex(ValueError, "as it should"):
            Worker().work()
        self.assertEqual(Worker.work.last.joules, 1)
        self.assertTrue(Worker.work.last.failed)

    def test_coroutines(self):
        @carbon.measure(**self.options)
        async def work(joules):
            await asyncio.sleep(0)
            self.tree.add(joules)
            await asyncio.sleep(0)
            return joules

        async def both():
            async with carbon.measure(**self.options) as all_of_it:
                self.assertEqual(await work(0.5), 0.5)
                self.assertEqual(work.last.joules, 0.5)
                self.assertEqual(await work(1), 1)
            return all_of_it

        self.assertEqual(asyncio.run(both()).joules, 1.5)
        self.assertTrue(asyncio.iscoroutinefunction(work))

    def test_generators(self):
        @carbon.measure(**self.options)
        def numbers():
            for i in range(3):
                self.tree.add(1)
                yield i

        @carbon.measure(**self.options)
        async def later():
            for i in range(2):
                self.tree.add(0.5)
                yield i

        async def collect():
            return [i async for i in later()]

        self.assertEqual(list(numbers()), [0, 1, 2])
        self.assertEqual(numbers.last.joules, 3)
        self.assertEqual(asyncio.run(collect()), [0, 1])
        self.assertEqual(later.last.joules, 1)
        some = numbers()
        next(some)
        some.close()
        self.assertEqual(numbers.last.joules, 1)
        self.assertFalse(numbers.last.failed)

    def test_stamps_are_joined_with_readings(self):
        with carbon.Meter(**self.options, sample_interval=0.005) as meter:
            stamps = [meter.stamp()]
            for _ in range(20):
                self.tree.step(0.25)
                stamps.append(meter.stamp())
            whole = meter.between_stamps(stamps[0], stamps[-1])
            parts = [meter.between_stamps(*pair) for pair in zip(stamps, stamps[1:])]
            backwards = meter.between_stamps(stamps[-1], stamps[0])
        self.assertTrue(whole.low_j <= 5 <= whole.high_j, whole)
        self.assertTrue(all(part.low_j <= 0.25 <= part.high_j for part in parts), parts)
        self.assertAlmostEqual(sum(part.joules or 0 for part in parts), whole.joules, 9)
        self.assertEqual(whole.at_least_j, whole.low_j)
        self.assertIn("interpolated between two readings", whole.doubts)
        self.assertEqual((whole.quality, whole.own_method, whole.own_j), ("measured", "unknown", None))
        self.assertIsNone(backwards.joules)
        with carbon.Meter(**self.options) as meter:
            self.assertIsNone(meter.between_stamps(stamps[0], meter.stamp()).joules)
        with self.assertRaises(carbon.CarbonError):
            carbon.Meter(**self.options, sample_interval=0)

    def test_unknown_is_none(self):
        with carbon.measure(**self.options) as piece:
            self.tree.add(1)
            self.tree.put(ZONE + "/energy_uj", "no number")
        self.assertEqual((piece.joules, piece.kwh, piece.kgco2eq), (None, None, None))
        self.assertEqual(piece.quality, "unknown")
        self.assertIn("a counter could not be read at the start or the end", piece.doubts)
        self.assertIn("unknown", repr(piece))
        self.assertIn("unknown", piece._repr_html_())

    def test_a_hole_is_a_lower_bound(self):
        self.tree.add(5000)
        with carbon.measure(**self.options) as piece:
            self.tree.add(3)
            piece.energy  # a reading
            self.tree.put(ZONE + "/energy_uj", 0)
            piece.energy
            self.tree.add(2)
        self.assertEqual((piece.joules, piece.at_least_j, piece.unknown_why), (None, 5, "reset"))
        self.assertEqual((piece.components["package"], piece.components_at_least["package"]), (None, 5))
        self.assertGreater(piece.unknown_s, 0)
        self.assertAlmostEqual(piece.known_s + piece.unknown_s, piece.seconds, 9)
        self.assertIn("at least 5 J, of ", repr(piece))
        self.assertIn("at least 5 J, of ", piece._repr_html_())
        with carbon.measure(**self.options) as piece:
            self.tree.add(2)
        self.assertEqual((piece.joules, piece.at_least_j, piece.unknown_s, piece.unknown_why), (2, 2, 0, ""))

    def test_many_short_pieces_add_up_and_none_is_nothing(self):
        used = 0
        with carbon.measure(**self.options) as whole:
            for number in range(150):
                with carbon.measure(**self.options) as piece:
                    if number % 3:
                        self.tree.add(number / 1000)
                        used += number
                if number % 3:
                    self.assertAlmostEqual(piece.joules, number / 1000, 9)
                else:
                    # in ten updates of the counter nothing would be 0
                    self.assertEqual(piece.joules, None if piece.seconds < 0.01 else 0)
        self.assertAlmostEqual(whole.joules, used / 1000, 9)

    def test_net(self):
        with carbon.Meter(**self.options) as meter:
            self.assertIsNone(meter.idle_w)
            start = meter.now()
            self.tree.add(0.5)
            end = meter.now()
            meter.set_idle(start, end)
            self.assertGreater(meter.idle_w, 0)
            with carbon.measure(meter=meter) as piece:
                self.tree.add(2)
            self.assertAlmostEqual(piece.net_j, 2 - meter.idle_w * piece.seconds, 9)
            with self.assertRaises(carbon.CarbonError) as caught:
                meter.baseline(-1)
            self.assertEqual(caught.exception.kind, "usage")
        with self.assertRaisesRegex(carbon.CarbonError, "the meter is closed"):
            meter.now()

    def test_the_record(self):
        with carbon.measure(label="a <b>", memory=True, **self.options) as piece:
            self.tree.add(3)
        record = piece.to_dict()
        self.assertEqual(json.loads(json.dumps(record)), record)
        self.assertEqual((record["schema"], record["label"], record["joules"]), ("carbon.piece/1", "a <b>", 3))
        self.assertIn("<caption>a &lt;b&gt;</caption>", piece._repr_html_())
        if "CARBON_RECORD" in os.environ:
            with open(os.environ["CARBON_RECORD"], "w", encoding="utf-8") as file:
                json.dump(record, file)

    def test_a_callback_gets_each_piece(self):
        ended = []
        work = carbon.measure(on_end=ended.append, **self.options)(lambda joules: self.tree.add(joules))
        work(1)
        work(2)
        self.assertEqual([piece.joules for piece in ended], [1, 2])

    def test_a_meter_goes_through_pickle(self):
        with carbon.Meter(**self.options) as meter, pickle.loads(pickle.dumps(meter)) as other:
            start = other.now()
            self.tree.add(1)
            self.assertEqual(other.since(start).joules, 1)


class Errors(OnTree):
    def test_what_why_and_fix(self):
        with self.assertRaises(carbon.CarbonError) as caught, carbon.measure(root=self.tree.path, zone="Atlantis"):
            pass
        self.assertIn("Atlantis", caught.exception.what)
        self.assertTrue(caught.exception.fix)
        self.assertEqual(caught.exception.kind, "usage")
        self.assertIn("(try: ", str(caught.exception))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(again.what, caught.exception.what)

    def test_a_factor_of_ones_own_has_a_basis_where_one_is_named(self):
        for options, basis in (({"kgco2eq_per_kwh": 0.05}, None), ({"kgco2eq_per_kwh": 0.05, "basis": "direct"}, "direct"),
                               ({"zone": "FR"}, "lifecycle")):
            with self.subTest(options), carbon.Meter(root=self.tree.path, **options) as meter:
                self.assertEqual(meter.facts["factor_basis"], basis)
        with carbon.Meter(root=self.tree.path, kgco2eq_per_kwh=0.05) as meter:
            self.assertIsNone(meter.since(meter.now()).to_dict()["facts"]["factor_basis"])
        with self.assertRaises(carbon.CarbonError):
            carbon.Meter("FR", basis="none", root=self.tree.path)

    def test_options_that_are_none(self):
        for options in ({"scope": "planet"}, {"basis": "hope"}, {"pue": 0.5}, {"pue": 0}, {"kgco2eq_per_kwh": 0},
                        {"source": "dynamo"}):
            with self.subTest(options), self.assertRaises(carbon.CarbonError):
                carbon.Meter(root=self.tree.path, **options)
        with self.assertRaisesRegex(TypeError, "no option 'zome'"):
            carbon.measure(zome="FR")

    def test_a_notice_has_its_kind(self):
        self.options.pop("zone")
        os.environ.pop("CARBON_ZONE", None)
        with carbon.Meter(**self.options) as meter:
            kinds = {notice.what: notice.notice for notice in meter.notices}
        self.assertEqual(kinds["no zone given; using the world average"], "stand-in")
        self.assertTrue(all(kinds.values()))
        with self.assertRaises(carbon.CarbonError) as caught:
            meter.now()
        self.assertEqual(caught.exception.notice, "")

    def test_misuse(self):
        piece = carbon.measure(**self.options)
        self.assertIn("not measured yet", piece._repr_html_())
        with self.assertRaisesRegex(carbon.CarbonError, "nothing has been measured"):
            _ = piece.joules
        with self.assertRaises(carbon.CarbonError):
            piece.stop()
        with piece, self.assertRaisesRegex(carbon.CarbonError, "already"):
            piece.start()
        with self.assertRaises(AttributeError):
            _ = piece.jewels
        self.assertFalse(hasattr(carbon, "jewels"))


class Lines(OnTree):
    def test_timer_and_memory(self):
        @carbon.measure(log=True, **self.options)
        def work():
            self.tree.add(1.5)
            return bytearray(64 << 20)

        with self.assertLogs("carbon", logging.INFO) as logs:
            work()
        first, second, third = (record.getMessage() for record in logs.records)
        self.assertRegex(first, r"^Finished .*work in \d+\.\d{4} seconds\.$")
        self.assertRegex(second, r"^Max RAM used (\d+\.\d{4} GB|is unknown)\.$")
        self.assertRegex(third, r"^Energy used 1\.5 J, \d+\.\d+ µgCO2eq, measured\.$")

    def test_emissions_as_people_read_them(self):
        with carbon.measure(**self.options) as piece:
            self.tree.add(3.6)
        kgco2eq = piece.facts["kgco2eq_per_kwh"] * piece.facts["pue"] * 1e-6
        self.assertIn(f"3.6 J, {kgco2eq * 1e9:.4g} µgCO2eq, measured>" if kgco2eq < 1e-6 else
                      f"3.6 J, {kgco2eq * 1e6:.4g} mgCO2eq, measured>", repr(piece))
        for kg, text in (2.5, "2.5 kgCO2eq"), (0.0125, "12.5 gCO2eq"), (4e-6, "4 mgCO2eq"), (0, "0 µgCO2eq"), (None, "unknown"):
            self.assertEqual(shown_carbon(kg), text)

    def test_a_modelled_figure_has_its_range(self):
        with carbon.measure(source="model") as piece:
            sum(range(1000000))
        self.assertIn(f"{piece.joules:.4g} J (range {piece.low_j:.4g} to {piece.high_j:.4g} J), ", repr(piece))

    def test_a_failure_is_not_finished(self):
        with self.assertNoLogs("carbon", logging.INFO), self.assertRaises(ValueError):
            with carbon.measure(log=logging.getLogger("carbon"), **self.options):
                raise ValueError

    @unittest.skipUnless(os.access("/proc/self/clear_refs", os.W_OK), "the kernel may not begin its peak anew")
    def test_peaks_are_of_their_pieces(self):
        size = 64 << 20
        with carbon.measure(memory=True, **self.options) as outer:
            big = bytearray(b"x") * (2 * size)
            del big
            with carbon.measure(memory=True, **self.options) as small:
                pass
            with carbon.measure(memory=True, **self.options) as large:
                big = bytearray(b"x") * size
                del big
        self.assertGreater(large.peak_memory_bytes, small.peak_memory_bytes + 0.9 * size)
        self.assertGreater(outer.peak_memory_bytes, large.peak_memory_bytes + 0.9 * size)


if __name__ == "__main__":
    sys.exit(unittest.main())
