import { expect, it, onTestFinished, vi } from 'vitest';
import { addAircraftSchema } from '#app/domain/aircraft/schema.server.ts';
import { sendInvitationSchema } from '#app/domain/invitations/schema.server.ts';
import { addUserSchema, registerSchema, signInSchema } from '#app/domain/people/schema.server.ts';
import { usernameKey } from '#app/domain/people/username.ts';
import { createSchoolSchema, schoolInputSchema } from '#app/domain/school/schema.server.ts';
import { hasInvisibleCharacter } from '#app/domain/field-schemas.server.ts';
import { nightly } from '#tests/support/takes-all.ts';

const WORDS = 'This contains a character that cannot be seen. Please type it again.';
const person = { username: 'anna', email: 'anna@school.example', password: 'gull-9', role: 'student' };
const aircraft = { tailNumber: 'N512FL', make: 'Cessna', model: '172S', year: '2004' };
const school = { name: 'Cascade', address: '1 Field Road', phone: '555 0100' };

it('a name or label with a character that nobody sees is refused in words (B444)', () => {
  const fields = [
    [addUserSchema, person, 'username'],
    [registerSchema, person, 'username'],
    [sendInvitationSchema, { ...person, name: 'Anna' }, 'name'],
    [addAircraftSchema, aircraft, 'tailNumber'],
    [addAircraftSchema, aircraft, 'make'],
    [addAircraftSchema, aircraft, 'model'],
    [schoolInputSchema, school, 'name'],
    [schoolInputSchema, school, 'address'],
    [schoolInputSchema, school, 'phone'],
    [createSchoolSchema, { ...person, name: 'Cascade' }, 'name'],
    [createSchoolSchema, person, 'username'],
  ] as const;
  for (const [schema, values, field] of fields) {
    expect(schema.safeParse(values).success, field).toBe(true);
    const result = schema.safeParse({ ...values, [field]: 'an\u200Bna' });
    expect(result.error?.issues, field).toMatchObject([{ path: [field], message: WORDS }]);
  }
  // Somebody whose name an earlier release accepted still signs in.
  expect(signInSchema.safeParse({ username: 'an\u200Bna', password: 'gull-9' }).success).toBe(true);
});

it('a byte order mark within a name is refused as an invisible character, and one before the name goes (B973)', () => {
  const parsed = (username: string) => addUserSchema.safeParse({ ...person, username });
  expect(parsed('an\uFEFFna').error?.issues).toMatchObject([{ path: ['username'], message: WORDS }]);
  expect(parsed('\uFEFF an \t na\u0000 ').data?.username).toBe('an na');
});

it('a character that nobody sees is found wherever no script needs it (B444)', () => {
  const unseen = [
    ['zero width space', 'an\u200Bna'],
    ['soft hyphen', 'an\u00ADna'],
    ['word joiner', 'an\u2060na'],
    ['right-to-left override', 'N512\u202EFL'],
    ['left-to-right isolate', '\u2066anna\u2069'],
    ['right-to-left mark', 'anna\u200F'],
    ['Arabic letter mark', 'anna\u061C'],
    ['a tag', 'anna\u{E0041}'],
    ['Hangul filler', 'an\u3164na'],
    ['combining grapheme joiner', 'an\u034Fna'],
    ['empty Braille cell', 'an\u2800na'],
    ['variation selector after a letter', 'an\uFE0Fna'],
    ['joiner in Latin', 'an\u200Dna'],
    ['non-joiner in Latin', 'an\u200Cna'],
    ['non-joiner at the end of a Persian word', 'می\u200C'],
    ['non-joiner at the start of a Persian word', '\u200Cمی'],
    ['two non-joiners in a Persian word', 'می\u200C\u200Cخواهم'],
    ['joiner between an emoji and a letter', '✈\u200Da'],
  ] as const;
  for (const [name, text] of unseen) expect(hasInvisibleCharacter(text), name).toBe(true);
});

it('a name is accepted in any script, with the joiners that it needs, and as emoji (B444)', () => {
  const seen = [
    ['plain', 'Anna-Lena O’Brien 3'],
    ['accents, also as combining characters', 'Zoë Zoe\u0308'],
    ['Persian with a non-joiner', 'می\u200Cخواهم'],
    ['Sinhala with a joiner', 'ශ්\u200Dරී'],
    ['Hindi with a joiner', 'क्\u200Dष'],
    ['Malayalam with a non-joiner', 'ന്\u200Cറ'],
    ['Hebrew and Arabic', 'דנה سارة'],
    ['a pilot as emoji', '👩\u200D✈\uFE0F'],
    ['a dark-skinned pilot as emoji', '👩🏿\u200D✈\uFE0F Ada'],
  ] as const;
  for (const [name, text] of seen) expect(hasInvisibleCharacter(text), name).toBe(false);
});

const MARKS = '\u0301'.repeat(30_000) + '\u0316'.repeat(30_000);

nightly('a million combining marks are searched for invisible characters in linear time (B970)', () => {
  expect(hasInvisibleCharacter('\u0301'.repeat(1_000_000))).toBe(false);
});

it.each([
  ['a name', () => registerSchema.safeParse({ ...person, username: MARKS })],
  ['an email address', () => registerSchema.safeParse({ ...person, email: MARKS })],
  ['a username that is compared', () => usernameKey(MARKS)],
])('tens of thousands of them in %s are never normalized, which costs their square (B970)', (_, read) => {
  const normalized = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => normalized.mockRestore());
  read();
  expect(normalized.mock.contexts.filter((text) => String(text).length > 1000)).toEqual([]);
});
