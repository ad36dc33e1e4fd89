import { expect } from 'playwright/test';
import { journey } from './support/journey.ts';

journey('B018 B053 B054 B058 B059: the login page says what is missing, beside the fields and above them', async ({ page, visit }) => {
  const response = await visit('/login');
  expect(response?.status()).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Flightline' })).toBeVisible();
  await expect(page.getByText("Log in to manage your flight school's operations")).toBeVisible();
  const password = page.getByLabel('Password');
  await expect(password).toHaveAttribute('type', 'password');
  await expect(password).toHaveAttribute('autocomplete', 'current-password');

  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Username is required' })).toBeVisible();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Username is required');
  await expect(password).toHaveAccessibleDescription('Password is required');
});
