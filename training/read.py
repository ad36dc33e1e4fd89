"""Reads a meter with the trained nets: the reference for the app's engine, which does the same in TypeScript."""
from dataclasses import dataclass, field
import os

import numpy as np
import torch

import geometry
import train

CANDIDATES = 3
LIKELY = 0.08  # a centre's score from which a candidate is looked at
WINDOWS = 2.4, 2.0, 2.0  # window widths, in counter widths, of the closer looks
STRIPS = [(0.04, 0.12, 0.0, 0.0), (0.02, 0.06, 0.0, 0.0), (0.07, 0.2, 0.0, 0.0), (0.05, 0.25, 0.0, 0.04)]
GLANCE = 2  # strips that are read of every candidate
BEAM = 12


@dataclass
class Reading:
    digits: str = ''
    probability: float = 0.0
    features: dict = field(default_factory=dict)
    quad: object = None


class Engine:
    def __init__(self, work):
        self.nets = {}
        for name in ('finder', 'closer', 'reader'):
            net = train.new(name)
            net.load_state_dict(torch.load(os.path.join(work, name + '.pt'))['average'])
            self.nets[name] = net.eval()

    def run(self, name, images):
        with torch.no_grad():
            return self.nets[name](train.standard(torch.from_numpy(np.stack(images)))).numpy()

    def read(self, grey):
        """The best reading of a grey photo: every candidate is glanced at, and what is worth most is read with care."""
        found = [reading for reading in (self.candidate(grey, score, quad) for score, quad in self.find(grey)) if reading]
        if not found:
            return Reading()
        best = max(found, key=weight)
        others = [other for other in found if other is not best]
        self.spell(grey, best, STRIPS)
        best.features['rival'] = max((weight(other) for other in others if other.digits != best.digits), default=0.0)
        return best

    def find(self, grey):
        kind = geometry.look_shape(*grey.shape)
        image, (scale, left, top) = geometry.look(grey, kind)
        return [(score, quad * scale + [left, top]) for score, quad in peaks(self.run('finder', [image])[0], CANDIDATES)]

    def candidate(self, grey, first, quad):
        quads, scores = [quad], [first]
        for times in WINDOWS:
            frame = geometry.closer(quads[-1], times)
            window = geometry.cut(grey, frame, geometry.WINDOW)
            seen = peaks(self.run('closer', [window])[0], 3)
            if not seen:
                return None
            middle = np.array(geometry.WINDOW[::-1]) / 2
            score, inside = max(seen, key=lambda one: one[0] - 0.3 * np.hypot(*((one[1].mean(0) - middle) / middle)))
            quads.append(geometry.map_points(geometry.homography(geometry.unit(*geometry.WINDOW), frame), inside))
            scores.append(score)
        reading = Reading(quad=quads[-1], features={'finder': scores[0], 'closer': scores[-1]})
        self.spell(grey, reading, STRIPS[:GLANCE])
        return reading

    def spell(self, grey, reading, changes):
        """Fills in what the counter's strips show."""
        steps = self.run('reader', [geometry.cut(grey, varied(reading.quad, *change), geometry.STRIP) for change in changes])
        reading.digits, reading.probability, second = agreed(steps)
        agree = float(np.mean([best_path(one) == reading.digits for one in steps]))
        reading.features.update(second=second, agree=agree, length=len(reading.digits))


def weight(reading):
    """What one candidate is worth beside others."""
    if not reading.digits:
        return 0.0
    return reading.probability * reading.features['closer'] * reading.features['finder'] ** 0.5


def varied(quad, x, y, shift, lift):
    """The strip to read: a margin of x and y around the quad, shifted by a part of its width or height."""
    _, along, down = geometry.axes(quad)
    return geometry.grown(quad, x, y) + along * 2 * shift + down * 2 * lift


def peaks(out, most):
    """(score, quad) of the highest centres in a finder's map, in the pixels of its input."""
    score = 1 / (1 + np.exp(-out[0]))
    rows, columns = score.shape
    left, found = score.copy(), []
    while len(found) < most:
        at = np.unravel_index(left.argmax(), left.shape)
        if left[at] < LIKELY:
            break
        y0, y1, x0, x1 = max(at[0] - 1, 0), min(at[0] + 2, rows), max(at[1] - 2, 0), min(at[1] + 3, columns)
        y, x = np.mgrid[y0:y1, x0:x1]
        share = score[y0:y1, x0:x1] ** 2
        corners = out[1:, y0:y1, x0:x1].reshape(4, 2, y1 - y0, x1 - x0) * train.OFFSET + np.stack([x * 4 + 1.5, y * 4 + 1.5])
        quad = (corners * share).sum((2, 3)) / share.sum()
        found.append((float(score[at]), quad))
        centre, along, down = geometry.axes(quad)
        y, x = np.mgrid[0:rows, 0:columns] * 4 + 1.5
        u = ((x - centre[0]) * along[0] + (y - centre[1]) * along[1]) / max(along @ along, 1)
        v = ((x - centre[0]) * down[0] + (y - centre[1]) * down[1]) / max(down @ down, 1)
        left[(np.abs(u) < 1.2) & (np.abs(v) < 1.2)] = 0
        left[y0:y1, x0:x1] = 0
    return found


def agreed(steps):
    """The string with the highest mean probability over the strips, that probability, and the runner-up's."""
    candidates = {digits for one in steps for digits in beam(one)}
    ranked = sorted(((float(np.mean([np.exp(log_probability(one, digits)) for one in steps])), digits) for digits in candidates), reverse=True)
    return ranked[0][1], ranked[0][0], ranked[1][0] if len(ranked) > 1 else 0.0


def best_path(steps):
    best = steps.argmax(1)
    return ''.join(str(k - 1) for at, k in enumerate(best) if k and (at == 0 or best[at - 1] != k))


def beam(steps):
    """Strings worth scoring: the best path, and those one sees by swapping its least certain digits."""
    beams = {'': (0.0, -np.inf)}
    for step in steps:
        grown = {}
        likely = [k for k in range(11) if step[k] > -6]
        for digits, (blank, ink) in beams.items():
            total = np.logaddexp(blank, ink)
            for k in likely:
                if k == 0:
                    put(grown, digits, total + step[0], -np.inf)
                    continue
                same = digits[-1:] == str(k - 1)
                if same:
                    put(grown, digits, -np.inf, ink + step[k])
                put(grown, digits + str(k - 1), -np.inf, (blank if same else total) + step[k])
        beams = dict(sorted(grown.items(), key=lambda item: -np.logaddexp(*item[1]))[:BEAM])
    return list(beams)[:4]


def put(grown, digits, blank, ink):
    old = grown.get(digits, (-np.inf, -np.inf))
    grown[digits] = np.logaddexp(old[0], blank), np.logaddexp(old[1], ink)


def log_probability(steps, digits):
    """CTC's log probability of the whole string."""
    labels = [0]
    for digit in digits:
        labels += [int(digit) + 1, 0]
    labels = np.array(labels)
    jump = np.concatenate([[False, False], (labels[2:] != 0) & (labels[2:] != labels[:-2])])
    alpha = np.full(len(labels), -np.inf)
    alpha[:2] = steps[0, labels[:2]]
    for step in steps[1:]:
        one = np.concatenate([[-np.inf], alpha[:-1]])
        two = np.where(jump, np.concatenate([[-np.inf, -np.inf], alpha[:-2]])[:len(labels)], -np.inf)
        alpha = np.logaddexp(np.logaddexp(alpha, one), two) + step[labels]
    return np.logaddexp(alpha[-1], alpha[-2]) if len(labels) > 1 else alpha[-1]
