import { PostgresProxy, urlBehind } from './postgres-proxy.ts';

/** Stands between an application and Postgres, which all tests share and none may harm. */
export async function startDatabaseProxy(postgresUrl: string) {
  const proxy = await PostgresProxy.start(postgresUrl);
  const port = Number(new URL(proxy.url).port);
  return {
    /** The same database by way of the proxy. */
    through: (url: string) => urlBehind(url, port),
    /** Refuses and cuts all connections until `pass`. */
    refuse: () => proxy.close(),
    /** Accepts connections, and passes nothing on any of them until `pass`. */
    silence: () => proxy.pause(),
    pass: async () => {
      proxy.cutAll();
      proxy.resume();
      await proxy.listen(port);
    },
    stop: () => proxy.close(),
  };
}

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;
