"""Fits the confidence on photos that no net was trained on: those held back of the real ones, and fresh drawings."""
import argparse
import json

import cv2
import numpy as np
import torch

import camera
import confidence
import evaluate
import photos
import read
import samples
import scenes

MARGIN = 2.0  # taken off the logit: meters that nobody here has photographed are harder than these
TURNS = 4  # times each held-back photo is taken, differently turned and lit


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data', help='folder with trodo.csv and digits.csv')
    parser.add_argument('work', help='folder with the checkpoints')
    parser.add_argument('--drawn', type=int, default=160)
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    engine, rng = read.Engine(options.work), np.random.default_rng([2026, 1_000_000])
    rows, right, kinds = [], [], []
    for kind, grey, digits in fresh(rng, options):
        got = engine.read(grey)
        if got.digits:
            rows.append(confidence.inputs(got))
        right.append(evaluate.same(got.digits, digits) if got.digits else None)
        kinds.append(kind)
    if len(rows) < 30:
        raise SystemExit('The nets find too little to fit a confidence on: train them longer.')
    weights = confidence.fit(rows, [r for r in right if r is not None])
    weights['constant'] = round(weights['constant'] - MARGIN, 4)
    with open(confidence.FILE, 'w') as file:
        json.dump(weights, file, indent=2)
        file.write('\n')
    for kind in sorted(set(kinds)):
        chosen = [bool(r) for r, k in zip(right, kinds) if k == kind]
        print(f'{kind}: {len(chosen)} photos, right {100 * np.mean(chosen):.1f} %')
    p = 1 / (1 + np.exp(-np.array(rows) @ [weights[name] for name in confidence.NAMES]))
    answered = np.array([r for r in right if r is not None])
    for bar in (0.5, 0.8, 0.9, 0.95):
        print(f'from {bar}: {100 * (p >= bar).mean():.1f} %, right of these {100 * answered[p >= bar].mean():.1f} %')


def fresh(rng, options):
    held = photos.Photos(options.data, held=True)
    for at in range(len(held.rows)):
        yield held.rows[at]['kind'], held.grey(at), held.rows[at]['digits']
        for _ in range(TURNS - 1):
            grey = held.grey(at)
            scene = photos.turned(rng, grey, held.quads[at], held.rows[at]['digits'], (round(grey.shape[0] * 0.9), round(grey.shape[1] * 0.9)))
            yield held.rows[at]['kind'], camera.photographed(rng, scene.image, scene.quad), scene.digits
    source = photos.Photos(options.data)
    for _ in range(options.drawn):
        kind = str(rng.choice(['portrait', 'landscape']))
        size = samples.SIZES[kind][rng.integers(len(samples.SIZES[kind]))]
        scene = scenes.drawn(rng, size, samples.any_counter(rng, source))
        yield 'drawn', camera.photographed(rng, scene.image, scene.quad), scene.digits


if __name__ == '__main__':
    main()
