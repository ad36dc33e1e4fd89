import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Take half a minute and more, though some are short texts, by whose length vitest would order them. */
const LONGEST = [
  ...['accessibility/screen-states', 'journeys/script-blocked', 'journeys/whole-flight', 'journeys/invitations'],
  ...['faults/chaos', 'ops/commands', 'ops/quickstart', 'ops/production', 'faults/pictures', 'ops/flightline-backup'],
  ...['domain/statement-cuts', 'http/second-school', 'http/simulated-year', 'domain/migrations'],
  ...['domain/interleaved-revocations', 'http/matrix', 'http/bad-input', 'http/flight-log-export'],
];

/** Begins each project with the files that take longest, so that at the end no worker is busy alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONGEST.some((name) => moduleId.includes(`/tests/${name}.`));
}
