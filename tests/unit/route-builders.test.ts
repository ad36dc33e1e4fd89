import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** What a route's loader and action may be made by: each checks session, role, school and ids, or says it is public. */
const BUILDERS = [
  'authedLoader',
  'publicLoader',
  'authedAction',
  'authedFormAction',
  'publicAction',
  'publicFormAction',
  'apiResource',
];
/** What machines ask for before anybody has signed in. */
const UNGUARDED = [
  'healthz.ts',
  'readyz.ts',
  '[.]well-known.security[.]txt/route.ts',
  'manifest[.]webmanifest/route.ts',
  'sw[.]js/route.ts',
];

const files = readdirSync('app/routes', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /^[^/]+\.tsx?$|\/route\.tsx?$/.test(file) && !UNGUARDED.includes(file),
);

describe('routes are built on the guard', () => {
  it('finds the routes', () => {
    expect(files.length).toBeGreaterThan(40);
  });

  it.each(files)('the loader and action of %s come from a builder that checks the guard (B402, C33)', (file) => {
    const found = builtBy(`app/routes/${file}`);
    expect(Object.keys(found)).not.toEqual([]);
    for (const builder of Object.values(found)) expect(BUILDERS).toContain(builder);
    expect(readFileSync(`app/routes/${file}`, 'utf8')).not.toMatch(/export (async )?function (loader|action)/);
  });
});

/** By export, loader or action: the function whose result it is, also by way of `const route = apiResource(…)`. */
function builtBy(file: string): Record<string, string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const declarations = source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.map(({ name, initializer }) => {
      const builder = initializer && ts.isCallExpression(initializer) ? initializer.expression.getText() : undefined;
      const from =
        initializer && ts.isPropertyAccessExpression(initializer) ? initializer.expression.getText() : undefined;
      return { name: name.getText(), builder, from };
    }),
  );
  const handlers = declarations.filter(({ name }) => name === 'loader' || name === 'action');
  return Object.fromEntries(
    handlers.map(({ name, builder, from }) => {
      const route = declarations.find((declaration) => declaration.name === from);
      return [name, builder ?? route?.builder ?? 'none'];
    }),
  );
}
