/** Requests in the conventions of clients, out of names and operands that any role may have learned. */

/** What random requests are made of. */
export interface Parts {
  readonly pick: <T>(from: readonly T[]) => T
  readonly chance: (share: number) => boolean
  readonly below: (limit: number) => number
  readonly name: () => string
  readonly operands: readonly string[]
  readonly cursor: () => string
}

/** The requests by kind: the name of a notation, and what the requests ask for. */
export function notedRequests({ pick, chance, below, name, operands, cursor }: Parts): Record<string, () => string> {
  const value = () => pick([...operands, 's-north', 's-south', 'paid', '3', '40', 'row-s-south'])
  const plain = () => decodeURIComponent(value().replace(/%(?![\da-f]{2})|%[89a-f][\da-f]/gi, ''))
  const size = () => 1 + below(7)
  const some = (make: () => string) => Array.from({ length: 1 + below(3) }, make).join('&')
  const nested = (path: string) => path.replaceAll('.', '][')
  const ofStrapi = () =>
    `filters[${chance(0.2) ? `$or][${below(2)}][` : chance(0.1) ? '$not][' : ''}${nested(name())}][${pick([
      ...['$eq', '$ne', '$gt', '$gte', '$lt', '$in', '$notIn', '$contains', '$notContainsi', '$startsWithi', '$null'],
    ])}]=${value()}`
  const ofApi = () =>
    `filter[${name()}]${pick(['', '[eq]', '[ne]', '[gte]', '[in]', '[nin]', '[contains]', '[exists]'])}=${value()}`
  const ofNest = () =>
    `filter.${name()}=${pick(['', '', '$any:', '$none:', '$all:'])}${pick(['', '$not:'])}${pick(['$eq:', '$gt:', '$gte:', '$lte:', '$in:', '$ilike:', '$sw:', '$null', '$btw:'])}${value()}`
  const ofServer = () => `${name()}${pick(['', '', '_ne', '_gte', '_lte', '_like', '_gt'])}=${value()}`
  const ofAdmin = () => {
    const members = Array.from({ length: 1 + below(3) }, () => {
      const key = name() + pick(['', '', '_eq', '_neq', '_gt', '_gte', '_lt', '_eq_any', '_neq_any', '_q'])
      const one = pick<unknown>([plain(), below(50), true, null])
      return [chance(0.05) ? 'q' : key, chance(0.2) ? [one, plain()] : one] as const
    })
    return `filter=${encodeURIComponent(JSON.stringify(Object.fromEntries(members)))}`
  }
  const descending = () => pick(['asc', 'desc', 'ASC', 'DESC'])
  return {
    'jsonServer filters': () => some(ofServer),
    'jsonServer pages': () =>
      `_sort=${name()}&_order=${descending()}&_start=${below(9)}&_end=${9 + size()}&${ofServer()}`,
    'jsonServer searches': () => `q=${value()}&_page=1&_limit=${size()}`,
    'jsonServer1 filters': () =>
      `${name()}${pick(['', ':eq', ':ne', ':gte', ':lt', ':in', ':contains'])}=${value()}&_page=${size()}`,
    'jsonServer1 groups': () =>
      `_where=${encodeURIComponent(JSON.stringify({ or: [{ [name()]: { eq: plain() } }, { [name()]: { ne: plain() } }] }))}`,
    'reactAdmin filters': ofAdmin,
    'reactAdmin pages': () =>
      `sort=${encodeURIComponent(JSON.stringify([name(), descending()]))}&range=[${below(5)},${5 + size()}]&${ofAdmin()}`,
    'strapi filters': () => some(ofStrapi),
    'strapi pages': () => `sort[0]=${name()}:${descending()}&pagination[page]=${size()}&pagination[pageSize]=${size()}`,
    'strapi fields': () => `fields[0]=${name()}&fields[1]=${name()}&${ofStrapi()}`,
    'strapi searches': () => `_q=${value()}`,
    'jsonApi filters': () => some(ofApi),
    'jsonApi pages': () =>
      `sort=${chance(0.5) ? '-' : ''}${name()}&page[size]=${size()}${chance(0.5) ? `&page[number]=${size()}` : ''}`,
    'jsonApi cursors': () =>
      `sort=${pick(['id', '-id', 'total', name()])}&page[size]=${size()}&page[${pick(['after', 'before'])}]=${cursor()}`,
    'jsonApi fields': () => `fields[orders]=${name()},${name()}&page[size]=${size()}`,
    'nestPaginate filters': () => some(ofNest),
    'nestPaginate pages': () => `sortBy=${name()}:${descending()}&page=${size()}&limit=${size()}`,
    'nestPaginate fields': () => `select=${name()},${name()}&limit=${size()}&${ofNest()}`,
    'nestPaginate cursors': () => `sortBy=${pick(['id', 'total', name()])}:${descending()}&cursor=${cursor()}`,
    'nestPaginate searches': () => `search=${value()}`,
  }
}

/** States of table components, as requests carry them. */
export function gridRequests({ pick, chance, below, name, operands }: Parts): Record<string, () => string> {
  const value = () => pick<unknown>([...operands.slice(0, 14), 5, 40, true, null, 's-south', ['paid', 'held'], [1, 40]])
  const some = <T>(make: () => T): T[] => Array.from({ length: below(3) }, make)
  const size = () => 1 + below(7)
  const direction = () => pick(['asc', 'desc'])
  const words = {
    agGrid: [
      'equals',
      'notEqual',
      'contains',
      'notContains',
      'startsWith',
      'greaterThan',
      'lessThanOrEqual',
      'blank',
      'notBlank',
    ],
    muiX: [
      'equals',
      'doesNotEqual',
      'contains',
      'startsWith',
      '=',
      '!=',
      '>',
      '<=',
      'is',
      'not',
      'isAnyOf',
      'isEmpty',
      'isNotEmpty',
    ],
    refine: ['eq', 'ne', 'lt', 'gte', 'in', 'nin', 'contains', 'ncontains', 'startswith', 'null', 'nnull', 'between'],
    tanStackDb: ['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'inArray', 'isNull'],
  }
  const column = (filterType: string) => ({ filterType, type: pick(words.agGrid), filter: value() })
  const reference = () => ({ type: 'ref', path: name().split('.') })
  const condition = () => ({
    type: 'func',
    name: pick(words.tanStackDb),
    args: [reference(), { type: 'val', value: value() }],
  })
  const states: Readonly<Record<string, () => object>> = {
    agGrid: () => ({
      ...{ startRow: 0, endRow: size() },
      filterModel: Object.fromEntries(some(() => [name(), column(pick(['text', 'number', 'boolean', 'date']))])),
      sortModel: some(() => ({ colId: name(), sort: direction() })),
    }),
    muiX: () => ({
      filterModel: {
        items: some(() => ({ field: name(), operator: pick(words.muiX), value: value() })),
        ...(chance(0.2) && { quickFilterValues: ['canary'] }),
      },
      sortModel: some(() => ({ field: name(), sort: direction() })),
      paginationModel: { page: below(3), pageSize: size() },
    }),
    refine: () => ({
      filters: some(() => ({ field: name(), operator: pick(words.refine), value: value() })),
      sorters: some(() => ({ field: name(), order: direction() })),
      pagination: { currentPage: size(), pageSize: size() },
    }),
    tanStackDb: () => ({
      ...(chance(0.7) && {
        where: chance(0.3) ? { type: 'func', name: 'or', args: [condition(), condition()] } : condition(),
      }),
      ...{
        orderBy: some(() => ({ expression: reference(), compareOptions: { direction: direction(), nulls: 'first' } })),
        limit: size(),
      },
    }),
    tanStackTable: () => ({
      columnFilters: some(() => ({ id: name(), value: value() })),
      sorting: some(() => ({ id: name(), desc: chance(0.5) })),
      pagination: { pageIndex: below(3), pageSize: size() },
      ...(chance(0.2) && { globalFilter: 'canary' }),
    }),
  }
  return Object.fromEntries(
    Object.entries(states).map(([grid, make]) => [
      grid,
      () => `grid=${grid}&state=${encodeURIComponent(JSON.stringify(make()))}`,
    ]),
  )
}
