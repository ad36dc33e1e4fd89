import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const project = mkdtempSync(path.join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(project, { recursive: true }));

const lines = ['B001 One.', 'B002 Two.', 'B003 Three.', 'B004 Four.', 'B005 Five.', 'B006 Six. (night)'];
write('docs/conformance.md', lines.map((line) => `- ${line}\n`).join(''));
write(
  'docs/decisions/000-product-decisions.md',
  '- **C01 First.** Words.\n- **C02** Second. **C03** third.\n### C04. Fourth\n',
);
write(
  'tests/domain/a.test.ts',
  "it('B001-B002 C01: holds a range', () => {});\ndescribe.each([\n  1,\n])('C03 (%i)', () => {});\nit.skip('B004: sleeps', () => step('B005: sleeps too', () => {}));\n",
);
write(
  'tests/journeys/b.test.tsx',
  "journey(`B003: ${'spelled'} out`, async () => {\n  await step('C02: in a step', async () => {});\n});\nconst words = 'B005';\n",
);
write('tests/http/d.night.test.ts', "it('B005-B006: is for the night');\n");
write('tests/support/c.ts', "it('B005: is no test file', () => {});\n");
write('tests/unit/e.test.ts', `it('is ${'long '.repeat(21)}on');\nit('is ${'long '.repeat(21)}one');\n`);

describe('npm run conformance', () => {
  it('lists the tests of each line; --strict fails for a missing line and for an odd title (B390)', () => {
    expect(conformance('--strict')).toEqual({
      status: 1,
      output: [
        'B001 One.',
        '     tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'B002 Two.',
        '     tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'B003 Three.',
        '     tests/journeys/b.test.tsx: B003: … out',
        'B006 Six. (night)',
        '     tests/http/d.night.test.ts: B005-B006: is for the night',
        'C01 First. Words.',
        '     tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'C02 Second.',
        '     tests/journeys/b.test.tsx: C02: in a step',
        'C03 third.',
        '     tests/domain/a.test.ts: C03 (%i)',
        '',
        'B004 Four.',
        'B005 Five.',
        'C04 Fourth',
        '7 of 10 lines are held by a test, 3 by none.',
        'This title is too long, or opens with a line: tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'This title is too long, or opens with a line: tests/domain/a.test.ts: C03 (%i)',
        'This title is too long, or opens with a line: tests/http/d.night.test.ts: B005-B006: is for the night',
        'This title is too long, or opens with a line: tests/journeys/b.test.tsx: B003: … out',
        'This title is too long, or opens with a line: tests/journeys/b.test.tsx: C02: in a step',
        `This title is too long, or opens with a line: tests/unit/e.test.ts: is ${'long '.repeat(21)}one`,
        '',
      ].join('\n'),
    });
  });
});

function conformance(...words: string[]): { status: number | null; output: string } {
  const script = path.resolve('scripts/conformance.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, ...words], { cwd: project, encoding: 'utf8' });
  return { status, output: stdout };
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
}
