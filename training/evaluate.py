"""Reads every photo of a folder's dev.csv and prints what came of it, by kind. Measures only: nothing is fitted here."""
import argparse
import csv
import os
from collections import defaultdict

import cv2
import numpy as np
import torch

import read


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data', help='folder with dev.csv')
    parser.add_argument('work', help='folder with the checkpoints')
    parser.add_argument('--every', type=int, default=1, help='only every n-th photo')
    parser.add_argument('--wrong', help='file to list the wrong readings in')
    options = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    engine = read.Engine(options.work)
    with open(os.path.join(options.data, 'dev.csv'), newline='') as file:
        rows = list(csv.DictReader(file))[::options.every]
    results = [measured(engine, os.path.join(options.data, row['file']), row) for row in rows]
    table(results)
    if options.wrong:
        with open(options.wrong, 'w') as file:
            file.writelines(f'{row["file"]} {row["digits"]} read {got.digits} {got.probability:.2f} {got.features}\n' for row, got, right in results if not right)


def measured(engine, path, row):
    got = engine.read(cv2.imread(path, cv2.IMREAD_GRAYSCALE))
    return row, got, same(got.digits, row['digits'])


def same(a, b):
    return bool(a) and a.lstrip('0') == b.lstrip('0')


def table(results):
    kinds = defaultdict(list)
    for row, _, right in results:
        kinds['all'].append(right)
        kinds[row['kind']].append(right)
    for kind, values in kinds.items():
        print(f'{kind:16} n {len(values):4}  right {100 * np.mean(values):5.1f} %')


if __name__ == '__main__':
    main()
