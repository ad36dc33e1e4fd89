import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { adoptTypedCheckIn, copyStepIntoOfflineForm } from '#app/islands/typed/check-out-steps.ts';
import { applyValues, readDefaults, readSubject, readValues, toFields } from '#app/islands/typed/controls.ts';
import {
  deleteEntry,
  type Entry,
  findEntry,
  noteDraftOnItsWay,
  restorePhotos,
  saveEntry,
} from '#app/islands/typed/entries.ts';
import {
  applyDraft,
  offerOtherDraft,
  offerOtherTabs,
  restoreForm,
  fieldNamesTypedInto,
} from '#app/islands/typed/restore.ts';
import {
  waitForLateDraft,
  hasLateDraft,
  nextTypedAt,
  scheduleDraft,
  sendDrafts,
} from '#app/islands/typed/server-drafts.ts';
import { shrinkPhotos } from '#app/islands/typed/shrink-photos.ts';
import { openOutbox, formatTimeAtSchool } from '#app/islands/outbox/outbox.ts';
import { keepTyped } from '#app/islands/typed/typed.ts';
import { formOf, inputOf, selectOf, startPage, stubForms } from '../support/form-stubs.ts';
import { keyRangeStub, stubIndexedDb } from '../support/stored-objects.ts';

const NOW = Date.parse('2026-05-12T10:00:00Z');
const { indexedDB, rowsOf } = stubIndexedDb();
const rows = () => rowsOf('flightline-unsent', 'unsent');
const photo = vi.hoisted(() => ({ image: new Blob() }));
vi.mock(import('#app/islands/camera/captured-photo.ts'), async (original) => ({
  ...(await original()),
  photoFromFile: async () => ({ ...photo, dataUrl: '', idempotencyKey: '' }),
}));
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal('indexedDB', indexedDB);
  vi.stubGlobal('IDBKeyRange', keyRangeStub);
  rows().clear();
  stubForms();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const entryOf = (differing: Partial<Entry> = {}): Entry => ({
  ...{ values: { remarks: 'typed' }, defaults: { remarks: 'stored' }, touched: ['remarks'], subject: '[]', at: NOW },
  ...differing,
});
const remarksForm = (id: string, value = 'stored') =>
  formOf(id, [inputOf({ name: 'remarks', defaultValue: 'stored', value })]);
/** With one of each kind of control. */
function fullForm() {
  const options = [{ value: '', disabled: true }, { value: 'N512FS' }, { value: 'N733FS' }];
  return formOf('full', [
    inputOf({ name: 'requestId', type: 'hidden', value: '1' }),
    inputOf({ name: 'hobbsScan', type: 'hidden', value: '2' }),
    inputOf({ name: 'aircraftId', type: 'hidden', value: '3' }),
    inputOf({ name: 'tailNumber', type: 'hidden', value: 'N512FS' }),
    inputOf({ name: 'photoNotKept', type: 'hidden', value: 'a.jpg' }),
    inputOf({ name: 'seen', type: 'hidden', value: 'as it was stored' }),
    inputOf({ name: 'frame', type: 'hidden', value: '1 2 3 4' }),
    inputOf({ name: 'remarks', defaultValue: 'stored', value: 'typed' }),
    inputOf({ name: 'password', type: 'password', value: 'secret' }),
    inputOf({ name: 'code', autocomplete: 'one-time-code', value: '123456' }),
    inputOf({ name: 'photo', type: 'file' }),
    inputOf({ name: 'isActive', type: 'checkbox', value: 'yes', defaultChecked: true }),
    inputOf({ name: 'kind', type: 'radio', value: 'training', checked: true }),
    inputOf({ name: 'kind', type: 'radio', value: 'rental', defaultChecked: true }),
    selectOf({ name: 'tail', type: 'select-one', value: 'N512FS', options }),
  ]);
}

describe('the controls of a form', () => {
  it('are kept with what stands in them and what the server had rendered, but for passwords and codes (B994)', () => {
    const values = { remarks: 'typed', 'isActive=yes': '', 'kind=training': 'on', 'kind=rental': '', tail: 'N512FS' };
    expect(readValues(fullForm())).toEqual(values);
    const defaults = { remarks: 'stored', 'isActive=yes': 'on', 'kind=training': '', 'kind=rental': 'on' };
    expect(readDefaults(fullForm())).toEqual({ ...defaults, tail: 'N512FS' });
    expect(readSubject(fullForm())).toBe('[["aircraftId","3"]]');
  });

  it('go into a draft with the radio button that is chosen, wherever it stands, and without a tick as empty (B994)', () => {
    const fields = toFields(fullForm(), (key) => key !== 'tail');
    expect(Object.fromEntries(fields)).toEqual({ remarks: 'typed', isActive: '', kind: 'training' });
    // And come from it by field; of a question's radio buttons one alone is chosen.
    const form = fullForm();
    applyDraft(form, { remarks: 'drafted', kind: 'rental', isActive: 'yes' });
    const shown = { remarks: 'drafted', 'isActive=yes': 'on', 'kind=training': '', 'kind=rental': 'on' };
    expect(readValues(form)).toEqual({ ...shown, tail: 'N512FS' });
  });

  it('are set as by typing: a text says that it was put in, a tick or a choice also that it has changed (B994)', () => {
    const form = fullForm();
    const said: string[] = [];
    for (const control of form.elements as unknown as HTMLInputElement[]) {
      for (const type of ['input', 'change']) {
        control.addEventListener(type, () => said.push(`${type} ${control.name} ${control.value}`));
      }
    }
    applyValues(form, { remarks: 'anew', 'isActive=yes': 'on', 'kind=training': 'on', tail: 'N733FS', code: '9' });
    const texts = ['input remarks anew', 'input isActive yes', 'change isActive yes'];
    expect(said).toEqual([...texts, 'input tail N733FS', 'change tail N733FS']);
  });
});

describe('where a browser keeps what is typed', () => {
  it.each([
    ['a signed-in user it outlives the tab', { viewer: '7' }, [/^typed:7:\/a#b$/]],
    ['nobody it is of a tab, which alone knows its name', {}, [/^typed:tab-[\d.-]+:\/a#b$/]],
    ['a user of a shared computer it is nowhere', { viewer: '7', shared: '' }, []],
  ])('of %s (B994, B886)', async (_, dataset, expected) => {
    const { session } = stubForms(dataset);
    saveEntry('/a#b', entryOf());
    await vi.advanceTimersByTimeAsync(0);
    expect([...rows().keys()]).toEqual(expected.map((id) => expect.stringMatching(id)));
    expect([...rows().keys()].join()).toContain(session.tab ?? '');
    expect(findEntry('/a#b')).toEqual(entryOf());
    deleteEntry('/a#b');
    await vi.advanceTimersByTimeAsync(0);
    expect([findEntry('/a#b'), ...rows().keys()]).toEqual([undefined]);
  });
});

describe('a draft that is on its way as its page goes', () => {
  const shared = { viewer: '7', shared: '' };

  it.each([
    ['on a shared computer', shared, -1000, true],
    ['on a computer of its user', { viewer: '7' }, -1000, false],
    ['typed half a minute ago', shared, -30_000, false],
    ['that the page has', { ...shared, drafts: JSON.stringify({ b: { typedAt: NOW - 1000 } }) }, -1000, false],
  ])('%s is waited for or not (B915)', (_, dataset, age, expected) => {
    stubForms(dataset);
    noteDraftOnItsWay('/airplanes/7#b', NOW + age);
    noteDraftOnItsWay('/other#c', NOW);
    expect(hasLateDraft(remarksForm('b'))).toBe(expected);
  });

  it.each([
    ['the same', 0, true, 'typed'],
    ['a later one', 1, true, 'typed'],
    ['an earlier one', -1, true, undefined],
    ['one whose form has gone meanwhile', 0, false, undefined],
  ])('%s is what is asked for, by the name of its form, until it has come (B915)', async (...row) => {
    const [, typedAfter, isConnected, expected] = row;
    stubForms(shared);
    noteDraftOnItsWay('/airplanes/7#b', NOW);
    const late = { values: { remarks: 'typed' }, typedAt: NOW + typedAfter };
    const fetch = vi.fn(async (_address: string) => Response.json(late));
    vi.stubGlobal('fetch', fetch);
    const finding = waitForLateDraft(Object.assign(remarksForm('b'), { isConnected }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await finding)?.remarks).toBe(expected);
    if (isConnected) expect(fetch.mock.calls[0]).toEqual(['/drafts?form=%2Fairplanes%2F7%23b', expect.anything()]);
  });
});

describe('the draft that a page sends', () => {
  /** Answers nothing; rejects what is aborted. */
  function stubServer() {
    const sent: { body: URLSearchParams; keepalive: boolean }[] = [];
    vi.stubGlobal('fetch', (_: string, request: RequestInit & { body: URLSearchParams; keepalive: boolean }) => {
      sent.push(request);
      return new Promise((_resolve, reject) =>
        request.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    });
    return sent;
  }

  it('is noted as it is typed, since a page that goes may be too late for it (B915, B1689)', async () => {
    stubForms({ viewer: '7', shared: '' });
    const sent = stubServer();
    for (const _ of ['first', 'second']) {
      scheduleDraft(remarksForm('twice'), ['remarks']);
      await vi.advanceTimersByTimeAsync(500);
    }
    const [note] = [...rows().values()] as { id: string; at: number }[];
    expect([rows().size, note?.id]).toEqual([1, 'typed:7:/airplanes/7#twice|draft']);
    sendDrafts();
    expect(sent).toHaveLength(1);
    expect(Number(sent[0]?.body.get('typedAt'))).toBeGreaterThanOrEqual(note?.at ?? Infinity);
    expect(new Set([nextTypedAt(), nextTypedAt(), nextTypedAt()]).size).toBe(3);
  });

  it.each([
    ['short', 'typed', true],
    ['long', 'x'.repeat(64 * 1024), false],
  ])(
    'has what was touched or is a draft already, ticks too; a %s one outlives its page or not (B994, B1681)',
    async (...row) => {
      const [id, remarks, keepalive] = row;
      stubForms({ viewer: '7', drafts: JSON.stringify({ [id]: { names: ['isActive'] } }) });
      const sent = stubServer();
      const controls = [
        inputOf({ name: 'seen', type: 'hidden', value: 'shown' }),
        inputOf({ name: 'remarks', value: remarks }),
        inputOf({ name: 'tail', value: 'N512FS' }),
        inputOf({ name: 'isActive', type: 'checkbox', value: 'yes', checked: true }),
      ];
      scheduleDraft(formOf(id, controls), ['remarks']);
      await vi.advanceTimersByTimeAsync(999);
      expect(sent).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toMatchObject([{ keepalive }]);
      const fields = Object.fromEntries(sent[0]?.body ?? []);
      expect([fields.remarks, fields.isActive, fields.seen, fields.tail]).toEqual([remarks, 'yes', 'shown', undefined]);
    },
  );
});

describe('what was typed into a form that is opened again', () => {
  const iso = (ms: number) => new Date(NOW + ms).toISOString();
  const draft = (savedAt: number, isElsewhere: boolean) => ({
    ...{ viewer: '7', renderedAt: iso(0) },
    drafts: JSON.stringify({ b: { savedAt: iso(savedAt), typedAt: null, isElsewhere, names: [] } }),
  });
  const saved = (ms: number) => ({ savedAt: iso(ms) });
  /** Typed over what was stored then. */
  const STORED = { defaults: { remarks: 'stored' } };

  it.each([
    ['stands in it again', {}, { viewer: '7' }, 'stored', 'typed', null],
    ['of another subject does not', { subject: '[["id","8"]]' }, { viewer: '7' }, 'stored', 'stored', null],
    ['of 12 hours ago does not', { at: NOW - 12 * 3_600_000 }, { viewer: '7' }, 'stored', 'stored', null],
    ['as the draft that is rendered leaves it', saved(-1000), draft(-1000, false), 'drafted', 'drafted', null],
    ['as a draft that is over leaves it', saved(-6000), { viewer: '7', renderedAt: iso(0) }, 'stored', 'stored', null],
    ['as a draft just saved stands there', saved(-4000), { viewer: '7', renderedAt: iso(0) }, 'stored', 'typed', null],
    ['before another sign-in typed is offered', {}, draft(1000, true), 'other', 'other', 'Typed on this device'],
    ['after another sign-in typed stands there', {}, draft(-1000, true), 'other', 'typed', 'Changed in another'],
    ['after its own last draft stands there', STORED, draft(-1000, false), 'drafted', 'typed', null],
    ['over a change of somebody else stands there', STORED, { viewer: '7' }, 'changed', 'typed', 'Changed by somebody'],
  ])('%s (B885, B889, B1680)', (_, differing, dataset, rendered, shown, offer) => {
    const { document } = stubForms(dataset);
    const offers: string[] = [];
    document.addEventListener('otherdraft', (event) => offers.push(Reflect.get(event, 'detail').text));
    const seen = inputOf({ name: 'seen', type: 'hidden', value: rendered });
    const form = formOf('b', [seen, inputOf({ name: 'remarks', defaultValue: rendered, value: rendered })]);
    saveEntry('/airplanes/7#b', entryOf({ defaults: { remarks: rendered }, ...differing }));
    restoreForm(form);
    vi.runAllTimers();
    expect(readValues(form).remarks).toBe(shown);
    expect(offers.map((text) => offer !== null && text.startsWith(offer))).toEqual(offer === null ? [] : [true]);
  });

  it.each([
    ['without a network', false, 'typed'],
    ['with one', true, 'stored'],
  ])('as a draft that the page is too old for stands in it again %s (B885, B865)', (_, onLine, shown) => {
    stubForms({ viewer: '7', renderedAt: iso(0) });
    vi.stubGlobal('navigator', { onLine });
    saveEntry('/airplanes/7#b', entryOf(saved(-6000)));
    const form = remarksForm('b');
    restoreForm(form);
    expect(readValues(form).remarks).toBe(shown);
  });

  it.each([
    ['with a network', true, {}],
    ['without one, though the page is older than its draft', false, saved(-6000)],
  ])('stands also in a field that a tick has shown, changed by nobody, %s (B885, B889)', (_, onLine, differing) => {
    const { document } = stubForms({ viewer: '7', renderedAt: iso(0) });
    vi.stubGlobal('navigator', { onLine });
    const offer = vi.fn();
    document.addEventListener('otherdraft', offer);
    const tick = inputOf({ name: 'refueled', type: 'checkbox', value: 'on' });
    const form = formOf('b', [tick]);
    const gallons = inputOf({ name: 'gallons' });
    tick.addEventListener('change', () => void (form.elements as unknown as HTMLElement[]).push(gallons));
    const [values, defaults] = [
      { 'refueled=on': 'on', gallons: '12' },
      { 'refueled=on': '', gallons: '' },
    ];
    saveEntry('/airplanes/7#b', entryOf({ values, defaults, touched: Object.keys(values), ...differing }));
    restoreForm(form);
    vi.runAllTimers();
    expect([gallons.value, offer.mock.calls]).toEqual(['12', []]);
  });

  it("is offered with the time at the page's school, and the device's where no page says it (B889, B1762)", () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    vi.stubGlobal('document', { documentElement: { dataset: { zone: 'America/Los_Angeles' } } });
    expect(formatTimeAtSchool(NOW)).toBe('03:00 PDT');
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    expect(formatTimeAtSchool(NOW)).toBe('15:30');
  });

  it.each([
    ['after a visit what stands in the form already stays', 'navigate', 'newer'],
    ["after a reload it takes the place of the browser's own", 'reload', 'typed'],
    ["after Back it takes the place of the browser's own", 'back_forward', 'typed'],
  ])('%s (B885)', (_, type, shown) => {
    class Navigation {
      type = type;
    }
    vi.stubGlobal('PerformanceNavigationTiming', Navigation);
    vi.stubGlobal('performance', { getEntriesByType: () => [new Navigation()] });
    saveEntry('/airplanes/7#b', entryOf());
    const form = remarksForm('b', 'newer');
    restoreForm(form);
    expect(readValues(form).remarks).toBe(shown);
  });

  it.each([
    ['of a form with a draft of its own, which is sent whole, unticks', 'whole', ''],
    ['of another form, which is sent where it was changed, leaves', undefined, 'on'],
  ])('%s a box that it lacks, unless that was touched meanwhile (B915)', (_, draft, expected) => {
    const form = formOf('check-in', [
      inputOf({ name: 'refueled', type: 'checkbox', value: 'on', checked: true }),
      inputOf({ name: 'unsafe', type: 'checkbox', value: 'on', checked: true }),
      inputOf({ name: 'remarks', value: 'typed' }),
    ]);
    if (draft) form.dataset.draft = draft;
    fieldNamesTypedInto(form).add('unsafe');
    applyDraft(form, { remarks: 'drafted' });
    expect(readValues(form)).toEqual({ 'refueled=on': expected, 'unsafe=on': 'on', remarks: 'drafted' });
  });

  it('in another sign-in is offered, unless it is of another aircraft (B889, B1635)', () => {
    const { document } = stubForms();
    const show = vi.fn();
    document.addEventListener('otherdraft', show);
    const form = formOf('b', [
      inputOf({ name: 'aircraftId', type: 'hidden', value: '3' }),
      inputOf({ name: 'remarks' }),
    ]);
    for (const [aircraftId, offers] of [
      ['4', 0],
      ['3', 1],
    ] as const) {
      offerOtherDraft(form, { values: { aircraftId, remarks: 'other' }, savedAt: iso(0) });
      expect(show).toHaveBeenCalledTimes(offers);
    }
  });

  it.each([
    ['a form of this page', '/airplanes/7#b', {}, 1],
    ['a form of another page', '/airplanes/8#b', {}, 0],
    ['what the server has already', '/airplanes/7#b', { savedAt: '' }, 0],
    ['another subject', '/airplanes/7#b', { subject: '[["aircraftId","4"]]' }, 0],
  ])('in another tab is offered of %s or not (B994)', async (_, name, differing, offers) => {
    const { document } = stubForms();
    const show = vi.fn();
    document.forms.push(remarksForm('b'));
    document.addEventListener('otherdraft', show);
    offerOtherTabs();
    const id = `typed:7:${name}`;
    await openOutbox();
    rows().set(id, { ...entryOf(differing), id });
    const tab = new BroadcastChannel('unsent');
    tab.postMessage(id);
    await vi.advanceTimersByTimeAsync(0);
    tab.close();
    expect(show).toHaveBeenCalledTimes(offers);
  });
});

describe('the steps of a check-out', () => {
  const READINGS = { startHobbsTime: '1234.5', startTachTime: '987.6', departedAt: '2026-05-12T10:00' };

  it.each([
    ['the same aircraft', '3', READINGS],
    ['another aircraft', '4', {}],
  ])('with %s keep the readings typed before, and their photos, or not (B912, B1688)', (_, aircraftId, readings) => {
    vi.stubGlobal('location', { pathname: '/flight-log' });
    const stepOf = (fields: Record<string, string>) =>
      copyStepIntoOfflineForm(
        formOf(
          'step',
          Object.entries(fields).map(([name, value]) => inputOf({ name, value })),
        ),
      );
    stepOf({ aircraftId: '3', ...READINGS, intent: 'next' });
    saveEntry('/flight-log/offline#check-out|startHobbsPhoto', { files: [new File(['x'], 'hobbs.jpg')], at: NOW });
    stepOf({ aircraftId });
    const photo = inputOf({ name: 'startHobbsPhoto', type: 'file', files: [] });
    restorePhotos('/flight-log/offline#check-out', formOf('check-out', [photo]));
    expect(photo.files?.length).toBe(aircraftId === '3' ? 1 : 0);
    stepOf({ intent: 'next' });
    expect(findEntry('/flight-log/offline#check-out')?.values).toEqual({ aircraftId, ...readings });
  });
});

describe('the check-in of a check-out that was not sent yet', () => {
  it.each([
    ['goes on in the form of its flight', '3', {}, 'typed', ['receipt.jpg']],
    ['does not in that of another aircraft', '4', {}, undefined, []],
    ['does not where something was typed into that one', '3', { remarks: 'newer' }, 'newer', []],
  ])('%s (B1682)', async (_, aircraft, newer, expected, photos) => {
    const subject = '[["aircraftId","3"]]';
    saveEntry('/flight-log/offline#check-in', entryOf({ subject, savedAt: new Date(NOW).toISOString() }));
    saveEntry('/flight-log/offline#check-in|photo', { files: [new File(['x'], 'receipt.jpg')], at: NOW });
    vi.stubGlobal('location', { pathname: `/flight-log/41${aircraft}/post-check` });
    const photo = inputOf({ name: 'photo', type: 'file', files: [] });
    const form = formOf('check-in', [inputOf({ name: 'remarks' }), photo]);
    form.dataset.aircraft = aircraft;
    const name = `/flight-log/41${aircraft}/post-check#check-in`;
    deleteEntry(name);
    if ('remarks' in newer) saveEntry(name, entryOf({ values: newer }));
    adoptTypedCheckIn(form);
    expect([findEntry(name)?.values.remarks, findEntry(name)?.savedAt]).toEqual([expected, undefined]);
    expect([...(photo.files ?? [])].map((file) => file.name)).toEqual(photos);
    expect(findEntry('/flight-log/offline#check-in') === undefined).toBe(photos.length > 0);
  });
});

describe('a chosen photo', () => {
  const MIB = 1024 * 1024;

  it.each([
    ['that becomes smaller is replaced', 5 * MIB, MIB, MIB],
    ['that would become larger stays', 5 * MIB, 6 * MIB, 5 * MIB],
    ['that is small stays', 100, 10, 100],
  ])('%s (B994)', async (_, size, shrunkTo, expected) => {
    photo.image = new Blob([new Uint8Array(shrunkTo)], { type: 'image/jpeg' });
    const file = new File([new Uint8Array(size)], 'squawk.png', { type: 'image/png' });
    const input = inputOf({ name: 'photo', type: 'file', files: [file] });
    await shrinkPhotos(input);
    expect([...(input.files ?? [])].map((one) => [one.name, one.size])).toEqual([['squawk.png', expected]]);
  });

  it('that is small by now does not take the place of one that was chosen meanwhile (B994)', async () => {
    photo.image = new Blob(['small'], { type: 'image/jpeg' });
    const file = (name: string) => new File([new Uint8Array(5 * MIB)], name, { type: 'image/png' });
    const input = inputOf({ name: 'photo', type: 'file', files: [file('first.png')] });
    const shrinking = shrinkPhotos(input);
    Object.assign(input, { files: [file('second.png')] });
    await shrinking;
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(['second.png']);
  });
});

describe('the answer to a form', () => {
  async function listenToPage() {
    const { start, say } = startPage(keepTyped);
    start();
    await vi.advanceTimersByTimeAsync(0);
    return say;
  }

  const withRequest = (requestId: string) =>
    formOf('b', [
      inputOf({ name: 'requestId', type: 'hidden', value: requestId }),
      inputOf({ name: 'remarks', defaultValue: 'stored', value: 'typed' }),
    ]);

  it.each([
    ['sent', false, 'second'],
    ['refused', true, 'second'],
    ['mismatch', true, 'second'],
    ['unknown', true, 'first'],
  ])('%s leaves what was typed or not, and the next one is the same request or not (B997, B885)', async (...row) => {
    const [outcome, isLeft, requestId] = row;
    const say = await listenToPage();
    const send = (form: HTMLFormElement) => {
      const formData = new FormData(form);
      say('formdata', { target: form, formData });
      say('submit', { target: form });
      return formData.get('requestId');
    };
    const answer = (detail: string) => say('formoutcome', { detail });
    saveEntry('/airplanes/7#b', entryOf());
    send(Object.assign(withRequest('first'), { action: 'http://localhost:3000/airplanes/7' }));
    answer('unknown');
    const again = Object.assign(withRequest('anew'), { action: 'http://localhost:3000/airplanes/7' });
    expect(send(again)).toBe('first');
    // As the browser reads it from the form.
    Object.assign(again.elements[0] ?? {}, { value: 'first' });
    answer('unknown');
    send(again);
    answer(outcome);
    expect(findEntry('/airplanes/7#b') !== undefined).toBe(isLeft);
    expect(send(withRequest('second'))).toBe(requestId);
  });

  it.each([
    ['to another screen', '/users/add', 1],
    ['of this screen', '/airplanes/7', 0],
    ['of a check-in', '/flight-log/7/post-check', 1],
  ])('without a network and a service worker a form %s is stopped at once or not (B997)', async (_, path, stops) => {
    const say = await listenToPage();
    vi.stubGlobal('navigator', { onLine: false });
    const form = Object.assign(withRequest('first'), { action: `http://localhost:3000${path}` });
    const event = { target: form, preventDefault: vi.fn(), stopPropagation: vi.fn() };
    say('submit', event);
    expect(event.preventDefault).toHaveBeenCalledTimes(stops);
  });
});
