import type { Locator, Page } from 'playwright';

/** Those that send a form of this page, one for each kind: where it is sent to, and with what intent. Logout is on all. */
export async function submitButtons(page: Page): Promise<Locator[]> {
  const all = page.locator('button[type=submit]:not([aria-hidden])');
  const kinds = await all.evaluateAll((buttons: HTMLButtonElement[]) =>
    buttons.map(
      ({ form, name, value, textContent }) =>
        `${form?.method} ${form?.action} ${name ? `${name}=${value}` : textContent}`,
    ),
  );
  return kinds.flatMap((kind, at) => (kinds.indexOf(kind) === at && !kind.endsWith('Logout') ? [all.nth(at)] : []));
}
