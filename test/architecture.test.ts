/** Imports run one way, and each thing is in its place (docs/architecture.md). */
import { readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')

interface Import {
  readonly from: string
  readonly target: string
  readonly typeOnly: boolean
}
/** What a file imports or re-exports: files of src by their path, packages by their name. */
function importsOf(file: string): Import[] {
  const statements = textOf(file).matchAll(/^(?:import|export)\s+(type\s)?(?:[^;'"`]*?\sfrom\s+)?'([^']+)'/gm)
  return Array.from(statements, ([, type, target]) => ({
    from: file,
    target: target!.startsWith('.') ? posix.join(posix.dirname(file), target!) : target!,
    typeOnly: type !== undefined,
  }))
}
const imports = files.flatMap(importsOf)

/** What each file may import. `type x` allows its types alone. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'text.ts': [],
  'issue.ts': ['options.ts'],
  'suggest.ts': [],
  'ast.ts': ['text.ts', 'type issue.ts'],
  'options.ts': ['suggest.ts'],
  'limits.ts': ['type issue.ts', 'options.ts'],
  'schema.ts': ['ast.ts', 'text.ts'],
  'operators.ts': ['ast.ts', 'type issue.ts', 'type schema.ts'],
  'operands.ts': ['type ast.ts', 'type operators.ts', 'type schema.ts', 'text.ts'],
  'syntax/syntax.ts': ['type issue.ts'],
  'syntax/tokens.ts': ['chevrotain', 'type issue.ts'],
  'syntax/grammar.ts': ['chevrotain', 'type issue.ts', 'type syntax/syntax.ts', 'syntax/tokens.ts'],
  'syntax/parse.ts': ['issue.ts', 'syntax/grammar.ts', 'type syntax/syntax.ts', 'syntax/tokens.ts'],
  'combine.ts': ['ast.ts', 'type issue.ts', 'operators.ts', 'type schema.ts'],
  'bind.ts': [
    'ast.ts',
    'type combine.ts',
    'issue.ts',
    'type limits.ts',
    'operands.ts',
    'operators.ts',
    'type schema.ts',
    'suggest.ts',
    'type syntax/syntax.ts',
  ],
  'parse-filter.ts': [
    'type ast.ts',
    'bind.ts',
    'combine.ts',
    'issue.ts',
    'limits.ts',
    'options.ts',
    'schema.ts',
    'syntax/parse.ts',
    'type syntax/syntax.ts',
  ],
  'where.ts': ['ast.ts', 'operands.ts', 'operators.ts', 'schema.ts'],
  'print.ts': ['ast.ts', 'combine.ts', 'issue.ts', 'operands.ts', 'operators.ts', 'schema.ts', 'text.ts'],
  'backend.ts': ['ast.ts', 'type issue.ts'],
  'backends/values.ts': ['type ast.ts', 'text.ts'],
  'backends/memory.ts': ['ast.ts', 'type backend.ts', 'backends/values.ts', 'options.ts'],
  'backends/sql/sql.ts': [],
  'backends/sql/mapping.ts': ['type backend.ts', 'options.ts', 'schema.ts', 'type backends/sql/dialect.ts'],
  'backends/sql/places.ts': [
    'type ast.ts',
    'type schema.ts',
    'type backends/sql/dialect.ts',
    'backends/sql/mapping.ts',
    'backends/sql/sql.ts',
  ],
  'backends/sql/dialect.ts': ['type ast.ts', 'backends/sql/sql.ts'],
  'backends/sql/postgres.ts': ['type ast.ts', 'backends/sql/dialect.ts', 'backends/sql/sql.ts'],
  'backends/sql/sqlite.ts': ['type ast.ts', 'backends/sql/dialect.ts', 'backends/sql/sql.ts'],
  'backends/sql/mysql.ts': ['type ast.ts', 'backends/sql/dialect.ts', 'backends/sql/sql.ts'],
  'backends/sql/groups.ts': ['type backends/sql/dialect.ts', 'backends/sql/sql.ts'],
  'backends/sql/emit.ts': [
    'ast.ts',
    'type backend.ts',
    'issue.ts',
    'options.ts',
    'schema.ts',
    'text.ts',
    'backends/sql/dialect.ts',
    'backends/sql/groups.ts',
    'backends/sql/mapping.ts',
    'backends/sql/places.ts',
    'backends/sql/sql.ts',
  ],
  'backends/sql/index.ts': [
    'text.ts',
    'backends/sql/dialect.ts',
    'backends/sql/emit.ts',
    'backends/sql/mapping.ts',
    'backends/sql/mysql.ts',
    'backends/sql/postgres.ts',
    'backends/sql/sql.ts',
    'backends/sql/sqlite.ts',
  ],
  'backends/mongo/document.ts': [],
  'backends/mongo/entries.ts': ['text.ts', 'backends/mongo/document.ts'],
  'backends/mongo/pattern.ts': ['type ast.ts', 'text.ts', 'type backends/mongo/document.ts'],
  'backends/mongo/leaf.ts': ['type ast.ts', 'type issue.ts'],
  'backends/mongo/faults.ts': ['type ast.ts', 'issue.ts', 'schema.ts', 'backends/mongo/leaf.ts'],
  'backends/mongo/options.ts': ['ast.ts', 'options.ts', 'schema.ts', 'suggest.ts', 'text.ts'],
  'backends/mongo/emit.ts': [
    'ast.ts',
    'type backend.ts',
    'issue.ts',
    'backends/mongo/document.ts',
    'backends/mongo/entries.ts',
    'backends/mongo/faults.ts',
    'backends/mongo/leaf.ts',
    'backends/mongo/options.ts',
    'backends/mongo/pattern.ts',
  ],
  'backends/mongo/index.ts': [
    'text.ts',
    'type backends/mongo/document.ts',
    'backends/mongo/emit.ts',
    'type backends/mongo/options.ts',
  ],
  'filter.ts': ['ast.ts', 'backend.ts', 'issue.ts', 'operators.ts', 'print.ts', 'schema.ts', 'where.ts'],
  'index.ts': ['filter.ts', 'limits.ts', 'parse-filter.ts'],
  'testing/arbitraries.ts': ['fast-check', 'ast.ts', 'type backend.ts', 'operators.ts', 'parse-filter.ts', 'schema.ts'],
  'testing/cases.ts': ['ast.ts', 'type backend.ts', 'schema.ts'],
  'testing.ts': ['type ast.ts', 'type backend.ts', 'issue.ts', 'parse-filter.ts', 'testing/cases.ts'],
  'http/concurrency.ts': [],
  'http/credentials.ts': [],
  'http/problem.ts': ['type issue.ts'],
  'http/service.ts': [
    'ast.ts',
    'issue.ts',
    'limits.ts',
    'options.ts',
    'parse-filter.ts',
    'schema.ts',
    'http/concurrency.ts',
    'http/credentials.ts',
    'http/problem.ts',
  ],
  'http/index.ts': ['http/credentials.ts', 'http/service.ts'],
}
const isDemo = (file: string) => file.startsWith('demo/')

describe('imports', () => {
  test('were found: the pattern reads what is there', () => {
    expect(imports.length).toBeGreaterThan(60)
    const lines = files.flatMap((file) => textOf(file).match(/^(import|export) .* from '|^} from '/gm) ?? [])
    expect(imports).toHaveLength(lines.length)
  })

  test('run one way', () => {
    const forbidden = imports.filter(({ from, target, typeOnly }) => {
      if (isDemo(from)) return false
      const may = allowed[from] ?? []
      return !may.includes(target) && !(typeOnly && may.includes(`type ${target}`))
    })
    expect(forbidden).toEqual([])
  })

  test('are all used: a permission that nobody needs is taken away', () => {
    const unused = Object.entries(allowed).flatMap(([from, may]) =>
      may
        .filter((permission) => {
          const of = imports.filter((one) => one.from === from && one.target === permission.replace('type ', ''))
          return of.length === 0 || (!permission.startsWith('type ') && of.every(({ typeOnly }) => typeOnly))
        })
        .map((permission) => `${from}: ${permission}`),
    )
    expect(unused).toEqual([])
  })

  test('every file has its line', () => {
    expect(files.filter((file) => !isDemo(file))).toEqual(Object.keys(allowed).sort())
  })

  test('Chevrotain is in two files, fast-check in one, node modules and packages in the demo alone', () => {
    const outside = imports.filter(({ target }) => !target.endsWith('.ts'))
    expect(outside.filter(({ from }) => !isDemo(from)).map(({ from, target }) => `${from} ${target}`)).toEqual([
      'syntax/grammar.ts chevrotain',
      'syntax/tokens.ts chevrotain',
      'testing/arbitraries.ts fast-check',
    ])
  })

  test('nothing imports the demo, and only the demo imports http', () => {
    expect(imports.filter(({ from, target }) => target.startsWith('demo/') && !isDemo(from))).toEqual([])
    const users = imports.filter(({ from, target }) => target.startsWith('http/') && !from.startsWith('http/'))
    expect(users.every(({ from }) => isDemo(from))).toBe(true)
  })

  test('whoever builds filters by hand never loads the parser', () => {
    const reached = new Set<string>()
    const follow = (file: string): void => {
      if (reached.has(file)) return
      reached.add(file)
      for (const { target, typeOnly } of imports.filter(({ from }) => from === file)) if (!typeOnly) follow(target)
    }
    ;['filter.ts', 'backends/memory.ts'].forEach(follow)
    expect([...reached].filter((file) => file.startsWith('syntax/') || file === 'chevrotain')).toEqual([])
  })
})

describe('files', () => {
  test('have names that say something', () => {
    expect(files.filter((file) => /(?:^|\/)(?:utils?|helpers?|types|common|misc|module)\.ts$/.test(file))).toEqual([])
  })
  test('the doors only re-export', () => {
    for (const file of ['index.ts', 'filter.ts', 'http/index.ts']) {
      const rest = textOf(file)
        .replace(/\/\*\*[\s\S]*?\*\//g, '')
        .replace(/export (?:type )?(?:\*|\{[^}]*\}) from '[^']+'/g, '')
      expect(rest.trim(), file).toBe('')
    }
  })
  test('begin with a line on what they are for', () => {
    expect(files.filter((file) => !textOf(file).startsWith('/**'))).toEqual([])
  })
  test('print nothing, and make no code at run time, but for predicates where that is asked for', () => {
    const having = (pattern: RegExp) =>
      files.filter((file) => !isDemo(file) && pattern.test(textOf(file).replace(/\/\*\*[\s\S]*?\*\//g, '')))
    expect(having(/\bconsole\.|\beval\(|process\./)).toEqual([])
    expect(having(/\bFunction\(/)).toEqual(['backends/memory.ts'])
  })
})
