"""The two kinds of net: `Finder` says where a counter is, `Reader` what it shows."""
import torch
from torch import nn
import torch.nn.functional as F


def conv(a, b, stride=1, size=3):
    return nn.Sequential(nn.Conv2d(a, b, size, stride, size // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = conv(c, c)
        self.b = nn.Sequential(nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return F.relu(x + self.b(self.a(x)))


class Finder(nn.Module):
    """1 x H x W (multiples of 32), standardised grey -> 9 x H/4 x W/4: logit of the centre, offsets to four corners."""

    def __init__(self, wide=16):
        super().__init__()
        w = [wide, 2 * wide, 3 * wide, 4 * wide]
        self.stem = conv(1, w[0], 2, 5)
        self.quarter = nn.Sequential(conv(w[0], w[1], 2), conv(w[1], w[1]))
        self.eighth = nn.Sequential(conv(w[1], w[2], 2), Residual(w[2]))
        self.sixteenth = nn.Sequential(conv(w[2], w[3], 2), Residual(w[3]))
        self.last = nn.Sequential(conv(w[3], w[3], 2), Residual(w[3]), Residual(w[3]))
        self.up16 = conv(w[3], w[2])
        self.up8 = conv(w[2], w[1])
        self.up4 = conv(w[1], w[1])
        self.head = nn.Conv2d(w[1], 9, 1)
        nn.init.constant_(self.head.bias[0:1], -4.0)

    def forward(self, x):
        q = self.quarter(self.stem(x))
        e = self.eighth(q)
        s = self.sixteenth(e)
        up = self.up16(double(self.last(s)) + s)
        up = self.up8(double(up) + e)
        return self.head(self.up4(double(up) + q))


class Reader(nn.Module):
    """1 x 32 x 192, standardised grey -> 48 steps x 11 log probabilities: blank, 0 to 9."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(1, 24, 2, 5), conv(24, 48), nn.MaxPool2d(2), Residual(48),
            conv(48, 80), Residual(80), nn.MaxPool2d((2, 1)), conv(80, 96),
        )
        self.context = nn.Sequential(nn.Conv1d(4 * 96, 96, 1), nn.BatchNorm1d(96), nn.ReLU(inplace=True), nn.Dropout(0.1),
                                     nn.Conv1d(96, 96, 7, padding=3), nn.BatchNorm1d(96), nn.ReLU(inplace=True))
        self.head = nn.Conv1d(96, 11, 1)

    def forward(self, x):
        y = self.body(x).flatten(1, 2)
        return F.log_softmax(self.head(self.context(y)), 1).transpose(1, 2)


def double(x):
    return F.interpolate(x, scale_factor=2.0, mode='nearest')
