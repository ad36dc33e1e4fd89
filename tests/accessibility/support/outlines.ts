import type { Page } from 'playwright';

/**
 * The controls whose focus is not seen: no outline of 2 px and more, or one with less than 3:1 against what it is
 * drawn on. Each control of the page, or of its modal dialog or open menu, takes the focus once, as by keyboard.
 */
export async function focusOutlineFaults(page: Page): Promise<string[]> {
  // After a key the browser shows the focus, however it then comes about.
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const scope = document.querySelector('dialog:modal, .menu[open]') ?? document;
    const controls = scope.querySelectorAll<HTMLElement>('a[href], button, summary, input, select, textarea');
    return [...controls].filter(isReachable).flatMap((control) => {
      control.focus();
      if (document.activeElement !== control) return [`${control.outerHTML} takes no focus`];
      const outline = outlineOf(control);
      if (!outline) return [`${control.outerHTML} has no outline`];
      const around = groundOf(parseFloat(outline.outlineOffset) < 0 ? control : control.parentElement);
      const ratio = contrast(rgb(outline.outlineColor), around);
      return ratio < 3 ? [`${control.outerHTML}: ${ratio.toFixed(2)}:1`] : [];
    });

    /** Its own, or that of the area it covers. */
    function outlineOf(control: HTMLElement): CSSStyleDeclaration | undefined {
      const styles = [getComputedStyle(control), getComputedStyle(control, '::after')];
      return styles.find(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2);
    }

    function isReachable(control: HTMLElement): boolean {
      return (
        control.checkVisibility({ visibilityProperty: true }) && control.tabIndex >= 0 && !control.matches(':disabled')
      );
    }

    /** The colour behind an element: the first one upwards that is not transparent. */
    function groundOf(element: Element | null): number[] {
      for (let at = element; at; at = at.parentElement) {
        const colour = rgb(getComputedStyle(at).backgroundColor);
        if (colour[3] !== 0) return colour;
      }
      return [255, 255, 255, 1];
    }

    function rgb(colour: string): number[] {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      return [red, green, blue, alpha];
    }

    function contrast(one: number[], other: number[]): number {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    }

    function luminance(colour: number[]): number {
      const [red = 0, green = 0, blue = 0] = colour.map((part) => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
  });
}
