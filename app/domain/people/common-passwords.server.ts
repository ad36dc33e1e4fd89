import { normalizePassword } from './passwords.server.ts';

let passwords: Promise<Set<string>> | undefined;

/** Returns true for one of the 49,000 commonest passwords, in whatever case. */
export async function isCommonPassword(password: string): Promise<boolean> {
  passwords ??= loadPasswords();
  return (await passwords).has(normalizePassword(password).toLowerCase());
}

/** The list is not loaded at the start, which would take a quarter of a second longer. */
async function loadPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}
