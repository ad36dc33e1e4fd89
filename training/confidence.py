"""How likely a reading is right: a logistic fit over what the nets say, on photos held back and fresh drawings."""
import json
import os

import numpy as np

NAMES = ['sure', 'finder', 'closer', 'second', 'agree', 'rival', 'short', 'long', 'constant']
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../app/domain/meters/models/confidence.json')


def inputs(reading):
    """The fit's inputs, in the order of NAMES."""
    f = reading.features
    return np.array([logit(reading.probability), f.get('finder', 0), f.get('closer', 0), f.get('second', 0), f.get('agree', 0),
                     f.get('rival', 0), f.get('length', 0) <= 4, f.get('length', 0) >= 7, 1], float)


def of(reading):
    if not reading.digits or not os.path.exists(FILE):
        return 0.0
    with open(FILE) as file:
        weights = json.load(file)
    return float(1 / (1 + np.exp(-inputs(reading) @ [weights[name] for name in NAMES])))


def logit(p):
    p = min(max(p, 1e-4), 1 - 1e-4)
    return np.log(p / (1 - p))


def fit(rows, right, penalty=0.3):
    """Newton's steps with a little ridge; weights by name."""
    x, y = np.array(rows), np.array(right, float)
    w = np.zeros(x.shape[1])
    ridge = penalty * np.eye(len(w))
    ridge[-1, -1] = 1e-6
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        w = w - np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + ridge, x.T @ (p - y) + ridge @ w)
    return dict(zip(NAMES, (round(float(v), 4) for v in w)))
