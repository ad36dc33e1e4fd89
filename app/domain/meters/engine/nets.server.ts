import { readFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web/wasm';
import type { GrayscaleImage } from './grayscale.ts';
import type { Size } from './geometry.ts';

export type NetName = 'finder' | 'closer' | 'reader';

/** Runs a network over images of one size; returns its outputs, flattened, and their shapes. */
export type RunNet = (name: NetName, images: GrayscaleImage[]) => Promise<{ values: Float32Array; size: Size }>;

/** Loads three ONNX files, single-threaded. Rejects if one cannot be loaded. */
export async function loadNets(models: Record<NetName, string>): Promise<RunNet> {
  ort.env.wasm.numThreads = 1;
  const [finder, closer, reader] = await Promise.all([
    session(models.finder),
    session(models.closer),
    session(models.reader),
  ]);
  const sessions = { finder, closer, reader };
  return async (name, images) => {
    const net = sessions[name];
    const { rows, columns } = images[0]!;
    const input = new ort.Tensor('float32', standardize(images), [images.length, 1, rows, columns]);
    const output = (await net.run({ [net.inputNames[0]!]: input }))[net.outputNames[0]!];
    if (!(output?.data instanceof Float32Array)) throw new Error(`${name} gave no numbers`);
    return { values: output.data, size: { rows: output.dims.at(-2)!, columns: output.dims.at(-1)! } };
  };
}

async function session(file: string): Promise<ort.InferenceSession> {
  return ort.InferenceSession.create(await readFile(file), {
    executionProviders: ['wasm'],
    enableCpuMemArena: false,
    enableMemPattern: false,
  });
}

function standardize(images: GrayscaleImage[]): Float32Array {
  const area = images[0]!.pixels.length;
  const values = new Float32Array(images.length * area);
  images.forEach(({ pixels }, at) => {
    const mean = pixels.reduce((sum, value) => sum + value, 0) / area;
    const variance = pixels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / area;
    const by = 1 / (Math.sqrt(variance) + 8);
    for (let pixel = 0; pixel < area; pixel += 1) values[at * area + pixel] = (pixels[pixel]! - mean) * by;
  });
  return values;
}
