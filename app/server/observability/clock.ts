import { CLOCK_CHECK_MS, CLOCK_STEP_MS } from '#app/limits.ts';

const MINUTE_MS = 60_000;
/** The difference changes only if somebody sets the clock. */
const offset = () => Date.now() - performance.now();

/** Watches this machine's clock; the returned function tells by how many seconds it was set within the last minute. */
export function watchClock(): () => number {
  let last = offset();
  let steps: { at: number; seconds: number }[] = [];
  const watch = () => {
    const step = Math.abs(offset() - last);
    last = offset();
    steps = steps.filter(({ at }) => performance.now() - at < MINUTE_MS);
    if (step > CLOCK_STEP_MS) steps.push({ at: performance.now(), seconds: step / 1000 });
  };
  setInterval(watch, CLOCK_CHECK_MS).unref();
  return () => {
    watch();
    return Math.max(0, ...steps.map(({ seconds }) => seconds));
  };
}
