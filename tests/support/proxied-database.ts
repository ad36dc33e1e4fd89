import { copyTemplate } from './database.ts';
import { PostgresProxy } from './postgres-proxy.ts';

/** A database, and the proxy by which the app connects to it; call it in `vi.hoisted`, before the app reads its settings. */
export async function proxiedDatabase() {
  const { url } = await copyTemplate();
  const proxy = await PostgresProxy.start(url);
  process.env.DATABASE_URL = proxy.url;
  return { url, proxy };
}
