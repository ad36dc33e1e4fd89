"""Counters of one's own: those that `npm run meters:export` wrote, with the readings that people confirmed."""
import csv
import os

import cv2
import numpy as np

import geometry

MARGINS = 0.04, 0.12  # around the counter in its crop, in parts of its width and height


def counters_of(folder):
    """[(crop, digits)], the digits with the zeros before them."""
    with open(os.path.join(folder, 'labels.csv'), newline='') as file:
        rows = list(csv.DictReader(file))
    found = [(cv2.imread(os.path.join(folder, row['counter']), cv2.IMREAD_GRAYSCALE), row['digits']) for row in rows if row['counter'] and row['digits']]
    return [(crop, digits) for crop, digits in found if crop is not None]


def strip(rng, counters):
    """One of them as the reader sees it, a little shifted, turned, lit anew and blurred; and its digits."""
    crop, digits = counters[rng.integers(len(counters))]
    rows, columns = crop.shape
    x, y = (margin / (1 + 2 * margin) for margin in MARGINS)
    corners = np.array([[x, y], [1 - x, y], [1 - x, 1 - y], [x, 1 - y]]) * [columns, rows]
    off = geometry.grown(corners, rng.uniform(0.01, 0.06), rng.uniform(0.02, 0.15))
    off = off + rng.normal(0, 0.015, (4, 2)) * [rows, rows] + rng.normal(0, 0.02, 2) * rows
    image = geometry.cut(crop, off, geometry.STRIP).astype(np.float32)
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.2, 0.9))
    image = (image - 128) * rng.uniform(0.6, 1.3) + 128 + rng.normal(0, 25) + rng.normal(0, rng.uniform(0, 6), image.shape)
    return np.clip(image, 0, 255).astype(np.uint8), digits
