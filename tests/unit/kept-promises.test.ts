import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { nightly } from '#tests/support/takes-all.ts';

/** Where a promise outlives the expression that makes it; each was looked at for a way to drop it before it is awaited. */
const REVIEWED = [
  'app/background/run-jobs.server.ts',
  'app/domain/archive/zip-stream.server.ts',
  'app/domain/audit/record-sign-in.server.ts',
  'app/domain/meters/engine.server.ts',
  'app/domain/meters/engine/worker.ts',
  'app/domain/meters/tesseract.server.ts',
  'app/domain/meters/work-limit.server.ts',
  'app/domain/people/password-rules.server.ts',
  'app/domain/people/passwords.server.ts',
  'app/islands/camera/use-camera.ts',
  'app/islands/camera/viewfinder.tsx',
  'app/islands/outbox/outbox.ts',
  'app/islands/passkeys/ask-passkey.ts',
  'app/islands/typed/server-drafts.ts',
  'app/islands/typed/typed.ts',
  'app/server/api/api-call.server.ts',
  'app/server/body/multipart.server.ts',
  'app/server/error-responses.server.ts',
  'app/server/jobs/import-jobs.server.ts',
  'app/server/jobs/run-jobs.server.ts',
  'app/server/remix-serve/shutdown.server.ts',
  'app/server/session/session.server.ts',
  'app/service-worker/unsent-forms.ts',
  'app/service-worker/worker.ts',
  'app/ui/page/keep-reference.ts',
  'db/backup/archive.ts',
  'db/bounded-client.ts',
  'db/bounded-pool.ts',
  'db/embedded/supervision.ts',
  'db/migrate.ts',
  'db/waiting-budget.ts',
];

/** Of packages and Node. */
const FUNCTIONS = ['fetch', 'finished', 'hash', 'import', 'once', 'pipeline', 'sleep'];
const METHODS = ['then', 'catch', 'finally', 'execute', 'executeTakeFirst', 'executeTakeFirstOrThrow'];
const OF_PROMISE = ['all', 'allSettled', 'any', 'race', 'reject'];

interface Source {
  file: string;
  nodes: ts.Node[];
  /** Names of functions, and of methods as 'this.name', that return a promise. */
  promising: Set<string>;
  imports: { name: string; from: string; as: string }[];
}

nightly('a promise is kept only where it was reviewed, since a dropped one fails with nobody to hear it (B331)', () => {
  const sources = ['app', 'db']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('db/migrations/'))
    .toSorted()
    .map((file) => read(file, readFileSync(file, 'utf8')));
  learnNames(sources);
  const keeping = sources.filter((source) => source.nodes.some((node) => isKept(node, source)));
  expect(keeping.map(({ file }) => file)).toEqual(REVIEWED);
});

it('the search for kept promises finds them, and none that is awaited, returned or in Promise.all at once (B331)', () => {
  const keeps = (text: string) => {
    const source = read('app/planted.ts', `async function load() { return 1; }\nexport const planted = ${text};`);
    learnNames([source]);
    return source.nodes.some((node) => isKept(node, source));
  };
  for (const kept of [
    '() => ({ marks: load() })',
    '() => { const marks = load(); return [marks]; }',
    '() => { const marks = load().then(String); return [marks]; }',
    '(marks: Promise<string>) => [marks]',
  ])
    expect(keeps(kept), kept).toBe(true);
  expect(keeps('async () => [await load(), ...(await Promise.all([load(), load()]))]')).toBe(false);
});

function read(file: string, text: string): Source {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imports = source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const named = importClause?.namedBindings;
    if (!named || !ts.isNamedImports(named) || !ts.isStringLiteral(moduleSpecifier)) return [];
    const from = moduleSpecifier.text.startsWith('#')
      ? moduleSpecifier.text.slice(1)
      : path.join(path.dirname(file), moduleSpecifier.text);
    return named.elements.map((each) => ({ name: (each.propertyName ?? each.name).text, as: each.name.text, from }));
  });
  return { file, nodes: within(source), promising: new Set(), imports };
}

/** Until no more of them are found. */
function learnNames(sources: Source[]): void {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const count = () => sources.reduce((sum, { promising }) => sum + promising.size, 0);
  for (let known = -1; known < count();) {
    known = count();
    for (const source of sources) {
      for (const { name, from, as } of source.imports) {
        if (byFile.get(from)?.promising.has(name)) source.promising.add(as);
      }
      for (const node of source.nodes) {
        const name = isFunction(node) ? nameOf(node) : undefined;
        if (name !== undefined && isFunction(node) && returnsPromise(node, source)) source.promising.add(name);
      }
    }
  }
}

type AnyFunction = ts.FunctionDeclaration | ts.MethodDeclaration | ts.ArrowFunction | ts.FunctionExpression;

function isFunction(node: ts.Node): node is AnyFunction {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node)
  );
}

function nameOf(node: AnyFunction): string | undefined {
  if (ts.isMethodDeclaration(node)) return `this.${node.name.getText()}`;
  return (ts.isVariableDeclaration(node.parent) ? node.parent.name : node.name)?.getText();
}

function returnsPromise(node: AnyFunction, source: Source): boolean {
  if (node.asteriskToken) return false;
  if (isAsync(node) || /^Promise</.test(node.type?.getText() ?? '')) return true;
  if (!node.body) return false;
  if (!ts.isBlock(node.body)) return isPromise(node.body, source);
  return within(node.body, isFunction).some(
    (each) => ts.isReturnStatement(each) && each.expression !== undefined && isPromise(each.expression, source),
  );
}

function isAsync(node: AnyFunction): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}

/** Variables, properties and parameters that hold a promise. */
function isKept(node: ts.Node, source: Source): boolean {
  if (ts.isParameter(node)) return /^Promise</.test(node.type?.getText() ?? '');
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) {
    return node.initializer !== undefined && isPromise(node.initializer, source);
  }
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return isAssignment && isPromise(node.right, source);
}

function isPromise(node: ts.Expression, source: Source): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return isPromise(node.expression, source);
  if (ts.isConditionalExpression(node)) return isPromise(node.whenTrue, source) || isPromise(node.whenFalse, source);
  if (ts.isBinaryExpression(node)) return isPromise(node.right, source);
  if (ts.isArrayLiteralExpression(node)) return node.elements.some((each) => isPromise(each, source));
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Promise' && canReject(node.arguments?.[0]);
  if (!ts.isCallExpression(node)) return false;
  const name = node.expression.getText();
  if (source.promising.has(name) || FUNCTIONS.includes(name)) return true;
  if (!ts.isPropertyAccessExpression(node.expression)) return false;
  const method = node.expression.name.text;
  const [given] = node.arguments;
  if (node.expression.expression.getText() === 'Promise') return OF_PROMISE.includes(method);
  if (method === 'map') return given !== undefined && ts.isArrowFunction(given) && isAsync(given);
  // A schema's `catch` takes a value.
  return METHODS.includes(method) && !(given && ts.isArrayLiteralExpression(given));
}

function canReject(executor: ts.Expression | undefined): boolean {
  return executor !== undefined && ts.isArrowFunction(executor) && executor.parameters.length > 1;
}

function within(node: ts.Node, isLeftOut: (child: ts.Node) => boolean = () => false): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (child: ts.Node): void => {
    if (isLeftOut(child)) return;
    found.push(child);
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}
