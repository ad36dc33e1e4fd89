import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const project = mkdtempSync(path.join(tmpdir(), 'conformance-'));
afterAll(() => rmSync(project, { recursive: true }));

write('docs/conformance.md', '- B001 One.\n- B002 Two.\n- B003 Three.\n- B004 Four.\n- B005 Five.\n');
write(
  'docs/decisions/000-product-decisions.md',
  '- **C01 First.** Words.\n- **C02** Second. **C03** third.\n### C04. Fourth\n',
);
write(
  'tests/domain/a.test.ts',
  "it('B001-B002 C01: holds a range', () => {});\ndescribe.each([\n  1,\n])('C03 (%i)', () => {});\nit.skip('B004: sleeps', () => {});\n",
);
write('tests/journeys/b.test.tsx', "journey(`B003: ${'spelled'} out`, async () => {});\nconst words = 'B005';\n");
write('tests/support/c.ts', "it('B005: is no test file', () => {});\n");

describe('npm run conformance', () => {
  it('npm run conformance lists the tests that hold each line, and the lines that none holds', () => {
    expect(conformance()).toBe(
      [
        'B001 One.',
        '     tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'B002 Two.',
        '     tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'B003 Three.',
        '     tests/journeys/b.test.tsx: B003: … out',
        'C01 First. Words.',
        '     tests/domain/a.test.ts: B001-B002 C01: holds a range',
        'C03 third.',
        '     tests/domain/a.test.ts: C03 (%i)',
        '',
        'B004 Four.',
        'B005 Five.',
        'C02 Second.',
        'C04 Fourth',
        '5 of 9 lines are held by a test, 4 by none.',
        '',
      ].join('\n'),
    );
  });

  it('npm run conformance -- --missing lists only missing lines, of the range that is given', () => {
    expect(conformance('--missing', 'B001-B004')).toBe('B004 Four.\n3 of 4 lines are held by a test, 1 by none.\n');
  });
});

function conformance(...words: string[]): string {
  return execFileSync(process.execPath, [path.resolve('scripts/conformance.mjs'), ...words], {
    cwd: project,
    encoding: 'utf8',
  });
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
}
