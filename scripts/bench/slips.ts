import { checkEnd } from '#app/domain/readings/check-end.ts';
import { demoFlights } from '#tests/support/demo-flights.ts';
import { type Outcome, slipOutcomes } from '#tests/support/slip-outcomes.ts';

const OUTCOMES: Outcome[] = ['unreadable', 'refused', 'asked', 'within 0.3 h', 'unnoticed'];

/** What becomes of each slip in the readings of the demo school's sixty flights; fails if one goes unnoticed. */
export function bench(): Promise<void> {
  const outcomes = slipOutcomes();
  const flights = demoFlights();
  const asked = flights.filter(({ end, context }) => checkEnd(end, context).length > 0);
  console.log(`${'slip'.padEnd(34)}${OUTCOMES.map((outcome) => outcome.padStart(14)).join('')}`);
  for (const at of ['start', 'end'] as const) {
    for (const slip of new Set(outcomes.map((each) => each.slip))) {
      const made = outcomes.filter((each) => each.slip === slip && each.at === at);
      const counts = OUTCOMES.map((outcome) => made.filter((each) => each.outcome === outcome).length);
      console.log(`${`${at}: ${slip}`.padEnd(34)}${counts.map((count) => String(count).padStart(14)).join('')}`);
    }
  }
  console.log(`${asked.length} of ${flights.length} flights without a slip are asked about.`);
  if (asked.length > 0 || outcomes.some(({ outcome }) => outcome === 'unnoticed')) process.exitCode = 1;
  return Promise.resolve();
}
