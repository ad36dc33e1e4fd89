"""Writes the trained nets as ONNX files for the app, and what the app must know beside them."""
import argparse
import os

import torch

import geometry
import train

NAMES = {'finder': ('looks', 'centres'), 'closer': ('windows', 'centres'), 'reader': ('strips', 'steps')}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('work', help='folder with the checkpoints')
    parser.add_argument('models', help='folder for the ONNX files')
    options = parser.parse_args()
    os.makedirs(options.models, exist_ok=True)
    for name, (given, made) in NAMES.items():
        checkpoint = os.path.join(options.work, name + '.pt')
        if not os.path.exists(checkpoint):
            print(f'{name}: no checkpoint yet')
            continue
        net = train.new(name)
        net.load_state_dict(torch.load(checkpoint)['average'])
        rows, columns = {'finder': geometry.LOOKS['square'], 'closer': geometry.WINDOW, 'reader': geometry.STRIP}[name]
        free = {0: 'count'} if name == 'reader' else {0: 'count', 2: 'rows', 3: 'columns'}
        place = os.path.join(options.models, name + '.onnx')
        torch.onnx.export(net.eval(), torch.zeros(1, 1, rows, columns), place, opset_version=13, input_names=[given], output_names=[made],
                          dynamic_axes={given: free, made: free})
        print(f'{place}: {os.path.getsize(place) / 1e6:.2f} MB')


if __name__ == '__main__':
    main()
