import { expect as playwrightExpect } from 'playwright/test';

/** How long a browser or server may take on a busy machine. */
export const LONG_TIMEOUT_MS = 120_000;

/** Playwright's `expect`, with patience for what it waits for. */
export const expect = playwrightExpect.configure({ timeout: LONG_TIMEOUT_MS });
