import path from 'node:path';
import { parseArgs } from 'node:util';
import { StartupError } from '#db/startup-error.ts';
import type { LaunchSettings } from '../launcher/environment.ts';

/** A wrong call; the command exits with 2. */
export class UsageError extends StartupError {
  override readonly exitCode = 2;
}

type Options = Record<string, { type: 'boolean' | 'string'; about: string }>;

type Values<Chosen extends Options> = {
  [Name in keyof Chosen]?: Chosen[Name]['type'] extends 'boolean' ? boolean : string;
};

interface Definition<Chosen extends Options> {
  summary: string;
  /** The text of --help: what the command does exactly, and what its exit codes mean. */
  help: string;
  /** Operands as in 'FILE'; each must be given. */
  operands: readonly string[];
  options: Chosen;
  run(call: Call<Chosen>): Promise<0 | 1>;
}

export interface Call<Chosen extends Options = Options> {
  operands: string[];
  values: Values<Chosen>;
  settings: LaunchSettings;
}

export interface Command extends Pick<Definition<Options>, 'summary' | 'operands'> {
  usage(name: string): string;
  /** Parses the arguments; throws a UsageError for one that the definition does not name. */
  parse(name: string, args: string[]): (settings: LaunchSettings) => Promise<0 | 1>;
}

export function defineCommand<const Chosen extends Options>(definition: Definition<Chosen>): Command {
  const { summary, operands, options, help, run } = definition;
  const usage = (name: string) => `${usageLine(name, operands, options)}\n\n${help}${describeOptions(options)}\n`;
  return {
    summary,
    operands,
    usage,
    parse: (name, args) => {
      const hint = `\n${usageLine(name, operands, options)}`;
      const { values, positionals } = readArguments(args, options, hint);
      const missing = operands.find((_, place) => !positionals[place]);
      if (missing !== undefined) throw new UsageError(`${missing} is missing.${hint}`);
      const extra = positionals[operands.length];
      if (extra !== undefined) throw new UsageError(`'${extra}' is one argument too many.${hint}`);
      const found = positionals.map((value, place) => (operands[place] === 'FILE' ? fromCaller(value) : value));
      return (settings) => run({ operands: found, values, settings });
    },
  };
}

/** npm and `flightline` go to the installation's folder: a file is where the command was called. A folder stays one. */
function fromCaller(file: string): string {
  const resolved = path.resolve(process.env.INIT_CWD ?? '.', file);
  return file.endsWith('/') ? `${resolved}/` : resolved;
}

function readArguments<Chosen extends Options>(args: string[], options: Chosen, hint: string) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Values<Chosen>, positionals };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node goes on to explain how to write a positional that begins with '-'.
    throw new UsageError(`${message.split('. ')[0]}.${hint}`);
  }
}

function usageLine(name: string, operands: readonly string[], options: Options): string {
  const optional = Object.entries(options).map(([option, { type }]) => `[--${option}${type === 'string' ? ' …' : ''}]`);
  return `Usage: npm run flightline -- ${[name, ...operands, ...optional].join(' ')}`;
}

function describeOptions(options: Options): string {
  const lines = Object.entries(options).map(([name, { about }]) => `  --${name.padEnd(22)} ${about}`);
  return lines.length === 0 ? '' : `\n\n${lines.join('\n')}`;
}
