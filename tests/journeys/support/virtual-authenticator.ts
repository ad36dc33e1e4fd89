import type { BrowserContext, Page } from 'playwright';

/** Chromium's own authenticator, built in like a phone's, which confirms by itself until it is told to refuse. */
export async function addAuthenticator(context: BrowserContext, page: Page) {
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const verify = (isUserVerified: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  const hasMadePasskey = new Promise<void>((resolve) => session.once('WebAuthn.credentialAdded', () => resolve()));
  return { refuse: () => verify(false), agree: () => verify(true), hasMadePasskey };
}
