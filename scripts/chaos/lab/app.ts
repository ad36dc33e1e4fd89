import path from 'node:path';
import { addressOf, type Program, startScript } from '#tests/support/program.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The built app in a process of its own. A new start has the same settings but another port, unless one is given. */
export class App {
  readonly #environment: Record<string, string>;
  #program: Program | undefined;
  #url = '';
  #output = '';

  constructor(environment: Record<string, string>, port = 0) {
    this.#environment = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...environment,
      PORT: String(port),
    };
  }

  /** The address since its last start; empty while it does not run, when the port may be another program's. */
  get url(): string {
    return this.isRunning ? this.#url : '';
  }

  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  get isRunning(): boolean {
    return (
      this.#program !== undefined && this.#program.child.exitCode === null && this.#program.child.signalCode === null
    );
  }

  output(): string {
    return this.#output + (this.#program?.output() ?? '');
  }

  async start(): Promise<void> {
    this.#output = this.output();
    this.#url = '';
    this.#program = startScript(path.join(ROOT, 'scripts/start.mjs'), [], { cwd: ROOT, env: this.#environment });
    const { port } = new URL(await addressOf(this.#program));
    this.#url = `http://127.0.0.1:${port}`;
  }

  /** Waits for the process to end; returns the exit code or the signal. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    return (await this.#program?.end(signal)) ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#program?.child.kill(signal);
  }
}
