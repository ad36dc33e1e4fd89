import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const mutationSchema = z.strictObject({
  file: z.string(),
  /** Occurs exactly once in the file. */
  find: z.string().min(1),
  replace: z.string(),
  /** Test files, at least one of which fails with the mutation. */
  killers: z.array(z.string()).min(1),
  /** What a user would meet, were the mutation released. */
  why: z.string().min(1),
});

export type Mutation = z.output<typeof mutationSchema>;

/** All mutations, file by file in alphabetical order, each in the order of its list. */
export async function readMutations(): Promise<Mutation[]> {
  const lists = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string) =>
    z.array(mutationSchema).parse(JSON.parse(await readFile(path.join(import.meta.dirname, name), 'utf8')));
  return (await Promise.all(lists.map(read))).flat();
}

/** Entries that the code has left behind, with what is wrong with each. */
export async function findStaleEntries(
  tree: string,
  mutations: Mutation[],
): Promise<{ mutation: Mutation; problem: string }[]> {
  const checked = await Promise.all(
    mutations.map(async (mutation) => ({ mutation, problem: await findProblem(tree, mutation) })),
  );
  return checked.flatMap(({ mutation, problem }) => (problem === undefined ? [] : [{ mutation, problem }]));
}

async function findProblem(tree: string, { file, find, replace, killers }: Mutation): Promise<string | undefined> {
  const missing = [file, ...killers].find((name) => !existsSync(path.join(tree, name)));
  if (missing) return `${missing} does not exist`;
  if (find === replace) return 'it changes nothing';
  const occurrences = (await readFile(path.join(tree, file), 'utf8')).split(find).length - 1;
  return occurrences === 1 ? undefined : `its text occurs ${occurrences} times`;
}
