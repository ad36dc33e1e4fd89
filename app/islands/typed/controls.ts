/** The values of a form's controls, by name; a box or radio button goes by name and value. */
export type Values = Record<string, string>;

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const UNTYPED = '[type=hidden], [type=submit], [type=button], [type=file]';
const SECRET = '[type=password], [autocomplete~=one-time-code]';
/** Hidden fields that say nothing of what the form is about. */
const CHANGING = /^(?:viewerId|requestId|typedForm|intent|tailNumber|seen|frame)$|(?:Scan|NotKept)$/;

export function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(typedControls(form).map((control) => [keyOf(control), valueOf(control)]));
}

export function readDefaults(form: HTMLFormElement): Values {
  return Object.fromEntries(typedControls(form).map((control) => [keyOf(control), defaultOf(control)]));
}

export function dirtyKeys(form: HTMLFormElement): string[] {
  const [values, defaults] = [readValues(form), readDefaults(form)];
  return Object.keys(values).filter((key) => defaults[key] !== values[key]);
}

export function readSubject(form: HTMLFormElement): string {
  const hidden = [...form.elements].filter(
    (control): control is HTMLInputElement => control instanceof HTMLInputElement && control.type === 'hidden',
  );
  return JSON.stringify(
    hidden.filter(({ name }) => name && !CHANGING.test(name)).map(({ name, value }) => [name, value]),
  );
}

/** Sets the controls as typing would, ticks before what they show. */
export function applyValues(form: HTMLFormElement, values: Values, controlsOf = typedControls): void {
  for (const control of controlsOf(form)) {
    const value = values[keyOf(control)];
    if (value === undefined || value === valueOf(control)) continue;
    if (isTick(control)) control.checked = value !== '';
    else control.value = value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
    if (!isTextual(control)) control.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** Puts what differs from what was sent into another form like it, secrets and files too. Returns false if nothing does. */
export function carryTyped(from: HTMLFormElement, to: HTMLFormElement, sent: FormData): boolean {
  const typed = Object.fromEntries(
    namedControls(from)
      .filter((control) => valueOf(control) !== sentValueOf(control, sent))
      .map((control) => [keyOf(control), valueOf(control)]),
  );
  applyValues(to, typed, namedControls);
  const [targets, chosen] = [fileInputs(to), fileInputs(from)];
  for (const [at, { name, files }] of chosen.entries()) {
    const added = [...(files ?? [])].filter((file) => !sent.getAll(name).includes(file));
    const target = targets[at];
    if (target && added.length > 0) putFiles(target, added);
  }
  return Object.keys(typed).length > 0;
}

function sentValueOf(control: Control, sent: FormData): string {
  if (isTick(control)) return sent.getAll(control.name).includes(control.value) ? 'on' : '';
  const value = sent.get(control.name);
  return typeof value === 'string' ? value : defaultOf(control);
}

/** As a form sends it, but what is unticked is empty. */
export function toFields(form: HTMLFormElement, isWanted: (key: string) => boolean): [string, string][] {
  const wanted = typedControls(form).filter((control) => isWanted(keyOf(control)));
  const entries = wanted.map((control): [string, string] => [control.name, fieldValueOf(control)]);
  // The chosen one counts among radio buttons.
  return entries.sort(([, one], [, other]) => Number(one !== '') - Number(other !== ''));
}

export function fileInputs(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>('input[type=file][name]')];
}

/** As choosing them would. The change of a meter's photo would have it read, in the place of what is typed. */
export function putFiles(input: HTMLInputElement, files: File[]): void {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event(input.closest('.meter-photo-field') ? 'input' : 'change', { bubbles: true }));
}

function typedControls(form: HTMLFormElement): Control[] {
  return namedControls(form).filter((control) => !control.matches(SECRET));
}

function namedControls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (control): control is Control =>
      (control instanceof HTMLInputElement ||
        control instanceof HTMLTextAreaElement ||
        control instanceof HTMLSelectElement) &&
      control.name !== '' &&
      !control.matches(UNTYPED),
  );
}

function isTick(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox' || control.type === 'radio';
}

function isTextual(control: Control): boolean {
  return !isTick(control) && !(control instanceof HTMLSelectElement);
}

function keyOf(control: Control): string {
  return isTick(control) ? `${control.name}=${control.value}` : control.name;
}

export function fieldOf(key: string): string {
  return key.replace(/=.*/s, '');
}

function valueOf(control: Control): string {
  if (isTick(control)) return control.checked ? 'on' : '';
  return control.value;
}

function fieldValueOf(control: Control): string {
  if (isTick(control)) return control.checked ? control.value : '';
  return control.value;
}

function defaultOf(control: Control): string {
  if (isTick(control)) return control.defaultChecked ? 'on' : '';
  if (!(control instanceof HTMLSelectElement)) return control.defaultValue;
  const options = [...control.options];
  const chosen = options.find(({ defaultSelected }) => defaultSelected) ?? options.find(({ disabled }) => !disabled);
  return chosen?.value ?? '';
}
