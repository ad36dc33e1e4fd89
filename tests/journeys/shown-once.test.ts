import type { Locator, Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';
import { PASSWORD } from '#tests/support/school.ts';
import { codeFrom } from '#tests/support/second-factor.ts';
import { journey, WITH_SCRIPT } from './support/journey.ts';
import { step } from './support/step.ts';
import { expectToast } from './support/toast.ts';
import { buttonNamed } from './support/wizard.ts';

const secretOf = (page: Page) => page.locator('code.secret').first();

/** Both clicks before the page can answer the first. */
const doubleClick = (button: Locator) =>
  button.evaluate((element: HTMLButtonElement) => {
    element.click();
    element.click();
  });

journey(
  'a double click sends once, so that the recovery codes are seen (B1423)',
  async ({ page, visit, signIn, school }) => {
    await signIn(await school.user('student'));
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('second-factor')) posts.push(request.url());
    });
    await visit('/account/second-factor');
    const key = (await secretOf(page).textContent()) ?? '';
    await step('turn it on', async () => {
      await page.getByLabel('Code').fill(codeFrom(key));
      await doubleClick(buttonNamed(page, 'Turn On'));
      await expect(page.locator('.recovery-codes code')).toHaveCount(10);
    });
    await step('make new codes', async () => {
      const former = await page.locator('.recovery-codes').innerText();
      await page.getByLabel('Current Password').fill(PASSWORD);
      await page.getByLabel('Code').fill(codeFrom(key, 1));
      await doubleClick(buttonNamed(page, 'New Recovery Codes'));
      await expectToast(page, 'New recovery codes');
      await expect(page.locator('.recovery-codes')).not.toHaveText(former);
    });
    expect(posts).toHaveLength(2);
  },
  { modes: WITH_SCRIPT },
);
