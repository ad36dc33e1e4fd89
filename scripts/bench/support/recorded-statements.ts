import { serveProduct, type ServedProduct } from './served-product.ts';
import { startRecorder, type Statement, type StatementRecorder } from './statement-recorder.ts';

const WARM_UP = 2;
const RECORDINGS = 3;

/** Records what a process of the product's, once it is warm, sends to Postgres for each of these addresses. */
export async function recordStatements(
  databaseUrl: string,
  paths: string[],
  cookie: string,
): Promise<Map<string, Statement[]>> {
  const recorder = await startRecorder(databaseUrl);
  const product = await serveProduct(recorder.url);
  try {
    const recorded = new Map<string, Statement[]>();
    for (const path of paths) recorded.set(path, await record(recorder, product, path, cookie));
    return recorded;
  } finally {
    await product.stop();
    await recorder.close();
  }
}

/** Records what is sent every time: the mail worker sends statements of its own now and then. */
async function record(
  recorder: StatementRecorder,
  { base }: ServedProduct,
  path: string,
  cookie: string,
): Promise<Statement[]> {
  const recordings: Statement[][] = [];
  for (let count = 0; count < WARM_UP + RECORDINGS; count += 1) {
    recorder.statements = [];
    const answer = await fetch(base + path, { headers: { cookie }, redirect: 'error' });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await answer.arrayBuffer();
    if (count >= WARM_UP) recordings.push(recorder.statements);
  }
  const [first = [], ...others] = recordings;
  return others.reduce(inBoth, first);
}

/** Keeps the statements that both have; one that is sent several times stays as often as both sent it. */
export function inBoth(one: Statement[], other: Statement[]): Statement[] {
  const left = other.map(({ text }) => text);
  return one.filter(({ text }) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
