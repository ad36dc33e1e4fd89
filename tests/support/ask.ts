/** With what a test asks the app, and reads the answer. */
import { ORIGIN } from './requests.ts';

export * from './answers.ts';
export * from './app-handler.ts';
export * from './requests.ts';
export * from './routes.ts';

/** A form with files as that browser posts it, several of one name as a list. */
export function multipartRequest(path: string, fields: Record<string, string | Blob | File[]>, cookie = ''): Request {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
  return new Request(ORIGIN + path, { method: 'POST', headers: { cookie, origin: ORIGIN }, body });
}
