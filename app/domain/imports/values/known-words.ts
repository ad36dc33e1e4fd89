import { type Role, ROLES } from '#db/roles.ts';
import { USUAL_ROLE } from '../../roles.ts';
import { plainWords } from '../reading/heading-words.ts';
import type { SquawkRecord } from '../records.ts';
import { requireValue, ValueProblemError } from './value-problem.ts';

type Words<Value> = Map<string, Value>;

function wordsOf<Value extends string>(words: Record<Value, string>): Words<Value> {
  const values = Object.keys(words).filter((key): key is Value => key in words);
  return new Map(values.flatMap((value) => words[value].split(', ').map((word) => [word, value] as const)));
}

/** Compared without case, accents and punctuation. */
function find<Value>(words: Words<Value>, text: string): Value | undefined {
  return words.get(plainWords(text).join(' '));
}

function meant<Value>(words: Words<Value>, text: string, problem: string): Value {
  return requireValue(find(words, text), `"${text}" ${problem}`);
}

const FLAGS = wordsOf({
  yes: 'y, yes, j, ja, o, oui, s, si, x, true, wahr, vrai, verdadero, on',
  no: 'n, no, nein, non, false, falsch, faux, falso, off, none, keine, aucun',
});

/** Quantities count as yes where they are above zero. */
export function parseFlag(text: string): boolean {
  if (/^[-–—]?$/.test(text.trim())) return false;
  if (/^[✓✔☑]$/.test(text.trim())) return true;
  if (/^\d[\d.,]*\s*\p{L}{0,4}$/u.test(text.trim())) return /[1-9]/.test(text);
  return meant(FLAGS, text, 'is neither yes nor no.') === 'yes';
}

const ROLES_BY_WORD = wordsOf<Role>({
  administrator:
    'administrator, admin, school administrator, owner, manager, administrateur, administratrice, administrador, administradora, verwalter, verwaltung, leiter, vorstand',
  instructor:
    'instructor, flight instructor, chief instructor, chief flight instructor, cfi, cfii, mei, fi, fluglehrer, fluglehrerin, lehrer, ausbilder, instructeur, instructrice, moniteur, instructora, instructor de vuelo, profesor',
  student:
    'student, student pilot, pilot, private pilot, renter, member, customer, client, user, schuler, schulerin, flugschuler, flugschulerin, mitglied, pilotin, privatpilot, eleve, eleve pilote, pilote, membre, adherent, alumno, alumna, alumno piloto, piloto, socio, socia, miembro, estudiante',
});
const ROLE_LIST = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(ROLES.toReversed());

/** The role that comes first in the list, where a cell names several. */
export function parseRole(text: string, meaning: (word: string) => string | undefined): Role | 'former' {
  const roles = wordsOfCell(text).map((word) => {
    const said = meaning(word);
    if (said === 'former') return said;
    return ROLES.find((one) => one === said) ?? meant(ROLES_BY_WORD, word, `is no role: ${ROLE_LIST}.`);
  });
  return ROLES.find((role) => roles.includes(role)) ?? (roles.includes('former') ? 'former' : USUAL_ROLE);
}

const MEMBERSHIP = wordsOf({
  active: 'active, current, aktiv, aktives mitglied, actif, active, activo, activa, valid, enabled',
  former:
    'former, resigned, left, inactive, ended, cancelled, terminated, deceased, expired, ausgetreten, gekundigt, ehemalig, ehemaliges mitglied, inaktiv, verstorben, ancien, ancienne, demissionnaire, inactif, inactive, decede, baja, inactivo, inactiva, antiguo',
});

export function parseIsFormer(text: string, meaning: (word: string) => string | undefined): boolean {
  return (meaning(text) ?? meant(MEMBERSHIP, text, 'is no status: active or former.')) === 'former';
}

/** The words of a cell that have no meaning here. */
export function unknownWords(field: string, text: string): string[] {
  if (text.trim() === '') return [];
  if (field === 'status') return find(MEMBERSHIP, text) === undefined ? [text.trim()] : [];
  return wordsOfCell(text).filter((word) => find(ROLES_BY_WORD, word) === undefined);
}

function wordsOfCell(text: string): string[] {
  return text.split(/[,;/|+&]/).map((word) => word.trim());
}

const MAINTENANCE = wordsOf({
  yes: 'maintenance, in maintenance, grounded, out of service, oos, unavailable, inactive, down, wartung, in wartung, gesperrt, werft, in der werft, en maintenance, en entretien, immobilise, indisponible, mantenimiento, en mantenimiento, en taller, no disponible, fuera de servicio',
  no: 'available, active, online, ok, in service, airworthy, checked out, in flight, ready, verfugbar, aktiv, frei, bereit, einsatzbereit, klar, flugklar, flugbereit, disponible, actif, en service, libre, activo, operativo, en servicio',
});

export function parseInMaintenance(text: string): boolean {
  return (find(MAINTENANCE, text) ?? meant(FLAGS, text, 'is no status: available or maintenance.')) === 'yes';
}

const SQUAWK_STATES = wordsOf({
  open: 'open, new, reported, pending, active, in progress, offen, neu, gemeldet, ouvert, ouverte, nouveau, en cours, abierto, abierta, nuevo, pendiente',
  deferred:
    'deferred, monitor, postponed, zuruckgestellt, aufgeschoben, reporte, reportee, differe, differee, diferido, diferida, aplazado',
  fixed:
    'fixed, closed, resolved, done, complete, completed, repaired, signed off, erledigt, behoben, geschlossen, repariert, resolu, resolue, corrige, corrigee, ferme, fermee, clos, repare, cerrado, cerrada, resuelto, resuelta, corregido, reparado',
  withdrawn: 'withdrawn, cancelled, canceled, zuruckgezogen, storniert, annule, retire, anulado, retirado',
});

export function parseSquawkState(text: string): NonNullable<SquawkRecord['state']> {
  const state = meant(SQUAWK_STATES, text, 'is no state: open, deferred or fixed.');
  if (state === 'withdrawn') throw new ValueProblemError('Squawks that were withdrawn are not imported.');
  return state;
}

const UNFINISHED = wordsOf({
  open: 'in progress, open, dispatched, checked out, active, ongoing, started, offen, laufend, in der luft, unterwegs, en cours, ouvert, en vol, en curso, abierto, en vuelo',
  cancelled:
    'cancelled, canceled, void, voided, deleted, no show, scheduled, planned, storniert, abgesagt, geloscht, geplant, annule, supprime, prevu, cancelado, anulado, previsto',
});

/** Why a flight of this status is not imported, or one with a mark or reason of its cancellation; undefined for one that ended. */
export function unfinishedFlightRefusalText(status: string, cancelled = ''): string | undefined {
  const state = status === '' ? undefined : find(UNFINISHED, status);
  if (state === 'open') return 'This flight is open. Check it in first: only completed flights are imported.';
  const isMarked = /[1-9\p{L}✓✔☑]/u.test(cancelled) && find(FLAGS, cancelled) !== 'no' && !isNobody(cancelled);
  return state || isMarked ? 'This flight was cancelled. Only completed flights are imported.' : undefined;
}

const NOBODY = new Set(
  'none, n a, na, null, solo, kein, keine, keiner, aucun, aucune, ninguno, ninguna, ohne, sans, sin'.split(', '),
);

export function isNobody(text: string): boolean {
  return /^[-–—./]*$/.test(text) || NOBODY.has(plainWords(text).join(' '));
}
