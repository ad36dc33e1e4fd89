"""From the photos to the app's models, in one command: samples, the three nets, the confidence, the ONNX files."""
import argparse
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = {'reader': 0.5, 'finder': 0.3, 'closer': 0.2}
LAST_SEED = 10_000  # no shard of the last course is one of the first


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('data', nargs='?', default='../shared/meters/train', help='folder with trodo.csv and digits.csv')
    parser.add_argument('--work', default='.data/meters', help='folder for samples and checkpoints; what is there is gone on from')
    parser.add_argument('--models', default=os.path.join(HERE, '../app/domain/meters/models'))
    parser.add_argument('--minutes', type=float, default=120, help='of training, all nets together')
    parser.add_argument('--shards', type=int, default=160)
    parser.add_argument('--own', help='folder that meters:export wrote: photos of one\'s own, which the reader learns from, too')
    parser.add_argument('--last-course', action='store_true', help='go on from the nets there are, now on photos of vehicles that dev shows too: '
                        'dev then tells too good a figure, and the confidence stays as it was fitted without them')
    options = parser.parse_args()
    for name in ('trodo.csv', 'digits.csv'):
        if not os.path.exists(os.path.join(options.data, name)):
            raise SystemExit(f'No photos to train on: {os.path.join(options.data, name)} is not there. Give their folder as the first argument.')
    if options.last_course:
        last = os.path.join(options.work, 'last')
        os.makedirs(last, exist_ok=True)
        for net in SHARE:
            shutil.copy(os.path.join(options.work, f'{net}.pt'), last)
        sample(options, last, ['--with-dev-vehicles'], first=LAST_SEED)
        learn(options, last, ['--again'])
        finished('export.py', last, options.models)
    else:
        sample(options, options.work)
        learn(options, options.work)
        finished('export.py', options.work, options.models)
        calibrate(options)


def sample(options, work, more=(), first=0):
    cores = os.cpu_count() or 1
    shards = os.path.join(work, 'shards')
    more = [*more, '--own', options.own] if options.own else more
    made = [started('samples.py', options.data, shards, '--first', first + core, '--count', options.shards - core, '--step', cores, *more) for core in range(cores)]
    if any([process.wait() for process in made]):
        raise SystemExit('The samples could not be made: the lines above say why.')


def learn(options, work, more=()):
    for net, share in SHARE.items():
        finished('train.py', net, work, '--minutes', options.minutes * share, '--threads', os.cpu_count() or 1, *more)


def calibrate(options):
    unseen = os.path.abspath(os.path.join(options.work, 'unseen'))
    finished('unseen.py', options.data, unseen)
    if subprocess.run(['npm', 'run', 'meters:calibrate', '--', unseen], cwd=os.path.join(HERE, '..')).returncode:
        raise SystemExit('The confidence could not be fitted: the lines above say why.')


def started(script, *arguments):
    return subprocess.Popen([sys.executable, os.path.join(HERE, script), *map(str, arguments)])


def finished(script, *arguments):
    if started(script, *arguments).wait():
        raise SystemExit(f'{script} failed: the lines above say why.')


if __name__ == '__main__':
    main()
