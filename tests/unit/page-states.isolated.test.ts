import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchJumpTargets } from '#app/islands/keys/fetch-jump-targets.ts';
import { JumpDialog } from '#app/islands/keys/jump-dialog.tsx';
import { Offline } from '#app/islands/offline/offline.tsx';
import { PasskeyError, signIn } from '#app/islands/passkeys/ask-passkey.ts';
import { PasskeySignIn } from '#app/islands/passkeys/passkey-sign-in.tsx';
import { UnsentPanel } from '#app/islands/offline/unsent-panel.tsx';
import { ErrorSummary, SubmitButton } from '#app/ui/forms/form.tsx';
import { useFocusAfterNavigation } from '#app/ui/page/app-shell.tsx';
import { AutosaveStatus } from '#app/ui/forms/autosave-status.tsx';
import { OtherDraftNotice } from '#app/ui/forms/kept/other-draft-notice.tsx';
import type { Sending } from '#app/ui/news.ts';
import { SendingNotice } from '#app/ui/forms/kept/sending-notice.tsx';
import { useModal } from '#app/ui/hooks/use-modal.ts';
import { DeviceStatus } from '#app/ui/page/device-status.tsx';
import { type Toast, ToastRegion } from '#app/ui/page/toast-region.tsx';
import { useKeyDialogs } from '#app/ui/page/use-key-dialogs.tsx';
import { elementsOf, render } from '../support/hooks.ts';

vi.hoisted(() =>
  vi.stubGlobal(
    'HTMLDialogElement',
    class {
      showModal() {}
    },
  ),
);
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  ...(await import('../support/hooks.ts')).hooks,
}));
const router = vi.hoisted(() => ({ key: 'first', state: 'idle', navigate: vi.fn(), revalidate: vi.fn() }));
vi.mock('@remix-run/react', () => ({
  Link: 'a',
  useActionData: () => undefined,
  useLocation: () => ({ pathname: '/users', search: '', key: router.key }),
  useNavigate: () => router.navigate,
  useNavigation: () => ({ state: router.state }),
  useRevalidator: () => ({ revalidate: router.revalidate }),
}));
const device = vi.hoisted(() => ({ unsent: Array<object>(), told: vi.fn() }));
vi.mock(import('#app/islands/offline/use-unsent.ts'), () => ({
  useUnsent: () => device.unsent as never,
  tellWorker: device.told,
}));
vi.mock(import('#app/islands/passkeys/ask-passkey.ts'), async (original) => ({
  ...(await original()),
  signIn: vi.fn(),
}));
vi.mock(import('#app/islands/keys/fetch-jump-targets.ts'), () => ({ fetchJumpTargets: vi.fn() }));

class Element extends EventTarget {}
const page = () => Object.assign(new EventTarget(), { documentElement: { dataset: {} as Record<string, string> } });
let shown: ReturnType<typeof page>;
beforeEach(() => {
  shown = page();
  vi.useFakeTimers();
  vi.clearAllMocks();
  router.key = 'first';
  vi.stubGlobal('document', shown);
  vi.stubGlobal('Element', Element);
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval };
  vi.stubGlobal('window', Object.assign(new EventTarget(), timers));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const say = (type: string, detail?: unknown) => shown.dispatchEvent(new CustomEvent(type, { detail }));
const ofRole = (role: string) => (element: ReactElement) => element.props.role === role;
const withProp = (name: string) => (element: ReactElement) => name in element.props;
const shownNothing = { type: '', props: {}, key: null };
/** The only element of a tree that is meant. */
function only(tree: ReactElement, isWanted: (element: ReactElement) => boolean): ReactElement {
  const found = elementsOf(tree, isWanted);
  expect(found).toHaveLength(1);
  return found[0] ?? tree;
}

it('a passkey that was not used can be tried again (B498)', async () => {
  const screen = render(PasskeySignIn, undefined);
  const button = () => only(screen.result, withProp('onClick'));
  vi.stubGlobal('window', { location: { search: '' } });
  vi.mocked(signIn).mockRejectedValueOnce(new PasskeyError('No passkey was used'));
  button().props.onClick({ currentTarget: { form: null } });
  expect([button().props['aria-disabled'], button().props.children]).toEqual([true, 'Waiting for your passkey...']);
  await vi.waitFor(() => expect(button().props['aria-disabled']).toBe(false), { timeout: 120_000 });
  expect(button().props.children).toBe('Sign in with a passkey');
});

describe('a toast', () => {
  const toast = (id: string): Toast => ({ id, title: id, tone: 'default' });
  const shownIn = (tree: ReactElement) => elementsOf(tree, withProp('toast')).map(({ props }) => props.toast.title);

  it('comes into its region after that is there, so that it is announced, in place of one before (B300)', () => {
    const trees: ReactElement[] = [];
    const shownToast = (props: { toast: Toast | null }) => {
      const tree = ToastRegion(props);
      trees.push(tree);
      return tree;
    };
    const region = render(shownToast, { toast: toast('saved') });
    expect([trees[0], region.result].map((tree) => tree && shownIn(tree))).toEqual([[], ['saved']]);
    say('toast', toast('of the page'));
    expect(shownIn(region.result)).toEqual(['of the page']);
    region.renew({ toast: toast('second') });
    expect(shownIn(region.result)).toEqual(['second']);
  });
});

describe('what is said of a form', () => {
  const sending = (news: Partial<Sending>): Sending => ({
    ...{ progress: null, isSlow: false, hasFiles: false, cancel: vi.fn() },
    ...news,
  });

  it.each<[string, Partial<Sending>, string[]]>([
    ['with photos', { hasFiles: true, progress: 0.25 }, ['Cancel']],
    ['with photos of which nothing is known', { hasFiles: true }, ['Cancel']],
    ['without an answer', { isSlow: true }, ['Cancel', 'Keep it and go on']],
    ['without photos', {}, []],
  ])('on its way %s says how far it is and how to go on, or nothing (B892, B911)', (_, news, buttons) => {
    const notice = render(SendingNotice, undefined);
    say('sending', sending(news));
    expect(elementsOf(notice.result, withProp('onClick')).map(({ props }) => props.children)).toEqual(buttons);
    const bars = elementsOf(notice.result, ({ type }) => type === 'progress');
    expect(bars.map(({ props }) => props['aria-label'])).toEqual(buttons.length > 0 ? ['Sent'] : []);
    expect(bars.map(({ props }) => props.value)).toEqual(bars.map(() => news.progress));
  });

  it('that is kept to go on is not sent any further (B911)', () => {
    const notice = render(SendingNotice, undefined);
    const under = sending({ isSlow: true });
    say('sending', under);
    elementsOf(notice.result, withProp('onClick'))[1]?.props.onClick();
    expect(under.cancel).toHaveBeenCalledTimes(1);
    expect(router.navigate).toHaveBeenCalledWith('/');
  });

  it('an offer is announced, and is gone with its page (B889)', () => {
    const notice = render(OtherDraftNotice, undefined);
    say('otherdraft', { text: 'Changed in another tab', use: () => {} });
    const status = () => only(notice.result, ofRole('status')).props.children;
    expect(status()).toBeTruthy();
    router.key = 'second';
    notice.renew(undefined);
    expect(status()).toBeFalsy();
  });

  it('whether it is kept is announced, of this form alone (B885)', () => {
    const forms: Record<string, EventTarget> = { first: new EventTarget(), second: new EventTarget() };
    Object.assign(shown, { getElementById: (id: string) => forms[id] });
    const autosave = render(AutosaveStatus, { formId: 'first' });
    autosave.renew({ formId: 'second' });
    const text = () => only(autosave.result, ofRole('status')).props.children;
    forms.first?.dispatchEvent(new CustomEvent('draftstate', { detail: 'failed' }));
    expect(text()).toBeUndefined();
    forms.second?.dispatchEvent(new CustomEvent('draftstate', { detail: 'saved' }));
    expect(text()).toBeTruthy();
  });
});

describe('the focus', () => {
  it('goes to a field by the link of its error (B330)', () => {
    const focus = vi.fn();
    Object.assign(shown, { getElementById: (id: string) => (id === 'user-name' ? { focus } : null) });
    const form = { id: 'user', allErrors: { name: ['Too long.'] }, errors: undefined };
    const summary = render(ErrorSummary, { form });
    const { type, props } = only(summary.result ?? shownNothing, withProp('id'));
    const link: ReactElement = typeof type === 'function' ? Reflect.apply(type, null, [props]) : shownNothing;
    link.props.onClick({ preventDefault: () => {} });
    expect(focus).toHaveBeenCalledTimes(1);
  });

  it('goes to the title where what had it is gone, and stays elsewhere (B330)', () => {
    const focus = vi.fn();
    const body = {};
    Object.assign(shown, { body, activeElement: body, querySelector: () => ({ focus }) });
    const page = render(useFocusAfterNavigation, undefined);
    for (const [key, activeElement] of Object.entries({ second: {}, third: body })) {
      Object.assign(shown, { activeElement });
      router.key = key;
      page.renew(undefined);
    }
    expect(focus).toHaveBeenCalledTimes(1);
  });
});

describe('a button that sends a form', () => {
  it.each([
    ['again while it is under way', 'submitting', true],
    ['again once it was answered', 'idle', false],
  ])('pressed %s sends nothing, or the form (C61)', (_, state, isStopped) => {
    router.state = 'idle';
    const form = new EventTarget();
    vi.stubGlobal('HTMLButtonElement', class {});
    const props = { children: 'Save', pendingLabel: 'Saving...' };
    const button = render((shownProps: typeof props) => {
      const tree = SubmitButton(shownProps);
      const [label] = elementsOf(tree, ({ type }) => type === 'span');
      Object.assign(Reflect.get(label ?? {}, 'ref') ?? {}, { current: { closest: () => ({ form }) } });
      return tree;
    }, props);
    const press = () => {
      const event = new Event('submit', { cancelable: true });
      form.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(press()).toBe(false);
    router.state = state;
    button.renew({ ...props });
    const [label] = elementsOf(button.result, ({ type }) => type === 'span');
    expect(label?.props.children).toBe(isStopped ? 'Saving...' : 'Save');
    expect(press()).toBe(isStopped);
  });
});

describe('the jump box', () => {
  const PLACE = { href: '/airplanes/3', kind: 'Aircraft', label: 'N512FS' } as const;
  /** Opened, and what is typed and pressed in it. */
  function open() {
    const onClose = vi.fn();
    const box = render(JumpDialog, { onClose });
    const type = (value: string) => only(box.result, withProp('maxLength')).props.onChange({ target: { value } });
    const enter = () => only(box.result, withProp('onSubmit')).props.onSubmit({ preventDefault: () => {} });
    const status = () => only(box.result, ofRole('status')).props.children;
    const links = () => elementsOf(box.result, withProp('to')).map(({ props }) => props.to);
    return { onClose, type, enter, status, links };
  }
  const pause = () => vi.advanceTimersByTimeAsync(200);

  it.each([
    [[PLACE], '1 place'],
    [[PLACE, { ...PLACE, href: '/users/7' }], '2 places'],
    [[], 'Nothing found.'],
  ])('finds what is typed, blanks around it or not, and says how much: %j (B720)', async (places, text) => {
    vi.mocked(fetchJumpTargets).mockImplementation(async (query) => (query === 'N512' ? places : []));
    const { type, status, links } = open();
    type(' N512 ');
    await pause();
    expect(status()).toBe(text);
    expect(links()).toEqual(places.map(({ href }) => href));
  });

  it('goes to the first place once it has come, where Enter was pressed before (B720)', async () => {
    vi.mocked(fetchJumpTargets).mockResolvedValue([PLACE]);
    const { type, enter, onClose } = open();
    type('N512');
    enter();
    expect(router.navigate).not.toHaveBeenCalled();
    await pause();
    expect(router.navigate).toHaveBeenCalledWith('/airplanes/3');
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['nothing was found', async () => []],
    ['the search failed', () => Promise.reject(new Error('failed'))],
  ])('stays where it is while one types on after an Enter for which %s (B720, B949)', async (_, find) => {
    vi.mocked(fetchJumpTargets).mockImplementationOnce(find).mockResolvedValue([PLACE]);
    const { type, enter, links } = open();
    type('N51');
    enter();
    await pause();
    type('N512');
    await pause();
    expect(links()).toEqual(['/airplanes/3']);
    expect(router.navigate).not.toHaveBeenCalled();
  });
});

describe('a dialog', () => {
  it('that a key opens does not come over another one (B720)', () => {
    const modal = { dialog: null as object | null };
    Object.assign(shown, { querySelector: () => modal.dialog });
    render(useKeyDialogs, true);
    const press = () => {
      const event = Object.assign(new Event('keydown', { cancelable: true }), { key: '/' });
      shown.dispatchEvent(event);
      return event.defaultPrevented;
    };
    modal.dialog = {};
    expect(press()).toBe(false);
    modal.dialog = null;
    expect(press()).toBe(true);
  });

  it('with an address closes on Escape with its page, not before (B330)', () => {
    const methods = { removeAttribute: () => {}, showModal: () => {}, querySelector: () => null, close: vi.fn() };
    const dialog = Object.assign(new EventTarget(), methods);
    Object.assign(window, { location: { href: 'http://localhost:3000/users?confirm=7' } });
    render((closeHref: string) => void Object.assign(useModal(closeHref), { current: dialog }), '/users');
    const cancel = new Event('cancel', { cancelable: true });
    dialog.dispatchEvent(cancel);
    expect(cancel.defaultPrevented).toBe(true);
    expect(router.navigate).toHaveBeenCalledWith('/users', { preventScrollReset: true });
  });
});

describe('what waits on a device', () => {
  const form = new FormData();
  form.set('notes', 'Left brake soft.');
  const item = { id: '1', kind: 'check-out', typedAt: 0, state: 'waiting', form } as const;
  const offline = { owner: 'anna', isSignedIn: true, isKept: false };
  beforeEach(() => {
    vi.stubGlobal('navigator', { serviceWorker: { register: async () => {} } });
    Object.assign(shown, { querySelectorAll: () => [] });
    vi.stubGlobal('location', { pathname: '/', search: '' });
  });

  it.each([
    ['is sent once the network is back', [item], 1],
    ['came back and is not sent', [{ ...item, state: 'returned' }], 0],
  ])('%s (B867, B869)', (_, unsent, sent) => {
    device.unsent = unsent;
    render(Offline, offline);
    device.told.mockClear();
    window.dispatchEvent(new Event('online'));
    expect(device.told).toHaveBeenCalledTimes(sent);
  });

  it.each([
    ['nobody is signed in', { isSignedIn: false }, { state: 'waiting' }, 1],
    ['somebody else is signed in', {}, { state: 'waiting' }, 0],
    ['its session has ended', {}, { state: 'signed out' }, 1],
  ])('of which the key is gone is told of, or not, where %s (B868)', (_, viewer, state, told) => {
    device.unsent = [{ ...item, form: null, ...state }];
    const island = render(Offline, { ...offline, ...viewer });
    expect(island.result.props.items).toHaveLength(told);
  });

  it('shows on the page once it was sent (B867)', () => {
    device.unsent = [item];
    const island = render(Offline, offline);
    device.unsent = [];
    expect(router.revalidate).not.toHaveBeenCalled();
    island.renew({ ...offline });
    expect(router.revalidate).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['as it was typed, to its user', {}, ['Send now', 'Check In', 'Discard for 1']],
    ['that came back', { state: 'returned', to: '/flight-log?step=2' }, ['Open the form', 'Discard for 1']],
    [
      'whose flight was closed meanwhile',
      { state: 'returned', to: '/flight-logs?log=4', squawkTo: '/airplanes/3/squawks/add' },
      ['View Flight Log', 'Report as a squawk', 'Discard for 1'],
    ],
    ['whose user is signed out', { state: 'signed out', form: null }, ['Sign in to send']],
  ] as const)('is shown %s with the ways on that there are (B866, B868, B869)', (_, differing, ways) => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    const items = [{ ...item, typedAt: Date.parse('2026-05-12T10:00:00Z'), ...differing }];
    const { result } = render(UnsentPanel, { items });
    const pressed = elementsOf(result, ({ props }) => 'onClick' in props || 'to' in props || 'id' in props);
    const names = pressed.map(({ props }) => props.children ?? `Discard for ${props.id}`);
    expect(names.filter((name) => name !== 'Not sent yet')).toEqual(ways);
    const [text] = elementsOf(result, ({ type }) => type === 'p');
    expect(JSON.stringify(text?.props.children)).toContain('15:30');
  });

  it('is thrown away by the second of two presses, unless the focus has gone elsewhere between them (B866)', () => {
    const tree = render(UnsentPanel, { items: [item] });
    const button = only(tree.result, ({ props, type }) => typeof type === 'function' && props.id === '1');
    const discard = render(button.type as (props: object) => ReactElement, button.props);
    const text = () => discard.result.props.children;
    discard.result.props.onClick();
    expect(text()).toBe('Discard for good');
    discard.result.props.onBlur();
    expect(text()).toBe('Discard');
  });

  it('a page that came says no more how old the one before was (B865)', () => {
    shown.documentElement.dataset.asOf = 'As of 14:02. No network.';
    const status = render(DeviceStatus, { owner: null, isSignedIn: false });
    const text = () => only(status.result, ({ props }) => props.id === 'as-of').props.children;
    expect(text()).toBe('As of 14:02. No network.');
    router.key = 'second';
    status.renew({ owner: null, isSignedIn: false });
    expect(text()).toBe('');
  });
});
