import { SYMBOLS_PER_STEP } from '#app/domain/meters/engine/ctc.ts';

/** Steps that show each figure with its share, and another one with the rest: '3:0.6/4'. */
export function stepsOf(shown: readonly string[]): Float32Array {
  return Float32Array.from(shown.flatMap((one) => [...distribution({ 0: 1 }), ...distribution(sharesOf(one))]));
}

function sharesOf(shown: string): Record<number, number> {
  const [, figure = '0', share, other] = /^(\d)(?::([\d.]+)\/(\d))?$/.exec(shown) ?? [];
  const sure = share === undefined ? 1 : Number(share);
  return { [Number(figure) + 1]: sure, ...(other !== undefined && { [Number(other) + 1]: 1 - sure }) };
}

function distribution(shares: Record<number, number>): number[] {
  return Array.from({ length: SYMBOLS_PER_STEP }, (_, at) => Math.log(Math.max(shares[at] ?? 0, 1e-7)));
}
