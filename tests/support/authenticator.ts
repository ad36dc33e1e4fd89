import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { attestationWithCertificate, type Cbor } from './attestation-certificate.ts';

const ORIGIN = 'http://localhost:3000';
const [PRESENT, VERIFIED, BACKED_UP, WITH_KEY] = [0x01, 0x04, 0x18, 0x40];

interface Asked {
  challenge: string;
  user?: { id: string };
}

/** What a faulty or hostile authenticator or browser says instead. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  isVerified?: boolean;
  isBackedUp?: boolean;
  counter?: number;
  userHandle?: string;
  credentialId?: string;
  attestation?: Cbor;
  withCertificate?: boolean;
  coseKey?: Cbor;
  transports?: string[];
}

/** An authenticator in software, with one passkey of ES256, as a browser answers for it. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  userHandle = '';
  counter = 0;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly rpId = 'localhost') {}

  /** The JSON of a new passkey for these options. */
  create(asked: Asked, lies: Lies = {}): string {
    this.userHandle = asked.user?.id ?? '';
    const authData = Buffer.concat([this.#authData(lies, WITH_KEY), this.#keyData(lies)]);
    const clientDataJSON = clientData(asked, 'webauthn.create', lies);
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', lies.withCertificate ? 'packed' : 'none'],
      ['attStmt', lies.withCertificate ? attestationWithCertificate(signed) : new Map()],
      ['authData', authData],
    ]);
    const attestationObject = cbor(lies.attestation ?? attestation).toString('base64url');
    const { transports = ['internal', 'hybrid'] } = lies;
    const response = { clientDataJSON, attestationObject, transports };
    return this.#credential(response, lies);
  }

  /** The JSON of a sign-in for these options. */
  get(asked: Asked, lies: Lies = {}): string {
    const authenticatorData = this.#authData(lies);
    const clientDataJSON = clientData(asked, 'webauthn.get', lies);
    const hash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), this.#keys.privateKey);
    const response = {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: lies.userHandle ?? this.userHandle,
    };
    return this.#credential(response, lies);
  }

  #credential(response: object, { credentialId = this.id }: Lies): string {
    const id = { id: credentialId, rawId: credentialId };
    return JSON.stringify({ ...id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #authData(
    { rpId = this.rpId, isVerified = true, isBackedUp = false, counter = this.counter }: Lies,
    more = 0,
  ): Buffer {
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (isBackedUp ? BACKED_UP : 0) | more;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags]), count]);
  }

  #keyData({ credentialId = this.id, coseKey }: Lies): Buffer {
    const id = Buffer.from(credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const [kty, alg, crv] = [2, -7, 1];
    const key = new Map<Cbor, Cbor>([
      [1, kty],
      [3, alg],
      [-1, crv],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    return Buffer.concat([Buffer.alloc(16), length, id, cbor(coseKey ?? key)]);
  }
}

function clientData(asked: Asked, expectedType: string, lies: Lies): string {
  const { type = expectedType, challenge = asked.challenge, origin = ORIGIN, crossOrigin = false } = lies;
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin })).toString('base64url');
}

function sha256(content: Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

/** The part of RFC 8949 that authenticators use. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count]);
  if (count < 256) return Buffer.from([(kind << 5) | 24, count]);
  return Buffer.from([(kind << 5) | 25, count >> 8, count & 255]);
}
