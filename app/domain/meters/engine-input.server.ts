import sharp from 'sharp';
import type { MeterContext } from './engine/meter-context.ts';
import type { EngineRequest } from './engine/worker.ts';

export async function toEngineRequest(photo: Buffer, known: MeterContext = {}): Promise<EngineRequest> {
  const { data, info } = await sharp(photo)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: new Uint8Array(data), rows: info.height, columns: info.width, ...known };
}
