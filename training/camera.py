"""What a telephone's camera and the light in a cockpit do to a picture; grey, float32 in, uint8 out."""
import cv2
import numpy as np

import geometry

NOISE = np.random.default_rng(1).normal(0, 1, (1300, 1300)).astype(np.float32)


def photographed(rng, image, quad):
    """Light, then blur, noise and JPEG; blur is in step with the size of the counter, so that it stays legible."""
    rows, columns = image.shape
    image = image.copy()
    if rng.random() < 0.45:
        shadow(rng, image)
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        glare(rng, image, rng.random(2) * image.shape[::-1])
    if rng.random() < 0.2:
        glare(rng, image, quad[rng.integers(4)] + rng.random() * (quad.mean(0) - quad[0]))
    tall = np.hypot(*(quad[3] - quad[0]))
    image = blurred(rng, image, tall)
    if rng.random() < 0.75:
        low, high = np.sort(rng.uniform(0, 255, 2)) if rng.random() < 0.3 else (rng.uniform(0, 50), rng.uniform(120, 255))
        high = max(high, low + 45)
        image = low + image * ((high - low) / 255)
        curve = 255 * np.linspace(0, 1, 256) ** rng.uniform(0.7, 1.5)
        image = curve.astype(np.float32)[cv2.convertScaleAbs(np.maximum(image, 0))]
    grain = rng.choice([0, rng.uniform(1, 5), rng.uniform(3, 14)])
    legible = geometry.cut(image.astype(np.float32), quad, (16, 64)).std()
    grain = min(grain, 0.6 * legible + 1)
    if grain:
        top, left = rng.integers(NOISE.shape[0] - rows), rng.integers(NOISE.shape[1] - columns)
        image = image + NOISE[top:top + rows, left:left + columns] * np.float32(grain)
    image = cv2.convertScaleAbs(np.maximum(image, 0))
    quality = int(rng.uniform(35, 85))
    return cv2.imdecode(cv2.imencode('.jpg', image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)


def blurred(rng, image, tall):
    kind = rng.random()
    reach = min(tall / 14, 3.5)
    if kind < 0.5:
        return cv2.GaussianBlur(image, (0, 0), max(0.3, rng.uniform(0.02, 1) * reach))
    if kind < 0.65:
        length = int(rng.uniform(2, max(3, tall / 5)))
        kernel = np.zeros((length | 1, length | 1), np.float32)
        middle, angle = (length | 1) // 2, rng.uniform(0, np.pi)
        reach = np.array([np.cos(angle), np.sin(angle)]) * middle
        cv2.line(kernel, tuple(int(round(v)) for v in middle - reach), tuple(int(round(v)) for v in middle + reach), 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum())
    return image


def shadow(rng, image):
    """A strip or corner of other light, hard or soft."""
    rows, columns = image.shape
    small = np.ones((rows // 4, columns // 4), np.float32)
    points = (rng.uniform(-0.3, 1.3, (4, 2)) * [columns // 4, rows // 4]).astype(np.int32)
    cv2.fillConvexPoly(small, cv2.convexHull(points), float(rng.uniform(0.35, 1.6)))
    if rng.random() < 0.6:
        small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.5, 12))
    gain = cv2.resize(small, (columns, rows))
    image *= gain
    if rng.random() < 0.5:
        image += np.clip(gain - 1, 0, None) * rng.uniform(0, 90)


def glare(rng, image, place):
    """A bright blob, on the dash or on the glass."""
    rows, columns = image.shape
    small = np.zeros((rows // 8, columns // 8), np.float32)
    at = tuple(int(v) for v in place / 8)
    size = tuple(int(v) for v in np.maximum(rng.uniform(0.01, 0.16, 2) * columns / 8, 2))
    cv2.ellipse(small, at, size, float(rng.uniform(-40, 40)), 0, 360, float(rng.uniform(60, 230)), -1)
    small = cv2.GaussianBlur(small, (0, 0), max(1.0, min(size) * rng.uniform(0.2, 0.6)))
    light = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR)
    image += (255 - image).clip(0) * np.clip(light, 0, 255) / 255 if rng.random() < 0.5 else light * 0.8
