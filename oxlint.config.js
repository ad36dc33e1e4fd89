import { defineConfig } from 'oxlint';

/** From the bottom up: a layer may import the ones before it, app-wide modules (paths, limits, env) and its own. */
const LAYERS = ['domain', 'server', 'features', 'routes'];

/** What scripts/vite/fixed-flags.ts leaves out of Remix. */
const LEFT_OUT = {
  name: '@remix-run/react',
  importNames: [
    ...['useFetcher', 'useFetchers', 'useBlocker', 'unstable_usePrompt', 'useViewTransitionState'],
    ...['Await', 'NavLink', 'PrefetchPageLinks'],
  ],
  message: 'The build leaves it out of Remix: take its line out of scripts/vite/fixed-flags.ts first.',
};

const forbidImports = (paths, ...patterns) => ({ 'no-restricted-imports': ['error', { paths, patterns }] });
const forbidInApp = (regex, message, options = {}) => forbidImports([LEFT_OUT], { regex, message, ...options });

/** A type is gone before the browser sees the module. */
const typesAllowed = { allowTypeImports: true };

const aboveUi = (...more) =>
  `^#db/|\\.server|^#app/(${['server', 'features', 'routes', 'background', ...more].join('|')})/`;

const layerRules = LAYERS.slice(0, -1).map((layer, at) => ({
  files: [`app/${layer}/**`],
  rules: forbidInApp(
    `^#app/(${[...LAYERS.slice(at + 1), 'background', ...(layer === 'features' ? [] : ['ui', 'islands'])].join('|')})/` +
      (layer === 'domain' ? '|^@remix-run|^react' : ''),
    `app/${layer} imports only the layers below it: ${LAYERS.slice(0, at).reverse().join(', ') || 'db'}.`,
  ),
}));

const typed = (rule) => `typescript/${rule}`;
const on = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'error']));
const off = (...rules) => Object.fromEntries(rules.map((rule) => [rule, 'off']));

export default defineConfig({
  plugins: ['typescript', 'react', 'jsx-a11y', 'import'],
  categories: { correctness: 'error' },
  ignorePatterns: ['build/', 'node_modules/', '.data/', 'public/', 'scripts/contract-clients/'],
  options: { typeAware: true, typeCheck: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  rules: {
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-console': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    ...on(
      ...['no-unused-expressions', 'no-var', 'prefer-const', 'prefer-rest-params', 'prefer-spread'],
      ...['ban-ts-comment', 'no-empty-object-type', 'no-explicit-any', 'no-misused-promises'].map(typed),
      ...['no-namespace', 'no-require-imports', 'no-unnecessary-type-constraint'].map(typed),
      typed('no-unsafe-function-type'),
    ),
    ...off(
      ...['no-control-regex', 'no-unused-private-class-members', 'jsx-a11y/prefer-tag-over-role'],
      ...['no-base-to-string', 'no-duplicate-type-constituents', 'no-meaningless-void-operator'].map(typed),
      ...['no-misused-spread', 'no-useless-default-assignment', 'require-array-sort-compare'].map(typed),
      ...['restrict-template-expressions', 'unbound-method'].map(typed),
      // For the React compiler, which is not in use.
      ...['react/purity', 'react/refs', 'react/set-state-in-effect'],
    ),
  },
  overrides: [
    {
      files: ['app/{ui,islands,features,routes}/**'],
      excludeFiles: ['**/*.server.ts'],
      rules: on('react/rules-of-hooks'),
    },
    { files: ['scripts/**', 'tests/**'], rules: { 'no-console': 'off' } },
    { files: ['db/migrations/**'], rules: { 'typescript/no-explicit-any': 'off' } },
    {
      files: ['db/**'],
      rules: forbidImports([], { regex: '#app/|/app/', message: 'db imports nothing from app.' }),
    },
    {
      files: ['app/**'],
      rules: {
        ...forbidImports([LEFT_OUT]),
        'no-restricted-properties': [
          'error',
          { object: 'process', property: 'env', message: 'app/env.server.ts is the only reader of process.env.' },
        ],
      },
    },
    { files: ['app/env.server.ts'], rules: { 'no-restricted-properties': 'off' } },
    ...layerRules,
    { files: ['app/ui/**'], rules: forbidInApp(aboveUi('islands'), 'ui shows what a loader returned.', typesAllowed) },
    { files: ['app/islands/**'], rules: forbidInApp(aboveUi(), 'islands build on ui and domain.', typesAllowed) },
    {
      files: ['app/features/**/*.tsx', 'app/routes/*/*.tsx'],
      excludeFiles: ['app/routes/*/route.tsx'],
      rules: forbidInApp('^#db/|\\.server', 'Components show what the loader returned.', typesAllowed),
    },
  ],
});
