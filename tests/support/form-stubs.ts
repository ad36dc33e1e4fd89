import { vi } from 'vitest';

type Fields = Record<string, unknown> & { name: string };

/** A control of a form, as far as the scripts of the browser read it. */
class Control extends EventTarget {
  readonly type: string = 'text';
  readonly isConnected = true;
  declare name: string;
  declare value: string;
  declare checked: boolean;

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

  closest(): null {
    return null;
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
    ...{ HTMLFormElement: Form, FormData: FormFields, DataTransfer: Transfer, PerformanceNavigationTiming: class {} },
    ...{ localStorage: local, sessionStorage: session, document: documentStub, location: page },
    ...{ navigator: { onLine: true }, window: Object.assign(new EventTarget(), { setTimeout, clearTimeout }) },
  };
  for (const [name, stub] of Object.entries(globals)) vi.stubGlobal(name, stub);
  return { local, session, document: documentStub };
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
