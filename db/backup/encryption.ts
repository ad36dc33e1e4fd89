import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PassThrough, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { StartupError } from '../startup-error.ts';

/** `openssl enc -aes-256-cbc -pbkdf2 -iter 600000 -pass file:…` writes and reads the same. */
const CIPHER = 'aes-256-cbc';
const ITERATIONS = 600_000;
const KEY_BYTES = 32;
const IV_BYTES = 16;
const MAGIC = Buffer.from('Salted__');
const SALT_BYTES = 8;
const HEAD_BYTES = MAGIC.length + SALT_BYTES;

let passphrase: string | undefined;

/** Encrypts the backups that this process writes, and opens those that were encrypted so. */
export function encryptBackupsWith(text: string | undefined): void {
  passphrase = text;
}

export function encryptsBackups(): boolean {
  return passphrase !== undefined;
}

/** Returns what a backup passes through on its way to the file: the cipher, or nothing that changes it. */
export async function createBackupCipher(): Promise<Transform> {
  if (passphrase === undefined) return new PassThrough();
  const salt = randomBytes(SALT_BYTES);
  const { key, iv } = await deriveKey(passphrase, salt);
  const cipher = createCipheriv(CIPHER, key, iv);
  // The cipher's own output begins once something is written to it.
  cipher.push(Buffer.concat([MAGIC, salt]));
  return cipher;
}

/** Reads a backup, encrypted or not. Throws a StartupError for an encrypted one without the passphrase. */
export async function openBackupFile(file: string): Promise<Readable> {
  const head = await readHead(file);
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) return createReadStream(file);
  if (passphrase === undefined)
    throw new StartupError(`${file} is encrypted: set BACKUP_PASSPHRASE, or BACKUP_PASSPHRASE_FILE, to read it.`);
  const { key, iv } = await deriveKey(passphrase, head.subarray(MAGIC.length));
  const source = createReadStream(file, { start: HEAD_BYTES });
  const decipher = createDecipheriv(CIPHER, key, iv);
  source.on('error', (error) => decipher.destroy(error));
  return source.pipe(decipher);
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function deriveKey(text: string, salt: Buffer): Promise<{ key: Buffer; iv: Buffer }> {
  const bytes = await promisify(pbkdf2)(text, salt, ITERATIONS, KEY_BYTES + IV_BYTES, 'sha256');
  return { key: bytes.subarray(0, KEY_BYTES), iv: bytes.subarray(KEY_BYTES) };
}
