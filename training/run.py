"""From the photos to the app's models, in one command: samples, the three nets, the confidence, the ONNX files."""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = {'reader': 0.25, 'finder': 0.5, 'closer': 0.25}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data', nargs='?', default='../shared/meters/train', help='folder with trodo.csv and digits.csv')
    parser.add_argument('--work', default='.data/meters', help='folder for samples and checkpoints; what is there is gone on from')
    parser.add_argument('--models', default=os.path.join(HERE, '../app/domain/meters/models'))
    parser.add_argument('--minutes', type=float, default=120, help='of training, all nets together')
    parser.add_argument('--shards', type=int, default=84)
    parser.add_argument('--with-dev-vehicles', action='store_true', help='train on photos of vehicles that dev shows too: dev then tells too good a figure')
    options = parser.parse_args()
    for name in ('trodo.csv', 'digits.csv'):
        if not os.path.exists(os.path.join(options.data, name)):
            raise SystemExit(f'No photos to train on: {os.path.join(options.data, name)} is not there. Give their folder as the first argument.')
    more = ['--with-dev-vehicles'] if options.with_dev_vehicles else []
    cores = os.cpu_count() or 1
    shards = os.path.join(options.work, 'shards')
    made = [started('samples.py', options.data, shards, '--first', core, '--count', options.shards - core, '--step', cores, *more) for core in range(cores)]
    if any([process.wait() for process in made]):
        raise SystemExit('The samples could not be made: the lines above say why.')
    for net, share in SHARE.items():
        finished('train.py', net, options.work, '--minutes', options.minutes * share, '--threads', cores)
    finished('calibrate.py', options.data, options.work, *more)
    finished('export.py', options.work, options.models)


def started(script, *arguments):
    return subprocess.Popen([sys.executable, os.path.join(HERE, script), *map(str, arguments)])


def finished(script, *arguments):
    if started(script, *arguments).wait():
        raise SystemExit(f'{script} failed: the lines above say why.')


if __name__ == '__main__':
    main()
