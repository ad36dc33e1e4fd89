"""Draws a counter: the strip of digits alone, flat, in grey."""
from dataclasses import dataclass

import cv2
import numpy as np

import fonts

HEIGHT = 56
CELL = (48, 32)  # a drum alone


@dataclass
class Counter:
    image: np.ndarray  # float32, 0 to 255
    box: tuple  # left, top, right, bottom of the digits in it
    digits: str


def number(rng, n):
    """n digits; low numbers with leading zeros as often as full ones."""
    if rng.random() < 0.5:
        return int(rng.integers(0, 10 ** n))
    return int(10 ** rng.uniform(0, n)) % 10 ** n


def positions(rng, n):
    """Where each drum stands (2.7 = 2 rolled 0.7 on towards 3) and the digits that show more."""
    value = number(rng, n)
    if rng.random() < 0.12:
        value = min(value // 10 * 10 + 9, 10 ** n - 2)  # about to carry
    share = 0.0 if rng.random() < 0.45 else rng.choice([rng.uniform(0.05, 0.46), rng.uniform(0.54, 0.95)])
    shown, carrying = [], True
    for digit in reversed(f'{value:0{n}d}'):
        shown.append(int(digit) + (share if carrying else 0.0))
        carrying = carrying and digit == '9'
    return shown[::-1], f'{(value + (share >= 0.5)) % 10 ** n:0{n}d}'


def drums(rng, n=None):
    """Drums behind a window, drawn; the last one may be mid-roll and of other colours."""
    n = n or int(rng.choice([3, 4, 5, 6, 7], p=[0.05, 0.2, 0.37, 0.35, 0.03]))
    where, digits = positions(rng, n)
    cell = HEIGHT * rng.uniform(0.48, 0.95)
    dark = rng.random() < 0.85
    ink, ground = (rng.uniform(150, 255), rng.uniform(5, 60)) if dark else (rng.uniform(5, 70), rng.uniform(150, 245))
    last = (ink, ground)
    style = rng.random()
    if style < 0.3:
        last = rng.uniform(170, 255), rng.uniform(40, 105)  # white on red
    elif style < 0.6:
        last = rng.uniform(5, 80), rng.uniform(150, 250)  # black or red on white
    elif style < 0.7:
        last = rng.uniform(60, 120), ground  # red on black
    font = fonts.figures(str(rng.choice(fonts.plain())))
    tall, stretch = HEIGHT * rng.uniform(0.5, 0.86), rng.uniform(0.8, 1.2)
    pitch, way = max(tall * 1.05, HEIGHT * rng.uniform(0.8, 1.25)), rng.choice([1, -1], p=[0.6, 0.4])
    loose, apart = rng.choice([0, 0.02, 0.05]), int(cell * rng.uniform(0.1, 0.5)) if rng.random() < 0.2 else 0
    gap, gap_tone = rng.choice([0, 0, 1, 2, 4]), rng.choice([0, 20, 90, 200])
    cells = []
    for at, position in enumerate(where):
        fore, back = last if at == n - 1 else (ink, ground)
        image = np.full((HEIGHT, max(int(cell), 8)), back, np.float32)
        drift = rng.normal(0, loose) * HEIGHT
        roll(image, font, position, HEIGHT / 2 + drift, way * pitch, tall, stretch, 0.94 * cell, fore)
        if gap:
            image[:, :gap] = gap_tone
        if at == n - 1 and apart:
            cells.append(pointed(rng, image, apart, gap_tone, ink))
        cells.append(image)
    return framed(rng, rounded(rng, np.concatenate(cells, 1)), digits)


def pointed(rng, cell, wide, ground, ink):
    """What parts the tenths from the hours: a bar, often with a point in it."""
    bar = np.full((cell.shape[0], wide), ground, np.float32)
    if rng.random() < 0.6:
        point = max(2, int(min(wide * 0.8, HEIGHT * 0.12)))
        top, left = int(HEIGHT * rng.uniform(0.6, 0.8)), (wide - point) // 2
        bar[top:top + point, left:left + point] = ink if abs(ink - ground) > 60 else 255 - ground
    return bar


def tenths(rng, photographed):
    """A last drum alone, dark on light, drawn or photographed, at any place between two digits; and its digit."""
    digit, share = int(rng.integers(10)), rng.choice([0.0, rng.uniform(0.05, 0.46), rng.uniform(0.54, 0.95)])
    shown = str((digit + (share >= 0.5)) % 10)
    kind = rng.random()
    if kind < 0.6:
        return photographed.last_drum(rng, photographed.drum_at(rng, digit + share)), shown
    if kind < 0.7:
        return photographed.last_drum(rng, drawn_drum(rng, digit + share, 0, 1)), shown
    if kind < 0.9:
        crops = photographed.sheets[digit][int(share * 10)]
        crop = crops[rng.integers(len(crops))][:, 2:18].astype(np.float32)
        light = crop[:, :2].mean() > crop.mean()  # the ground is at the sides
        return cv2.resize(crop if light else 255 - crop, CELL[::-1], interpolation=cv2.INTER_CUBIC), shown
    return drawn_drum(rng, digit + share, rng.uniform(160, 250), rng.uniform(5, 60)), shown


def drawn_drum(rng, position, ground, ink):
    """One drum alone."""
    cell = np.full(CELL, ground, np.float32)
    font = fonts.figures(str(rng.choice(fonts.plain())))
    tall = CELL[0] * rng.uniform(0.6, 0.9)
    pitch, way = tall * rng.uniform(1.05, 1.4), rng.choice([1, -1], p=[0.75, 0.25])
    roll(cell, font, position, CELL[0] / 2, way * pitch, tall, 1.2, CELL[1] - 6, ink)
    return cell


def roll(image, font, position, middle, pitch, tall, stretch, widest, ink):
    """Paints a drum's figure and its neighbours, `pitch` pixels apart; where `position` is a whole number it stands at `middle`."""
    for digit in (int(position) - 1, int(position), int(position) + 1):
        figure = font[digit % 10]
        glyph = fonts.scaled(figure, tall, min(stretch, widest / (figure.shape[1] * tall / figure.shape[0])))
        top = middle + (digit - position) * pitch - glyph.shape[0] / 2
        fonts.stamp(image, glyph, (image.shape[1] - glyph.shape[1]) / 2, top, ink)


def pieced(rng, photographed, n=None):
    """Drums put together of photographed ones: the odometers', or the crops' in sheets[digit][tenth]."""
    n = n or int(rng.choice([3, 4, 5, 6], p=[0.1, 0.2, 0.4, 0.3]))
    where, digits = positions(rng, n)
    cell = int(HEIGHT * rng.uniform(0.5, 0.85))
    zoom, flip = rng.uniform(0.0, 0.12), rng.random() < 0.15
    cells = []
    if rng.random() < 0.5:
        ink, ground = rng.uniform(130, 255), rng.uniform(0, 70)
        cells = [ground + (ink - ground) * photographed.drum_at(rng, position) for position in where]
        if rng.random() < 0.75:
            cells[-1] = photographed.last_drum(rng, photographed.drum_at(rng, where[-1])) if rng.random() < 0.6 else ink + ground - cells[-1]
        strip = cv2.resize(np.concatenate(cells, 1), (cell * n, HEIGHT), interpolation=cv2.INTER_CUBIC)
        return framed(rng, rounded(rng, np.clip(strip, 0, 255)), digits)
    for position in where:
        tenth = int(round(position * 10 + rng.choice([0, 0, 0, 1, -1]) * (position % 1 == 0))) % 100
        if position % 1 and abs(position % 1 - 0.5) > 0.05 and tenth % 10 == 5:
            tenth += 1 if position % 1 > 0.5 else -1
        crops = photographed.sheets[tenth // 10][tenth % 10]
        crop = crops[rng.integers(len(crops))].astype(np.float32)
        cut = int(zoom * 10)
        crop = crop[:, cut:20 - cut]
        cells.append(cv2.resize(crop, (cell, HEIGHT), interpolation=cv2.INTER_CUBIC))
    strip = np.clip(np.concatenate(cells, 1), 0, 255)
    return framed(rng, 255 - strip if flip else strip, digits)


def lcd(rng, n=None, tenths=None):
    """Seven segments, dots or plain figures on a display; `tenths` says whether a point comes before the last."""
    n = n or int(rng.choice([3, 4, 5, 6, 7], p=[0.05, 0.2, 0.35, 0.35, 0.05]))
    digits = f'{number(rng, n):0{n}d}'
    if digits[0] == '0' and rng.random() < 0.5:
        digits = str(rng.integers(1, 10)) + digits[1:]
    if rng.random() < 0.25:
        digits = '1' + digits[1:]  # easily overlooked
    tenths = rng.random() < 0.6 if tenths is None else tenths
    style = rng.random()
    name = str(rng.choice(fonts.segments() if style < 0.7 else fonts.plain()))
    tall, stretch, space = HEIGHT * rng.uniform(0.7, 0.9), rng.uniform(0.75, 1.15), rng.uniform(0.0, 0.18)
    light = rng.random() < 0.55
    ink, ground = (rng.uniform(110, 255), rng.uniform(0, 100)) if light else (rng.uniform(0, 80), rng.uniform(110, 235))
    if abs(ink - ground) < 50:
        ink = ground + (60 if light else -60)
    figures = [fonts.scaled(figure, tall, stretch) for figure in fonts.figures(name)]
    pitch = int(max(figure.shape[1] for figure in figures) * (1 + space)) + 1
    ghost = ground + (ink - ground) * rng.uniform(0.04, 0.15) if style < 0.7 and rng.random() < 0.3 else None
    left = int(HEIGHT * rng.uniform(0.15, 1.2))
    image = np.full((HEIGHT, left + pitch * n + int(HEIGHT * rng.uniform(0.75, 1.2))), ground, np.float32)
    top, x, point = int((HEIGHT - tall) / 2), left, max(3, int(tall * 0.12))
    ink_left = None
    for at, digit in enumerate(digits):
        if tenths and at == n - 1:
            dot = int(rng.choice([0, point, rng.uniform(0.2, 0.6) * pitch]))
            cv2.rectangle(image, (x + dot // 2 - point // 2, int(top + tall) - point), (x + dot // 2 + point // 2, int(top + tall)), ink, -1)
            x += dot
        if ghost is not None:
            fonts.stamp(image, figures[8], x, top, ghost)
        figure = figures[int(digit)]
        right_aligned = x + pitch - 1 - figure.shape[1]
        middle = x + (pitch - figure.shape[1]) / 2
        start = right_aligned if style < 0.7 else middle
        fonts.stamp(image, figure, start, top, ink)
        ink_left = start if ink_left is None else ink_left
        x += pitch
    if style >= 0.85:
        image = dotted(rng, image, ground)
    return Counter(image, (max(ink_left, 0), top, min(x, image.shape[1]), top + tall), digits)


def dotted(rng, image, ground):
    """The same as a dot-matrix display would show it."""
    rows = int(rng.integers(11, 17))
    small = cv2.resize(image, (max(1, round(image.shape[1] * rows / HEIGHT)), rows), interpolation=cv2.INTER_AREA)
    small = np.where(np.abs(small - ground) > np.abs(small - ground).max() * 0.45, small, ground)
    return cv2.resize(small.astype(np.float32), (image.shape[1], HEIGHT), interpolation=cv2.INTER_NEAREST)


def rounded(rng, strip):
    """Light falls on a drum: its upper and lower edge turn away from it."""
    if rng.random() < 0.25:
        return strip
    y = np.linspace(-1, 1, HEIGHT) + rng.uniform(-0.4, 0.4)
    shade = 1 - rng.uniform(0.1, 0.7) * np.abs(y) ** rng.uniform(1.5, 4)
    return strip * np.clip(shade, 0.1, 1)[:, None].astype(np.float32)


def framed(rng, strip, digits):
    """The strip in the edge of its window."""
    edge, tone = int(rng.choice([0, 1, 2, 4])), rng.choice([0, 10, 60, 160, 230])
    image = cv2.copyMakeBorder(strip, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=float(tone))
    return Counter(image, (edge, edge, edge + strip.shape[1], edge + HEIGHT), digits)
