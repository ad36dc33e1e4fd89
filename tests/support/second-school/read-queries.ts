/** The framework's own parameters, and those of the database's address, which is read as a connection opens. */
const NOT_OF_ROUTES = ['_data', '_routes', 'index', 'host', 'sslmode'];

/** Does the work and gives, beside its result, the names of the query parameters that it looked up. */
export async function readQueries<Result>(work: () => Promise<Result>): Promise<{ result: Result; names: string[] }> {
  const names = new Set<string>();
  const { get, getAll, has } = URLSearchParams.prototype;
  const noting = <Read extends (this: URLSearchParams, name: string) => unknown>(read: Read) =>
    function (this: URLSearchParams, name: string) {
      names.add(name);
      return read.call(this, name) as ReturnType<Read>;
    };
  Object.assign(URLSearchParams.prototype, { get: noting(get), getAll: noting(getAll), has: noting(has) });
  try {
    return { result: await work(), names: [...names].filter((name) => !NOT_OF_ROUTES.includes(name)) };
  } finally {
    Object.assign(URLSearchParams.prototype, { get, getAll, has });
  }
}
