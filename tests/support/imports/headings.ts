import type { ImportKind } from '#app/domain/imports/records.ts';

/** A table with headings that no fixture has, and the field of each, '' where it is of none. */
export interface HeadingCase {
  name: string;
  kind: ImportKind;
  fields: string[];
  rows: string[];
}

const bars = (text: string) => text.split('|');

export const HEADING_CASES: HeadingCase[] = [
  {
    name: 'French flights',
    kind: 'flights',
    fields: bars(
      'startDate|tailNumber|pilot|instructor|startTime|endTime|startHobbs|endHobbs|startTach|endTach|flightHours|oilQuarts|notes',
    ),
    rows: [
      'Date du vol|Immatriculation|Pilote|Instructeur|Heure de départ|Heure d’arrivée|Horamètre début|Horamètre fin|Tachymètre départ|Tachymètre arrivée|Temps de vol|Huile ajoutée (L)|Observations',
      '12/05/2026|F-GABC|Marie Curie||09:05|10:20|1234,5|1235,7|900,1|901,0|1,2|0,5|RAS',
      '13/05/2026|F-GABC|Jean Petit|Marie Curie|14:00|15:00|1235,7|1236,7|901,0|901,9|1,0||',
    ],
  },
  {
    name: 'Spanish flights',
    kind: 'flights',
    fields: bars(
      'startDate|startTime|endTime|tailNumber|pilot|instructor|startHobbs|endHobbs|startTach|endTach|refueled|notes',
    ),
    rows: [
      'Fecha|Hora de salida|Hora de llegada|Matrícula|Piloto|Instructor|Hobbs inicial|Hobbs final|Tacómetro inicial|Tacómetro final|Combustible|Observaciones',
      '12/05/2026|09:05|10:20|EC-ABC|Ana García||1.234,5|1.235,7|900,1|901,0|sí|',
      '13/05/2026|14:00|15:00|EC-ABC|Luis Pérez|Ana García|1.235,7|1.236,7|901,0|901,9|no|Frenos',
    ],
  },
  {
    name: 'German flights in compounds',
    kind: 'flights',
    fields: bars(
      'tailNumber|startDate|pilot|instructor|startHobbs|endHobbs|hobbsHours|startTach|endTach|groundSchoolTime|refueled|notes',
    ),
    rows: [
      'Luftfahrzeugkennzeichen|Flugdatum|Verantwortlicher Pilot|FI|Hobbsbeginn|Hobbsende|Hobbsdifferenz|Tachobeginn|Tachoende|Theorieunterricht|getankt|Anmerkung',
      'D-EABC|12.05.2026|Müller|Groß|1234,5|1235,7|1,2|900,1|901,0|0,5|ja|',
      'D-EABC|13.05.2026|Schäfer||1235,7|1236,7|1,0|901,0|901,9||nein|Reifen',
    ],
  },
  {
    name: 'English flights, short and reordered',
    kind: 'flights',
    fields: bars('notes|endTach|startTach|endHobbs|startHobbs|completedAt|startedAt|instructor|pilot|tailNumber'),
    rows: [
      'Comments|Tach End|Tach Start|Hobbs Stop|Hobbs Begin|Time In|Time Out|CFI|Renter|N-Number',
      '|901.0|900.1|1235.7|1234.5|5/12/26 10:20|5/12/26 9:05|Ivan|Anna|N512FL',
      'ok|901.9|901.0|1236.7|1235.7|5/13/26 15:00|5/13/26 14:00||Ben|N512FL',
    ],
  },
  {
    name: 'flights with headings of one word each',
    kind: 'flights',
    fields: bars('tailNumber|startDate|pilot|startHobbs|endHobbs|startTach|endTach'),
    rows: [
      'A/C|When|Who|H1|H2|T1|T2',
      'N512FL|5/12/2026|Anna|1234.5|1235.7|900.1|901.0',
      'N512FL|5/13/2026|Ben|1235.7|1236.7|901.0|901.9',
      'N734KL|5/13/2026|Anna|410.0|411.2|380.0|380.9',
    ],
  },
  {
    name: 'French people',
    kind: 'people',
    fields: bars('lastName|firstName|email|role|'),
    rows: [
      'Nom|Prénom|Courriel|Fonction|Téléphone',
      'Curie|Marie|marie@example.fr|Instructeur|0601020304',
      'Petit|Jean|jean@example.fr|Élève|0601020305',
    ],
  },
  {
    name: 'Spanish people',
    kind: 'people',
    fields: bars('firstName|lastName|email|role'),
    rows: [
      'Nombre|Apellidos|Correo electrónico|Rol',
      'Ana|García|ana@example.es|Alumno',
      'Luis|Pérez|luis@example.es|Instructor',
    ],
  },
  {
    name: 'German people',
    kind: 'people',
    fields: bars('|lastName|firstName|email|role'),
    rows: [
      'Mitgliedsnummer|Nachname|Vorname|E-Mail-Adresse|Funktion',
      '17|Müller|Jörg|joerg@example.de|Fluglehrer',
      '18|Schäfer|Anja|anja@example.de|Flugschüler',
    ],
  },
  {
    name: 'English people',
    kind: 'people',
    fields: bars('username|name|email|role|'),
    rows: [
      'Login|Full Name|Email Address|User Type|Last Visit',
      'anna|Anna Weber|anna@example.com|Student|5/1/2026',
      'ivan|Ivan P|ivan@example.com|CFI|5/2/2026',
    ],
  },
  {
    name: 'people with one name',
    kind: 'people',
    fields: bars('name|email'),
    rows: ['Nom|Mail', 'Marie Curie|marie@example.fr', 'Jean Petit|jean@example.fr'],
  },
  {
    name: 'German fleet',
    kind: 'fleet',
    fields: bars('tailNumber|make|model|year|lastHobbs|lastTach|status'),
    rows: [
      'Kennzeichen|Hersteller|Muster|Baujahr|Hobbs aktuell|Tacho aktuell|Zustand',
      'D-EABC|Cessna|172S|2004|1234,5|900,1|in Wartung',
    ],
  },
  {
    name: 'French fleet',
    kind: 'fleet',
    fields: bars('tailNumber|make|model|year|lastHobbs|lastTach|status'),
    rows: [
      'Immat.|Constructeur|Modèle|Année|Horamètre|Tachymètre|État',
      'F-GABC|Robin|DR400|1998|1234,5|900,1|disponible',
    ],
  },
  {
    name: 'French fleet with revolution counters',
    kind: 'fleet',
    fields: bars('tailNumber|make|model|year|lastHobbs|lastTach'),
    rows: [
      'Immatriculation|Constructeur|Modèle|Année de construction|Horamètre|Compte-tours (h)',
      'F-GABC|Robin|DR 400/120|1976|8 901,2|8 455,04',
    ],
  },
  {
    name: 'Spanish fleet',
    kind: 'fleet',
    fields: bars('tailNumber|make|model|year|lastHobbs|status'),
    rows: ['Matrícula|Fabricante|Modelo|Año|Horómetro|Estado', 'EC-ABC|Piper|PA-28|1998|1234,5|en taller'],
  },
  {
    name: 'English fleet with make and model in one',
    kind: 'fleet',
    fields: bars('tailNumber|model|year|lastHobbs|lastTach|'),
    rows: ['Registration|Aircraft Type|Year|Hobbs Time|Tach Time|Rate', 'N512FL|Cessna 172S|2004|1234.5|900.1|165.00'],
  },
  {
    name: 'English squawks',
    kind: 'squawks',
    fields: bars('|tailNumber|text|author|reportedAt|state|unsafe|remark'),
    rows: [
      'Squawk ID|Aircraft|Description|Reported By|Date Reported|Status|Grounding|Corrective Action',
      '7|N512FL|Left brake squeaks|Anna|5/12/2026|Closed|No|Pads changed',
      '8|N512FL|Radio dead|Ben|5/13/2026|Open|Yes|',
    ],
  },
  {
    name: 'German squawks',
    kind: 'squawks',
    fields: bars('reportedAt|tailNumber|text|author|state|remark'),
    rows: [
      'Datum|Kennzeichen|Beanstandung|Gemeldet von|Status|Behebung',
      '12.05.2026|D-EABC|Bremse quietscht|Müller|behoben|Beläge neu',
    ],
  },
  {
    name: 'French squawks',
    kind: 'squawks',
    fields: bars('tailNumber|reportedAt|author|text|state|remark'),
    rows: [
      'Avion|Signalé le|Signalé par|Défaut|Statut|Action corrective',
      'F-GABC|12/05/2026|Marie|Frein gauche|résolu|Plaquettes',
    ],
  },
  {
    name: 'Spanish squawks',
    kind: 'squawks',
    fields: bars('tailNumber|reportedAt|author|text|state'),
    rows: ['Aeronave|Fecha|Reportado por|Defecto|Estado', 'EC-ABC|12/05/2026|Ana|Freno izquierdo|abierto'],
  },
  {
    name: 'English inspections',
    kind: 'inspections',
    fields: bars('tailNumber|name|dueTach|dueOn|intervalHours|intervalMonths'),
    rows: [
      'Tail #|Inspection|Due Tach|Due Date|Interval (Hours) hrs|Interval Months',
      'N512FL|100 h|1000.0||100|',
      'N512FL|Annual||5/31/2027||12',
    ],
  },
  {
    name: 'German inspections',
    kind: 'inspections',
    fields: bars('tailNumber|name|dueHobbs|dueOn|interval'),
    rows: [
      'Kennzeichen|Prüfung|Fällig bei Hobbs|Fällig am|Intervall',
      'D-EABC|100-h-Kontrolle|1.300,0||100 h',
      'D-EABC|Jahresnachprüfung||31.05.2027|12 Monate',
    ],
  },
  {
    name: 'French inspections',
    kind: 'inspections',
    fields: bars('tailNumber|name|dueOn|interval'),
    rows: ['Immatriculation|Visite|Échéance|Périodicité', 'F-GABC|Annuelle|31/05/2027|12 mois'],
  },
  {
    name: 'Spanish inspections',
    kind: 'inspections',
    fields: bars('tailNumber|name|dueHobbs|interval'),
    rows: ['Matrícula|Revisión|Próxima Hobbs|Intervalo', 'EC-ABC|100 horas|1300,0|100 horas'],
  },
  {
    name: 'German flights with both genders, before and after',
    kind: 'flights',
    fields: bars('startDate|tailNumber|pilot|instructor|startTime|endTime|startHobbs|endHobbs|startTach|endTach'),
    rows: [
      'Tag|Flugzeug|Pilot:in|Fluglehrer/in|Startzeit|Landezeit|Hobbs vorher|Hobbs nachher|Tacho vorher|Tacho nachher',
      '10.03.2026|D-EHBL|Núñez, María|Müller, Jörg|09:05|10:17|4517,2|4518,4|4105,69|4106,6',
      '11.03.2026|D-EHBL|Pérez, José||14:00|15:00|4518,4|4519,4|4106,6|4107,4',
    ],
  },
  {
    name: 'English flights as they are dispatched and returned',
    kind: 'flights',
    fields: bars(
      'sourceId|tailNumber|pilot|instructor|startedAt|completedAt|startHobbs|endHobbs|startTach|endTach|refueled',
    ),
    rows: [
      'Rental #|A/C Reg|Renter|CFI|Dispatched|Returned|Hobbs Out|Hobbs In|Tach Out|Tach In|Fuelled?',
      'R-1|N512FL|Ann Lee|Ivan|Mar 5, 2026 2:15 PM|Mar 5, 2026 3:45 PM|10233.0|10234.5|9876.5|9877.7|Y',
      'R-2|N512FL|Ben Ray||Mar 14, 2026 9:05 AM|Mar 14, 2026 10:05 AM|10234.5|10235.5|9877.7|9878.5|N',
    ],
  },
  {
    name: 'Spanish squawks with what was done',
    kind: 'squawks',
    fields: bars('tailNumber|reportedAt|author|text|state|remark'),
    rows: [
      'Matrícula|Fecha|Comunicado por|Descripción del defecto|Estado|Medida tomada',
      'EC-ABC|2026-03-07|jperez|Freno blando|Reparado|Latiguillo cambiado',
      'EC-ABC|2026-03-08|mnunez|Radio sin recepción|Abierto|',
    ],
  },
  {
    name: 'English inspections with units in brackets',
    kind: 'inspections',
    fields: bars('tailNumber|name|dueTach|dueOn|intervalHours|intervalMonths'),
    rows: [
      'Registration|Item|Next due (tach)|Next due date|Repeats every (hrs)|Repeats every (months)',
      'N512FL|50 h oil change|4150.0||50|',
      'N512FL|Annual||31 Dec 2026||12',
    ],
  },
  {
    name: 'English people by what they may do',
    kind: 'people',
    fields: bars('username|name|email|role'),
    rows: [
      'Login|Full name|E-mail address|Access level',
      'bkent|Bea Kent|bea@aero.example|Student pilot',
      'tom|Tom Ray|tom@aero.example|Flight instructor',
    ],
  },
  {
    name: 'French flights from block to block',
    kind: 'flights',
    fields: bars(
      'startDate|tailNumber|pilot|instructor|startTime|endTime|startHobbs|endHobbs|startTach|endTach|flightHours|notes',
    ),
    rows: [
      'Jour|Appareil|Commandant de bord|Moniteur|Départ bloc|Retour bloc|Compteur départ|Compteur retour|Tachy départ|Tachy retour|Durée|Anomalies',
      '01/03/2026|F-GAAA|Marie Roy||08:15|09:20|12,1|13,2|10,0|10,9|1,1|',
      '22/03/2026|F-GAAA|Luc Pic|Marie Roy|08:15|09:20|13,2|14,3|10,9|11,8|1,1|pneu',
    ],
  },
  {
    name: 'German flights, block ab and an',
    kind: 'flights',
    fields: bars('startDate|tailNumber|pilot|instructor|startTime|endTime|startHobbs|endHobbs|startTach|endTach|notes'),
    rows: [
      'Datum|Maschine|Schüler/in|Ausbilder/in|Block ab|Block an|Zähler Beginn|Zähler Ende|Motorzähler Beginn|Motorzähler Ende|Notiz',
      '14.03.2026|D-EAAA|Ute Klein|Jörg Groß|09:00|10:00|12,1|13,2|10,0|10,9|',
      '15.03.2026|D-EAAA|Ute Klein||09:00|10:00|13,2|14,3|10,9|11,8|Reifen',
    ],
  },
  {
    name: 'Spanish inspections as tasks',
    kind: 'inspections',
    fields: bars('tailNumber|name|dueOn|dueHobbs|intervalHours|intervalMonths'),
    rows: [
      'Avión|Tarea|Vence el|Vence a las horas|Cada (horas)|Cada (meses)',
      'EC-AAA|Revisión 50 h||1.300,0|50|',
      'EC-AAA|Anual|31/12/2026|||12',
    ],
  },
];
