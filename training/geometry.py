"""Quads and the windows cut by them. A quad is 4 x 2, clockwise from the counter's top left, in pixels."""
import cv2
import numpy as np

LOOKS = {'portrait': (384, 256), 'landscape': (256, 384), 'square': (320, 320)}  # rows, columns
WINDOW = (128, 192)
STRIP = (32, 192)


def axes(quad):
    """Centre, half vector along the counter, half vector down it."""
    q = np.asarray(quad, np.float64)
    return q.mean(0), (q[1] + q[2] - q[0] - q[3]) / 4, (q[2] + q[3] - q[0] - q[1]) / 4


def box(centre, width, height, angle):
    """An upright rectangle turned by `angle` radians, as a quad."""
    along = np.array([np.cos(angle), np.sin(angle)]) * width / 2
    down = np.array([-np.sin(angle), np.cos(angle)]) * height / 2
    return np.array([centre - along - down, centre + along - down, centre + along + down, centre - along + down])


def grown(quad, x, y):
    """The quad with `x` of its width more on either side, and `y` of its height above and below."""
    return map_points(homography(unit(), quad), np.array([[-x, -y], [1 + x, -y], [1 + x, 1 + y], [-x, 1 + y]]))


def unit(rows=1, columns=1):
    return np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float64)


def homography(source, target):
    return cv2.getPerspectiveTransform(np.float32(source), np.float32(target)).astype(np.float64)


def map_points(matrix, points):
    p = np.concatenate([points, np.ones((len(points), 1))], 1) @ matrix.T
    return p[:, :2] / p[:, 2:]


def cut(grey, quad, shape):
    """What the quad frames, as an upright image of (rows, columns); halved first as often as it shrinks twofold."""
    rows, columns = shape
    _, along, down = axes(quad)
    shrink = min(2 * np.hypot(*along) / columns, 2 * np.hypot(*down) / rows)
    quad = np.asarray(quad, np.float64)
    while shrink >= 1.6:
        grey = cv2.resize(grey, (max(grey.shape[1] // 2, 1), max(grey.shape[0] // 2, 1)), interpolation=cv2.INTER_AREA)
        quad, shrink = quad / 2, shrink / 2
    matrix = homography(unit(rows, columns) - 0.5, quad - 0.5)
    return cv2.warpPerspective(grey, matrix, (columns, rows), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                               borderMode=cv2.BORDER_REPLICATE)


def look_shape(rows, columns):
    """The kind of look in which a photo of this size is largest."""
    return max(LOOKS, key=lambda kind: min(LOOKS[kind][0] / rows, LOOKS[kind][1] / columns))


def look(grey, kind):
    """The whole photo centred in a look, edges repeated; and the photo's pixels per look's pixel, left, top."""
    rows, columns = LOOKS[kind]
    scale = max(grey.shape[0] / rows, grey.shape[1] / columns)
    centre = np.array([grey.shape[1], grey.shape[0]]) / 2
    frame = box(centre, columns * scale, rows * scale, 0)
    return cut(grey, frame, (rows, columns)), (scale, *frame[0])


def closer(quad, times):
    """The window to look closer at a counter: as the quad leans, `times` as wide as it."""
    centre, along, _ = axes(quad)
    width = 2 * np.hypot(*along) * times
    return box(centre, width, width * WINDOW[0] / WINDOW[1], np.arctan2(along[1], along[0]))
