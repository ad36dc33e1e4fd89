import { createPrivateKey, sign } from 'node:crypto';

export type Cbor = number | string | Buffer | Cbor[] | Map<Cbor, Cbor>;

// Made with OpenSSL for these tests alone, good for 100 years; nobody trusts it.
const CERTIFICATE = Buffer.from(
  'MIIB9jCCAZygAwIBAgIUcflKja8UreI0w+yuLEpRdPkrXxUwCgYIKoZIzj0EAwIwUTELMAkGA1UEBhMCVVMxEDAOBgNVBAoMB0V4' +
    'YW1wbGUxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDDAKBgNVBAMMA0tleTAgFw0yNjExMjIxMzM3MjVaGA8y' +
    'MTI2MTAyOTEzMzcyNVowUTELMAkGA1UEBhMCVVMxEDAOBgNVBAoMB0V4YW1wbGUxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0' +
    'ZXN0YXRpb24xDDAKBgNVBAMMA0tleTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFcCiLBjfdjj2XSsVUomh2Z084BRk54TcjMq' +
    '8wR/825d5wl5t5t+zXhIPgjQsAii1j9EUUjJXJIdDysCYl8FfsijUDBOMB0GA1UdDgQWBBRNxwADSUQcuhVLlosmUnnMIiA6ADAf' +
    'BgNVHSMEGDAWgBRNxwADSUQcuhVLlosmUnnMIiA6ADAMBgNVHRMBAf8EAjAAMAoGCCqGSM49BAMCA0gAMEUCIQDEcl/PFDQjVAyd' +
    '7+ifFXJE5U+Et2XdrVxHYhDUH3GljQIgMVlaONo4bHIEtXXqc1FglFqJgKMEKMWtAbFCdvW37E8=',
  'base64',
);
const KEY = Buffer.from(
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcpwIbnKNwgba0o6cq8pMdKUdtHQI6xF708x3crVN2xChRANCAARX' +
    'AoiwY33Y49l0rFVKJodmdPOAUZOeE3IzKvMEf/NuXecJebebfs14SD4I0LAIotY/RFFIyVySHQ8rAmJfBX7I',
  'base64',
);

/** A sound attestation of an authenticator's maker, as security keys give where a site asks for one. */
export function attestationWithCertificate(signed: Buffer): Cbor {
  const key = createPrivateKey({ key: KEY, format: 'der', type: 'pkcs8' });
  return new Map<Cbor, Cbor>([
    ['alg', -7],
    ['sig', sign('sha256', signed, key)],
    ['x5c', [CERTIFICATE]],
  ]);
}

/** The same certificate for a server that nobody trusts. */
export function untrustedCertificate(): { key: string; cert: string } {
  const pem = (label: string, content: Buffer) =>
    `-----BEGIN ${label}-----\n${content.toString('base64')}\n-----END ${label}-----\n`;
  return { key: pem('PRIVATE KEY', KEY), cert: pem('CERTIFICATE', CERTIFICATE) };
}
