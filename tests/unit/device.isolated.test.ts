import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { relativeFrame } from '#app/islands/camera/captured-photo.ts';
import { openCamera } from '#app/islands/camera/open-camera.ts';
import { Torch } from '#app/islands/camera/viewfinder.tsx';
import { fetchJumpTargets } from '#app/islands/keys/fetch-jump-targets.ts';
import { restoreReturnedPhotos } from '#app/islands/offline/offline.tsx';
import { createPasskey, PasskeyError, signIn } from '#app/islands/passkeys/ask-passkey.ts';
import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { hasIntentOfButton } from '#app/ui/forms/kept/sent-form.ts';
import { hear } from '#app/ui/news.ts';
import { inputOf, stubForms } from '../support/form-stubs.ts';

const passkeys = vi.hoisted(() => ({ failure: undefined as Error | undefined }));
vi.mock('@simplewebauthn/browser', () => {
  const answer = async () => {
    if (passkeys.failure) throw passkeys.failure;
    return { id: 'key' };
  };
  return { startAuthentication: answer, startRegistration: answer };
});
vi.mock(import('#app/ui/forms/kept/send-form.ts'), async (original) => ({
  ...(await original()),
  sendForm: (send) => send(),
}));
// Components are called as functions, with what they first render.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  useState: (value?: unknown) => [value, () => {}],
}));
beforeEach(() => void stubForms());
afterEach(() => vi.unstubAllGlobals());

describe('a passkey', () => {
  it.each([
    [true, 'on'],
    [false, null],
  ])('where the choice of a shared computer is %s, the sign-in says so (B995)', async (isShared, expected) => {
    passkeys.failure = undefined;
    const fetch = vi.fn(async (_: string, { body }: RequestInit = {}) =>
      Response.json(body instanceof URLSearchParams ? { to: `/next?${body.get('sharedComputer')}` } : {}),
    );
    vi.stubGlobal('fetch', fetch);
    expect(await signIn('/airplanes', isShared)).toBe(`/next?${expected}`);
    expect(fetch.mock.calls.map(([address]) => address)).toEqual(Array(2).fill(expect.stringContaining('airplanes')));
  });

  it('that is not made says why (B995)', async () => {
    for (const [name, text] of [
      ['InvalidStateError', 'This device has a passkey for your account already.'],
      ['NotAllowedError', 'No passkey was made. Please try again.'],
    ]) {
      passkeys.failure = Object.assign(new Error('x'), { name });
      await expect(createPasskey({} as never)).rejects.toThrow(text);
    }
  });

  it.each([
    ['is cancelled', async () => Response.json({}), 'No passkey was used.'],
    ['is refused', async () => new Response('Too many attempts.', { status: 429 }), 'Too many attempts.'],
    ['meets no server', () => Promise.reject(new TypeError('x')), 'The server could not be reached.'],
  ])('that %s says so (B995)', async (_, fetch, text) => {
    passkeys.failure = new Error('x');
    vi.stubGlobal('fetch', fetch);
    const failure: unknown = await signIn('/', false).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PasskeyError);
    expect(String(failure)).toContain(text);
  });
});

describe('the camera', () => {
  const getCapabilities = () => ({ torch: true });
  const trackOf = () => ({ stop: vi.fn(), applyConstraints: vi.fn(async () => {}), getCapabilities });
  const streamOf = (track: ReturnType<typeof trackOf>) =>
    ({ getTracks: () => [track], getVideoTracks: () => [track] }) as unknown as MediaStream;
  /** Each answer of the browser in turn. */
  function stubMedia(...answers: (MediaStream | Error)[]) {
    const getUserMedia = vi.fn(async (_asked: MediaStreamConstraints) => {
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error('none');
      return answer;
    });
    vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
    return getUserMedia;
  }

  it.each([
    ['refused by the user', new DOMException('Permission denied.', 'NotAllowedError'), 1],
    ['not there', new DOMException('No rear camera', 'OverconstrainedError'), 2],
  ])('that is %s is asked for again or not (B996)', async (_, failure, asked) => {
    const getUserMedia = stubMedia(failure, new Error('Busy.'));
    const text = `Failed to access camera: ${asked === 1 ? 'Permission denied' : 'Busy'}. Please`;
    await expect(openCamera(new AbortController().signal)).rejects.toThrow(text);
    expect(getUserMedia).toHaveBeenCalledTimes(asked);
    expect(getUserMedia.mock.calls[0]?.[0]).toMatchObject({ video: { facingMode: 'environment' } });
  });

  it('is turned off where its dialog is closed before or after it has opened (B996)', async () => {
    const [track, dialog] = [trackOf(), new AbortController()];
    stubMedia(streamOf(track), streamOf(track));
    await openCamera(dialog.signal);
    expect(track.stop).not.toHaveBeenCalled();
    dialog.abort();
    expect(track.stop).toHaveBeenCalledTimes(1);
    await openCamera(dialog.signal);
    expect(track.stop).toHaveBeenCalledTimes(2);
  });

  it('has its light switched on by the first press, on its own track (B996)', () => {
    const track = trackOf();
    Torch({ stream: streamOf(track) })?.props.onClick();
    expect(track.applyConstraints).toHaveBeenCalledWith({ advanced: [{ torch: true }] });
  });

  it('tells of its frame which part of the picture it is, none beyond its edges (B996)', () => {
    const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height }) as DOMRect;
    const frameOf = (frame: DOMRect) => relativeFrame(rect(100, 50, 400, 200), frame);
    expect(frameOf(rect(120, 90, 240, 60))).toEqual({ x: 0.05, y: 0.2, width: 0.6, height: 0.3 });
    for (const whole of [rect(100, 50, 400, 200), rect(80, 20, 480, 300)])
      expect(frameOf(whole)).toEqual({ x: 0, y: 0, width: 1, height: 1 });
  });
});

describe('what the server gave back of a device', () => {
  it.each([
    ['at the address of its form', '/flight-log?step=2', [], ['meter.jpg']],
    ['at the same path with another query', '/flight-log?step=1', [], []],
    ['where another photo was chosen since', '/flight-log?step=2', [new File(['y'], 'new.jpg')], ['new.jpg']],
  ])('%s its photos stand in the form or not (B869)', (_, to, chosen, expected) => {
    const input = inputOf({ name: 'hobbsPhoto', type: 'file', files: chosen });
    vi.stubGlobal('location', { pathname: '/flight-log', search: '?step=2' });
    vi.stubGlobal('document', { querySelectorAll: () => [input] });
    const form = new Map([['hobbsPhoto', [new File(['x'], 'meter.jpg'), new File([], '')]]]);
    const sent = { getAll: (name: string) => form.get(name) ?? [] } as unknown as FormData;
    const item = { id: '1', kind: 'check-out', typedAt: 0, form: sent } as const;
    restoreReturnedPhotos([
      { ...item, state: 'waiting' },
      { ...item, state: 'returned', to },
    ]);
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(expected);
  });
});

it.each([
  ['a failure', () => Response.json({ error: 'Busy.' }, { status: 503 }), 'failed'],
  ['places', () => Response.json({ places: [] }), []],
])('a search that is answered with %s has failed or found them (B720)', async (_, answer, expected) => {
  vi.stubGlobal('fetch', async () => answer());
  const finding = fetchJumpTargets('N5', new AbortController().signal);
  expect(await finding.catch(() => 'failed')).toEqual(expected);
});

describe('a form that script sends', () => {
  const redirect = (to: string) => new Response(null, { status: 302, headers: { location: to } });
  const failed = (status: number) => ({ status, statusText: '', internal: false, data: '' });

  it.each([
    ['an answer without a status', async () => undefined, 'unknown'],
    ['work that is done', async () => ({ isDone: true }), 'sent'],
    ['400', async () => ({ status: 400 }), 'refused'],
    ['409', async () => ({ status: 409 }), 'unknown'],
    ['422', async () => ({ status: 422 }), 'mismatch'],
    ['503', async () => ({ status: 503 }), 'unknown'],
    ['no answer', () => Promise.reject(new TypeError('network')), 'unknown'],
    ['a redirect', () => Promise.reject(redirect('/airplanes')), 'sent'],
    ['a redirect to the sign-in', () => Promise.reject(redirect('/login?to=%2F')), 'waiting'],
    ['a redirect to the password', () => Promise.reject(redirect('/confirm-password?to=%2F')), 'waiting'],
    ['a redirect to the second factor', () => Promise.reject(redirect('/account/second-factor')), 'refused'],
    ['an error page', () => Promise.reject(failed(500)), 'refused'],
    ['an error page of a busy server', () => Promise.reject(failed(503)), 'unknown'],
  ])('answered with %s counts as what it says of it (B997)', async (_, serverAction, expected) => {
    const outcomes: string[] = [];
    hear('formoutcome', (outcome) => void outcomes.push(outcome));
    await keepFormOnNetworkError()({ request: new Request(location.href), serverAction } as never).catch(() => {});
    expect(outcomes).toEqual([expected]);
  });

  it.each([
    ['no answer', () => Promise.reject(new TypeError('network')), 'This could not be sent.'],
    ['503', () => Promise.reject({ ...failed(503), data: 'One moment.' }), 'One moment.'],
    ['500', () => Promise.reject(failed(500)), undefined],
  ])('answered with %s leaves its page, with a toast of an error, or the error page (C58)', async (...row) => {
    const [, serverAction, text] = row;
    const sent = keepFormOnNetworkError()({ request: new Request(location.href), serverAction } as never);
    const answer: unknown = await sent.catch(() => undefined);
    const shown = answer instanceof Response ? await answer.json() : undefined;
    const toast = text && { title: 'Error', text: expect.stringContaining(text), tone: 'destructive' };
    expect(shown).toEqual(toast && { result: null, toast: expect.objectContaining(toast) });
  });

  it('that got no answer says which of the acts of its page failed (B1693)', async () => {
    const clientAction = keepFormOnNetworkError((intent) => (intent === 'delete' ? 'Not deleted' : 'Not saved'));
    const serverAction = () => Promise.reject(new TypeError('network'));
    for (const [intent, text] of Object.entries({ delete: 'Not deleted. This could', save: 'Not saved. This could' })) {
      const request = new Request(location.href, { method: 'POST', body: new URLSearchParams({ intent }) });
      const answer = await clientAction({ request, serverAction } as never);
      expect(await (answer instanceof Response && answer.json())).toMatchObject({
        toast: { text: expect.stringContaining(text) },
      });
    }
  });

  it('says that it is under way on the button that sent it, or on its first by Enter (B997)', () => {
    vi.stubGlobal('HTMLButtonElement', class {});
    const buttonOf = (name: string, value: string) => Object.assign(new HTMLButtonElement(), { name, value });
    const button = buttonOf('intent', 'save');
    expect([hasIntentOfButton(buttonOf('intent', 'save'), button), hasIntentOfButton(null, button)]).toEqual([
      true,
      true,
    ]);
    for (const other of [buttonOf('intent', 'delete'), buttonOf('next', 'save')])
      expect(hasIntentOfButton(other, button)).toBe(false);
  });
});
