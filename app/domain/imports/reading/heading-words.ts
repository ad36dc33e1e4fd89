/**
 * What words of headings mean, in English, German, French and Spanish; without accents, as `plainWords` leaves them. Take-off
 * and landing of others are no times of the block: 'departed' and 'landed' are of our own files only.
 */
const WORDS = `
  aircraft: aircraft airplane aeroplane plane flugzeug luftfahrzeug lfz flieger avion aeronef aeronave appareil aparato resource maschine ship machine avioneta helicopter hubschrauber helicoptere helicoptero
  tail: tail registration reg regn rego kennzeichen kennung immatriculation immat matricula callsign ident zulassung registro nnumber flugzeugkennzeichen
  id: id uid identifier kennziffer
  number: number no nr num numero nummer lfd
  make: make manufacturer hersteller marke constructeur marque fabricante marca brand fabricant
  model: model modell modele modelo variant muster baumuster baureihe flugzeugmuster
  type: type typ tipo kategorie category categoria categorie art class kind flugzeugtyp
  year: year baujahr annee ano anio yom built jahr construction herstellungsjahr fabricacion
  status: status state zustand etat estado statut situation
  cancelled: cancelled canceled cancellation void voided storniert storno annule annulee annulation cancelado cancelada anulado anulada annullato geannuleerd
  active: active enabled aktiv aktiviert actif active activo activa
  left: left leaving exit resigned resignation terminated termination inactive disabled deactivated archived austritt ausgetreten austrittsdatum kundigung inaktiv deaktiviert archiviert sortie demission radie inactif desactive baja inactivo
  maintenance: maintenance wartung entretien mantenimiento grounded gesperrt oos taller werft
  current: current last aktuell aktueller aktuelle letzter letzte actuel actuelle dernier derniere actual ultimo ultima latest present now
  hobbs: hobbs hobbsmeter hourmeter horametre horometre horametro horometro betriebsstunden betriebsstundenzahler flugstundenzahler
  tach: tach tacho tachometer tachymetre tachy tacometro drehzahlmesser motorzahler motorstunden motor moteur engine techtime comptetours cuentavueltas
  meter: airframe ttaf zelle cellule celula meter zahler zahlerstand compteur contador reading readings stand lectura releve index
  start: start started starting begin beginning beginn anfang anfangsstand von from debut inicio inicial initial initiale vor before avant antes desde starting startzeit offblock checkout alt vorher dispatched
  end: end ending ended closed closing ende endstand schluss bis to until fin final finale nach after apres despues hasta completed completion stop finish finished abgeschlossen onblock checkin neu nachher returned retour return ruckkehr regreso vuelta
  departure: departure departed depart abflug takeoff decollage despegue salida dep start abflugzeit startzeit
  arrival: arrival arrived arrivee ankunft landing landed landung atterrissage aterrizaje llegada arr landezeit ankunftszeit
  out: out salida
  in: in entrada
  off: wheelsoff
  on: wheelson
  time: time zeit uhrzeit heure hora clock uhr horaire startzeit landezeit abflugzeit ankunftszeit
  date: date datum fecha day tag jour dia flugdatum flugtag
  hours: hours hrs hr stunden std heures horas duration dauer duree duracion flugzeit flugdauer blockzeit flugstunden elapsed laufzeit temps tiempo
  total: total diff difference differenz summe gesamt flown used delta
  block: block bloc blockzeit
  flight: flight flug vol vuelo flights flugzeit flugdauer flugstunden trip
  pilot: pilot pilote piloto pic captain commander pilotin flugzeugfuhrer luftfahrzeugfuhrer commandant kapitan comandante
  person: person member membership mitglied membre miembro socio socia user customer client cliente kunde renter nutzer adherent personne
  student: student schuler schulerin flugschuler eleve alumno alumna trainee
  instructor: instructor cfi cfii lehrer fluglehrer fi instructeur moniteur teacher ausbilder profesor instruktor instructora dual
  name: name fullname namen names complet completo benennung
  first: first given vorname prenom nombre firstname rufname forename
  last: last surname nachname familienname nom apellido apellidos lastname family zuname
  email: email mail emailaddress courriel correo mel epost mailadresse emailadresse
  role: role rolle rol funktion fonction funcion position puesto group gruppe groupe grupo permission rights cargo berechtigung mitgliedsart perfil profil access level niveau nivel stufe
  username: username login benutzer benutzername utilisateur usuario identifiant nutzername anmeldename
  ground: ground boden bodenunterricht bodenschulung sol tierra theorie theory teoria teorica theorieunterricht briefing unterricht bodenzeit
  school: school schule ecole escuela instruction lesson lessons schulung
  oil: oil ol oel huile aceite olmenge
  fuel: fuel fueled fuelled refuel refueled refuelled refueling getankt betankt tanken kraftstoff treibstoff benzin mogas essence carburant plein combustible repostado repostaje avgas sprit avitaillement tank
  added: added add nachgefullt ajoute ajoutee anadido anadida uplift nachgetankt aufgefullt quarts quart qts qt liter litres litre litros menge quantity quantite cantidad
  notes: notes note remark remarks comment comments bemerkung bemerkungen remarque remarques observation observations observaciones notas comentario comentarios anmerkung anmerkungen kommentar commentaire commentaires memo notiz notizen
  squawk: squawk squawks defect defects discrepancy discrepancies mangel beanstandung beanstandungen defaut defauts anomalie panne defecto defectos averia issue problem storung defekt schaden fallo anomalia probleme incidencia incidencias vorkommnis vorkommnisse feststellung feststellungen constat snag snags averias mangelmeldung novedad novedades
  description: description beschreibung descripcion text title titel titre titulo details detail betreff subject summary bezeichnung designation intitule libelle
  unsafe: unsafe unsicher dangereux inseguro grounding grounds flugverbot nogo immobilisant blocking inmoviliza
  airworthy: airworthy flugtauglich lufttuchtig navigable aeronavegable airworthiness
  by: by von par por durch
  reported: reported gemeldet signale signalee reportado reportada created erstellt opened cree entered eingetragen ouvert abierto meldung signalement report
  author: author melder auteur autor reporter declarant gemeldet informante
  resolution: resolution corrective behebung erledigt erledigung massnahme massnahmen correction solution resuelto accion action resolved fixed rectification behoben repair reparatur solucion reparacion medida medidas tomada
  inspection: inspection inspections item prufung kontrolle visite inspeccion revision reminder check task ereignis controle requirement operation tarea tache aufgabe trabajo arbeit wartungsereignis servicio
  due: due next fallig falligkeit echeance prochain prochaine vencimiento proxima proximo vence nachste nachster expires expiry expiration ablauf
  interval: interval intervals every intervall periode periodicite intervalo cada turnus frequency frequence frecuencia recurrence repeats repeat alle tous chaque
  months: month months monat monate monaten mois mes meses
  days: days tage tagen jours dias
  money: cost price amount betrag montant importe rate preis prix precio balance saldo solde kosten invoice charge fee
  landings: landings landungen atterrissages aterrizajes ldg ldgs landeanzahl
  simulator: simulator sim fstd ffs fnpt atd batd aatd flugsimulator simulateur simulador
  night: night nacht nuit noche nocturno ifr vfr instrument
  departed: departed
  landed: landed
  flags: flags
  changes: changes
  corrected: corrected flags changes korrigiert
  place: airport flugplatz aerodrome aeropuerto place ort lieu lugar field icao
`;

const CONCEPTS = new Map<string, string[]>();
for (const line of WORDS.trim().split('\n')) {
  const [concept = '', words = ''] = line.trim().split(': ');
  for (const word of words.split(' ')) CONCEPTS.set(word, [...new Set([...(CONCEPTS.get(word) ?? []), concept])]);
}

/** Joins that say little: 'hobbs de départ', 'hora de la salida'. */
const LINKS = new Set(
  'the of at on a an de des du la le les l el los las del d der die das am um im and und et y per pro in en au aux'.split(
    ' ',
  ),
);

export interface HeadingWords {
  /** One set for each word that is known. */
  known: string[][];
  unknown: number;
}

export function headingWords(heading: string): HeadingWords {
  const known: string[][] = [];
  let unknown = 0;
  for (const word of plainWords(heading)) {
    const parts = wordParts(word);
    if (parts) known.push(...parts);
    else if (!LINKS.has(word)) unknown += 1;
  }
  return { known, unknown };
}

export function hasAnyConcept(heading: string, concepts: string[]): boolean {
  return headingWords(heading).known.some((word) => word.some((one) => concepts.includes(one)));
}

/** No heading has a longer one: 'Betriebsstundenzählerendstand' has 29. */
const LONGEST_WORD = 40;
/** What comes after names nothing. */
const MAX_WORD_CHARACTERS = 200;

/** 'TailNumber (N#)' → ['tail', 'number']; accents, units and punctuation are gone. */
export function plainWords(heading: string): string[] {
  const joined = withUnits(heading.slice(0, MAX_WORD_CHARACTERS))
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(?<!\p{L})(\p{L}+)[/:*_](?:in|innen)(?![\p{L}\p{N}])/gu, (both, word: string) =>
      isPerson(word) ? word : both,
    )
    .replaceAll('_', ' ')
    .replace(/\be[- ]mail/gi, 'email')
    .replace(/check[-_ ](in|out)(?![\p{L}\p{N}])/giu, (_, way: string) => `check${way.toLowerCase()}`)
    .replace(/\bn[- ]number/gi, 'nnumber')
    .replace(/\b(compte|cuenta)[- ](tours|vueltas)/gi, '$1$2')
    .replace(/\b(?:chocks|brakes|blocks?)[- ]?(off|on)(?![\p{L}\p{N}])/giu, '$1block')
    .replace(/\b(off|on)[- ](?:chocks\b|brakes\b|block)/gi, '$1block')
    .replace(/^(off|on)$/i, 'wheels$1')
    .replace(/\b(hobbs|tacho?)[- ]off\b/gi, '$1 out')
    .replace(/\b(hobbs|tacho?)[- ]on\b/gi, '$1 in')
    .replace(/\bblock[- ](ab|an)(?!\p{L})/giu, (_, way: string) => (/b/i.test(way) ? 'offblock' : 'onblock'));
  const plain = joined.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ').replace(/#|n[°º]/gi, ' number ');
  return withoutAccents(plain)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The zone of the times below a heading, where it says one: 'Off Block (UTC)', 'depUtc', 'Out Z', 'In (local)'. */
export const zoneOf = (heading: string) => meaningIn(heading, ZONES);

export const oilUnitOf = (text: string) => meaningIn(text, OIL_UNITS);

const ZONES = [
  ['utc', ['utc', 'zulu', 'gmt', 'z']],
  ['school', ['local', 'lt', 'lcl', 'loc', 'ortszeit', 'lokal', 'locale']],
] as const;

const OIL_UNITS = [
  ['quarts', ['qt', 'qts', 'quart', 'quarts']],
  ['liters', ['l', 'liter', 'liters', 'litre', 'litres', 'litro', 'litros']],
] as const;

/** The first meaning of which a text has a word. */
function meaningIn<Meaning>(text: string, meanings: readonly (readonly [Meaning, readonly string[]])[]) {
  const said = wordsOf(text);
  return meanings.find(([, words]) => words.some((word) => said.includes(word)))?.[0];
}

/** 'depUTC [Z]' → ['dep', 'utc', 'z']: with units, and as they stand. */
function wordsOf(text: string): string[] {
  const parted = text.slice(0, MAX_WORD_CHARACTERS).replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ');
  return withoutAccents(parted).split(/[^\p{L}]+/u);
}

/** 'Pilot:in' is no 'in'. */
function isPerson(word: string): boolean {
  const concepts = wordParts(withoutAccents(word)) ?? [];
  return concepts.flat().some((concept) => PEOPLE.has(concept));
}

const PEOPLE = new Set(['pilot', 'person', 'student', 'instructor', 'author']);

function withoutAccents(text: string): string {
  return text.replace(/ß/g, 'ss').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Without the brackets around what tells columns of one name apart: which meter is due, how often in which unit. */
function withUnits(heading: string): string {
  const units =
    /(?<!\p{L})(?:every|repeats?|interval\p{L}*|alle|cada|tous|period\p{L}*|p[ée]riod\p{L}*)(?!\p{L})/iu.test(heading)
      ? /[([](tach\p{L}*|hobbs|h|hrs?|hours|std|stunden|heures|horas|months?|monate?|mois|meses|days?|tage?|jours?|d[ií]as?)[)\]]/giu
      : /[([](tach\p{L}*|hobbs)[)\]]/giu;
  return heading.replace(units, ' $1 ');
}

/** The concepts of a word, or of the two or three words that it is made of: 'zählerendstand'. */
function wordParts(word: string, depth = 2): string[][] | undefined {
  // Plurals in English, French and Spanish.
  if (word.length > LONGEST_WORD) return undefined;
  const concepts = CONCEPTS.get(word) ?? CONCEPTS.get(word.replace(/s$/, ''));
  if (concepts) return [concepts];
  if (depth === 0) return undefined;
  for (let at = word.length - 3; at >= 3; at -= 1) {
    const first = CONCEPTS.get(word.slice(0, at)) ?? CONCEPTS.get(word.slice(0, at).replace(/s$/, ''));
    const rest = first && wordParts(word.slice(at), depth - 1);
    if (rest) return [first, ...rest];
  }
  return undefined;
}
