/** Log probabilities, 11 per step: blank, then 0 to 9. */
export type CtcOutput = Float32Array;

export const SYMBOLS_PER_STEP = 11;
const BEAM_WIDTH = 12;
const MAX_STRINGS = 4;
const MIN_LOG_PROBABILITY = -6;
const MIN_LOG_PROBABILITY_OF_OTHER = Math.log(0.01);

/** Finds candidate strings, likeliest first, by beam search. */
export function beamSearch(steps: CtcOutput): string[] {
  let beam = new Map([['', { blank: 0, ink: -Infinity }]]);
  for (let at = 0; at < steps.length; at += SYMBOLS_PER_STEP) {
    const grown: typeof beam = new Map();
    for (const [digits, { blank, ink }] of beam) {
      const total = logSum(blank, ink);
      for (let symbol = 0; symbol < SYMBOLS_PER_STEP; symbol += 1) {
        const step = steps[at + symbol]!;
        if (step <= MIN_LOG_PROBABILITY) continue;
        if (symbol === 0) {
          add(grown, digits, total + step, -Infinity);
          continue;
        }
        const digit = String(symbol - 1);
        const same = digits.endsWith(digit);
        if (same) add(grown, digits, -Infinity, ink + step);
        add(grown, digits + digit, -Infinity, (same ? blank : total) + step);
      }
    }
    const ranked = [...grown].sort(([, a], [, b]) => logSum(b.blank, b.ink) - logSum(a.blank, a.ink));
    beam = new Map(ranked.slice(0, BEAM_WIDTH));
  }
  return [...beam.keys()].slice(0, MAX_STRINGS);
}

/** Sums the probability over all alignments of the digits with the steps. */
export function logProbability(steps: CtcOutput, digits: string): number {
  const labels = [0, ...[...digits].flatMap((digit) => [Number(digit) + 1, 0])];
  let ways = labels.map((label, at) => (at < 2 ? steps[label]! : -Infinity));
  for (let from = SYMBOLS_PER_STEP; from < steps.length; from += SYMBOLS_PER_STEP) {
    ways = labels.map((label, at) => {
      let sum = logSum(ways[at]!, at > 0 ? ways[at - 1]! : -Infinity);
      if (at > 1 && label !== 0 && label !== labels[at - 2]) sum = logSum(sum, ways[at - 2]!);
      return sum + steps[from + label]!;
    });
  }
  return labels.length > 1 ? logSum(ways.at(-1)!, ways.at(-2)!) : ways[0]!;
}

export function meanProbability(outputs: CtcOutput[], digits: string): number {
  return outputs.reduce((sum, one) => sum + Math.exp(logProbability(one, digits)), 0) / outputs.length;
}

/** Returns the figures that some step may show. */
export function possibleDigits(outputs: CtcOutput[]): Set<string> {
  const seen = new Set<string>();
  for (const output of outputs) {
    output.forEach((step, at) => {
      const symbol = at % SYMBOLS_PER_STEP;
      if (symbol > 0 && step > MIN_LOG_PROBABILITY_OF_OTHER) seen.add(String(symbol - 1));
    });
  }
  return seen;
}

/** Returns the likeliest symbol per step, without repeats and blanks. */
export function greedyDecode(steps: CtcOutput): string {
  let [digits, before] = ['', 0];
  for (let at = 0; at < steps.length; at += SYMBOLS_PER_STEP) {
    let best = 0;
    for (let symbol = 1; symbol < SYMBOLS_PER_STEP; symbol += 1)
      if (steps[at + symbol]! > steps[at + best]!) best = symbol;
    if (best !== 0 && best !== before) digits += String(best - 1);
    before = best;
  }
  return digits;
}

function add(beam: Map<string, { blank: number; ink: number }>, digits: string, blank: number, ink: number): void {
  const old = beam.get(digits);
  beam.set(digits, old ? { blank: logSum(old.blank, blank), ink: logSum(old.ink, ink) } : { blank, ink });
}

function logSum(a: number, b: number): number {
  const [high, low] = a > b ? [a, b] : [b, a];
  return low === -Infinity ? high : high + Math.log1p(Math.exp(low - high));
}
