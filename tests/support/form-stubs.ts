import { vi } from 'vitest';
import { watchSentForms } from '#app/ui/forms/kept/sent-form.ts';

type Fields = Record<string, unknown> & { name: string };

/** A control of a form, as far as the scripts of the browser read it. */
class Control extends EventTarget {
  readonly type: string = 'text';
  readonly isConnected = true;
  declare name: string;
  declare value: string;
  declare checked: boolean;
  /** Set by its form. */
  form: Form | null = null;
  /** The class of what it stands in. */
  declare within: string | undefined;

  constructor(fields: Fields) {
    super();
    Object.assign(this, { value: '', defaultValue: '', checked: false, defaultChecked: false }, fields);
  }

  /** Of selectors such as `[type=file], [autocomplete~=off]`. */
  matches(selectors: string): boolean {
    return [...selectors.matchAll(/\[(\w+)~?=([\w-]+)\]/g)].some(([, attribute = '', value = '']) =>
      String(Reflect.get(this, attribute)).split(' ').includes(value),
    );
  }

  closest(selector: string): object | null {
    if (selector === 'form') return this.form;
    return selector === this.within ? this : null;
  }

  getAttribute(name: string): string | null {
    const value: unknown = Reflect.get(this, name);
    return typeof value === 'string' ? value : null;
  }
}

class Input extends Control {}
class TextArea extends Control {}
class Select extends Control {}

class Form extends EventTarget {
  readonly isConnected = true;
  readonly method = 'post';
  readonly dataset: Record<string, string> = {};
  readonly id: string;
  readonly elements: Control[];

  constructor(id: string, elements: Control[]) {
    super();
    this.id = id;
    this.elements = elements;
    for (const control of elements) control.form = this;
  }

  querySelectorAll(): Control[] {
    return this.elements.filter(({ type }) => type === 'file');
  }
}

/** As a browser reads it from a form. */
class FormFields extends FormData {
  constructor(form?: unknown) {
    super();
    for (const { name, value, type, checked } of form instanceof Form ? form.elements : []) {
      if (checked || !['checkbox', 'radio'].includes(type)) this.append(name, value);
    }
  }
}

/** The `files` of an input, as scripts set them. */
class Transfer {
  readonly files: File[] = [];
  readonly items = { add: (file: File) => void this.files.push(file) };
}

export const inputOf = (fields: Fields) => new Input(fields) as unknown as HTMLInputElement;
export const selectOf = (fields: Fields) => new Select(fields) as unknown as HTMLSelectElement;
export const formOf = (id: string, controls: HTMLElement[]) =>
  new Form(id, controls as unknown as Control[]) as unknown as HTMLFormElement;

/** Replaces what the scripts of a form read of the browser; `dataset` is the document's. */
export function stubForms(dataset: Record<string, string> = { viewer: '7' }) {
  const [local, session] = [stubStorage(), stubStorage()];
  const documentStub = Object.assign(new EventTarget(), {
    documentElement: { dataset },
    forms: Array<HTMLFormElement>(),
  });
  const page = { pathname: '/airplanes/7', search: '', href: 'http://localhost:3000/airplanes/7' };
  const constructors = { HTMLInputElement: Input, HTMLTextAreaElement: TextArea, HTMLSelectElement: Select };
  const globals = {
    ...constructors,
    ...{
      HTMLElement: Control,
      Element: Control,
      HTMLFormElement: Form,
      HTMLButtonElement: class {},
      FormData: FormFields,
      DataTransfer: Transfer,
      PerformanceNavigationTiming: class {},
    },
    ...{ localStorage: local, sessionStorage: session, document: documentStub, location: page },
    ...{ navigator: { onLine: true }, window: Object.assign(new EventTarget(), { setTimeout, clearTimeout }) },
  };
  for (const [name, stub] of Object.entries(globals)) vi.stubGlobal(name, stub);
  return { local, session, document: documentStub, location: page };
}

/** Starts what keeps typed forms on a page that is interactive; `say` tells its listeners of an event. */
export function startPage(keepTyped: () => void, dataset: Record<string, string> = { viewer: '7' }) {
  const stubs = stubForms({ hydrated: '', ...dataset });
  const listeners: [string, (event: object) => void][] = [];
  const addEventListener = (...added: (typeof listeners)[number]) => void listeners.push(added);
  Object.assign(stubs.document, { addEventListener });
  Object.assign(window, { addEventListener });
  let change = () => {};
  class Observer {
    constructor(callback: () => void) {
      change = callback;
    }

    observe() {}
  }
  vi.stubGlobal('MutationObserver', Observer);
  const open = (...forms: HTMLFormElement[]) => void stubs.document.forms.push(...forms);
  const start = () => keepTyped();
  watchSentForms();
  const say = (type: string, event: object = {}) => {
    // A form that is submitted is the router's, which comes first.
    for (const [heard, listener] of listeners) if (heard === type) listener({ type, defaultPrevented: true, ...event });
  };
  return { ...stubs, open, start, say, change: () => change() };
}

function stubStorage() {
  const entries: Record<string, string> = {};
  const methods = {
    getItem: (name: string) => entries[name] ?? null,
    setItem: (name: string, text: string) => void (entries[name] = text),
    removeItem: (name: string) => void delete entries[name],
  };
  Object.defineProperties(
    entries,
    Object.fromEntries(Object.entries(methods).map(([name, value]) => [name, { value }])),
  );
  return entries;
}
