/** Returns true if the browser can ask for a passkey here: over https or on this machine, and not at an IP address. */
export function supportsPasskeys(): boolean {
  const isAddress = /^(\[|[\d.]+$)/.test(window.location.hostname);
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function' && !isAddress;
}
