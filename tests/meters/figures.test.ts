import { describe, expect, it } from 'vitest';
import { readFigures } from '#app/domain/meters/engine/figures.ts';
import { choicesOf, doubtText, isInDoubt, toFiguresWithDoubt, withLastFigure } from '#app/domain/meters/figures.ts';
import { stepsOf } from './steps.ts';

const never = { isRuledOut: () => false };
const figuresOf = (shown: readonly string[], digits: string) =>
  toFiguresWithDoubt(readFigures([stepsOf(shown)], digits), never);

describe('the figures of a counter', () => {
  it('each figure has its own confidence, and the likeliest other one where it is in doubt (B675)', () => {
    expect(figuresOf(['0', '1', '2:0.97/7', '3:0.6/4'], '0123')).toEqual([
      { figure: '0', confidence: '0.99', other: null },
      { figure: '1', confidence: '0.99', other: null },
      { figure: '2', confidence: '0.96', other: null },
      { figure: '3', confidence: '0.59', other: '4' },
    ]);
  });

  it('the mean of several crops decides, so that one crop alone makes no doubt of what three are sure of (B675)', () => {
    const [sure, other] = [stepsOf(['1', '3']), stepsOf(['1', '3:0.9/4'])];
    expect(isInDoubt(toFiguresWithDoubt(readFigures([sure, sure, sure, other], '13'), never))).toBe(false);
    expect(isInDoubt(toFiguresWithDoubt(readFigures([other], '13'), never))).toBe(true);
  });

  it('a last drum that rolls from 9 to 0 and takes the one before it along is in doubt, too (B675)', () => {
    const rolling = toFiguresWithDoubt(readFigures([stepsOf(['3', '4:0.5/5', '9:0.5/0'])], '349'), never);
    expect(rolling.at(-1)).toMatchObject({ figure: '9', other: '0' });
    const steps = [stepsOf(['3', '4', '9']), stepsOf(['3', '5', '0'])];
    expect(doubtText(toFiguresWithDoubt(readFigures(steps, '349'), never))).toBe(
      'The last drum stands between 9 and 0.',
    );
  });

  it('a figure that the last reading rules out is not in doubt (B675)', () => {
    const read = readFigures([stepsOf(['1', '8:0.6/3', '4'])], '184');
    expect(isInDoubt(toFiguresWithDoubt(read, never))).toBe(true);
    const isRuledOut = (at: number, other: string) => at === 1 && other === '3';
    expect(isInDoubt(toFiguresWithDoubt(read, { isRuledOut }))).toBe(false);
  });

  it('what is in doubt is said of the last drum, or of the figure by its place (B676)', () => {
    for (const [shown, digits, text] of [
      [['1', '3:0.6/4'], '13', 'The last drum stands between 3 and 4.'],
      [['1', '4:0.6/3'], '14', 'The last drum stands between 3 and 4.'],
      [['1', '0:0.6/9'], '10', 'The last drum stands between 9 and 0.'],
      [['1', '3:0.6/8'], '13', 'The last figure may be 3 or 8.'],
      [['1:0.6/7', '3'], '13', 'The first figure may be 1 or 7.'],
      [['0', '5:0.6/6', '3:0.6/4'], '053', 'The second figure may be 5 or 6. The last drum stands between 3 and 4.'],
    ] as const)
      expect(doubtText(figuresOf(shown, digits))).toBe(text);
  });

  it('a last drum judged to stand between two figures is in doubt, however sure the figure is (B1310)', () => {
    const read = readFigures([stepsOf(['1', '3:0.98/4'])], '13');
    expect(isInDoubt(toFiguresWithDoubt(read, never))).toBe(false);
    const figures = toFiguresWithDoubt(read, { ...never, lastNeighbour: '4' });
    expect(figures.map(choicesOf)).toEqual([[], ['3', '4']]);
    expect(doubtText(figures)).toBe('The last drum stands between 3 and 4.');
  });

  it('a reading takes another last figure, and carries where the drum rolls over (B1310)', () => {
    for (const [reading, figure, text] of [
      ['1234.5', '6', '1234.6'],
      ['1234.9', '0', '1235.0'],
      ['1235.0', '9', '1234.9'],
      ['0.1', '0', '0.0'],
      ['12.3', '8', '12.8'],
      ['1234', '5', '1235'],
    ] as const)
      expect(withLastFigure(reading, figure)).toBe(text);
  });
});
