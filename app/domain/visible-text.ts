/** Scripts whose words are misspelt without a joiner or non-joiner between their letters. */
const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar'],
];
const LETTER = `[${JOINING_SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]`;

const NEEDED_JOINERS = new RegExp(
  [
    // The pattern looks back from a joiner alone: a look back from each mark would make marks cost their square.
    String.raw`[\u200C\u200D](?<=${LETTER}\p{M}*.)(?=${LETTER})`,
    String.raw`\u200D(?<=${EMOJI}\u200D)(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic})\uFE0F`,
  ].join('|'),
  'gu',
);

/** Format characters, which also change the direction of text, and others that are drawn as nothing or as a blank. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Returns true if two texts that look alike could differ by characters that nobody sees. */
export function hasInvisibleCharacter(text: string): boolean {
  return INVISIBLE.test(text.replace(NEEDED_JOINERS, ''));
}
