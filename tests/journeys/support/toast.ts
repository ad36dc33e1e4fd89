import type { Page } from 'playwright';
import { expect } from '#tests/support/expect.ts';

/** The page shows this toast (spec §8), announced as its tone asks. */
export async function expectToast(page: Page, title: string, text = '', role: 'status' | 'alert' = 'status') {
  const region = page.getByRole(role).filter({ hasText: title });
  await expect(region).toContainText(text);
  await expect(region.getByText(title, { exact: true })).toBeVisible();
}
