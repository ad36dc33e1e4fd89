import type { Page } from 'playwright';

/** Keeps the page's next posts under way until `release` is called, as a slow line does. */
export async function delayPosts(page: Page): Promise<{ release(): void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/*', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.fallback();
  });
  return { release };
}
