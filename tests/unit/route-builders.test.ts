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
/** Health checks, which no guard must stand in front of. */
const UNGUARDED = ['healthz.ts', 'readyz.ts'];

const files = readdirSync('app/routes', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /^[^/]+\.tsx?$|\/route\.tsx?$/.test(file) && !UNGUARDED.includes(file),
);

describe('routes are built on the guard', () => {
  it('finds the routes', () => {
    expect(files.length).toBeGreaterThan(40);
  });

  it.each(files)('B402 C33 the loader and action of %s come from a builder that checks the guard', (file) => {
    const found = builtBy(`app/routes/${file}`);
    expect(Object.keys(found)).not.toEqual([]);
    for (const builder of Object.values(found)) expect(BUILDERS).toContain(builder);
  });
});

/** By export, loader or action: the function whose result it is. */
function builtBy(file: string): Record<string, string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Record<string, string> = {};
  const names = (name: ts.BindingName) =>
    ts.isIdentifier(name) ? [name.text] : name.elements.map((part) => part.getText());
  for (const statement of source.statements) {
    if (!statement.getText().startsWith('export ')) continue;
    if (ts.isFunctionDeclaration(statement) && statement.name) note(statement.name.text, 'function');
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const builder = initializer && ts.isCallExpression(initializer) ? initializer.expression.getText() : 'none';
      for (const exported of names(name)) note(exported, builder);
    }
  }
  return found;

  function note(name: string, builder: string) {
    if (name === 'loader' || name === 'action') found[name] = builder;
  }
}
