import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** From the bottom up: a layer may import the ones before it, app-wide modules (paths, limits, env) and its own. */
const LAYERS = ['domain', 'server', 'features', 'routes'];

const forbidImports = (regex, message, options = {}) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ regex, message, ...options }] }],
});

/** What scripts/vite/fixed-flags.ts leaves out of Remix. */
const LEFT_OUT = [
  ...['useFetcher', 'useFetchers', 'useBlocker', 'unstable_usePrompt', 'useViewTransitionState'],
  ...['Await', 'NavLink', 'PrefetchPageLinks'],
];
const LEFT_OUT_MESSAGE = 'The build leaves it out of Remix: take its line out of scripts/vite/fixed-flags.ts first.';

/** A type is gone before the browser sees the module. */
const typesAllowed = { allowTypeImports: true };

const aboveUi = (...more) =>
  `^#db/|\\.server|^#app/(${['server', 'features', 'routes', 'background', ...more].join('|')})/`;

const layerRules = LAYERS.slice(0, -1).map((layer, at) => ({
  files: [`app/${layer}/**`],
  rules: forbidImports(
    `^#app/(${[...LAYERS.slice(at + 1), 'background', ...(layer === 'features' ? [] : ['ui', 'islands'])].join('|')})/` +
      (layer === 'domain' ? '|^@remix-run|^react' : ''),
    `app/${layer} imports only the layers below it: ${LAYERS.slice(0, at).reverse().join(', ') || 'db'}.`,
  ),
}));

export default tseslint.config(
  { ignores: ['build/', 'node_modules/', '.data/', 'public/', 'scripts/contract-clients/'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.tsx'],
    ...jsxA11y.flatConfigs.recommended,
  },
  {
    files: ['app/{ui,islands,features,routes}/**'],
    ignores: ['**/*.server.ts'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
    },
  },
  { files: ['scripts/**', 'tests/**'], rules: { 'no-console': 'off' } },
  { files: ['db/migrations/**'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  { files: ['db/**'], rules: forbidImports('#app/|/app/', 'db imports nothing from app.') },
  ...layerRules,
  { files: ['app/ui/**'], rules: forbidImports(aboveUi('islands'), 'ui shows what a loader returned.', typesAllowed) },
  { files: ['app/islands/**'], rules: forbidImports(aboveUi(), 'islands build on ui and domain.', typesAllowed) },
  {
    files: ['app/features/**/*.tsx', 'app/routes/*/!(route).tsx'],
    rules: forbidImports('^#db/|\\.server', 'Components show what the loader returned.', typesAllowed),
  },
  {
    files: ['app/**'],
    ignores: ['app/env.server.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: '@remix-run/react', importNames: LEFT_OUT, message: LEFT_OUT_MESSAGE },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'app/env.server.ts is the only reader of process.env.' },
      ],
    },
  },
);
