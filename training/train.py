"""Trains one net on the shards there are; goes on from its last checkpoint, and may be cut short at any time."""
import argparse
import glob
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

import nets

BATCH = {'reader': 64, 'closer': 32, 'finder': 8}
RATE = {'reader': 2e-3, 'closer': 2e-3, 'finder': 1.5e-3}
SAVED_EVERY = 90  # seconds
OFFSET = 32.0  # pixels per unit of a corner's offset

with open('/proc/cpuinfo') as cpu:
    SHORT = 'bf16' in cpu.read()  # where the processor multiplies short floats, training takes half the time


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('net', choices=list(BATCH))
    parser.add_argument('work', help='folder with shards/; checkpoints go there')
    parser.add_argument('--minutes', type=float, default=25)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--again', action='store_true', help='a second course from the weights there are, at half the rate')
    parser.add_argument('--first', type=int, default=0, help='learn from this shard and later ones only')
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(2026)
    train(options)


def train(options):
    net = new(options.net).to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-3)
    place = os.path.join(options.work, options.net + '.pt')
    state = {'seconds': 0.0, 'steps': 0, 'average': {k: v.clone() for k, v in net.state_dict().items()}}
    if os.path.exists(place):
        state = torch.load(place)
        net.load_state_dict(state['net'])
        optimizer.load_state_dict(state['optimizer'])
        if options.again:
            state['seconds'] = 0.0
    elif options.net == 'closer' and os.path.exists(os.path.join(options.work, 'finder.pt')):
        net.load_state_dict(torch.load(os.path.join(options.work, 'finder.pt'))['average'])  # it knows a counter when it sees one
    before, started, saved, losses = state['seconds'], time.time(), time.time(), []
    end = options.minutes * 60
    for batch in batches(options.net, options.work, options.first, np.random.default_rng([state['steps'], 7])):
        state['seconds'] = before + time.time() - started
        done = min(1.0, state['seconds'] / end)
        for group in optimizer.param_groups:
            group['lr'] = RATE[options.net] * (0.5 if options.again else 1) * min(1, (state['steps'] + 1) / 200) * (0.01 + 0.99 * (1 + math.cos(math.pi * done)) / 2)
        images, truth = batch
        with torch.autocast('cpu', dtype=torch.bfloat16, enabled=SHORT):
            out = net(images.contiguous(memory_format=torch.channels_last))
        loss = LOSS[options.net](out.float(), truth)
        optimizer.zero_grad()
        loss.backward()
        if torch.isfinite(torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)):
            optimizer.step()  # one without would spoil every weight
        state['steps'] += 1
        follow(state, net)
        losses.append(float(loss.detach()))
        if time.time() - saved > SAVED_EVERY or done >= 1:
            saved = time.time()
            save(state, net, optimizer, place)
            print(f'{options.net} {state["seconds"] / 60:.1f} min, step {state["steps"]}, loss {np.nanmean(losses):.4f}', flush=True)
            losses = []
        if done >= 1:
            return


def new(name):
    return nets.Reader() if name == 'reader' else nets.Finder()


def follow(state, net):
    """The running average of the weights: what is exported."""
    keep = min(0.998, (1 + state['steps']) / (10 + state['steps']))
    for name, value in net.state_dict().items():
        average = state['average'][name]
        if value.dtype.is_floating_point:
            average.mul_(keep).add_(value, alpha=1 - keep)
        else:
            average.copy_(value)


def save(state, net, optimizer, place):
    state.update(net=net.state_dict(), optimizer=optimizer.state_dict())
    torch.save(state, place + '.new')
    os.replace(place + '.new', place)


def batches(name, work, first, rng):
    """Endless batches from shards opened in random order."""
    images, targets = {'reader': ('strips', 'digits'), 'closer': ('windows', 'window_quads'), 'finder': ('looks', 'look_quads')}[name]
    size = BATCH[name]
    while True:
        shards = sorted(glob.glob(os.path.join(work, 'shards', 'shard_*.npz')))[first:]
        if not shards:
            raise SystemExit(f'No shards in {work}/shards: run samples.py first.')
        for opened in rng.permutation(shards)[:6]:
            with np.load(opened) as shard:
                x, y = shard[images], shard[targets]
            order = rng.permutation(len(x))
            for at in range(0, len(x) - size + 1, size):
                chosen = order[at:at + size]
                yield standard(torch.from_numpy(varied(rng, name, x[chosen]))), torch.from_numpy(y[chosen])


def varied(rng, name, images):
    """Some strips as their negative."""
    if name == 'reader':
        images = np.where(rng.random((len(images), 1, 1)) < 0.15, 255 - images, images)
    return images


def standard(images):
    """uint8 images to nets' input: each less its mean, by its deviation."""
    x = images.float().unsqueeze(1)
    mean, deviation = x.mean((2, 3), keepdim=True), x.std((2, 3), keepdim=True, unbiased=False)
    return (x - mean) / (deviation + 8)


def reading_loss(steps, digits):
    steps = steps.transpose(0, 1)
    lengths = (digits >= 0).sum(1)
    targets = (digits.long() + 1).clamp(min=0)
    return F.ctc_loss(steps, targets, torch.full((len(digits),), steps.shape[0]), lengths.long(), blank=0, zero_infinity=True)


def finding_loss(out, quads):
    """How far the map of centres is from one blob per counter, and the corners from where they are, in counter heights."""
    score, offsets = out[:, 0], out[:, 1:].unflatten(1, (4, 2))
    rows, columns = score.shape[1:]
    y, x = torch.meshgrid(torch.arange(rows) * 4 + 1.5, torch.arange(columns) * 4 + 1.5, indexing='ij')
    cells = torch.stack([x, y], 0)  # 2 x rows x columns
    truth, tall = blobs(quads, cells)
    p = torch.sigmoid(score)
    entropy = F.binary_cross_entropy_with_logits(score, truth, reduction='none')
    weight = truth.sum((1, 2)) + 1
    centre = ((p.detach() - truth).abs() ** 1.5 * entropy).sum((1, 2)) / weight
    wanted = quads[:, :, :, None, None] - cells
    error = F.smooth_l1_loss(offsets * OFFSET / tall, wanted / tall, reduction='none', beta=0.1).mean((1, 2))
    near = truth.sqrt() * (truth > 0.03)  # the whole counter, so that its ends may each speak for their corners
    corners = (error * near).sum((1, 2)) / (near.sum((1, 2)) + 0.1)
    return (2 * centre + corners).mean()


def blobs(quads, cells):
    """One soft blob per counter, as long and as tall as it; and the counters' heights."""
    centre = quads.mean(1)
    along = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 4
    down = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 4
    wide, tall = along.norm(dim=1), down.norm(dim=1)
    from_centre = cells - centre[:, :, None, None]
    u = (from_centre * (along / wide[:, None])[:, :, None, None]).sum(1) / (0.4 * wide).clamp(min=3.0)[:, None, None]
    v = (from_centre * (down / tall[:, None])[:, :, None, None]).sum(1) / (0.5 * tall).clamp(min=3.0)[:, None, None]
    return torch.exp(-(u ** 2 + v ** 2) / 2), (2 * tall).clamp(min=4.0)[:, None, None, None, None]


LOSS = {'reader': reading_loss, 'closer': finding_loss, 'finder': finding_loss}

if __name__ == '__main__':
    main()
