"""The real photos: the odometers, the cells of their digits, and the crops of single drums."""
import csv
from functools import cached_property
import os

import cv2
import numpy as np

import counters
from counters import CELL
import geometry
from scenes import Scene, paste

ACROSS = [np.clip((size / 2 - np.abs(np.arange(size) - (size - 1) / 2)) / 3 - 0.5, 0, 1) for size in CELL]
INSIDE = np.outer(*ACROSS).astype(np.float32)  # 1 in a cell, 0 at its edge
LUMA = 0.114, 0.587, 0.299  # of blue, green and red


class Photos:
    """`root` is the folder with trodo.csv and digits.csv; photos of vehicles that dev shows stay out unless asked for, and of the
    others come either those to train on or those held back."""

    def __init__(self, root, dev_vehicles=False, held=False):
        with open(os.path.join(root, 'trodo.csv'), newline='') as file:
            rows = [row for row in csv.DictReader(file) if dev_vehicles or row['dev_vehicle'] != '1']
        rows = [row for row in rows if held_back(row['file']) == held]
        self.rows, self.images = rows, {}
        self.root = os.path.dirname(os.path.abspath(root))
        self.quads = [np.array([[float(v) for v in point.split(',')] for point in row['quad'].split()]) for row in rows]
        self.cells = [whole(row, quad) for row, quad in zip(rows, self.quads)]
        self.drum = [at for at, row in enumerate(rows) if row['kind'] == 'mech']
        self.lcd = [at for at, row in enumerate(rows) if row['kind'] == 'lcd']
        self.sheets = sheets(root)

    def colour(self, at):
        if at not in self.images:
            self.images[at] = cv2.imread(os.path.join(self.root, self.rows[at]['file']), cv2.IMREAD_COLOR)
        return self.images[at]

    def grey(self, at, weights=LUMA):
        return cv2.transform(self.colour(at), np.float32([weights]))

    @cached_property
    def strips(self):
        """Each counter's cells side by side."""
        return [geometry.cut(self.grey(at), self.cells[at], (CELL[0], CELL[1] * len(row['digits']))).astype(np.float32)
                for at, row in enumerate(self.rows)]

    @cached_property
    def figures(self):
        """figures[digit]: that digit on drums at rest, 0 the ground and 1 the ink."""
        found = [[] for _ in range(10)]
        for at in self.drum:
            strip = self.strips[at]
            for cell, digit in enumerate(self.rows[at]['digits'][:-1]):
                own = one(strip, cell)
                dark, light = np.percentile(own, [10, 95])
                found[int(digit)].append(np.clip((own - dark) / max(light - dark, 20), 0, 1) * INSIDE)
        return found

    def drum_at(self, rng, position):
        """A drum at any place (2.7 = rolled 0.7 on from 2 towards 3), put together of photographed ones at rest."""
        both = [self.figures[digit % 10] for digit in (int(position), int(position) + 1)]
        here, there = (shown[rng.integers(len(shown))] for shown in both)
        gap = np.zeros((rng.integers(0, 10), CELL[1]), np.float32)
        passed = round(position % 1 * (CELL[0] + len(gap)))
        if rng.random() < 0.8:
            return np.concatenate([here, gap, there])[passed:passed + CELL[0]]
        passed = CELL[0] + len(gap) - passed
        return np.concatenate([there, gap, here])[passed:passed + CELL[0]]

    @cached_property
    def grounds(self):
        """The last drums that are dark on light, their figures wiped off, each with the rows and columns where it is light."""
        found = []
        for at in self.drum:
            cell = one(self.strips[at], len(self.rows[at]['digits']) - 1)
            middle = cell[12:-6, 6:-6]
            if np.median(middle) < (middle.min() + middle.max()) / 2:
                continue
            wiped = cv2.morphologyEx(cell, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (13, 13)))
            ground = cv2.GaussianBlur(wiped, (0, 0), 1.0)
            found.append((ground, *lit(ground)))
        return found

    def last_drum(self, rng, ink):
        """A photographed tenths drum that shows `ink` (0 the ground, 1 the figure) instead of its own figure."""
        ground, rows, columns = self.grounds[rng.integers(len(self.grounds))]
        high = (rows[-1] - rows[0] + 1) * rng.uniform(0.85, 1.2)
        wide = (columns[-1] - columns[0] + 1) * rng.uniform(0.85, 1.15)
        middle = np.array([(columns[0] + columns[-1] + 1) / 2, (rows[0] + rows[-1] + 1) / 2]) + rng.normal(0, 0.8, 2)
        scale = np.diag([wide / ink.shape[1], high / ink.shape[0]])
        matrix = np.column_stack([scale, middle - scale @ [ink.shape[1] / 2, ink.shape[0] / 2]])
        matrix[0, 1] = rng.normal(0, 0.04)
        shown = cv2.warpAffine(np.clip((ink - 0.2) / 0.6, 0, 1).astype(np.float32), matrix, CELL[::-1], flags=cv2.INTER_AREA)
        return np.clip(ground * (1 - rng.uniform(0.45, 0.95) * shown), 0, 255)

    def scene(self, rng, size):
        """A real photo turned, sized and cut at random, often with another number pasted into its counter."""
        at = int(rng.choice(self.drum if rng.random() < 0.65 else self.lcd))
        grey, quad, digits = self.grey(at, tint(rng)), self.quads[at], self.rows[at]['digits']
        kind = rng.random()
        mixed, mixed_or_other = (0.8, 0.9) if self.rows[at]['kind'] == 'mech' else (0.4, 0.7)
        if kind < mixed:
            strip, digits = self.mixed(rng, at)
            grey = pasted(rng, grey, self.cells[at], strip)
        elif kind < mixed_or_other:
            counter = self.other(rng, self.rows[at]['kind'], len(digits))
            left, top, right, bottom = (int(round(v)) for v in counter.box)
            grey, digits = pasted(rng, grey, quad, counter.image[max(top, 0):bottom, max(left, 0):right]), counter.digits
        return turned(rng, grey, quad, digits, size)

    def other(self, rng, kind, n):
        if kind == 'lcd':
            return counters.lcd(rng, n, tenths=False)
        return counters.pieced(rng, self, n) if rng.random() < 0.5 else counters.drums(rng, n)

    def mixed(self, rng, at):
        """The counter's own cells in part replaced by those of others of its kind."""
        row = self.rows[at]
        n, strip = len(row['digits']), self.strips[at].copy()
        peers = self.drum if row['kind'] == 'mech' else self.lcd
        digits = list(row['digits'])
        donor = int(rng.choice(peers))
        for cell in range(n):
            if rng.random() < 0.2:
                donor = int(rng.choice(peers))
            theirs = self.rows[donor]['digits']
            last = cell == n - 1 and row['kind'] == 'mech'
            if rng.random() < (0.1 if last else 0.25) or cell == 0 and digits[0] == '1':
                continue
            source = len(theirs) - 1 if last else int(rng.integers(len(theirs) - (row['kind'] == 'mech')))
            if cell < 2 and len(theirs) == n and rng.random() < 0.7:
                source = cell  # drums far to the left show what they mostly do: a nought
            if row['kind'] == 'lcd' and cell == 0 and theirs[source] == '1':
                continue
            other = self.strips[donor]
            own, there, digit = one(strip, cell), one(other, source), theirs[source]
            if last and rng.random() < 0.85:
                there, digit = counters.tenths(rng, self)
            own[:] = toned(there, own, other)
            digits[cell] = digit
        return strip, ''.join(digits)


def one(strip, cell):
    """One cell of a strip, to read or to write."""
    return strip[:, cell * CELL[1]:(cell + 1) * CELL[1]]


def lit(ground):
    """The rows and columns of a drum where it is light, and not in the shade of its window; all where that cannot be told."""
    light = ground > (np.percentile(ground, 2) + np.percentile(ground, 98)) / 2
    rows, columns = (np.flatnonzero(light.mean(way) > 0.3) for way in (1, 0))
    return (rows, columns) if len(rows) >= 16 and len(columns) >= 12 else (np.arange(CELL[0]), np.arange(CELL[1]))


def whole(row, quad):
    """The quad of the counter's cells, all as wide: a 1 that stands first fills a part of its own only."""
    n = len(row['digits'])
    if row['digits'][0] != '1' or n < 3:
        return quad
    boxes = np.array([[float(v) for v in box.split(',')] for box in row['boxes'].split()])
    ends = np.stack([boxes[:, 2], (boxes[:, 1] + boxes[:, 3]) / 2], 1)
    inside = geometry.map_points(geometry.homography(quad, geometry.unit()), ends)[:, 0]
    left = 1 - n * (inside[-1] - inside[0]) / (n - 1)
    return geometry.map_points(geometry.homography(geometry.unit(), quad), np.array([[left, 0], [1, 0], [1, 1], [left, 1]]))


def tint(rng):
    """Weights of blue, green and red: as the eye has them, or some way off, as if the light were of another colour."""
    share = 0.0 if rng.random() < 0.5 else rng.uniform(0, 0.6)
    return (1 - share) * np.array(LUMA) + share * rng.dirichlet((1, 1, 1))


def held_back(file):
    """One photo in ten: what the confidence is fitted on."""
    return int(''.join(c for c in file if c.isdigit())) % 10 == 7


def toned(cell, like, whole):
    """The cell in the light of the place it goes to."""
    return np.clip((cell - cell.mean()) * (like.std() + 4) / (cell.std() + 4) + like.mean(), 0, 255)


def pasted(rng, grey, quad, strip):
    """The photo with `strip` in its quad, in the tones of what was there."""
    there = geometry.cut(grey, quad, CELL).astype(np.float32)
    strip = (strip - strip.mean()) / (strip.std() + 1) * max(there.std() * rng.uniform(0.8, 1.4), 8) + there.mean()
    wide = np.hypot(*(quad[1] - quad[0]))
    while strip.shape[1] > 1.8 * wide:
        strip = cv2.resize(strip, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    strip = cv2.GaussianBlur(strip, (0, 0), rng.uniform(0.3, 0.8)) if rng.random() < 0.7 else strip
    matrix = geometry.homography(geometry.unit(*strip.shape), quad)
    image = grey.astype(np.float32)
    paste(image, np.clip(strip, 0, 255).astype(np.float32), np.ones_like(strip, np.float32), matrix)
    return image


def turned(rng, grey, quad, digits, size):
    """A part of the photo around the counter as a photo of its own."""
    rows, columns = size
    scale = np.exp(rng.normal(0, 0.3)) * max(rows / grey.shape[0], columns / grey.shape[1])
    wide = 2 * np.hypot(*geometry.axes(quad)[1])
    scale = np.clip(scale, 24 / wide, 0.7 * columns / wide)
    angle = rng.normal(0, 0.07)
    turn = scale * np.array([[np.cos(angle) * rng.uniform(0.88, 1.12), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    free = np.array([columns, rows]) - np.array(grey.shape[::-1]) * scale
    shift = free / 2 + rng.uniform(-0.5, 0.5, 2) * np.abs(free)
    matrix = np.eye(3)
    matrix[:2, :2], matrix[:2, 2] = turn, shift
    matrix[2, :2] = rng.normal(0, 0.00008, 2) / scale
    moved = geometry.map_points(matrix, quad)
    low, high = moved.min(0), moved.max(0)
    push = np.clip(6 - low, 0, None) + np.clip(np.array([columns, rows]) - 6 - high, None, 0)
    matrix = np.array([[1, 0, push[0]], [0, 1, push[1]], [0, 0, 1]]) @ matrix
    if scale < 0.6:
        grey, matrix = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), matrix @ np.diag([2, 2, 1])
    border = rng.choice([cv2.BORDER_REPLICATE, cv2.BORDER_REFLECT_101])
    image = cv2.warpPerspective(grey, matrix, (columns, rows), borderMode=int(border))
    return Scene(image.astype(np.float32), moved + push, digits)


def sheets(root):
    """crops[digit][tenth]: count x 32 x 20, grey."""
    crops = [[None] * 10 for _ in range(10)]
    with open(os.path.join(root, 'digits.csv'), newline='') as file:
        for row in csv.DictReader(file):
            sheet = cv2.imread(os.path.join(os.path.dirname(os.path.abspath(root)), row['sheet']), cv2.IMREAD_GRAYSCALE)
            high, wide = int(row['cell_height']), int(row['cell_width'])
            cells = sheet.reshape(sheet.shape[0] // high, high, -1, wide).swapaxes(1, 2).reshape(-1, high, wide)
            digit, tenth = row['class'].split('.')
            crops[int(digit)][int(tenth)] = cells[:int(row['count'])]
    return crops
