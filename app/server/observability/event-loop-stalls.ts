const INTERVAL_MS = 250;

/** Calls back with the seconds for which the event loop stood still, each time it did for longer than an interval. */
export function watchEventLoop(onStall: (seconds: number) => void): void {
  let due = performance.now() + INTERVAL_MS;
  const watch = () => {
    const now = performance.now();
    if (now - due > INTERVAL_MS) onStall((now - due) / 1000);
    due = now + INTERVAL_MS;
  };
  setInterval(watch, INTERVAL_MS).unref();
}
