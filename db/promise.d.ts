/** The promise waits for what its callback returns, which the library's own type does not say. */
interface Promise<T> {
  finally(onFinally: () => PromiseLike<unknown>): Promise<T>;
}
