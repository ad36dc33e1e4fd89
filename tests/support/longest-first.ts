import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Take long, or wait long, though some are short texts, by whose length vitest would order them. */
const LONGEST = [
  ...['browsers/whole-flight', 'accessibility/screen-states', 'journeys/script-blocked', 'journeys/without-network'],
  ...['journeys/whole-flight', 'journeys/invitations'],
  ...['faults/chaos', 'ops/commands', 'ops/quickstart', 'ops/production', 'faults/pictures', 'ops/flightline-backup'],
  ...['domain/statement-cuts', 'http/second-school', 'http/simulated-year', 'domain/migrations'],
  ...['domain/interleaved-revocations', 'http/matrix', 'http/bad-input', 'http/cut-answers', 'http/activity'],
  ...['faults/alarms', 'faults/silent-database', 'domain/backup'],
  ...['domain/embedded-supervision', 'domain/database-waits', 'http/imports', 'api/matrix', 'unit/import-bad-files'],
];

/** What waits for servers and browsers leaves room for types and lint; many short files end the run evenly. */
const PROJECTS = ['served', 'isolated', 'unit'];

/** Begins each project with the files that take longest, so that at the end no worker is busy alone. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const names = new Set(sorted.map(({ project }) => project.name));
    const projects = [...names].sort((one, other) => PROJECTS.indexOf(one) - PROJECTS.indexOf(other));
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONGEST.some((name) => moduleId.includes(`/tests/${name}.`));
}
