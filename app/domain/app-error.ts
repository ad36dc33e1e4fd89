export type AppErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  /** 'unproved' is allowed once the user has entered the password again. */
  | 'unproved'
  | 'notFound'
  | 'conflict'
  | 'mismatch'
  | 'tooLarge'
  | 'tooMany'
  | 'unsupported'
  | 'badGateway'
  | 'unavailable';

/** The one error that the domain throws, with a text for users; `fields` names the inputs it belongs to. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly fields: Readonly<Record<string, string>>;

  /** Seconds after which trying again may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: AppErrorCode, text: string, fields: Record<string, string> = {}, retryAfterSeconds?: number) {
    super(text);
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  onField(name: string): AppError {
    return new AppError(this.code, this.message, { [name]: this.message }, this.retryAfterSeconds);
  }

  retryAfter(seconds: number): AppError {
    return new AppError(this.code, this.message, this.fields, seconds);
  }
}

/** Throws 'invalid' with the text of each field, if there is one. */
export function assertNoErrors(fields: Record<string, string>): void {
  const all = Object.values(fields);
  if (all.length > 0) throw new AppError('invalid', all.join('\n'), fields);
}

/** Throws the error, beside the field where it has words for the user. */
export function throwOnField(error: unknown, field: string): never {
  throw error instanceof AppError ? error.onField(field) : error;
}
