/** An OR of one field, by hand: of values, which become one membership, of ranges, which get one around them, and of entries. */
import { afterAll, describe, expect, test } from 'vitest'
import { childTable, jsonColumn, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { buildQuery, defineCollection, defineSchema, field, parseFilterOrThrow, not } from '../../../src/index.ts'
import { isComplete } from '../../effort.ts'
import { openDuckdbIf } from './all-engines.ts'
import { openEngines } from './engines.ts'

const engines = [...(await openEngines((name) => !name.includes(','))), ...(await openDuckdbIf(isComplete))]
afterAll(async () => {
  for (const { close } of engines) await close()
})

const schema = defineSchema({
  id: field.integer(),
  n: field.integer(),
  x: field.number(),
  t: field.string(),
  at: field.datetime(),
  j: field.object({ t: field.string(), n: field.integer() }),
  l: field.list(field.object({ n: field.integer(), t: field.string() })),
})
const collection = defineCollection(schema, { key: 'id', sort: true, limit: { default: 99, max: 99 } })
/** Each row has its id as `n`, half of it as `x`, a letter and an hour. The last one has nothing. */
const hours = ['2024-01-01T00', '2024-01-01T23', '2024-01-02T00', '2024-01-04T12', '2024-01-05T00', '2024-01-06T00']
const ids = [0, 1, 2, 3, 4, 5, 6]

const cases: readonly (readonly [string, readonly number[]])[] = [
  ['or=(n=1,n=3)', [1, 3]],
  ['or=(t=d,n=5,t=a,n[in]=(2,9))', [0, 2, 3, 5]],
  ['or=(t=B,t=C)', []],
  ['not=(or(t=a,t=b))', [2, 3, 4, 5, 6]],
  ['or=(j.t=a,j.t=c,j.n=5)', [0, 2, 5]],
  ['and=(l(or(n=1,n=4,t=f)))', [1, 4, 5]],
  // Those of the days, in each order, and a moment beside a day.
  ['at[in]=2024-01-01,2024-01-05', [0, 1, 4]],
  ['at[in]=2024-01-05,2024-01-01', [0, 1, 4]],
  ['at[in]=2024-01-06T00:00:00Z,2024-01-02', [2, 5]],
  ['at[nin]=2024-01-01,2024-01-05', [2, 3, 5, 6]],
  ['at[in]=2024-01-01,2024-01-05&timeZone=Asia/Tokyo', [0, 4]],
  // To both ends, and without them.
  ['or=(n[range]=(4,5),n[range]=(1,2))', [1, 2, 4, 5]],
  ['or=(and(n[gt]=3,n[lt]=5),and(n[gt]=0,n[lt]=2))', [1, 4]],
  ['or=(and(n[gte]=3,n[lt]=5),and(n[gt]=0,n[lte]=2))', [1, 2, 3, 4]],
  ['or=(n[gt]=4,n=2)', [2, 5]],
  ['or=(n[lt]=1,n[in]=(2,3))', [0, 2, 3]],
  ['or=(n[lt]=1,n[gt]=4)', [0, 5]],
  ['or=(n[gt]=4,t=a)', [0, 5]],
  // No integer is a fraction or so large.
  ['or=(x[range]=(0.4,0.6),x[range]=(2,1e300))', [1, 4, 5]],
  ['or=(and(t=b,n[range]=(1,1)),and(n[range]=(4,9),t=e))', [1, 4]],
  ['or=(t[range]=(b,c),t[range]=(e,zz))', [1, 2, 4, 5]],
  ['or=(j.n[range]=(0,1),j.n[range]=(3,4))', [0, 1, 3, 4]],
  ['and=(l(or(n[range]=(0,1),n[range]=(3,4))))', [0, 1, 3, 4]],
  ['not=(or(n[range]=(0,1),n[range]=(3,4)))', [2, 5, 6]],
  // Entries of a child table: row 3 has two, (3, d) and (9, a).
  ['or=(l.n=1,l.t=c,l.n=9)', [1, 2, 3]],
  ['or=(l(n=3,t=a),l(n=9,t=d))', []],
  ['or=(l(n=3,t=d),l(n=9,t=d),n=0)', [0, 3]],
  ['or=(l.n[notEqual]=1,n=1)', [0, 1, 2, 3, 4, 5, 6]],
  ['or=(l[atLeast]=2,l.t=a,l.t=b)', [0, 1, 3]],
]

describe.each(engines)('$name', (engine) => {
  test('selects by hand, with an index and without', async () => {
    const { dialect, declared, run, stored, options } = engine
    const name = `ors_${process.pid}`
    const types = ['integer', 'integer', 'number', 'string', 'datetime', 'json'] as const
    const columns = ['id', 'n', 'x', 't', 'moment', 'j']
    const declarations = columns.map((column, at) => `${column} ${declared[types[at]!]}`)
    await run(`CREATE TABLE ${name} (${declarations.join(', ')})${options}`)
    await run(`CREATE TABLE ${name}_l (o ${declared.integer}, n ${declared.integer}, t ${declared.string})${options}`)
    const insert = async (into: string, values: readonly unknown[]) =>
      run(`INSERT INTO ${into} VALUES (${values.map((_, at) => dialect.placeholder(at + 1)).join(', ')})`, values)
    for (const id of ids) {
      const [letter, hour] = ['abcdef'[id], hours[id]]
      const own = letter === undefined ? [] : [id, id / 2, letter, `${hour}:00:00.000Z`, { t: letter, n: id }]
      const row = types.map((type, at) =>
        at === 0 ? id : own[at - 1] === undefined ? null : stored(type, own[at - 1]),
      )
      await insert(name, row)
      if (letter !== undefined) await insert(`${name}_l`, [id, id, letter])
      if (id === 3) await insert(`${name}_l`, [id, 9, 'a'])
    }
    const mapped = table(name, {
      schema,
      key: 'id',
      columns: { at: 'moment', j: jsonColumn('j'), l: childTable(`${name}_l`, { foreignKey: 'o' }) },
    })
    const backend = sqlBackend({ dialect, table: mapped })
    for (const index of [undefined, 'n', 'moment']) {
      if (index !== undefined) await run(`CREATE INDEX ${name}_${index} ON ${name} (${index})`)
      for (const [text, expected] of cases) {
        const [asked, zone] = text.split('&timeZone=')
        const filter = parseFilterOrThrow(schema, asked!, { groups: true, timeZone: zone ?? 'UTC' })
        for (const [one, selected] of [
          [filter, expected],
          [not(filter), ids.filter((id) => !expected.includes(id))],
        ] as const) {
          const pieces = (['id', 'n', 'at', 'x', 't'] as const).map((path) =>
            backend.compileQuery(buildQuery(collection, { filter: one, sort: [path] })),
          )
          const condition = backend.compile(one)
          for (const [end, parameters] of [
            ...pieces.map(({ text, parameters }) => [text, parameters] as const),
            [`WHERE ${condition.text} ORDER BY id`, condition.parameters],
          ] as const) {
            const rows = await run(`SELECT id FROM ${name} ${end}`, parameters)
            expect(rows.map(({ id }) => Number(id)).toSorted(), `${text}: ${end}`).toEqual(selected)
          }
        }
      }
    }
    await run(`DROP TABLE ${name}`)
    await run(`DROP TABLE ${name}_l`)
  }, 120_000)
})
