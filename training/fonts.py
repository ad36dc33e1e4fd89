"""Glyphs and words of the machine's free fonts, as masks from 0 to 255."""
from functools import lru_cache
from glob import glob
import os

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

ROOT = '/usr/share/fonts'
PLAIN = ['FreeSans.ttf', 'FreeSansBold.ttf', 'NimbusSans-Regular.otf', 'NimbusSans-Bold.otf',
         'NimbusSansNarrow-Regular.otf', 'NimbusSansNarrow-Bold.otf', 'LiberationSans-Regular.ttf',
         'LiberationSans-Bold.ttf', 'LiberationSansNarrow-Bold.ttf', 'DejaVuSans.ttf', 'DejaVuSans-Bold.ttf',
         'DejaVuSansCondensed.ttf', 'DejaVuSansCondensed-Bold.ttf', 'DejaVuSansMono-Bold.ttf', 'B612-Regular.otf',
         'B612-Bold.otf', 'B612Mono-Regular.otf', 'B612Mono-Bold.otf', 'Hack-Regular.ttf', 'Hack-Bold.ttf',
         'Roboto-Regular.ttf', 'Roboto-Medium.ttf', 'Roboto-Bold.ttf', 'RobotoCondensed-Regular.ttf',
         'RobotoCondensed-Bold.ttf', 'Lato-Regular.ttf', 'Lato-Bold.ttf', 'OpenSans-Regular.ttf', 'OpenSans-Semibold.ttf',
         'OpenSans-CondBold.ttf', 'SwitzeraADF-Regular.ttf', 'SwitzeraADF-Bold.ttf', 'SwitzeraADF-Cond.ttf',
         'SwitzeraADF-BoldExt.ttf', 'UniversalisADFStd-Regular.otf', 'UniversalisADFStd-Bold.otf',
         'URWGothic-Book.otf', 'URWGothic-Demi.otf', 'P052-Roman.otf', 'C059-Roman.otf']


@lru_cache
def found():
    return {os.path.basename(path): path for path in sorted(glob(ROOT + '/**/*.[to]tf', recursive=True))}


@lru_cache
def plain():
    return [name for name in PLAIN if name in found()]


@lru_cache
def segments():
    return [name for name in found() if name.startswith('DSEG7') and 'GGCHAN' not in name]


@lru_cache(maxsize=6000)
def word(name, text, height=64):
    """The text's mask, cropped to its ink; `height` is the font's size."""
    font = ImageFont.truetype(found()[name], height)
    left, top, right, bottom = font.getbbox(text)
    image = Image.new('L', (right - left + 2, bottom - top + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), text, font=font, fill=255)
    return np.asarray(image)


@lru_cache(maxsize=200)
def figures(name):
    """The ten digits in one line's height and each in its own width."""
    font = ImageFont.truetype(found()[name], 72)
    top = min(font.getbbox(d)[1] for d in '0123456789')
    bottom = max(font.getbbox(d)[3] for d in '0123456789')
    made = []
    for digit in '0123456789':
        left, _, right, _ = font.getbbox(digit)
        image = Image.new('L', (right - left + 2, bottom - top))
        ImageDraw.Draw(image).text((1 - left, -top), digit, font=font, fill=255)
        made.append(np.asarray(image))
    return made


def scaled(mask, height, stretch=1.0):
    factor = height / mask.shape[0]
    size = max(1, round(mask.shape[1] * factor * stretch)), max(1, round(height))
    return cv2.resize(mask, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)


def stamp(image, mask, x, y, tone):
    """Paints `tone` through the mask, its top left at x, y; what lies outside is cut off."""
    x, y = int(round(x)), int(round(y))
    top, left = max(y, 0), max(x, 0)
    bottom, right = min(y + mask.shape[0], image.shape[0]), min(x + mask.shape[1], image.shape[1])
    if bottom <= top or right <= left:
        return
    part = image[top:bottom, left:right]
    alpha = mask[top - y:bottom - y, left - x:right - x].astype(np.float32) / 255
    part[:] = part + (tone - part) * alpha
