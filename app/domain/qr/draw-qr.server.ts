import { encode } from 'uqr';

export interface Qr {
  size: number;
  path: string;
}

/** An SVG path to be stroked one unit wide: a line for each run of dark modules. */
export function drawQr(text: string): Qr {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}.5h${run.length}`),
  );
  return { size, path: runs.join('') };
}
