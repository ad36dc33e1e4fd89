import { expect, it } from 'vitest';
import { csvOf, rowsOf } from '#tests/support/imports/read.ts';

const people = async (lines: string[]) => (await rowsOf(csvOf(lines), 'people')).records;

it("'Name' beside one part of a name is the other part, unless its cells hold both (B1679)", async () => {
  const nameOf = async (...lines: string[]) => (await people(lines)).map(({ name }) => name);
  for (const [headings, cells] of [
    ['Vorname;Name;Mail', 'Anna;Muster;a@example.org'],
    ['Name;Vorname;Mail', 'Muster;Anna;a@example.org'],
    ['Name;Surname;Mail', 'Anna;Muster;a@example.org'],
    ['Full name;Last name;Mail', 'Anna Muster;Muster;a@example.org'],
    ['Name;First name;Mail', 'Muster, Anna;Anna;a@example.org'],
  ] as const)
    expect([headings, await nameOf(headings, cells)]).toEqual([
      headings,
      [headings.startsWith('Name;First') ? 'Muster, Anna' : 'Anna Muster'],
    ]);
});

it('who left is a former person: by a past day, by a no below Active, by a yes below Resigned (B1679)', async () => {
  const formerOf = async (heading: string, ...cells: string[]) => {
    const lines = [`Name,Email,${heading}`, ...cells.map((cell, at) => `P${at} Muster,p${at}@example.org,${cell}`)];
    return (await people(lines)).map(({ isFormer }) => isFormer);
  };
  for (const heading of ['Left on', 'Austrittsdatum', 'Date de sortie', 'Resigned', 'Member until'])
    expect([heading, await formerOf(heading, '', '31.12.2020', '31.12.2099')]).toEqual([heading, [false, true, false]]);
  for (const heading of ['Active', 'Aktiv', 'Is active', 'Enabled'])
    expect([heading, await formerOf(heading, 'yes', 'no')]).toEqual([heading, [false, true]]);
  for (const heading of ['Resigned', 'Ausgetreten', 'Inactive', 'Archived'])
    expect([heading, await formerOf(heading, '', 'no', 'x')]).toEqual([heading, [false, false, true]]);
});
