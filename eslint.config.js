import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const importsOnly = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

export default tseslint.config(
  { ignores: ['build/', 'node_modules/', '.data/', 'public/'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.tsx'],
    ...jsxA11y.flatConfigs.recommended,
    plugins: { ...jsxA11y.flatConfigs.recommended.plugins, 'react-hooks': reactHooks },
    rules: { ...jsxA11y.flatConfigs.recommended.rules, ...reactHooks.configs.recommended.rules },
  },
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  { files: ['scripts/**', 'tests/**'], rules: { 'no-console': 'off' } },
  { files: ['db/migrations/**'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
  // One direction of imports: routes → http → domain → db; components see none of them.
  { files: ['db/**'], rules: importsOnly({ regex: '#app/|/app/', message: 'db imports nothing from app.' }) },
  {
    files: ['app/domain/**'],
    rules: importsOnly({ regex: '#app/(http|routes|components|islands)|@remix-run|^react', message: 'domain knows no request, response, cookie or React.' }),
  },
  {
    files: ['app/components/**', 'app/islands/**'],
    rules: importsOnly({ regex: '#db/|\\.server|#app/(http|routes)/', message: 'components show what the loader returned.' }),
  },
  {
    files: ['app/**'],
    ignores: ['app/env.server.ts'],
    rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'app/env.server.ts is the only reader of process.env.' }] },
  },
);
