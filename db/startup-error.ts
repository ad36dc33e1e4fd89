/** An external problem; its message says what to do and is printed without a stack. */
export class StartupError extends Error {
  readonly exitCode: number = 1;
}
