import { ESLint } from 'eslint';
import ts from 'typescript';

/**
 * What `npm run typecheck` and `npm run lint` check one after the other, on one program: the types that the first has
 * inferred, the second would infer again.
 */
const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail };
const config = ts.getParsedCommandLineOfConfigFile('tsconfig.json', { noEmit: true, incremental: false }, host);
if (!config) throw new Error('tsconfig.json cannot be read.');
const program = ts.createProgram(config.fileNames, config.options);
const diagnostics = [...config.errors, ...ts.getPreEmitDiagnostics(program)];
const types = ts.formatDiagnostics(diagnostics, ts.createCompilerHost(config.options));

const typed = { languageOptions: { parserOptions: { projectService: false, programs: [program] } } };
const eslint = new ESLint({ overrideConfig: [{ files: ['**/*.{ts,tsx}'], ...typed }] });
const { format } = await eslint.loadFormatter('stylish');
const found = types + (await format(await eslint.lintFiles('.')));
process.stdout.write(found);
process.exitCode = found === '' ? 0 : 1;

function fail({ messageText }: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}
