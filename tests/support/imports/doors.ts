import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { importPreviewWithKindSchema } from '#app/domain/imports/schema.server.ts';
import { type Answers, answerFieldNameOf } from '#app/domain/imports/reading/answers.ts';
import { FIELDS } from '#app/domain/imports/reading/fields.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { documentAt, textOf } from '#tests/support/documents.ts';
import { runHere } from '#tests/support/operator-command.ts';
import { ORIGIN } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { UsageError } from '../../../scripts/flightline/command.ts';
import { command } from '../../../scripts/flightline/import.ts';
import { multipart } from './files.ts';

interface Sent {
  file: string;
  kind: ImportKind;
  /** The screen is to find it out. */
  isKindOpen: boolean;
  answers: Answers;
  /** Of an administrator, and of the database, which has one school. */
  cookie: string;
  url: string;
}

/** What is asked while questions are open; else what was counted and said, once the file is written where it can be. */
interface Outcome {
  questions: string[];
  /** Of new, changed, present, different, refused and skipped rows. */
  counts: number[];
  words: string;
}

/** The ways by which a file comes in. */
export const DOORS = {
  screen: async ({ file, kind, isKindOpen, answers, cookie }: Sent): Promise<Outcome> => {
    const post = (to: string, fields: object) =>
      answerTo(multipart(to, { ...fields, requestId: randomUUID() }, cookie));
    const chosen = { file: readFileSync(file), fileName: path.basename(file), ...(!isKindOpen && { kind }) };
    const sent = await post('/school-settings/import?index', chosen);
    const page = new URL(String(sent.headers.get('location')), ORIGIN).pathname;
    for (;;) {
      const { $ } = await documentAt(page, cookie);
      const open = $('main [name^="answers."]').toArray();
      const given = open.flatMap((field) => {
        const options = $(field).find('option').toArray();
        const name = String($(field).attr('name'));
        const value = valueOf(
          answers,
          name.slice('answers.'.length),
          options.map((option) => $(option).attr('value')),
        );
        return value === undefined ? [] : [[name, value]];
      });
      const words = textOf($('main'));
      if (given.length === 0 && open.length > 0)
        return { questions: open.map((field) => textOf($(`label[for="${$(field).attr('id')}"]`))), counts: [], words };
      if (open.length === 0) {
        const widths = $('.import-bar rect').toArray();
        if ($('input[value=apply]').length > 0) await applyOn(page, cookie, () => post(page, { intent: 'apply' }));
        return { questions: [], counts: widths.map((part) => Number($(part).attr('width'))), words };
      }
      await post(page, { intent: 'answer', ...Object.fromEntries(given) });
    }
  },

  call: async ({ file, kind, answers, cookie }: Sent): Promise<Outcome> => {
    const fields = { file: readFileSync(file), fileName: path.basename(file), kind, ...textsOf(answers) };
    const send = (more: object) => answerTo(multipart('/api/imports', { ...fields, ...more }, cookie));
    const { status, body } = await send({ preview: '1' });
    const words = JSON.stringify(jsonOf(body));
    if (status !== 200) {
      const { questions } = questionsSchema.parse(jsonOf(body));
      return { questions: questions.map(({ text }) => text), counts: [], words };
    }
    expect((await send({})).status).toBe(200);
    const { added, changed, present, different, refused, skipped } = importPreviewWithKindSchema.parse(jsonOf(body));
    return { questions: [], counts: [added, changed, present, different, refused, skipped.length], words };
  },

  command: async ({ file, kind, answers, url }: Sent): Promise<Outcome> => {
    const flags = Object.entries(textsOf(answers)).flatMap(([name, value]) => [`--${name}`, value]);
    try {
      const { output } = await runHere(command, [kind, file, ...flags], { DATABASE_URL: url });
      const counted =
        /(\d+) new, (\d+) changed, (\d+) there already, (\d+) different, (\d+) refused/.exec(output) ?? [];
      const skipped = /(\d+) skipped/.exec(output)?.[1] ?? '0';
      return { questions: [], counts: [...counted.slice(1), skipped].map(Number), words: output };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const [, ...questions] = error.message.split('\n');
      return { questions, counts: [], words: error.message };
    }
  },
};

const questionsSchema = z.object({ questions: z.array(z.object({ text: z.string() })) });

const jsonOf = (body: unknown): unknown => (typeof body === 'string' ? JSON.parse(body) : body);

/** The answer may come before the import is done. */
async function applyOn(page: string, cookie: string, post: () => Promise<unknown>): Promise<void> {
  await post();
  const state = async () => textOf((await documentAt(page, cookie)).$('main h2').first());
  await expect.poll(state, { timeout: 120_000 }).toBe('Imported');
}

/** As call and command take them. */
function textsOf({ units, columns, values, words, ...others }: Answers): Record<string, string> {
  const json = Object.entries({ columns, values, words }).flatMap(([name, of]) =>
    of ? [[name, JSON.stringify(of)]] : [],
  );
  const plain = Object.entries(others).map(([name, value]) => [name, String(value)]);
  return Object.fromEntries([...plain, ...json, ...(units ? [['units', units.join(',')]] : [])]);
}

/** As the screen takes the answer of the question with this key. */
function valueOf(answers: Answers, key: string, offered: (string | undefined)[]): string | undefined {
  const unit = answers.units?.find((one) => offered.includes(one));
  const { values = {}, words = {}, units: _units, columns: _columns, ...others } = answers;
  const settled = [
    ...Object.entries(others).map(([name, value]) => [
      answerFieldNameOf({ name: name as keyof Answers }),
      String(value),
    ]),
    ...Object.entries(values).map(([field, value]) => [answerFieldNameOf({ name: 'values', field }), value]),
    ...Object.entries(words).flatMap(([field, meanings]) =>
      Object.entries(meanings).map(([word, value]) => [answerFieldNameOf({ name: 'words', field, word }), value]),
    ),
    ...(unit ? FIELD_NAMES.map((field) => [answerFieldNameOf({ name: 'units', field }), unit]) : []),
  ];
  return settled.find(([name]) => name === key)?.[1];
}

const FIELD_NAMES = Object.values(FIELDS).flatMap((fields) => fields.map(({ name }) => name));
