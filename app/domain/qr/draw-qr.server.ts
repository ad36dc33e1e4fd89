import { encode } from 'uqr';

export interface Qr {
  size: number;
  path: string;
}

/** Draws an SVG path to be stroked one unit wide, with a line for each run of dark modules. */
export function drawQr(text: string): Qr {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  let [atX, atY] = [0, 0];
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => {
      const move = `m${index - atX} ${y - atY}h${run.length}`;
      [atX, atY] = [index + run.length, y];
      return move;
    }),
  );
  return { size, path: `M0 .5${runs.join('')}` };
}
