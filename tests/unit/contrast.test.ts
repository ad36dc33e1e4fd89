import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const css = readFileSync('app/styles/tokens.css', 'utf8');
const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
const colours = { light: tokensOf(light), dark: { ...tokensOf(light), ...tokensOf(dark) } };

it.each(
  (['light', 'dark'] as const).flatMap((scheme) =>
    (['page-background', 'surface'] as const).map((ground) => ({ scheme, ground })),
  ),
)(
  'ink, accent, go and what is overdue are readable in the sun on the $ground, $scheme (B784)',
  ({ scheme, ground }) => {
    const tokens = colours[scheme];
    for (const ink of ['text', 'text-muted', 'accent', 'accent-strong', 'success', 'success-strong']) {
      expect(contrast(tokens[ink], tokens[ground]), ink).toBeGreaterThanOrEqual(7);
    }
    // What is overdue stands on the cards of the line.
    expect(contrast(tokens.danger, tokens[ground]), 'danger').toBeGreaterThanOrEqual(ground === 'surface' ? 7 : 4.5);
    expect(contrast(tokens['border-strong'], tokens[ground])).toBeGreaterThanOrEqual(3);
    for (const name of ['accent', 'success']) {
      expect(contrast(tokens[`on-${name}`], tokens[name]), `on ${name}`).toBeGreaterThanOrEqual(7);
    }
  },
);

it('the edge of a card is drawn with the strong border (B784)', () => {
  const [, rule] = /\.card,[^{]*\{([^}]*)\}/.exec(readFileSync('app/styles/shared.css', 'utf8')) ?? [];
  expect(rule).toContain('border: 1px solid var(--border-strong)');
});

function tokensOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/--([\w-]+): (#[\da-f]+);/g)].map(([, name, value]) => [name, value]));
}

/** The contrast ratio of WCAG 2. */
function contrast(one = '', other = ''): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (brighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
