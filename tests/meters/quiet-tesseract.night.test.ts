import sharp from 'sharp';
import { expect, it } from 'vitest';
import { start } from '#tests/support/program.ts';

const PROGRAM = `
  import('#app/domain/meters/tesseract.server.ts').then(async ({ recognizeDigits, stopTesseract }) => {
    await recognizeDigits(Buffer.from(process.argv.at(-1), 'base64'));
    await stopTesseract();
  });
`;

it('Tesseract prints nothing of its own to the output', async () => {
  const noise = { type: 'gaussian', mean: 150, sigma: 60 } as const;
  const image = await sharp({ create: { width: 200, height: 80, channels: 3, background: 'white', noise } })
    .png()
    .toBuffer();
  const program = start(process.execPath, ['--import', 'tsx', '--eval', PROGRAM, image.toString('base64')]);
  expect([await program.ended(), program.output()]).toEqual([0, '']);
});
