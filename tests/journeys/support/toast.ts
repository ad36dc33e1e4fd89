import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';

/** The page shows this toast (spec §8), announced as its tone asks. */
export async function expectToast(page: Page, title: string, text = '', role: 'status' | 'alert' = 'status') {
  const region = page
    .getByRole(role)
    .filter({ hasText: title })
    .filter({ hasText: new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) });
  // Title and text in one look: the toast may be gone before another.
  await expect(region.getByText(title, { exact: true })).toBeVisible();
}
