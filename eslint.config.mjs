import coreWebVitals from 'eslint-config-next/core-web-vitals';
import nextTypescript from 'eslint-config-next/typescript';
import tseslint from 'typescript-eslint';

/** A bare export in an actions file would be reachable without a check of who asks. */
const ACTIONS_ARE_DEFINED = {
  selector:
    'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator:not([init.callee.name="defineAction"]), ExportNamedDeclaration > FunctionDeclaration, ExportDefaultDeclaration',
  message: 'Export actions made by defineAction alone: it authenticates, authorises, parses and maps errors.',
};

export default tseslint.config(
  { ignores: ['.next/**', 'dist/**', 'node_modules/**', 'next-env.d.ts', '.signalbox/**', 'test-results/**', 'playwright-report/**', 'bench/.data/**'] },
  ...coreWebVitals,
  ...nextTypescript,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['lib/**/*.ts', 'app/**/*.ts', 'app/**/*.tsx', 'components/**/*.ts', 'components/**/*.tsx', 'db/**/*.ts', 'kit/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.test.tsx', 'lib/env.ts', 'kit/**'],
    rules: {
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Only lib/env.ts reads the environment.' }],
    },
  },
  { files: ['app/**/actions.ts'], rules: { 'no-restricted-syntax': ['error', ACTIONS_ARE_DEFINED] } },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', 'e2e/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // expect(…) takes methods by name.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  { files: ['e2e/**', 'bench/**', 'scripts/**', 'bin/**'], rules: { 'no-console': 'off', 'react-hooks/rules-of-hooks': 'off' } },
);
