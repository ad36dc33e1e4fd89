export type AppErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'mismatch'
  | 'tooLarge'
  | 'tooMany'
  | 'unsupported'
  | 'badGateway'
  | 'unavailable';

/**
 * The one error that domain throws: something may not be done, and why, in words for people.
 * `fields` names the inputs the words belong to, where they belong to any.
 */
export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly fields: Readonly<Record<string, string>>;

  constructor(code: AppErrorCode, text: string, fields: Record<string, string> = {}) {
    super(text);
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
  }

  /** The same error, shown beside a field. */
  onField(name: string): AppError {
    return new AppError(this.code, this.message, { [name]: this.message });
  }
}
