import type { Page } from 'playwright';

/** One control as it stands in a page; a file as its name and size. */
export type Values = Record<string, string>;

/** What passwords are, and codes that are good once. */
const SECRET = '[type=password], [autocomplete=one-time-code]';

/** The ids of the forms of a page that post something typed, chosen or ticked. */
export function findForms(page: Page): Promise<string[]> {
  return page.evaluate((secret) => {
    const takes = (form: HTMLFormElement) =>
      [...form.elements].some(
        (control) =>
          control.matches('[name]:is(input:not([type=hidden], [type=submit], [type=button]), textarea, select)') &&
          !control.matches(secret) &&
          control.checkVisibility(),
      );
    return [...document.forms].filter((form) => form.method === 'post' && takes(form)).map(({ id }) => id);
  }, SECRET);
}

/** Changes every control of a form that is seen, as somebody would, and returns what stands there then. */
export async function fillForm(page: Page, id: string, round: number): Promise<Values> {
  // Twice: a tick shows further fields.
  await change(page, id, round);
  await change(page, id, round);
  await chooseFiles(page, id, round);
  await pressLastKey(page, id);
  return readForm(page, id);
}

/** What stands in a form now, by control. */
export function readForm(page: Page, id: string): Promise<Values> {
  return page.evaluate(
    ([formId, secret]) => {
      const form = document.getElementById(formId);
      if (!(form instanceof HTMLFormElement)) return {};
      const shown = (control: Element) =>
        control.checkVisibility() || (control.matches('[type=file]') && !control.closest('.meter-photo-field'));
      const entryOf = (control: Element): [string, string][] => {
        if (!shown(control) || control.matches(secret) || !control.getAttribute('name')) return [];
        if (control instanceof HTMLInputElement) {
          if (['hidden', 'submit', 'button'].includes(control.type)) return [];
          if (['checkbox', 'radio'].includes(control.type))
            return [[`${control.name}=${control.value}`, control.checked ? 'on' : '']];
          if (control.type === 'file')
            return [[control.name, [...(control.files ?? [])].map(({ name }) => name).join()]];
          return [[control.name, control.value]];
        }
        const isTyped = control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement;
        return isTyped ? [[control.name, control.value]] : [];
      };
      return Object.fromEntries([...form.elements].flatMap(entryOf));
    },
    [id, SECRET] as const,
  );
}

async function change(page: Page, id: string, round: number): Promise<void> {
  await page.evaluate(
    ([formId, secret, seed]) => {
      const form = document.getElementById(formId);
      if (!(form instanceof HTMLFormElement)) return;
      const texts: Record<string, string> = {
        number: String(7 + seed),
        email: `kept${seed}@school.example`,
        'datetime-local': `2026-05-12T08:1${seed % 10}`,
        time: `10:1${seed % 10}`,
      };
      // Chromium puts back no day past the field's own last one.
      const dayOf = ({ max }: HTMLInputElement) => `${max ? Number(max.slice(0, 4)) - 1 : 2027}-03-0${1 + (seed % 9)}`;
      const say = (control: Element) => {
        control.dispatchEvent(new Event('input', { bubbles: true }));
        control.dispatchEvent(new Event('change', { bubbles: true }));
      };
      for (const control of form.elements) {
        if (
          control.matches(secret) ||
          !control.getAttribute('name') ||
          !control.checkVisibility() ||
          control.hasAttribute('data-filled')
        )
          continue;
        if (control instanceof HTMLSelectElement) {
          const other = [...control.options].findLast(({ disabled, selected }) => !disabled && !selected);
          if (other) control.value = other.value;
        } else if (control instanceof HTMLTextAreaElement) {
          control.value = `Kept ${seed},\nline two`;
        } else if (control instanceof HTMLInputElement) {
          if (['hidden', 'submit', 'button', 'file'].includes(control.type)) continue;
          if (['checkbox', 'radio'].includes(control.type)) control.click();
          else if (control.inputMode === 'decimal') control.value = `12${seed}.5`;
          else if (control.type === 'date') control.value = dayOf(control);
          else control.value = texts[control.type] ?? `Kept ${seed}`;
        } else continue;
        control.setAttribute('data-filled', '');
        say(control);
      }
    },
    [id, SECRET, round] as const,
  );
}

async function chooseFiles(page: Page, id: string, round: number): Promise<void> {
  const inputs = page.locator(`[id="${id}"] input[type=file]`);
  for (const input of await inputs.all()) {
    if (await input.evaluate((element) => element.closest('.meter-photo-field') !== null)) continue;
    await input.setInputFiles({ name: `kept-${round}.jpg`, mimeType: 'image/jpeg', buffer: await photo() });
  }
}

/** The last text field gets its last letter from the keyboard. */
async function pressLastKey(page: Page, id: string): Promise<void> {
  const field = page.locator(`[id="${id}"] :is(input[type=text]:not([inputmode]), textarea):visible`).last();
  if ((await field.count()) > 0) await field.press('z');
}

let kept: Promise<Buffer> | undefined;
async function photo(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  kept ??= sharp({
    create: {
      width: 1200,
      height: 900,
      channels: 3,
      background: '#777',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  return kept;
}
