"""Makes shards of samples: whole looks, closer windows and strips, each cut from the same scenes; seeded, so that a shard is always the same."""
import argparse
import os

import cv2
import numpy as np

import camera
import counters
import geometry
import own
import photos
import scenes

SCENES = 256
WINDOWS, STRIPS = 2, 4
LONGEST = 8
SIZES = {'portrait': [(900, 675), (960, 540), (800, 600)], 'landscape': [(600, 800), (450, 800)], 'square': [(800, 800), (600, 700)]}
REAL = 0.7
OWN = 0.3  # of the strips, where there are counters of one's own


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data', help='folder with trodo.csv and digits.csv')
    parser.add_argument('work', help='folder for the shards')
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--step', type=int, default=1, help='make every n-th shard, where several processes share the work')
    parser.add_argument('--with-dev-vehicles', action='store_true')
    parser.add_argument('--own', help='folder that meters:export wrote')
    options = parser.parse_args()
    cv2.setNumThreads(1)
    source = photos.Photos(options.data, options.with_dev_vehicles)
    mine = own.counters_of(options.own) if options.own else []
    os.makedirs(options.work, exist_ok=True)
    for index in range(options.first, options.first + options.count, options.step):
        if not os.path.exists(path(options.work, index)):
            write(options.work, index, source, mine)


def path(work, index):
    return os.path.join(work, f'shard_{index:04d}.npz')


def write(work, index, source, mine):
    unfinished = os.path.join(work, f'.{index}.npz')
    np.savez(unfinished, **shard(np.random.default_rng([2026, index]), index, source, mine))
    os.replace(unfinished, path(work, index))


def shard(rng, index, source, mine=()):
    kind = ['portrait', 'landscape', 'portrait', 'landscape', 'square'][index % 5]
    made = {name: [] for name in ('looks', 'look_quads', 'windows', 'window_quads', 'strips', 'digits')}
    for _ in range(SCENES):
        scene = any_scene(rng, kind, source)
        photo = camera.photographed(rng, scene.image, scene.quad)
        add(made, 'look', *look(rng, photo, scene.quad, kind))
        for _ in range(WINDOWS):
            add(made, 'window', *window(rng, photo, scene.quad))
        for _ in range(STRIPS):
            image, digits = own.strip(rng, mine) if mine and rng.random() < OWN else (strip(rng, photo, scene.quad), scene.digits)
            made['strips'].append(image)
            made['digits'].append([int(d) for d in digits] + [-1] * (LONGEST - len(digits)))
    return {name: np.array(values, np.float32 if 'quads' in name else np.int8 if name == 'digits' else np.uint8) for name, values in made.items()}


def add(made, name, image, quad):
    made[name + 's'].append(image)
    made[name + '_quads'].append(quad)


def any_scene(rng, kind, source):
    size = SIZES[kind][rng.integers(len(SIZES[kind]))]
    if rng.random() < (REAL if kind == 'portrait' else 0.6 * REAL):
        return source.scene(rng, size)
    return scenes.drawn(rng, size, any_counter(rng, source))


def any_counter(rng, source):
    kind = rng.random()
    if kind < 0.52:
        return counters.drums(rng)
    return counters.lcd(rng) if kind < 0.76 else counters.pieced(rng, source)


def look(rng, photo, quad, kind):
    if rng.random() < 0.4:
        photo, quad = part(rng, photo, quad)
    image, (scale, left, top) = geometry.look(photo, kind)
    return image, (quad - [left, top]) / scale


def part(rng, photo, quad):
    """A part of the photo with the counter in it, as if taken from nearer."""
    rows, columns = photo.shape
    share = rng.uniform(0.55, 0.95)
    high, wide = int(rows * share), int(columns * share)
    low, far = np.floor(quad.min(0)).astype(int) - 4, np.ceil(quad.max(0)).astype(int) + 4
    if (far - low)[0] >= wide or (far - low)[1] >= high:
        return photo, quad
    left = rng.integers(max(0, far[0] - wide), max(0, min(low[0], columns - wide)) + 1) if max(0, far[0] - wide) <= max(0, min(low[0], columns - wide)) else 0
    top = rng.integers(max(0, far[1] - high), max(0, min(low[1], rows - high)) + 1) if max(0, far[1] - high) <= max(0, min(low[1], rows - high)) else 0
    return photo[top:top + high, left:left + wide], quad - [left, top]


def window(rng, photo, quad):
    """Around the counter as a first find would leave it: off its place, its size and its slant."""
    centre, along, _ = geometry.axes(quad)
    wide = 2 * np.hypot(*along)
    frame_width = wide * np.exp(rng.uniform(np.log(1.45), np.log(3.6)))
    angle = np.arctan2(along[1], along[0]) + rng.normal(0, 0.08)
    centre = centre + rng.normal(0, 0.1, 2) * frame_width * [1, 0.6]
    frame = geometry.box(centre, frame_width, frame_width * geometry.WINDOW[0] / geometry.WINDOW[1], angle)
    rows, columns = geometry.WINDOW
    moved = geometry.map_points(geometry.homography(frame, geometry.unit(rows, columns)), quad)
    return geometry.cut(photo, frame, geometry.WINDOW), moved


def strip(rng, photo, quad):
    """The counter upright, a little shifted, sized, turned and skewed."""
    loose = rng.choice([0.5, 1.0, 1.6, 2.2])
    _, along, down = geometry.axes(quad)
    wide, tall = 2 * np.hypot(*along), 2 * np.hypot(*down)
    off = geometry.grown(quad, rng.uniform(0.01, 0.09), rng.uniform(0.02, 0.3))
    off = off + rng.normal(0, 1, 2) * [0.012 * wide, 0.06 * tall] * loose + rng.normal(0, 1, (4, 2)) * [0.010 * wide, 0.045 * tall] * loose
    return geometry.cut(photo, off, geometry.STRIP)


if __name__ == '__main__':
    main()
