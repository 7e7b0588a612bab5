/** Compares the functions of `urlwhere/grids` with results by hand: the query string or the issues of each state. */
import { afterEach, describe, expect, test } from 'vitest'
import { fromAgGrid, fromMuiX, fromRefine, fromTanStackDb, fromTanStackTable } from '../../src/clients/grids/index.ts'
import type { GridResult } from '../../src/clients/grids/index.ts'
import { FilterError, defineCollection, defineSchema, field, printQuery, restrict, where } from '../../src/index.ts'
import { documentOf } from '../backends/statements.ts'
import { rowsIn } from '../rows.ts'
import { collection, idsOf, randomOf, rowsOf, schema } from './compare.ts'
import { textOf, readers, seeds } from './grids.fixture.ts'

const file = new URL('models.txt', import.meta.url)
/** The rows of a section: names, a value as JSON, and what is expected. */
const valuesOf = (section: string) =>
  rowsIn(file, section).map(
    ({ cells: [field, name, value, expected], place }) =>
      [field!, name!, value === '-' ? undefined : documentOf(value!), expected!, place] as const,
  )
const modelsOf = (section: string) =>
  rowsIn(file, section).map(
    ({ cells: [model, expected], place }) => [JSON.parse(model!) as object, expected!, place] as const,
  )

describe('options name the meaning that a state leaves open', () => {
  const reads: Readonly<Record<string, (part: object, options: object) => GridResult>> = {
    'AG Grid': (filterModel, options) => fromAgGrid(collection, { filterModel }, options),
    'MUI X': (item, options) => fromMuiX(collection, { filterModel: { items: [item] } } as never, options),
    'TanStack Table': (filter, options) => fromTanStackTable(collection, { columnFilters: [filter] } as never, options),
  }
  test.each(
    Object.keys(reads).flatMap((name) =>
      rowsIn(file, `${name}, options`).map(({ cells: [options, part, expected], place }) => {
        return [name, JSON.parse(options!) as object, JSON.parse(part!) as object, expected!, place] as const
      }),
    ),
  )('%s %j: %j', (name, options, part, expected, place) => {
    expect([textOf(reads[name]!(part, options))].flat().join(), place).toBe(expected)
  })

  test.each<[object, string]>([
    [{ timeZone: 'Berlin' }, 'options.timeZone must be a time zone'],
    [{ timeZone: 5 }, 'options.timeZone must be a time zone'],
    [{ days: ['paidAt'] }, 'options.days has paidAt: it must be a datetime field, and options.timeZone its zone'],
    [{ timeZone: 'UTC', days: ['arrival'] }, 'options.days has arrival'],
    [{ timeZone: 'UTC', days: ['__proto__'] }, 'options.days has __proto__'],
    [{ timeZone: 'UTC', days: 'paidAt' }, 'options.days must be a list of paths'],
    [{ blank: 'empty' }, 'options.blank must be one of absent, absentOrEmpty'],
    [{ blanc: 'absent' }, 'options.blanc is unknown; did you mean blank?'],
  ])('a TypeError refuses %j', (options, message) => {
    for (const read of Object.values(reads)) {
      expect(() => read({}, options)).toThrow(TypeError)
      expect(() => read({}, options)).toThrow(message)
    }
    expect(() => reads['MUI X']!({}, { equality: 'collation' })).toThrow(
      'options.equality must be one of exact, ignoreCase',
    )
  })
})

describe('TanStack Table', () => {
  const read = (id: string, filterFn: string, value: unknown) =>
    textOf(
      fromTanStackTable(collection, { columnFilters: [{ id, value }] }, {
        filterFns: filterFn === '-' ? {} : { [id]: filterFn },
      } as never),
    )

  test.each(valuesOf('TanStack Table'))('%s by %s: %j', (id, filterFn, value, expected, place) =>
    expect(read(id, filterFn, value), place).toBe(expected),
  )
  test.each(valuesOf('TanStack Table, refused'))('%s by %s: %j is refused', (id, filterFn, value, expected, place) =>
    expect((read(id, filterFn, value) as string[])[0], place).toContain(expected),
  )

  test('the global filter is one phrase, sorting is an order, and pagination is a page', () => {
    const state = {
      globalFilter: 'a b',
      sorting: [
        { id: 'total', desc: true },
        { id: 'rank', desc: false },
      ],
      pagination: { pageIndex: 2, pageSize: 10 },
    }
    const result = fromTanStackTable(collection, state)
    if (!result.ok) throw new Error(result.issues[0].message)
    expect(decodeURIComponent(printQuery(collection, result.query))).toBe(
      'sort=-total,rank&limit=10&offset=20&count=true&search="a+b"',
    )
  })

  test('an invalid option throws a TypeError', () => {
    expect(() => fromTanStackTable(collection, {}, { filterFns: { name: 'fuzzy' } } as never)).toThrow(TypeError)
    expect(() => fromTanStackTable(collection, {}, { filterFns: { nam: 'equals' } } as never)).toThrow(
      /did you mean name/,
    )
    expect(() => fromTanStackTable({} as never, {})).toThrow('collection must be made by defineCollection')
  })
})

describe('MUI X', () => {
  const read = (field: string, operator: string, value?: unknown, more = {}) =>
    textOf(fromMuiX(collection, { filterModel: { items: [{ id: 1, field, operator, value }], ...more } } as never))

  test.each(valuesOf('MUI X'))('%s %s %j', (field, operator, value, expected, place) =>
    expect(read(field, operator, value), place).toBe(expected),
  )

  test.each([
    ['name', 'contains', undefined],
    ['name', 'contains', ''],
    ['total', '=', ''],
    ['status', 'isAnyOf', []],
    ['gift', 'is', ''],
  ])('%s %s %j is incomplete: no condition', (field, operator, value) => expect(read(field, operator, value)).toBe(''))

  test.each(valuesOf('MUI X, refused'))('%s %s %j is refused', (field, operator, value, expected, place) =>
    expect(read(field, operator, value), place).toEqual([expected]),
  )

  test('items are joined by the logic operator, and the quick filter is a search', () => {
    const items = [
      { id: 1, field: 'total', operator: '>', value: 5 },
      { id: 2, field: 'name', operator: 'contains' },
      { id: 3, field: 'rank', operator: '<', value: 2 },
    ]
    const filterModel = { items, logicOperator: 'or', quickFilterValues: ['a', 'b'] }
    expect(textOf(fromMuiX(collection, { filterModel, sortModel: [{ field: 'total', sort: 'desc' }] }))).toBe(
      `or=(total[gt]=5,rank[lt]=2)&sort=-total&search=a b`,
    )
    expect(textOf(fromMuiX(collection, { filterModel: { ...filterModel, quickFilterLogicOperator: 'or' } }))).toEqual([
      'filterModel.quickFilterLogicOperator operand_invalid',
    ])
  })
})

describe('AG Grid', () => {
  const read = (filterModel: object) => textOf(fromAgGrid(collection, { filterModel }))

  test.each(modelsOf('AG Grid'))('%j', (model, expected, place) => expect(read(model), place).toBe(expected))

  test.each(modelsOf('AG Grid, refused'))('%j is refused', (model, expected, place) =>
    expect(read(model), place).toEqual([expected]),
  )

  test('a block of rows is a page; groups and pivots are refused', () => {
    const request = {
      startRow: 100,
      endRow: 200,
      rowGroupCols: [],
      valueCols: [],
      pivotCols: [],
      pivotMode: false,
      groupKeys: [],
      filterModel: {},
      sortModel: [{ colId: 'total', sort: 'desc' }],
    }
    expect(textOf(fromAgGrid(collection, request))).toBe(`sort=-total&offset=100`)
    expect(textOf(fromAgGrid(collection, { ...request, rowGroupCols: [{}], pivotMode: true }))).toEqual([
      'rowGroupCols operand_invalid',
      'pivotMode operand_invalid',
    ])
    expect(textOf(fromAgGrid(collection, { ...request, endRow: 300 }))).toEqual(['endRow parameter_invalid'])
  })
})

/** Refine evaluates no filters. Source of the results: https://refine.dev/docs/core/interface-references/#crudfilters */
describe('Refine', () => {
  const read = (field: string, operator: string, value: unknown) =>
    textOf(fromRefine(collection, { filters: [{ field, operator, value }] }))

  test('each condition on a list may match another entry', () => {
    const filters = ['a', 'b'].map((tag) => ({ field: 'tags', operator: 'in', value: [tag] }))
    expect(textOf(fromRefine(collection, { filters }))).toBe('tags[in]=a&and=(tags[in]=(b))')
  })

  test.each(valuesOf('Refine'))('%s %s %j', (field, operator, value, expected, place) => {
    const text = read(field, operator, value)
    if (operator === 'nbetween') expect([expected, 'not=(total[range]=(5,9))'], place).toContain(text)
    else expect(text, place).toBe(expected)
  })

  test('groups nest, and pages are numbered from 1', () => {
    const filters = [
      {
        key: 'k',
        operator: 'or',
        value: [
          { field: 'total', operator: 'gt', value: 5 },
          {
            operator: 'and',
            value: [
              { field: 'gift', operator: 'eq', value: true },
              { field: 'name', operator: 'eq', value: '' },
            ],
          },
        ],
      },
    ]
    const state = {
      filters,
      sorters: [{ field: 'total', order: 'desc' as const }],
      pagination: { currentPage: 3, pageSize: 20 },
    }
    const result = fromRefine(collection, state)
    if (!result.ok) throw new Error(result.issues[0].message)
    expect(decodeURIComponent(printQuery(collection, result.query))).toBe(
      'or=(total[gt]=5,and(gift=true,name=""))&sort=-total&limit=20&offset=40&count=true',
    )
    expect(textOf(fromRefine(collection, { pagination: { mode: 'off' } }))).toBe('')
  })

  test.each(modelsOf('Refine, refused'))('%j is refused', (filter, expected, place) => {
    expect(
      (textOf(fromRefine(collection, { filters: [filter] } as never)) as string[]).map((line) => line.split(':')[0]),
      place,
    ).toEqual([expected])
  })
})

describe('TanStack DB', () => {
  const func = (name: string, ...args: readonly object[]) => ({ type: 'func', name, args })
  const ref = (...path: readonly string[]) => ({ type: 'ref', path })
  const val = (value: unknown) => ({ type: 'val', value })
  const read = (where: object) => textOf(fromTanStackDb(collection, { where }))

  test.each([
    [func('eq', ref('name'), val('jo')), 'name=jo'],
    // `not` of an unknown result is unknown: it selects no row without a value.
    [func('not', func('eq', ref('name'), val('jo'))), 'name[exists]=true&name[notEqual]=jo'],
    [func('not', func('gt', ref('total'), val(5))), 'total[lte]=5'],
    [func('not', func('or', func('gt', ref('total'), val(5)), ref('gift'))), 'total[lte]=5&gift=false'],
    [func('in', val('a'), ref('tags')), 'tags=a'],
    [func('in', ref('status'), val(['paid', 'held'])), 'status[in]=paid,held'],
    [func('ilike', ref('customer', 'city'), val('%bo%')), 'customer.city[contains]=bo'],
    [func('like', ref('name'), val('Jo%')), 'name[startsWithExact]=Jo'],
    [func('like', ref('name'), val('%%Jo')), 'name[endsWithExact]=Jo'],
    [func('like', ref('name'), val('%J\no%%')), 'name[containsExact]=J\no'],
    [func('like', ref('name'), val('Jo')), 'name=Jo'],
    [func('like', ref('name'), val('%')), 'name[containsExact]='],
    [func('like', ref('name'), val('')), 'name='],
    [func('isNull', ref('name')), 'name[exists]=false'],
    [
      func('eq', ref('paidAt'), val(new Date('2024-01-02'))),
      'paidAt[gte]=2024-01-02T00:00:00.000Z&paidAt[lt]=2024-01-02T00:00:00.001Z',
    ],
  ])('%j', (where, expected) => expect(read(where)).toBe(expected))

  test.each([
    [func('upper', ref('name')), 'where.name operator_unknown'],
    [func('eq', ref('name'), val(null)), 'where.args[1].value operand_invalid'],
    [func('eq', ref('o', 'name'), val('a')), 'where.args[0].path field_unknown'],
    [func('eq', ref('name'), ref('title')), 'where.args operand_invalid'],
    ...['a_b', 'a%b', '_', '%_', '%a%_', '%%a_'].map((pattern): [object, string] => [
      func('like', ref('name'), val(pattern)),
      'where.args[1].value operand_invalid',
    ]),
    [func('and'), 'where.args operand_invalid'],
  ])('%j is refused', (where, expected) =>
    expect((read(where) as string[]).map((line) => line.split(':')[0])).toContain(expected),
  )

  test('an order places rows without a value as a query does, and a page has an offset', () => {
    const order = (path: string, direction: string, nulls: string, stringSort = 'locale') => ({
      orderBy: [{ expression: ref(path), compareOptions: { direction, nulls, stringSort } }],
    })
    expect(textOf(fromTanStackDb(collection, { ...order('total', 'desc', 'last'), limit: 10, offset: 20 }))).toBe(
      `sort=-total&offset=20`,
    )
    expect(textOf(fromTanStackDb(collection, order('total', 'desc', 'first')))).toEqual([
      'orderBy[0].compareOptions.nulls operand_invalid',
    ])
    const placed = defineCollection(collection.schema, { key: 'id', sort: { total: { nulls: 'first' } } })
    expect(fromTanStackDb(placed, order('total', 'desc', 'first')).ok).toBe(true)
    expect(fromTanStackDb(placed, order('total', 'desc', 'last')).ok).toBe(false)
    expect(textOf(fromTanStackDb(collection, order('title', 'asc', 'first')))).toEqual([
      'orderBy[0].compareOptions.stringSort operand_invalid',
    ])
    expect(textOf(fromTanStackDb(collection, { cursor: {}, limit: 5 }))).toEqual(['cursor operand_invalid'])
  })
})

/** Without the refused part, each state would select more rows. */
describe('empty, unknown and repeated parts are refused', () => {
  const codes = (result: GridResult) => {
    const text = textOf(result)
    return typeof text === 'string' ? text : text.map((line) => line.split(':')[0])
  }

  const held = { id: 'name', value: 'a' }
  test.each<[unknown, string]>([
    ...[undefined, null, ''].map((value): [unknown, string] => [
      [{ id: 'name', value }],
      'columnFilters[0].value operand_invalid',
    ]),
    [[{ id: 'name' }], 'columnFilters[0].value operand_invalid'],
    ...[[], [null, null], ['', undefined], [NaN, 5], [5, 6, 7], {}, '5', ['12345678901234567', null]].map(
      (value): [unknown, string] => [[{ id: 'total', value }], 'columnFilters[0].value operand_invalid'],
    ),
    [[{ id: 'tags', value: [] }], 'columnFilters[0].value operand_invalid'],
    [[{ id: 'tags', value: new Array(1) }], 'columnFilters[0].value operand_invalid'],
    [[{ id: 'gift', value: null }], 'columnFilters[0].value operand_invalid'],
    [new Array(1), 'columnFilters[0] operand_invalid'],
    [null, 'columnFilters operand_invalid'],
    [{ name: 'a' }, 'columnFilters operand_invalid'],
    [new Map([['name', 'a']]), 'columnFilters operand_invalid'],
    // The table evaluates only the last filter of a column.
    [[held, { ...held, value: 'b' }], 'columnFilters[1].id operand_invalid'],
    [[{ ...held, operator: 'equals' }], 'columnFilters[0].operator field_unknown'],
    ...['__proto__', 'constructor', ''].map((id): [unknown, string] => [
      [{ ...held, id }],
      'columnFilters[0].id field_unknown',
    ]),
  ])('TanStack Table: %j', (columnFilters, expected) =>
    expect(codes(fromTanStackTable(collection, { columnFilters } as never))).toContain(expected),
  )
  test.each(['empty', 'notEmpty'])('TanStack Table: false for %s', (fn) =>
    expect(
      codes(
        fromTanStackTable(collection, { columnFilters: [{ id: 'total', value: false }] }, {
          filterFns: { total: fn },
        } as never),
      ),
    ).toEqual(['columnFilters[0].value operand_invalid']),
  )
  test('TanStack Table: a filter function by alias throws a TypeError', () =>
    expect(() => fromTanStackTable(collection, {}, { filterFns: { town: 'equals' } } as never)).toThrow(TypeError))

  const item = { id: 1, field: 'name', operator: 'contains', value: 'a' }
  test.each<[unknown, string]>([
    [null, 'filterModel operand_invalid'],
    [{}, 'filterModel.items operand_invalid'],
    [{ items: null }, 'filterModel.items operand_invalid'],
    [{ items: new Array(1) }, 'filterModel.items[0] operand_invalid'],
    // `JSON.stringify` writes `null` for NaN and for an invalid `Date`.
    ...[
      { value: null },
      { field: 'total', operator: '=', value: null },
      { field: 'total', operator: 'isAnyOf', value: null },
      { field: 'total', operator: 'isAnyOf', value: { length: 0 } },
      { field: 'total', operator: '>', value: NaN },
      { field: 'status', operator: 'is', value: null },
      { field: 'gift', operator: 'is', value: null },
      { field: 'arrival', operator: 'is', value: null },
      { field: 'arrival', operator: 'not', value: new Date(NaN) },
      { field: 'paidAt', operator: 'not', value: null },
      { value: 0 },
      { value: false },
      { value: [] },
    ].map((more): [unknown, string] => [
      { items: [{ ...item, ...more }] },
      'filterModel.items[0].value operand_invalid',
    ]),
    // The grid evaluates only the last item with an id.
    [{ items: [item, { ...item, id: '1', value: 'b' }] }, 'filterModel.items[1].id operand_invalid'],
    [{ items: [{ ...item, id: {} }] }, 'filterModel.items[0].id operand_invalid'],
    [{ items: [{ ...item, operator: undefined }] }, 'filterModel.items[0].operator operand_invalid'],
    [{ items: [{ ...item, operator: 'constructor' }] }, 'filterModel.items[0].operator operator_unknown'],
    [{ items: [{ ...item, field: '__proto__' }] }, 'filterModel.items[0].field field_unknown'],
    [{ items: [item], logicOperator: 'OR' }, 'filterModel.logicOperator operand_invalid'],
    [{ items: [], quickFilterValues: [0] }, 'filterModel.quickFilterValues operand_invalid'],
    [{ items: [], quickFilterValues: [null] }, 'filterModel.quickFilterValues operand_invalid'],
    [{ items: [], quickFilterValues: ['a', ''] }, 'filterModel.quickFilterValues operand_invalid'],
    [{ items: [], quickFilterValues: 'a' }, 'filterModel.quickFilterValues operand_invalid'],
    [{ items: [], quickFilterValues: null }, 'filterModel.quickFilterValues operand_invalid'],
  ])('MUI X: %j', (filterModel, expected) =>
    expect(codes(fromMuiX(collection, { filterModel } as never))).toContain(expected),
  )

  const five = { filterType: 'number', type: 'equals', filter: 5 }
  const named = { filterType: 'text', colId: 'name', type: 'contains', filter: 'a' }
  test.each<[unknown, string]>([
    [{ total: null }, 'filterModel.total operand_invalid'],
    [{ total: {} }, 'filterModel.total.filterType operand_invalid'],
    [new Map([['total', five]]), 'filterModel operand_invalid'],
    [[], 'filterModel operand_invalid'],
    ...[[], [null], null, undefined, {}].map((conditions): [unknown, string] => [
      { total: { filterType: 'number', operator: 'AND', conditions } },
      `filterModel.total.conditions${Array.isArray(conditions) && conditions.length > 0 ? '[0]' : ''} operand_invalid`,
    ]),
    [
      { total: { filterType: 'number', operator: 'OR', conditions: [five, undefined] } },
      'filterModel.total.conditions[1] operand_invalid',
    ],
    [{ total: { ...five, operator: 'AND', conditions: [five] } }, 'filterModel.total.type field_unknown'],
    [{ total: { ...five, operator: null } }, 'filterModel.total.conditions operand_invalid'],
    [{ total: { filterType: 'multi', filterModels: [null, null] } }, 'filterModel.total.filterModels operand_invalid'],
    [{ total: { filterType: 'multi', filterModels: [] } }, 'filterModel.total.filterModels operand_invalid'],
    [{ total: { filterType: 'multi' } }, 'filterModel.total.filterModels operand_invalid'],
    [{ total: { filterType: 'set' } }, 'filterModel.total.values operand_invalid'],
    [{ total: { filterType: 'set', values: null } }, 'filterModel.total.values operand_invalid'],
    [{ total: { filterType: 'set', values: ['5'], type: 'notEqual' } }, 'filterModel.total.type field_unknown'],
    [{ total: { ...five, values: ['6'] } }, 'filterModel.total.values field_unknown'],
    [{ total: { ...five, filterTo: 6 } }, 'filterModel.total.filterTo operand_invalid'],
    [{ total: { ...five, type: 'blank' } }, 'filterModel.total.filter operand_invalid'],
    [{ total: { ...five, colId: 'rank' } }, 'filterModel.total.colId field_unknown'],
    [{ total: { ...five, filter: NaN } }, 'filterModel.total.filter operand_invalid'],
    [{ total: { ...five, type: '__proto__' } }, 'filterModel.total.type operator_unknown'],
    [{ total: { ...five, filterType: 'constructor' } }, 'filterModel.total.filterType operator_unknown'],
    [{ filterType: 'join', type: 'AND', conditions: [] }, 'filterModel.conditions operand_invalid'],
    [{ filterType: 'join', type: 'AND' }, 'filterModel.conditions operand_invalid'],
    [{ filterType: 'join', type: 'AND', conditions: [null] }, 'filterModel.conditions[0] operand_invalid'],
    [{ filterType: 'join', conditions: [named] }, 'filterModel.type operand_invalid'],
    [{ filterType: 'join', type: 'AND', conditions: [named], colId: 'name' }, 'filterModel.colId field_unknown'],
    [{ ...named, conditions: [] }, 'filterModel.conditions field_unknown'],
    [{ ...named, colId: undefined }, 'filterModel.colId operand_invalid'],
  ])('AG Grid: %j', (filterModel, expected) =>
    expect(codes(fromAgGrid(collection, { filterModel } as never))).toContain(expected),
  )
  test('AG Grid: an empty set selects no row', () => {
    const result = fromAgGrid(collection, { filterModel: { status: { filterType: 'set', values: [] } } })
    if (!result.ok) throw new Error(result.issues[0].message)
    expect(idsOf(result.query, rowsOf(randomOf(1), 20))).toEqual([])
    // Query strings have no form for an empty list.
    expect(() => textOf(result)).toThrow(FilterError)
  })

  test.each<[unknown, string]>([
    [null, 'filters operand_invalid'],
    [{}, 'filters operand_invalid'],
    [new Array(1), 'filters[0] operand_invalid'],
    ...[undefined, null, [], {}, NaN].map((value): [unknown, string] => [
      [{ field: 'total', operator: 'eq', value }],
      'filters[0].value operand_invalid',
    ]),
    ...['in', 'nin', 'ina', 'nina', 'between', 'nbetween'].flatMap((operator) =>
      [undefined, null, [], '', 'a', [undefined], new Array(2), { 0: 'a' }].map((value): [unknown, string] => [
        [{ field: 'tags', operator, value }],
        'filters[0].value operand_invalid',
      ]),
    ),
    ...['contains', 'startswith', 'endswiths', 'ncontainss'].map((operator): [unknown, string] => [
      [{ field: 'name', operator, value: '' }],
      'filters[0].value operand_invalid',
    ]),
    ...['or', 'and'].flatMap((operator) =>
      [undefined, null, [], 'a', {}].map((value): [unknown, string] => [
        [{ operator, value }],
        'filters[0].value operand_invalid',
      ]),
    ),
    [
      [{ operator: 'or', field: 'name', value: [{ field: 'name', operator: 'eq', value: 'a' }] }],
      'filters[0].field operand_invalid',
    ],
    [[{ field: 'name', operator: 'constructor', value: 'a' }], 'filters[0].operator operator_unknown'],
    [[{ field: '__proto__', operator: 'eq', value: 'a' }], 'filters[0].field field_unknown'],
    [[{ operator: 'eq', value: 'a' }], 'filters[0].field operand_invalid'],
    [[{ field: 'name', value: 'a' }], 'filters[0].operator operand_invalid'],
    [[{ field: 'name', operator: 'null', value: undefined }], 'filters[0].value operand_invalid'],
  ])('Refine: %j', (filters, expected) =>
    expect(codes(fromRefine(collection, { filters } as never))).toContain(expected),
  )

  const ref = (path: string) => ({ type: 'ref', path: path.split('.') })
  const val = (value: unknown) => ({ type: 'val', value })
  const func = (name: string, ...args: unknown[]) => ({ type: 'func', name, args })
  const entries = defineCollection(
    defineSchema({
      id: field.integer(),
      times: field.list(field.datetime()),
      items: field.list(field.object({ product: field.string() })),
    }),
    { key: 'id', groups: true },
  )
  test.each<[unknown, string]>([
    [null, 'where operand_invalid'],
    [{}, 'where operand_invalid'],
    ...['and', 'or'].map((name): [unknown, string] => [func(name), 'where.args operand_invalid']),
    [{ type: 'func', name: 'and' }, 'where.args operand_invalid'],
    [{ ...func('and', ref('gift')), value: true }, 'where.value field_unknown'],
    [func('and', ref('gift'), undefined), 'where.args[1] operand_invalid'],
    [func('not', ref('gift'), ref('gift')), 'where.args operand_invalid'],
    [func('isNull', ref('gift'), val(1)), 'where.args operand_invalid'],
    [func('eq', ref('total'), val(5), val(6)), 'where.args operand_invalid'],
    [func('eq', ref('total')), 'where.args operand_invalid'],
    [func('in', ref('total'), val([])), 'where.args[1].value operand_invalid'],
    [func('in', ref('total'), val(undefined)), 'where.args[1].value operand_invalid'],
    [func('in', ref('total'), val([5, null])), 'where.args[1].value operand_invalid'],
    [func('eq', ref('total'), val(undefined)), 'where.args[1].value operand_invalid'],
    [func('eq', { type: 'ref', path: [] }, val(5)), 'where.args[0].path operand_invalid'],
    [func('eq', { ...ref('total'), as: 'x' }, val(5)), 'where.args[0].as field_unknown'],
    [func('constructor', ref('total'), val(5)), 'where.name operator_unknown'],
    [func('eq', ref('__proto__'), val(5)), 'where.args[0].path field_unknown'],
    // Rows contain no texts in these fields, or texts in one case only.
    ...['code', 'serial', 'price', 'total', 'arrival', 'paidAt'].map((path): [unknown, string] => [
      func('like', ref(path), val('5')),
      'where.args[0] operator_not_applicable',
    ]),
  ])('TanStack DB: %j', (where, expected) =>
    expect(codes(fromTanStackDb(collection, { where } as never))).toContain(expected),
  )
  test.each(['items.product', 'times'])('TanStack DB: in refuses %s, which is not a list of scalars', (path) =>
    expect(codes(fromTanStackDb(entries, { where: func('in', val('a'), ref(path)) }))).toEqual([
      'where.args[1] operator_not_applicable',
    ]),
  )
  test('AG Grid: a set filter refuses a field in objects of a list', () => {
    const filterModel = { 'items.product': { filterType: 'set', values: ['a'] } }
    expect(codes(fromAgGrid(entries, { filterModel }))).toEqual(['filterModel["items.product"].values operand_invalid'])
  })

  test.each(Object.keys(readers))('%s refuses objects without own members', (name) => {
    for (const state of [
      new Map([['filters', []]]),
      new URLSearchParams('filters=a'),
      Promise.resolve({ filters: [{}] }),
      new Date(),
    ])
      expect(readers[name]!(collection, state)).toMatchObject({ ok: false, issues: [{ member: 'state' }] })
  })
})

test('bigint and decimal keep every digit of a text', () => {
  const [big, exact] = ['9007199254740993', '0.1234567890123456789']
  const items = [
    { id: 1, field: 'serial', operator: '=', value: big },
    { id: 2, field: 'price', operator: '<', value: exact },
  ]
  const expected = `serial=${big}&price[lt]=${exact}`
  expect(textOf(fromMuiX(collection, { filterModel: { items } }))).toBe(expected)
  const filters = [
    { field: 'serial', operator: 'eq', value: big },
    { field: 'price', operator: 'lt', value: exact },
  ]
  expect(textOf(fromRefine(collection, { filters }))).toBe(expected)
  const filterModel = { serial: { filterType: 'set', values: [big] }, price: { filterType: 'set', values: [exact] } }
  expect(textOf(fromAgGrid(collection, { filterModel }))).toBe(`serial[in]=${big}&price[in]=${exact}`)
})

test('no state selects rows outside a restriction', () => {
  const restriction = where(schema).equals('status', 'paid')
  const rows = rowsOf(randomOf(5), 50)
  const allowed = rows.filter(({ status }) => status === 'paid').map(({ id }) => id)
  for (const [name, state] of [
    ['fromRefine', {}],
    ['fromRefine', { filters: [{ operator: 'or', value: [{ field: 'id', operator: 'gte', value: 0 }] }] }],
    [
      'fromMuiX',
      {
        filterModel: {
          items: [
            { field: 'status', operator: 'not', value: 'paid' },
            { field: 'id', operator: '>=', value: 0 },
          ],
          logicOperator: 'or',
        },
      },
    ],
  ] as const) {
    const result = readers[name]!(collection, state)
    if (!result.ok) throw new Error(result.issues[0].message)
    expect(idsOf(restrict(result.query, restriction), rows)).toEqual(allowed)
  }
})

describe.each(Object.keys(readers))('%s', (name) => {
  const read = readers[name]!
  const seed = seeds[name]!
  const expectIssues = (result: GridResult) => {
    if (result.ok) throw new Error('it was accepted')
    return result.issues
  }

  test('reads a state with every kind of part', () => {
    const result = read(collection, seed)
    expect(result.ok, JSON.stringify(result)).toBe(true)
  })

  test.each([[null], [undefined], [5], ['a'], [[]], [() => 1]])('refuses %s', (state) => {
    expect(expectIssues(read(collection, state))[0]).toMatchObject({ code: 'operand_invalid', member: 'state' })
  })

  test('refuses an unknown member', () => {
    const [issue] = expectIssues(read(collection, { ...seed, grouping: ['name'] }))
    expect(issue).toMatchObject({ code: 'field_unknown', member: 'grouping', fault: 'client' })
    expect(issue).not.toHaveProperty('span')
  })

  afterEach(() => {
    for (const key of ['filterModel', 'columnFilters', 'filters', 'where', 'value', 'operator', 'type', 'sort'])
      delete (Object.prototype as Record<string, unknown>)[key]
  })
  test('ignores inherited properties', () => {
    const before = JSON.stringify(read(collection, seed))
    const none = JSON.stringify(read(collection, {}))
    for (const [key, value] of Object.entries({
      filterModel: {},
      columnFilters: [{}],
      filters: [{}],
      where: {},
      value: 'z',
      operator: 'OR',
      type: 'ref',
      sort: 'desc',
    }))
      Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true })
    expect(JSON.stringify(read(collection, {}))).toBe(none)
    expect(JSON.stringify(read(collection, seed))).toBe(before)
    expect(expectIssues(read(collection, Object.create(seed)))).toMatchObject([{ member: 'state' }])
  })

  test('refuses fields and operators that the collection does not allow', () => {
    const closed = defineCollection(schema, { key: 'id', operators: { name: ['equals'] }, hidden: ['total'] })
    const codes = expectIssues(read(closed, seed)).map(({ code, member }) => `${member} ${code}`)
    expect(codes.some((line) => line.endsWith('field_unknown'))).toBe(true)
    expect(JSON.stringify(expectIssues(read(closed, seed)))).not.toContain('did you mean total')
  })

  test('an empty state selects every row, with the largest page', () => {
    const result = read(collection, {})
    if (!result.ok) throw new Error(result.issues[0].message)
    expect(result.query).toMatchObject({ filter: { kind: 'and', filters: [] }, limit: 100, count: true })
  })
})

test('limits hold', () => {
  const many = (length: number) => ({
    filters: Array.from({ length }, () => ({ field: 'rank', operator: 'eq', value: 1 })),
  })
  expect(fromRefine(collection, many(100)).ok).toBe(true)
  expect(textOf(fromRefine(collection, many(101)))).toEqual(['filters limit_list'])
  const nested = (depth: number): object =>
    depth === 0 ? { field: 'rank', operator: 'eq', value: 1 } : { operator: 'and', value: [nested(depth - 1)] }
  expect(fromRefine(collection, { filters: [nested(7)] }).ok).toBe(true)
  expect(textOf(fromRefine(collection, { filters: [nested(8)] }))).toEqual([
    'filters[0].value[0].value[0].value[0].value[0].value[0].value[0].value[0].value[0] limit_depth: join conditions in one group where you can',
  ])
  expect(JSON.stringify(textOf(fromRefine(collection, { filters: [nested(5000)] })))).toContain('state limit_depth')
  const searches = Array.from({ length: 11 }, () => ({ field: 'name', operator: 'contains', value: 'a' }))
  expect(textOf(fromRefine(collection, { filters: searches }))).toEqual(['filters[10].value limit_searches'])
  const onLists = Array.from({ length: 11 }, () => ({ field: 'tags', operator: 'eq', value: 'a' }))
  const either = (filters: readonly object[]) => ({ filters: [{ operator: 'or', value: filters }] })
  expect(fromRefine(collection, either(onLists.slice(1))).ok).toBe(true)
  expect(textOf(fromRefine(collection, either(onLists)))).toEqual(['filters[0].value[10].value limit_searches'])
  const words = { filters: [{ field: 'name', operator: 'contains', value: 'a' }] }
  expect(fromRefine(collection, words).ok).toBe(true)
  const long = { field: 'name', operator: 'eq', value: 'a'.repeat(1025) }
  expect(textOf(fromRefine(collection, { filters: [long] }))).toEqual(['filters[0].value limit_operand'])
  const unknown = Array.from({ length: 50 }, () => ({ field: 'x', operator: 'eq', value: 1 }))
  const result = fromRefine(collection, { filters: unknown })
  expect(result).toMatchObject({ ok: false })
  if (!result.ok)
    expect([result.issues.length, result.issues[19]]).toMatchObject([
      20,
      { code: 'limit_issues', parameters: { found: 50, limit: 20 } },
    ])
})

describe('a day as operand of a datetime', () => {
  const agGrid = { filterType: 'date', type: 'equals', dateFrom: '2024-01-31' }
  const upTo = [
    { type: 'ref', path: ['paidAt'] },
    { type: 'val', value: '2024-01-31' },
  ]
  const refine = (operator: string, value: unknown): [string, GridResult, string | string[]] => [
    `Refine, ${operator}`,
    fromRefine(collection, { filters: [{ field: 'paidAt', operator, value }] }),
    ['filters[0].value operand_invalid'],
  ]
  test.each<[string, GridResult, string | string[]]>([
    [
      'TanStack Table',
      fromTanStackTable(collection, { columnFilters: [{ id: 'paidAt', value: ['2024-01-30', '2024-01-31'] }] }),
      'paidAt[gte]=2024-01-30T00:00:00.000Z&paidAt[lt]=2024-01-31T00:00:00.001Z',
    ],
    [
      'MUI X',
      fromMuiX(collection, { filterModel: { items: [{ field: 'paidAt', operator: 'is', value: '2024-01-31' }] } }),
      'paidAt[gte]=2024-01-31T00:00:00.000Z&paidAt[lt]=2024-01-31T00:01:00.000Z',
    ],
    [
      'AG Grid',
      fromAgGrid(collection, { filterModel: { paidAt: agGrid } }),
      ['filterModel.paidAt.filterType operator_unknown: available operators for paidAt: set'],
    ],
    [
      'TanStack DB',
      fromTanStackDb(collection, { where: { type: 'func', name: 'lte', args: upTo } }),
      ['where.args[1].value operand_invalid'],
    ],
    ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte'].map((operator) => refine(operator, '2024-01-31')),
    refine('in', ['2024-01-30T00:00:00Z', '2024-01-31']),
    refine('between', ['2024-01-30', '2024-01-31T00:00:00Z']),
  ])('%s', (_, result, expected) => {
    expect(textOf(result)).toEqual(expected)
  })
})

describe('limits of a state', () => {
  test('columns: no more than 100 are looked up', () => {
    const filterModel = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`x${at}`, null]))
    const result = fromAgGrid(collection, { filterModel })
    // The issue beside the 100 unknown columns is `limit_pairs`.
    if (!result.ok) expect(result.issues.at(-1)).toMatchObject({ code: 'limit_issues', parameters: { found: 101 } })
    expect(result.ok).toBe(false)
  })

  test.each<[string, object]>([
    ['a long text', { where: 'x'.repeat(65_536) }],
    ['a long name', { ['x'.repeat(65_536)]: 1 }],
    ['many values', { where: Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 1)) }],
    ['holes', { where: new Array(65_537) }],
  ])('length: %s', (_, state) => {
    expect(textOf(fromTanStackDb(collection, state))).toEqual(['state limit_length'])
  })

  test('the subscription of TanStack DB does not count', () => {
    const subscription: Record<string, unknown> = { text: 'x'.repeat(100_000) }
    subscription['self'] = subscription
    expect(fromTanStackDb(collection, { subscription, signal: subscription }).ok).toBe(true)
    expect(textOf(fromTanStackDb(collection, { where: subscription }))).toEqual(['state limit_length'])
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    expect(textOf(fromTanStackDb(collection, { where: circular }))).toEqual([
      'state limit_depth: join conditions in one group where you can',
    ])
  })
})

test('refuses groups and offsets that the collection does not allow', () => {
  const closed = defineCollection(schema, { key: 'id', sort: true })
  const state = {
    filterModel: {
      total: {
        filterType: 'number',
        operator: 'OR',
        conditions: [
          { filterType: 'number', type: 'equals', filter: 1 },
          { filterType: 'number', type: 'equals', filter: 2 },
        ],
      },
    },
  }
  expect(fromAgGrid(closed, state)).toMatchObject({
    ok: false,
    issues: [{ code: 'operator_unknown', member: 'filterModel.total.operator', hint: 'groups are not turned on here' }],
  })
  expect(fromAgGrid(closed, { startRow: 0, endRow: 10 }).ok).toBe(true)
  expect(fromAgGrid(closed, { startRow: 10, endRow: 20 })).toMatchObject({
    ok: false,
    issues: [{ code: 'parameter_invalid', member: 'startRow' }],
  })
  expect(fromTanStackTable(closed, { globalFilter: 'a' })).toMatchObject({
    ok: false,
    issues: [{ code: 'field_unknown', member: 'globalFilter' }],
  })
})
