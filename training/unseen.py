"""Photos that no net has seen: those held back, as they are and changed, and fresh drawings."""
import argparse
import csv
import os

import cv2
import numpy as np

import camera
import counters
import photos
import samples
import scenes

FIRST_SEED = 2_000_000  # no shard has one as high
LONGEST, QUALITY = 800, 50  # as the app's camera sends photos
TURNS = 6


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data', help='folder with trodo.csv and digits.csv')
    parser.add_argument('out', help='folder for the photos and their dev.csv')
    parser.add_argument('--seed', type=int, default=0, help='another one draws other photos')
    parser.add_argument('--each', type=int, default=120, help='drawings of a kind')
    options = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(options.out, exist_ok=True)
    rng = np.random.default_rng([2026, FIRST_SEED + options.seed])
    held = photos.Photos(options.data, dev_vehicles=True, held=True)
    with open(os.path.join(options.out, 'dev.csv'), 'w', newline='') as file:
        table = csv.writer(file)
        table.writerow(['file', 'digits', 'kind'])
        for at, (kind, digits, image) in enumerate(unseen(rng, held, options.each)):
            name = f'{at:04d}.jpg'
            cv2.imwrite(os.path.join(options.out, name), sized(image), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            table.writerow([name, digits, kind])


def unseen(rng, held, each):
    for at, row in enumerate(held.rows):
        yield f'real_{row["kind"]}', row['digits'], held.colour(at)
        size = tuple(round(0.9 * side) for side in held.grey(at).shape)
        for _ in range(TURNS):
            yield taken(rng, f'turned_{row["kind"]}', photos.turned(rng, held.grey(at), held.quads[at], row['digits'], size))
    for _ in range(2 * each):
        at = int(rng.choice(held.drum))
        strip, digits = held.mixed(rng, at)
        image = photos.pasted(rng, held.grey(at), held.cells[at], strip)
        yield taken(rng, 'mixed_mech', photos.turned(rng, image, held.quads[at], digits, any_size(rng)))
    for kind, counter in (('drums', counters.drums), ('display', counters.lcd), ('dash', lambda rng: counters.pieced(rng, held))):
        for _ in range(each):
            yield taken(rng, kind, scenes.drawn(rng, any_size(rng), counter(rng)))


def taken(rng, kind, scene):
    return kind, scene.digits, camera.photographed(rng, scene.image, scene.quad)


def any_size(rng):
    sizes = samples.SIZES[str(rng.choice(['portrait', 'landscape']))]
    return sizes[rng.integers(len(sizes))]


def sized(image):
    shrink = min(1, LONGEST / max(image.shape[:2]))
    return cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)


if __name__ == '__main__':
    main()
