"""Check everything that needs a GPU in one call: ``python -m scripts.check_gpu --out report.json``.

Each check prints a line with its result and its time; the next one runs even if it fails. Checks of
libraries that are not installed are skipped. It takes about five minutes on a fast GPU.
"""

from __future__ import annotations

import argparse
import doctest
import gc
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from byzanz.fast import Batch
from byzanz.fast.digest import shortened
from byzanz.fast.gpu import GpuBatch
from byzanz.fast.gpu_check import GAMES_EACH, check, device_name, digests_on_gpu, speed
from byzanz.fast.gpu_kernels import cuda
from byzanz.fast.policy_ids import POLICIES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "tutorials" / "train-on-a-gpu.md"
GAMES = 256


class Skipped(Exception):
    """A check cannot run here."""


def engines_agree() -> str:
    check()
    return "steps, results, redeal, over, refusals: 2,048 games for each player count"


def digests_agree() -> str:
    stored = json.loads((ROOT / "tests/data/gpu_digests.json").read_text())["digests"]
    for policy in POLICIES:
        for players, expected in stored[policy].items():
            found = shortened(digests_on_gpu(int(players), policy, GAMES_EACH))
            assert found == expected, (policy, players)
    return "the digests of 10,000 games are those in tests/data"


def pytorch_shares_memory() -> str:
    torch = _library("torch")
    batch, here = GpuBatch(4, range(GAMES), autoreset=True), Batch(4, range(GAMES), autoreset=True)
    batch.observe()
    for name in ("games", "rows", "masks", "numbers"):
        array = getattr(batch, name)
        address = array.__cuda_array_interface__["data"][0]
        for tensor in (torch.as_tensor(array, device="cuda"), torch.from_dlpack(array)):
            assert tensor.data_ptr() == address, name
            assert np.array_equal(tensor.cpu().numpy(), array.copy_to_host()), name
    rows = torch.as_tensor(batch.rows, device="cuda")
    for taken in range(300):
        numbers = here.choose()
        batch.choose()  # both draw, so that the random generators agree
        step = here.step(numbers)
        dtype = torch.int32 if taken % 2 else torch.int64
        played = batch.step(torch.as_tensor(numbers, device="cuda").to(dtype))
        assert np.array_equal(rows.cpu().numpy(), step.observations["observation"]), taken
        for ours, theirs in ((played.rewards, step.rewards), (played.terminated, step.terminated)):
            assert np.array_equal(torch.as_tensor(ours, device="cuda").cpu().numpy(), theirs), taken
    for wrong in (torch.full((GAMES,), 289, device="cuda"), torch.zeros(GAMES, device="cuda")):
        try:
            batch.step(wrong)
        except (TypeError, ValueError):
            continue
        raise AssertionError("wrong numbers on the GPU were played")
    kept, expected = torch.from_dlpack(batch.rows), rows.cpu().numpy()
    del batch, rows
    gc.collect()
    others = [cuda.to_device(np.zeros(1 << 20, np.uint8)) for _ in range(64)]
    assert np.array_equal(kept.cpu().numpy(), expected), "the memory was given to somebody else"
    del others
    return f"PyTorch {torch.__version__}: addresses, values, both kinds of integers, lifetime"


def jax_shares_memory() -> str:
    jax = _library("jax")
    if jax.default_backend() != "gpu":
        raise Skipped("JAX has no GPU")
    batch, here = GpuBatch(4, range(GAMES)), Batch(4, range(GAMES))
    for _ in range(100):
        masks, _ = here.observe()
        batch.observe()
        rows, seen = jax.dlpack.from_dlpack(batch.rows), jax.dlpack.from_dlpack(batch.masks)
        assert rows.unsafe_buffer_pointer() == batch.rows.__cuda_array_interface__["data"][0]
        numbers = seen.argmax(axis=1).block_until_ready()
        assert np.array_equal(np.asarray(rows), here.rows)
        batch.step(numbers)
        here.step(masks.argmax(axis=1))
    assert np.array_equal(batch.games.copy_to_host(), here.games)
    return f"JAX {jax.__version__}: addresses, values, 100 steps with JAX's numbers"


def the_tutorial_learns() -> str:
    torch = _library("torch")
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    test = parser.get_doctest(PAGE.read_text(), {}, PAGE.name, str(PAGE), 0)
    failed, tried = runner.run(test, clear_globs=False)
    assert failed == 0, f"{failed} of {tried} examples failed"
    learn = test.globs["learn"]
    batch, shares, start = GpuBatch(4, range(4096), autoreset=True), [], time.perf_counter()
    while time.perf_counter() - start < 60 and len(shares) < 30:
        shares.append(round(100 * learn(batch, 300), 1))
    spent = time.perf_counter() - start
    assert shares[-1] > shares[0] + 20, shares
    peak = torch.cuda.max_memory_allocated() / 1e9
    return (
        f"share of the wins by update, %: {shares}; {len(shares)} updates of 1.2 million steps in "
        f"{spent:.1f} s; {peak:.1f} GB"
    )


def steps_with_observations() -> str:
    found = []
    for games in (1 << 14, 1 << 16, 1 << 18):
        batch = GpuBatch(4, range(games), autoreset=True)
        for repeated in (3, 200):
            cuda.synchronize()
            start = time.perf_counter()
            for _ in range(repeated):
                batch.choose()
                batch.step_unchecked()
            cuda.synchronize()
        rate = repeated * games / (time.perf_counter() - start)
        found.append(f"{games:,} games {rate / 1e6:,.1f}")
    return "million steps/s with masks, features and results: " + ", ".join(found)


def whole_games() -> str:
    rates = [
        f"{policy} {speed(4, policy, 1 << 20, 4)[0] / 1e6:,.0f}"
        for policy in ("random", "sensible")
    ]
    return "million steps/s in whole games, 4 players: " + ", ".join(rates)


def training_runs() -> str:
    _library("torch")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        command = [
            *(sys.executable, "-m", "byzanz.training", "--small", "--device", "cuda"),
            *("--minutes", "0.5", "--out", str(out)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr[-2000:]
        updates = len((out / "updates.csv").read_text().splitlines()) - 1
    return f"{updates} updates in half a minute; " + " ".join(done.stdout.splitlines()[-4:-1])


CHECKS: list[Callable[[], str]] = [
    engines_agree, digests_agree, pytorch_shares_memory, jax_shares_memory, the_tutorial_learns,
    steps_with_observations, whole_games, training_runs,
]  # fmt: skip


def _library(name: str) -> Any:
    if importlib.util.find_spec(name) is None:
        raise Skipped(f"{name} is not installed")
    return importlib.import_module(name)


def main() -> int:
    """Run all checks; return 0 if none failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the results as JSON")
    options = parser.parse_args()
    results: dict[str, Any] = {"device": device_name()}
    failed = 0
    for each in CHECKS:
        start, name = time.perf_counter(), each.__name__.replace("_", " ")
        try:
            status, text = "ok", each()
        except Skipped as skipped:
            status, text = "skipped", str(skipped)
        except Exception:  # noqa: BLE001 - the other checks run anyway
            status, text, failed = "FAILED", traceback.format_exc(), failed + 1
        spent = time.perf_counter() - start
        print(f"{status:7} {name} ({spent:.1f} s): {text}", flush=True)
        results[name] = {"status": status, "seconds": round(spent, 1), "text": text}
        if options.out is not None:
            options.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
