/** What each engine's lower-casing leaves as it is, asked for every code point; and that filters know it. */
import { afterAll, describe, expect, test } from 'vitest'
import { duckdb, mariadb, mysql, simpleLowerCase, sqlite } from '../../../src/backends/sql/index.ts'
import { parameter, sql } from '../../../src/backends/sql/dialect/index.ts'
import { flatten } from '../../../src/backends/sql/dialect/sql.ts'
import { defineSchema, field, parseFilterOrThrow } from '../../../src/index.ts'
import { byCompleteness, isComplete } from '../../effort.ts'
import { openClickhouse } from './clickhouse.ts'
import { openDuckdbIf } from './all-engines.ts'
import { newerLetters, openEngines, storeOf, type Engine, type Store } from './engines.ts'
import { oceanbase, openOceanbase } from './padding.ts'

/** Every character but U+0000, which not all engines store, and the line feed, which stands between them. */
const letters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code > 0 && code !== 0x0a && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((letter, at) => byCompleteness(true, at % 32 === 0 || simpleLowerCase(letter) !== letter))
const changed = letters.filter((letter) => simpleLowerCase(letter) !== letter)

/** Of the letters that change, those that a version leaves: found by asking, and declared by the partial dialects. */
const expected: Readonly<Record<string, { readonly version: RegExp; readonly left: RegExp }>> = {
  sqlite: { version: /./, left: sqlite.unlowered.lower! },
  'sqlite, lower-casing whole': { version: /./, left: /(?!)/ },
  pglite: {
    version: /PGlite 0\.5\./,
    left: newerLetters.pglite!,
  },
  postgres: {
    version: /^PostgreSQL 15.*Debian/,
    left: newerLetters.postgres!,
  },
  // Debian's libc is younger than PostgreSQL's tables.
  'postgres 18': { version: /^PostgreSQL 18.*Debian 18/, left: /(?!)/ },
  'pglite, pg_c_utf8': { version: /PGlite 0\.5\./, left: newerLetters['pglite, pg_c_utf8']! },
  'postgres 18, pg_c_utf8': { version: /^PostgreSQL 18/, left: newerLetters['postgres 18, pg_c_utf8']! },
  mariadb: { version: /^10\.11\./, left: mariadb.unlowered.LOWER! },
  mysql: { version: /^9\.7\./, left: mysql.unlowered.LOWER! },
  clickhouse: { version: /^26\./, left: /(?!)/ },
  oceanbase: { version: /OceanBase seekdb-v1\.4\./, left: oceanbase.unlowered.LOWER! },
  duckdb: { version: /^v1\.5\./, left: duckdb.unlowered.lower! },
}

/** Columns that are declared to compare, and to change case, in other ways. */
const collations: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['NOCASE', 'RTRIM'],
  pglite: ['"C"'],
  postgres: ['"C"'],
  'postgres 18': ['"C"', '"tr-x-icu"', 'pg_unicode_fast'],
  'pglite, pg_c_utf8': ['"C"', 'pg_unicode_fast'],
  'postgres 18, pg_c_utf8': ['"C"', '"tr-x-icu"', 'pg_unicode_fast'],
  mariadb: ['utf8mb4_bin', 'utf8mb4_uca1400_ai_ci', 'utf8mb4_unicode_520_ci', 'utf8mb4_turkish_ci'],
  mysql: ['utf8mb4_bin', 'utf8mb4_0900_bin', 'utf8mb4_general_ci', 'utf8mb4_tr_0900_ai_ci'],
}

const { CHDB_PYTHON, OCEANBASE_URL } = process.env
const engines = [
  ...(await openEngines((name) => isComplete || !name.includes(','))),
  ...(await openDuckdbIf(isComplete)),
  ...(CHDB_PYTHON === undefined ? [] : [await openClickhouse(CHDB_PYTHON)]),
  ...(OCEANBASE_URL === undefined ? [] : [await openOceanbase(OCEANBASE_URL)]),
].filter(({ name }) => name in expected)
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
const versionOf = async ({ name, run }: Engine): Promise<string> => {
  const [row] = await run(`SELECT ${name.startsWith('sqlite') ? 'sqlite_version()' : 'version()'} AS version`)
  return row!.version as string
}
const measured = await Promise.all(engines.map(async (engine) => ({ engine, version: await versionOf(engine) })))

/** What an engine makes of each letter. Asking takes seconds, so each is asked once. */
const made = new Map<Engine, Promise<readonly string[]>>()
function lowerCased(engine: Engine): Promise<readonly string[]> {
  const known = made.get(engine) ?? askLowerCased(engine)
  made.set(engine, known)
  return known
}
async function askLowerCased({ dialect, run }: Engine): Promise<readonly string[]> {
  const { cased = (value) => value } = dialect.textRules
  const { strings, parameters } = flatten(cased(sql`${parameter(letters.join('\n'))}`))
  const text = strings.reduce((before, after, at) => before + dialect.placeholder(at) + after)
  const [row] = await run(`SELECT ${dialect.lower}(${text}) AS text`, parameters)
  return (row!.text as string).split('\n')
}
/** Code points, as ranges where they follow each other among the letters that change. */
function ranges(some: readonly string[]): string[] {
  const rank = new Map(changed.map((letter, at) => [letter, at]))
  const spans: string[][] = []
  for (const letter of some) {
    const span = spans.at(-1)
    if (span !== undefined && rank.get(span.at(-1)!)! + 1 === rank.get(letter)) span.push(letter)
    else spans.push([letter])
  }
  const hex = (letter: string) => letter.codePointAt(0)!.toString(16)
  return spans.map((span) => (span.length === 1 ? hex(span[0]!) : `${hex(span[0]!)}-${hex(span.at(-1)!)}`))
}

describe.each(measured)('$engine.name $version', ({ engine, version }) => {
  const { version: known, left } = expected[engine.name]!
  test.runIf(known.test(version))('leaves exactly the letters that are known, and lowers all others', async () => {
    const made = await lowerCased(engine)
    expect(made).toHaveLength(letters.length)
    const isLeft = (letter: string) => simpleLowerCase(letter) !== letter && left.test(letter)
    const otherwise = letters.filter((letter, at) => made[at] !== letter && made[at] !== simpleLowerCase(letter))
    expect(ranges(otherwise)).toEqual([])
    const found = letters.filter((letter, at) => made[at] === letter && simpleLowerCase(letter) !== letter)
    expect(ranges(found)).toEqual(ranges(letters.filter(isLeft)))
  })

  const declared = engine.dialect.unlowered[engine.dialect.lower]
  test.runIf(declared)(
    'a filter ignores the case of the letters that it lowers, and each letter matches itself',
    async () => {
      const made = new Map((await lowerCased(engine)).map((text, at) => [letters[at]!, text]))
      // Of the letters that are left, of those that are lowered, and all of which the dialect believes otherwise.
      const isLeft = (letter: string) => made.get(letter) === letter
      const sample = (some: readonly string[]) => some.filter((_, at) => at % Math.ceil(some.length / 50) === 0)
      const asked = new Set([
        ...sample(changed.filter(isLeft)),
        ...sample(changed.filter((letter) => !isLeft(letter))),
        ...changed.filter((letter) => isLeft(letter) !== declared!.test(letter)),
      ])
      const texts = [...new Set([...asked].flatMap((letter) => [letter, simpleLowerCase(letter)]))]

      const schema = defineSchema({ id: field.integer(), text: field.string() })
      const store = storeOf(engine, schema, 'tables')
      await store.fill(texts.map((text, at) => ({ id: at + 1, text })))
      const wrong: string[] = []
      for (const operand of texts) {
        const same = texts.filter((text) => (made.get(text) ?? text) === (made.get(operand) ?? operand))
        for (const operator of ['startsWith', 'equalsIgnoreCase']) {
          const filter = parseFilterOrThrow(schema, `text[${operator}]=${encodeURIComponent(operand)}`)
          const selected = (await store.select(store.backend.compile(filter))).map((id) => texts[id - 1]!)
          if (selected.sort().join() !== same.sort().join()) wrong.push(operand)
        }
      }
      await store.drop()
      expect(ranges(wrong)).toEqual([])
    },
  )

  test.each(collations[engine.name] ?? [])('a column with the collation %s is as others', async (collation) => {
    const texts = ['a', 'A', 'a ', 'I', 'i', 'İ', 'ı', 'É', 'é', 'e', 'Σ', 'ς', 'Ꭰ', 'ꭰ', 'Ӂ', 'Ж', 'ß', 'ẞ', 'ss']
    const schema = defineSchema({ id: field.integer(), text: field.string() })
    const string = `${engine.declared.string} COLLATE ${collation}`
    const [plain, collated] = [engine, { ...engine, declared: { ...engine.declared, string } }].map((one) =>
      storeOf(one, schema, 'tables'),
    ) as [Store, Store]
    const rows = texts.map((text, at) => ({ id: at + 1, text }))
    await plain.fill(rows)
    await collated.fill(rows)
    const wrong: string[] = []
    const ignoring = ['startsWith', 'endsWith', 'contains', 'equalsIgnoreCase']
    const minding = ['startsWithExact', 'endsWithExact', 'containsExact']
    for (const operator of ['equals', 'notEqual', 'gt', 'lte', 'in', 'nin', ...ignoring, ...minding]) {
      for (const text of texts) {
        const filter = parseFilterOrThrow(schema, `text[${operator}]=${encodeURIComponent(text)}`)
        const select = async ({ backend, select }: Store) => (await select(backend.compile(filter))).sort().join()
        if ((await select(collated)) !== (await select(plain))) wrong.push(`${operator} ${text}`)
      }
    }
    await plain.drop()
    await collated.drop()
    expect(wrong).toEqual([])
  })
})
