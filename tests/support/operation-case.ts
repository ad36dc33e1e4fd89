import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';

export interface OperationCase {
  /** The module that runs it, within app/domain, and which one it is where the module runs several. */
  name: string;
  role: Role;
  /** What a student gets who had the role when the request was checked. */
  demoted: 'forbidden' | 'allowed';
  /** True if the school must have nothing yet but its administrator. */
  isAlone?: true;
  /** Statements after its COMMIT, which only read. */
  readsAfter?: number;
  /** Prepares what the operation needs; the operation itself. */
  prepare: (actor: Member) => Promise<(actor: Member, key?: string) => Promise<object>>;
}

type Prepare = OperationCase['prepare'];
type Rest = Pick<OperationCase, 'isAlone' | 'readsAfter'>;

export const byAdministrators = (name: string, prepare: Prepare, rest: Rest = {}): OperationCase => ({
  ...{ name, role: 'administrator', demoted: 'forbidden', prepare, ...rest },
});
export const byInstructors = (name: string, prepare: Prepare): OperationCase => ({
  ...{ name, role: 'instructor', demoted: 'forbidden', prepare },
});
export const byAll = (name: string, prepare: Prepare): OperationCase => ({
  ...{ name, role: 'instructor', demoted: 'allowed', prepare },
});

type Make<Made> = (user: Member) => Promise<Made>;
type Act<Made> = (actor: Member, made: Made, key?: string) => Promise<object>;

export const itself = async (user: Member) => user;
const on =
  <Made>(make: Make<Made>, act: Act<Made>): Prepare =>
  async (user) => {
    const made = await make(user);
    return (actor, key) => act(actor, made, key);
  };
export const admin = <Made>(name: string, make: Make<Made>, act: Act<Made>, rest?: Rest) =>
  byAdministrators(name, on(make, act), rest);
export const user = <Made>(name: string, make: Make<Made>, act: Act<Made>) => byAll(name, on(make, act));

export function moduleOf({ name }: Pick<OperationCase, 'name'>): string {
  return name.split(' ')[0] ?? '';
}
