/** An external problem; its message says what to do and is printed without a stack. */
export class StartupError extends Error {
  /** What the process exits with. */
  readonly exitCode: number = 1;
}
