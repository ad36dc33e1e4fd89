import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATION_RULES } from '#app/domain/power.ts';

const files = readdirSync('app/domain', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ file: name, text: readFileSync(`app/domain/${name}`, 'utf8') }));

/** Run by a link that came by mail. */
const OTHER_OPERATIONS = ['register', 'set password'];

/** As the code spells them: `operation: 'add user'`, in a constant, or one of two. */
function operationsIn(text: string): string[] {
  const spelled = text.matchAll(/\b(?:operation(?::| =)|OPERATION =|CHANGE_\w+ =)([^,;\n]*)/g);
  const names = [...spelled].flatMap(([, expression = '']) => [...expression.matchAll(/(['`])([a-z][^'`]*)\1/g)]);
  return names.map(([, , name = '']) => name.replaceAll(/ \$\{\w+\}/g, ''));
}

it('the list of power names every operation of the source, and no other (B1292)', () => {
  const spelled = new Set(files.flatMap(({ text }) => operationsIn(text)));
  expect([...spelled].filter((name) => !OTHER_OPERATIONS.includes(name)).toSorted()).toEqual(
    [...OPERATION_RULES.keys()].toSorted(),
  );
});

/** Rows that let somebody in, say what they may do, or protect. */
const POWER_TABLES =
  /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(users|access_tokens|webhooks|passkeys|second_factors|recovery_codes|password_links|calendar_links|invitations|schools)'/;

/** Statements of operations in other files, and work that nobody asks for: sign-ins, clean-ups, and schools of the operator. */
const PARTS = `audit/check-record.server.ts calendar/queries.server.ts invitations/joined-invitations.server.ts
  invitations/queries.server.ts people/access-tokens/access-tokens.server.ts people/former-users.server.ts
  people/passkeys/verify-passkey.server.ts people/password-links.server.ts people/queries.server.ts
  people/remove-deleted-emails.server.ts people/second-factor/factor-keys.server.ts
  people/second-factor/second-factors.server.ts people/sessions.server.ts people/sign-in.server.ts
  school/create-school.server.ts school/remove-schools.server.ts webhooks/delivery-log.server.ts
  webhooks/delivery/delivery-job.server.ts`.split(/\s+/);

/** Operations of the list that ask for nothing, although they write such rows. */
const HARMLESS = [
  ...['delete invitation', 'remove webhook', 'remove calendar link of aircraft'],
  ...['change own name', 'save single keys', 'call removal off'],
];

it('whatever writes a row that gives power does so in an operation of the list, or is looked at here (B1292)', () => {
  const writers = files.filter(({ text }) => POWER_TABLES.test(text));
  const unseen = writers.filter(({ file, text }) => {
    const operations = operationsIn(text);
    const isListed =
      operations.length > 0 &&
      operations.every((name) => {
        const proof = OPERATION_RULES.get(name)?.proof;
        return HARMLESS.includes(name) || (proof !== undefined && proof !== 'never');
      });
    return !isListed && !PARTS.includes(file);
  });
  expect(unseen.map(({ file }) => file)).toEqual([]);
});
