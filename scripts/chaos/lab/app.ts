import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Program, startScript } from '#tests/support/program.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../..');

/** The built app as a process of its own, started again on the same port with the same settings. */
export class App {
  readonly url: string;
  readonly #environment: Record<string, string>;
  #program: Program | undefined;
  #output = '';

  constructor(environment: Record<string, string>, port: number) {
    this.#environment = {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      ...environment,
      PORT: String(port),
    };
    this.url = `http://127.0.0.1:${port}`;
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
    this.#program = startScript(path.join(ROOT, 'scripts/start.mjs'), [], { cwd: ROOT, env: this.#environment });
    while (this.isRunning) {
      const answer = await fetch(`${this.url}/healthz`).catch(() => undefined);
      if (answer?.ok) return;
      await sleep(50);
    }
    throw new Error(`The app did not start:\n${this.output().slice(-4000)}`);
  }

  /** Waits for its end; the exit code, or the signal. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    return (await this.#program?.end(signal)) ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#program?.child.kill(signal);
  }
}
