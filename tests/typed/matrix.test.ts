import { expect, test } from 'vitest';
import { LONG_TIMEOUT_MS } from '#tests/support/expect.ts';
import { type Cell, EVENTS, findCells } from '#tests/support/typed/cells.ts';
import { takeSample } from '#tests/support/typed/sample.ts';
import { runCell } from '#tests/support/typed/run-cell.ts';
import { sharedBrowser, sharedServer } from '#tests/support/worker.ts';

const PARALLEL = Number(process.env.TYPED_PARALLEL ?? 3);
/** A part of the forms' ids or screens, for who mends one. */
const ONLY = new RegExp(process.env.TYPED_ONLY ?? '');
/** So many cells rather than all, chosen by a seed. */
const SAMPLE = Number(process.env.TYPED_SAMPLE ?? 0);
const SEED = Number(process.env.TYPED_SEED ?? 1);

test(
  'what is typed, chosen or ticked in any form outlives whatever ends the page (B885, B886)',
  { timeout: 7_200_000 },
  async () => {
    const [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
    const newContext = async () => {
      const context = await browser.newContext({
        baseURL: server.url,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      });
      context.setDefaultTimeout(LONG_TIMEOUT_MS / 4);
      return context;
    };
    const first = await newContext();
    const cells = (await findCells(server, first)).filter(({ screen, form, event, isShared }) =>
      ONLY.test(`${screen.route} ${form} ${event} ${isShared}`),
    );
    const sample = SAMPLE > 0 ? takeSample(cells, SAMPLE, SEED) : cells;
    const failures = new Map<Cell, string>();
    const left = [...sample];
    const work = async () => {
      const context = await newContext();
      for (let cell = left.shift(); cell; cell = left.shift()) {
        const failure = await runCell(server, context, cell);
        if (failure === undefined) continue;
        failures.set(cell, failure);
        console.log(
          `${cell.screen.route} #${cell.form} · ${cell.event} · ${cell.waitMs} ms${cell.isShared ? ' · shared' : ''}: ${failure}`,
        );
      }
      await context.close();
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    print(sample, failures);
    expect(failures.size, `of ${sample.length} cells`).toBe(0);
  },
);

function print(cells: Cell[], failures: Map<Cell, string>): void {
  const rows: Record<string, Record<string, string>> = {};
  for (const { screen, form } of cells) {
    const own = cells.filter((cell) => cell.screen.route === screen.route && cell.form === form);
    rows[`${screen.route} #${form}`] ??= Object.fromEntries(
      EVENTS.map((event) => {
        const all = own.filter((cell) => cell.event === event);
        return [event, all.length === 0 ? '-' : `${all.filter((cell) => !failures.has(cell)).length}/${all.length}`];
      }),
    );
  }
  console.table(rows);
  console.log(`${cells.length - failures.size} of ${cells.length}`);
}
