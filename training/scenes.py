"""Faces that a counter sits in, and the dash around them; all in grey, float32."""
from dataclasses import dataclass

import cv2
import numpy as np

import counters
import fonts
import geometry

SIDE = 520
TITLES = ['HOBBS', 'Hobbs', 'HOBBS METER', 'ENGINE HOURS', 'HOURS', 'HOUR METER', 'TOTAL HOURS', 'FLIGHT HOURS', 'QUARTZ', 'Hours']
UNDER = ['HOURS', 'HOURS & TENTHS', 'HOURS 1/10', 'QUARTZ', '8-32 VDC', '10-80 VDC', '1/10', 'TACH HOURS', 'QUARTZ HOURS', 'HRS', 'km', 'KM', 'MADE IN USA', 'TOTAL']
DIAL = ['RPM', 'R P M', 'X 100', 'RPM x 100', 'km/h', 'mph', 'x1000', 'KNOTS', 'MPH', 'km']
LABELS = ['ALT SA', 'VNE 163', 'N 5187 C', 'AVIONICS', 'TURN COORD', 'STATIC', 'MASTER', 'FUEL', 'OIL TEMP', '28 V', 'COM 1', 'PITOT HEAT', 'N739ER',
          '118.20', '121.5', 'AMP', 'VAC 4.5', '2400', '29.92', 'NO SMOKING', 'FLAPS 10', 'TRIP', '12:45']


@dataclass
class Scene:
    image: np.ndarray
    quad: np.ndarray
    digits: str


def drawn(rng, size, counter):
    """A counter in a face in a dash, seen at a slant; `size` is rows, columns."""
    kind = rng.random()
    shape, face, box = (panel if kind < 0.33 else round_face if kind < 0.5 else display if kind < 0.62 else dial)(rng, counter)
    image = dash(rng, size)
    wide = 2 * np.hypot(*geometry.axes(corners(box))[1])
    target = np.exp(rng.uniform(np.log(0.055), np.log(0.62))) * size[1]
    scale = min(target / wide, 1.9 * min(size) / SIDE)
    angle = rng.normal(0, 0.1)
    reach = SIDE * scale / 2
    centre = np.array([rng.uniform(min(0.8 * reach, size[1] / 2), max(size[1] - 0.8 * reach, size[1] / 2)),
                       rng.uniform(min(0.8 * reach, size[0] / 2), max(size[0] - 0.8 * reach, size[0] / 2))])
    frame = geometry.box(centre, SIDE * scale, SIDE * scale, angle)
    frame += rng.normal(0, 0.035, (4, 2)) * SIDE * scale
    matrix = geometry.homography(geometry.unit(SIDE, SIDE), frame)
    quad = geometry.map_points(matrix, corners(box))
    middle, out = quad.mean(0), np.array(size[::-1]) - 4
    shift = np.clip(4 - quad.min(0), 0, None) + np.clip(out - quad.max(0), None, 0)  # the counter stays in the photo
    matrix, quad = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1]]) @ matrix, quad + shift
    while scale < 0.62:
        face, shape = [cv2.resize(part, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for part in (face, shape)]
        matrix, scale = matrix @ np.diag([2, 2, 1]), scale * 2
    paste(image, face, shape, matrix)
    if rng.random() < 0.3:
        paste_other(rng, image, quad)
    return Scene(image, quad, counter.digits)


def paste(image, face, shape, matrix):
    """The face, where its shape is 1, over the image."""
    frame = geometry.map_points(matrix, geometry.unit(*shape.shape))
    left, top = np.maximum(np.floor(frame.min(0)).astype(int), 0)
    part = image[top:int(max(frame[:, 1].max() + 1, top + 1)), left:int(max(frame[:, 0].max() + 1, left + 1))]
    matrix, size = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ matrix, (part.shape[1], part.shape[0])
    alpha = cv2.warpPerspective(shape, matrix, size)
    over = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    part += (over - part) * alpha


def paste_other(rng, image, quad):
    """Another instrument somewhere beside the counter's."""
    face, _ = numbered(rng)
    side = int(rng.uniform(0.25, 0.6) * min(image.shape))
    x, y = rng.integers(-side // 2, image.shape[1] - side // 2), rng.integers(-side // 2, image.shape[0] - side // 2)
    centre, along, _ = geometry.axes(quad)
    if np.abs(centre - (x + side / 2, y + side / 2)).max() < side / 2 + 1.6 * np.hypot(*along):
        return
    small = cv2.resize(face, (side, side), interpolation=cv2.INTER_AREA)
    disc = np.zeros((side, side), np.float32)
    cv2.circle(disc, (side // 2, side // 2), side // 2 - 1, 255, -1, cv2.LINE_AA)
    top, left = max(y, 0), max(x, 0)
    part = image[top:y + side, left:x + side]
    cut = np.s_[top - y:top - y + part.shape[0], left - x:left - x + part.shape[1]]
    part += (small[cut] - part) * disc[cut] / 255


def corners(box):
    left, top, right, bottom = box
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def blank(rng, tone):
    return np.full((SIDE, SIDE), tone, np.float32)


def place(rng, face, counter, x, y, height):
    """Puts the counter's image with its middle at x, y; the box of its digits in the face."""
    scale = height / counter.image.shape[0]
    image = cv2.resize(counter.image, (max(8, round(counter.image.shape[1] * scale)), max(6, round(height))), interpolation=cv2.INTER_AREA)
    left, top = int(x - image.shape[1] / 2), int(y - image.shape[0] / 2)
    fonts.stamp(face, np.full(image.shape, 255, np.uint8), left, top, 0)
    inside = face[max(top, 0):top + image.shape[0], max(left, 0):left + image.shape[1]]
    inside[:] = image[max(-top, 0):, max(-left, 0):][:inside.shape[0], :inside.shape[1]]
    return tuple(np.array(counter.box) * scale + [left, top, left, top])


def fit(counter, width, height):
    """The height at which the counter keeps within width and height."""
    return min(height, width * counter.image.shape[0] / counter.image.shape[1])


def write(rng, face, text, x, y, height, tone, font=None):
    mask = fonts.scaled(fonts.word(font or str(rng.choice(fonts.plain())), text), height)
    fonts.stamp(face, mask, x - mask.shape[1] / 2, y - mask.shape[0] / 2, tone)


def tones(rng):
    """Print and ground of a face: mostly light on dark."""
    return (rng.uniform(150, 255), rng.uniform(8, 60)) if rng.random() < 0.85 else (rng.uniform(0, 60), rng.uniform(120, 230))


def captions(rng, face, y, tall, tone, width):
    if rng.random() < 0.85:
        write(rng, face, str(rng.choice(TITLES)), SIDE / 2, y - tall / 2 - rng.uniform(18, 60), rng.uniform(12, 30), tone)
    if rng.random() < 0.75:
        write(rng, face, str(rng.choice(UNDER)), SIDE / 2 + rng.normal(0, 10), y + tall / 2 + rng.uniform(12, 50), rng.uniform(8, 18), tone)
    if rng.random() < 0.1:
        write(rng, face, str(rng.choice(['1/10', 'HRS', 'km', '.0'])), SIDE / 2 + width / 2 + 24, y, 14, tone)


def panel(rng, counter):
    """A Hobbs meter's rectangle."""
    ink, ground = tones(rng)
    face, shape = blank(rng, ground), np.zeros((SIDE, SIDE), np.float32)
    tall = int(SIDE * rng.uniform(0.4, 0.75))
    top = (SIDE - tall) // 2
    radius = int(rng.uniform(0, 30))
    cv2.rectangle(shape, (radius + 4, top + radius + 4), (SIDE - radius - 5, top + tall - radius - 5), 1, -1)
    shape = (cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))) if radius else shape)
    cv2.rectangle(face, (4, top + 4), (SIDE - 5, top + tall - 5), float(rng.uniform(20, 140)), int(rng.integers(2, 14)))
    if rng.random() < 0.7:
        for x in (28, SIDE - 28):
            for y in (top + 28, top + tall - 28):
                cv2.circle(face, (x, y), 11, float(rng.uniform(90, 200)), -1, cv2.LINE_AA)
                cv2.line(face, (x - 7, y - 4), (x + 7, y + 4), float(rng.uniform(10, 70)), 2, cv2.LINE_AA)
    height = fit(counter, SIDE * rng.uniform(0.45, 0.86), tall * rng.uniform(0.22, 0.45))
    y = SIDE / 2 + rng.uniform(-0.1, 0.15) * tall
    captions(rng, face, y, height, ink, SIDE * 0.6)
    return shape, face, place(rng, face, counter, SIDE / 2 + rng.normal(0, 6), y, height)


def round_face(rng, counter):
    """An hour meter's disc without a scale."""
    ink, ground = tones(rng)
    face, shape = blank(rng, ground), disc()
    cv2.circle(face, (SIDE // 2, SIDE // 2), SIDE // 2 - 6, float(rng.uniform(20, 160)), int(rng.integers(2, 26)), cv2.LINE_AA)
    height = fit(counter, SIDE * rng.uniform(0.4, 0.72), SIDE * 0.2)
    y = SIDE / 2 + rng.uniform(-50, 60)
    captions(rng, face, y, height, ink, SIDE * 0.5)
    return shape, face, place(rng, face, counter, SIDE / 2 + rng.normal(0, 8), y, height)


def dial(rng, counter):
    """A tachometer or speedometer with the counter in it, and now and then a trip meter below."""
    face, ink = numbered(rng)
    above = rng.random() < 0.35
    y = SIDE / 2 + (-1 if above else 1) * SIDE * rng.uniform(0.09, 0.24)
    height = fit(counter, SIDE * rng.uniform(0.2, 0.42), SIDE * 0.11)
    if rng.random() < 0.25:
        cover = int(height * 1.6)
        cv2.rectangle(face, (int(SIDE * 0.3), int(y - cover)), (int(SIDE * 0.7), int(y + cover)), float(face[20, SIDE // 2]), -1)
    box = place(rng, face, counter, SIDE / 2 + rng.normal(0, 14), y, height)
    if rng.random() < 0.6:
        write(rng, face, str(rng.choice(UNDER)), SIDE / 2, y + height / 2 + rng.uniform(8, 22), rng.uniform(7, 13), ink)
    if rng.random() < 0.6:
        write(rng, face, str(rng.choice(DIAL)), SIDE / 2, SIDE - y + rng.normal(0, 16), rng.uniform(10, 22), ink)
    if rng.random() < 0.3:
        trip = counters.drums(rng, int(rng.integers(3, 5)))
        tall = height * rng.uniform(0.65, 1.0)
        place(rng, face, trip, SIDE / 2 + rng.normal(0, 30), y + (height / 2 + tall) * rng.choice([1, 1, -1]) * rng.uniform(1.0, 1.8), tall)
    if rng.random() < 0.8:
        needle(rng, face, box)
    return disc(), face, box


def numbered(rng):
    """A dial with ticks and numerals, without a counter."""
    ink, ground = tones(rng)
    face = blank(rng, ground)
    middle, radius = SIDE / 2, SIDE / 2 - rng.uniform(8, 36)
    cv2.circle(face, (SIDE // 2, SIDE // 2), SIDE // 2 - 5, float(rng.uniform(20, 170)), int(rng.integers(2, 20)), cv2.LINE_AA)
    start, sweep = rng.uniform(2.0, 2.8), rng.uniform(4.0, 5.4)
    major, minor = int(rng.integers(5, 13)), int(rng.integers(2, 6))
    step, font = int(rng.choice([1, 2, 5, 10, 20])), str(rng.choice(fonts.plain()))
    if rng.random() < 0.7:
        a, b = sorted(rng.uniform(start, start + sweep, 2))
        cv2.ellipse(face, (int(middle), int(middle)), (int(radius - 8),) * 2, 0, np.degrees(a), np.degrees(b), float(rng.uniform(60, 220)), int(rng.integers(4, 14)), cv2.LINE_AA)
    size, inner = rng.uniform(14, 34), rng.uniform(0.68, 0.8)
    for at in range(major * minor + 1):
        angle = start + sweep * at / (major * minor)
        along = np.array([np.cos(angle), np.sin(angle)])
        whole = at % minor == 0
        a, b = middle + along * radius * (0.86 if whole else 0.91), middle + along * radius
        cv2.line(face, tuple(int(v) for v in a), tuple(int(v) for v in b), float(ink), 5 if whole else 2, cv2.LINE_AA)
        if whole:
            x, y = middle + along * radius * inner
            write(rng, face, str(at // minor * step), x, y, size, ink, font)
    return face, ink


def needle(rng, face, box):
    """A needle that leaves the counter free."""
    for _ in range(6):
        angle, middle = rng.uniform(0, 2 * np.pi), SIDE / 2
        along = np.array([np.cos(angle), np.sin(angle)])
        path = middle + along * np.linspace(-0.05, 0.4, 40)[:, None] * SIDE
        free = not ((path[:, 0] > box[0] - 6) & (path[:, 0] < box[2] + 6) & (path[:, 1] > box[1] - 6) & (path[:, 1] < box[3] + 6)).any()
        if free or rng.random() < 0.02:
            cv2.line(face, tuple(int(v) for v in path[0]), tuple(int(v) for v in path[-1]), float(rng.uniform(120, 255)), int(rng.integers(3, 10)), cv2.LINE_AA)
            break
    cv2.circle(face, (SIDE // 2, SIDE // 2), int(rng.integers(10, 26)), float(rng.uniform(20, 120)), -1, cv2.LINE_AA)


def display(rng, counter):
    """A lit display with other lines above and below, as cars have, between two dials."""
    face = numbered(rng)[0] if rng.random() < 0.5 else blank(rng, rng.uniform(5, 70))
    ground = float(counter.image[0, 0])
    ink = float(counter.image[np.unravel_index(np.abs(counter.image - ground).argmax(), counter.image.shape)])
    tall = rng.uniform(22, 44)
    height = fit(counter, SIDE * 0.5, tall)
    above, below = int(rng.integers(0, 3)), int(rng.integers(0, 3))
    pitch = tall * rng.uniform(1.0, 1.5)
    wide = SIDE * rng.uniform(0.55, 0.75)
    y = SIDE / 2 + rng.uniform(-60, 60)
    top, bottom = int(y - pitch * (above + 0.75)), int(y + pitch * (below + 0.75))
    left = SIDE / 2 - wide / 2
    cv2.rectangle(face, (int(left), top), (int(left + wide), bottom), ground, -1)
    name = str(rng.choice(fonts.segments() if rng.random() < 0.4 else fonts.plain()))
    for at in range(-above, below + 1):
        if at:
            write(rng, face, line(rng), SIDE / 2 + rng.normal(0, wide * 0.1), y + at * pitch, tall * rng.uniform(0.5, 0.95), ink, name)
    room = wide / 2 - height * counter.image.shape[1] / counter.image.shape[0] / 2
    x = SIDE / 2 + rng.uniform(-0.8, 0.8) * max(room, 0)
    box = place(rng, face, counter, x, y, height)
    if rng.random() < 0.5:
        write(rng, face, str(rng.choice(['km', 'KM', 'mi', 'h'])), box[2] + 20, y + rng.uniform(-0.2, 0.3) * height, height * rng.uniform(0.3, 0.6), ink)
    return np.ones((SIDE, SIDE), np.float32) if rng.random() < 0.5 else disc(), face, box


def line(rng):
    """A clock, a date, a trip or a word."""
    digit = lambda n: ''.join(str(d) for d in rng.integers(0, 10, n))
    return str(rng.choice([f'{rng.integers(0, 24)}:{digit(2)}', f'{digit(2)}-{digit(2)}-{digit(2)}', f'{digit(3)}.{digit(1)}', f'{digit(2)} C', 'TRIP', 'TOTAL',
                           f'{rng.integers(1, 31)} Ara', f'{digit(2)}.{digit(1)} MHZ', f'{digit(1)}.{digit(1)} km', 'A', 'km', f'{digit(2)}{digit(2)}']))


def disc():
    shape = np.zeros((SIDE, SIDE), np.float32)
    cv2.circle(shape, (SIDE // 2, SIDE // 2), SIDE // 2 - 3, 1, -1, cv2.LINE_AA)
    return shape


def dash(rng, size):
    """What is around: a ground with a slope of light, shapes and labels."""
    rows, columns = size
    slope = rng.normal(0, 40, 2)
    y, x = np.linspace(-1, 1, rows, dtype=np.float32)[:, None], np.linspace(-1, 1, columns, dtype=np.float32)
    image = (rng.uniform(10, 210) + np.float32(slope[0]) * x + np.float32(slope[1]) * y).astype(np.float32)
    for _ in range(rng.integers(0, 6)):
        a, tone = (rng.random((4, 2)) * [columns, rows]).astype(np.int32), float(rng.uniform(0, 220))
        if rng.random() < 0.5:
            cv2.fillConvexPoly(image, cv2.convexHull(a), tone, cv2.LINE_AA)
        else:
            cv2.circle(image, tuple(int(v) for v in a[0]), int(rng.uniform(10, 160)), tone, int(rng.choice([-1, 3, 8])), cv2.LINE_AA)
    for _ in range(rng.integers(0, 7)):
        write(rng, image, str(rng.choice(LABELS)), rng.uniform(0, columns), rng.uniform(0, rows), rng.uniform(8, 26), float(rng.uniform(0, 255)))
    return image
