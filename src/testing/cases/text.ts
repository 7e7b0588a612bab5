/** Text: exact equality, code point order, simple lower-casing, literal operands. */
import { defineSchema, field } from '../../language/index.ts'
import { casesOf, type Fixture } from './case.ts'

const texts: Fixture = {
  name: 'texts',
  schema: defineSchema({ id: field.integer(), text: field.string() }),
  rows: [
    'abc',
    'ABC',
    'abc ',
    '',
    '100%_sure\\',
    '100 sure',
    'it\'s a.c*[x]^$ "q" ?:@',
    'e\u0301', // e and a combining acute accent
    '\u00e9', // é in one
    '\uff5e', // ～, the last but few of the BMP
    '\u{1f600}', // an emoji, beyond the BMP
    'line\nbreak',
    null,
  ].map((text, index) => ({ id: index + 1, text })),
}
export const plainText = casesOf(
  texts,
  [],
  [
    ['text=abc', [1], 'case and trailing spaces count'],
    ['text=abc+', [3], 'a trailing space counts'],
    ['text=', [4], 'the empty text is a value'],
    ['text[exists]=true', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'the empty text is a value'],
    ['text[in]=abc,""', [1, 4], 'the empty text among others'],
    ['text[contains]=%25', [5], 'a percent sign is itself'],
    ['text[contains]=_', [5], 'an underscore is itself'],
    ['text[endsWith]=%5C', [5], 'a backslash is itself'],
    ['text[startsWith]=100%25', [5], 'a percent sign is itself'],
    ['text[startsWith]=1__', [], 'underscores are no wildcards'],
    ['text[contains]=a.c', [7], 'a dot is itself'],
    ['text[contains]=c*', [7], 'an asterisk is itself'],
    ['text[contains]=%5Bx%5D^$', [7], 'brackets, caret and dollar are themselves'],
    ["text[startsWith]=it's", [7], 'an apostrophe is itself'],
    ['text[endsWith]="q"+?:@', [7], 'quotes of a single operand are literal; so are marks of placeholders'],
    ['text[contains]=(a%2B)%2B', [], 'parentheses and plus signs are no pattern'],
    ['text[startsWith]=', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 'every text begins with the empty one'],
    ['text[startsWith]=aB', [1, 2, 3], 'case is ignored'],
    ['text[endsWith]=C', [1, 2], 'a trailing space is not cut'],
    ['text[endsWith]=break', [12], 'to the very end'],
    ['text[endsWith]=line', [], 'not to the end of a line'],
    ['text[contains]=%0AB', [12], 'a line break is itself'],
    ['text=%C3%A9', [9], 'no normalisation'],
    ['text[gt]=%EF%BD%9E', [11], 'code point order: beyond the BMP comes last'],
    ['text[lt]=%F0%9F%98%80', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12], 'code point order'],
    ['text[gte]=abc&text[lt]=abd', [1, 3], 'a longer text comes after its beginning'],
    ['text[lt]=a', [2, 4, 5, 6], 'digits and capitals come before small letters'],
  ],
)

const letters: Fixture = {
  name: 'letters',
  schema: texts.schema,
  rows: [
    'ΟΔΟΣ',
    'οδος',
    'οδοσ',
    'İstanbul',
    'istanbul',
    'ISPARTA',
    'ısparta',
    'Straße',
    'STRASSE',
    'STRAẞE',
    '\u212aelvin', // the Kelvin sign
    'kelvin',
    'ſtop',
    'stop',
    'Éclair',
    'éclair',
    'ДАРЬЯ',
    '\u{10400}x', // a Deseret capital
    '\u{10428}X', // and its small letter
    'Ⴀ', // a Georgian capital
    'ǅ', // a title-case digraph
    'ﬁn', // a ligature
  ].map((text, index) => ({ id: index + 1, text })),
}
export const foldedText = casesOf(
  letters,
  ['unicode-case'],
  [
    ['text[startsWith]=οδο', [1, 2, 3], 'Σ lowers to σ everywhere'],
    ['text[endsWith]=Σ', [1, 3], 'Σ lowers to σ; ς stays'],
    ['text[endsWith]=ς', [2], 'ς stays'],
    ['text[startsWith]=i', [4, 5, 6], 'İ lowers to i'],
    ['text[startsWith]=İs', [4, 5, 6], 'İ lowers to i'],
    ['text[startsWith]=ı', [7], 'ı stays'],
    ['text[contains]=ss', [9], 'ß does not become ss'],
    ['text[contains]=ß', [8, 10], 'ẞ lowers to ß'],
    ['text[startsWith]=k', [11, 12], 'the Kelvin sign lowers to k'],
    ['text[startsWith]=s', [8, 9, 10, 14], 'ſ stays'],
    ['text[startsWith]=é', [15, 16], 'accents stay'],
    ['text[contains]=дарь', [17], 'Cyrillic'],
    ['text[startsWith]=\u{10400}', [18, 19], 'beyond the BMP'],
    ['text[endsWith]=x', [18, 19], 'behind what lies beyond the BMP'],
    ['text[startsWith]=ⴀ', [20], 'Georgian'],
    ['text[startsWith]=ǆ', [21], 'title case lowers too'],
    ['text[startsWith]=fi', [], 'ligatures stay'],
    [
      'text[doesNotContain]=S',
      [1, 2, 3, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22],
      'the complement ignores case too',
    ],
  ],
)
