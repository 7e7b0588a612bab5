/**
 * Strings that have got into statements elsewhere (qs, sequelize, knex, Drupal, Ghost, parse-server, Strapi, mongoose and
 * others have advisories for them), the operators that take them, and what each then says of a text.
 */
import { defineSchema, field } from '../../src/index.ts'
import { type OperatorName } from '../../src/tree.ts'
import { operatorNamed, type OperatorRow } from '../../src/language/operators.ts'

export const schema = defineSchema({
  id: field.integer(),
  seller: field.string(),
  inner: field.object({ text: field.string() }),
  tags: field.list(field.string()),
  items: field.list(field.object({ text: field.string() })),
})

export const attacks: readonly string[] = [
  // Names that objects inherit, and steps that lists have.
  ...'__proto__ constructor constructor.prototype toString hasOwnProperty valueOf length 0 -1'.split(' '),
  // Operators and code of other languages.
  ...'$ne $gt $where $expr $function $jsonSchema {"$ne":""} {"$where":"sleep(5000)"}'.split(' '),
  ...['function(){sleep(5000)}', 'while(1){}', '[object Object]', 'or=(seller)', 'x:password', '_flt_0_password'],
  // Structure, and the ends of quotes, of identifiers and of statements.
  ...['equals][$ne', '[]', '[0]', '0||1/(SELECT CASE WHEN (1=1) THEN 0 END)', "test',test", 'seller" OR 1=1--'],
  ...["a';--", 'a`=1', 'a]=1', 'id;drop', '(select 1)', 'CASE WHEN', "id')) AS DECIMAL) = 1 DELETE..--", "' OR ''='"],
  ...["'; DROP TABLE t; --", "\\'; --", "\\' OR 1=1 #", "E'\\x27'", '\xbf\x27', '/*!50000 1 */', '\n', '\r\n', '\t'],
  ...`\x1a \x7f \u2028 ʼ ＇ \` \`\` ' '' " "" \\ \\\\ \\" ; -- # /* */`.split(' '),
  // Placeholders, and marks that a driver's replacement may look for.
  ...'? ?? $1 $2 $$ $& $tag$ :id :1 some:foo @id %s %(id)s {0} #{x} ${x}'.split(' '),
  // Patterns: LIKE, regular expressions, wildcard bombs.
  ...'% _ p% a_b %% ! !% !! \\% \\_ %\\ ％ * . [ [a-z] [^a] ^$ .*= (a+)+$ a*a*a*a*b'.split(' '),
  ...['%_'.repeat(200), "'".repeat(500), '\\'.repeat(501), 'a'.repeat(1_024)],
  // JSON and its paths.
  ...'$.a $[*] $."a" $** {} #>> -> "a" ["a","b"] \\u0027 a,b "unterminated'.split(' '),
  // Values that engines take for others.
  ...'null NULL true 1 01 1abc 1e3 Infinity 2024-01-01 a A aa'.split(' '),
  ...['a ', ' a', ' ', 'Smith, "John"'],
]

export const texting = [...operatorNamed.values()].filter(
  ({ fields, types, operandKind: reads }) => fields === 'anywhere' && types.includes('string') && reads !== 'flag',
)

/** A condition with a text for its operand, or for each of them. */
export function query(path: string, { name, operands }: OperatorRow, text: string): string {
  const item = `"${text.replace(/["\\]/g, '\\$&')}"`
  const value = { one: text, two: `${item},${item}`, list: item }[operands]
  return `${path}[${name}]=${encodeURIComponent(value)}`
}

/** What each operator says of a text, in the words of this file; no engine and no backend is asked. */
const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
export const holds: Readonly<
  Record<Exclude<OperatorName, 'exists' | 'all' | 'atLeast' | 'atMost'>, (text: string, operand: string) => boolean>
> = {
  equals: (text, operand) => text === operand,
  notEqual: (text, operand) => text !== operand,
  gt: (text, operand) => order(text, operand) > 0,
  gte: (text, operand) => order(text, operand) >= 0,
  lt: (text, operand) => order(text, operand) < 0,
  lte: (text, operand) => order(text, operand) <= 0,
  range: (text, operand) => text === operand,
  in: (text, operand) => text === operand,
  nin: (text, operand) => text !== operand,
  startsWith: (text, operand) => folded(text).startsWith(folded(operand)),
  endsWith: (text, operand) => folded(text).endsWith(folded(operand)),
  contains: (text, operand) => folded(text).includes(folded(operand)),
  doesNotContain: (text, operand) => !folded(text).includes(folded(operand)),
  equalsIgnoreCase: (text, operand) => folded(text) === folded(operand),
  startsWithExact: (text, operand) => text.startsWith(operand),
  endsWithExact: (text, operand) => text.endsWith(operand),
  containsExact: (text, operand) => text.includes(operand),
}
export const paths = ['seller', 'inner.text', 'tags', 'items.text']
