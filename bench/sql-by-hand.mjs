/** Statements by hand, of which the shapes of sql-shapes.mjs are made. */

/** A piece of a statement: values become parameters, other pieces stay text. */
export const by = (strings, ...values) => ({ strings: [...strings], values })
export const text = (words) => ({ strings: [words], values: [] })
const joined = (pieces, between) => ({ strings: ['', ...pieces.slice(1).map(() => between), ''], values: pieces })
const nothing = by``
export const listed = (values) =>
  by`(${joined(
    values.map((value) => by`${value}`),
    ', ',
  )})`
export const all = (...conditions) => {
  const some = conditions.flat().filter((condition) => condition !== undefined)
  return some.length === 0 ? nothing : by`WHERE ${joined(some, ' AND ')}`
}

const itself = (value) => value
const ofMysql = {
  uuid: (value) => Buffer.from(value.replaceAll('-', ''), 'hex'),
  moment: (value) => value.slice(0, -1).replace('T', ' '),
  boolean: Number,
  status: 'CAST(status AS CHAR)',
}
/** How the statements by hand differ by the family of the database: the order of texts and of NULL, and the forms of values. */
const forms = Object.fromEntries(
  Object.entries({
    postgres: {
      status: 'status::text',
      collated: ' COLLATE "C"',
      nulls: { false: ' NULLS FIRST', true: ' NULLS LAST' },
      compares: 'rows',
    },
    sqlite: { compares: 'rows', decimal: (value) => Math.round(value * 100), boolean: Number },
    mysql: ofMysql,
    mariadb: ofMysql,
  }).map(([family, form]) => [
    family,
    { family, collated: '', uuid: itself, moment: itself, decimal: itself, boolean: itself, ...form },
  ]),
)
export const formOf = (family) => forms[family]

// --- Orders and places in them

const texts = ['seller', 'city', 'title']
const nullable = 'discount'
/** The keys of a sort with the key of the collection, in its direction or in the other. */
export function keysOf({ key = 'id', query }, isReversed) {
  const named = /(?:^|&)sort=([^&]*)/.exec(query)?.[1] ?? key
  const keys = named
    .split(',')
    .map((one) => ({ name: one.replace('-', ''), isDown: one.startsWith('-') !== isReversed }))
  if (keys.every(({ name }) => name !== key)) keys.push({ name: key, isDown: keys.at(-1).isDown })
  return keys
}
const wordsOf = ({ collated, status = 'status' }, { name }) =>
  texts.includes(name) ? `${name}${collated}` : name === 'status' ? status : name
export const orderOf = (form, keys) =>
  keys
    .map(
      (key) =>
        `${wordsOf(form, key)}${key.isDown ? ' DESC' : ''}${key.name === nullable ? (form.nulls?.[key.isDown] ?? '') : ''}`,
    )
    .join(', ')
const valueOf = (form, { name }, row) => (form[{ ref: 'uuid', created: 'moment' }[name]] ?? itself)(row[name])

/** Rows after a place, by keys in one direction, none of which may be NULL. */
function past(form, keys, row) {
  const sign = text(keys[0].isDown ? '<' : '>')
  const columns = keys.map((key) => wordsOf(form, key))
  const values = keys.map((key) => valueOf(form, key, row))
  if (keys.length === 1) return by`${text(columns[0])} ${sign} ${values[0]}`
  if (form.compares === 'rows') return by`(${text(columns.join(', '))}) ${sign} ${listed(values)}`
  return by`(${text(columns[0])} ${sign} ${values[0]} OR (${text(columns[0])} = ${values[0]} AND ${past(form, keys.slice(1), row)}))`
}
/** The ranges of an index after a place, one after the other. Without comparisons of rows, each key ends a range. */
function ranges(form, keys, row) {
  const [first] = keys
  const isNull = by`discount IS NULL`
  if (first.name === nullable && row.discount === null) {
    const rest = ranges(form, keys.slice(1), row).map((range) => by`${isNull} AND ${range}`)
    return first.isDown ? rest : [...rest, by`discount IS NOT NULL`]
  }
  const isRow = form.compares === 'rows'
  const turn = keys.findIndex(({ isDown }, at) => isDown !== first.isDown || (at > 0 && !isRow))
  const [lead, rest] = turn === -1 ? [keys, []] : [keys.slice(0, turn), keys.slice(turn)]
  const same = lead.map((key) => by`${text(wordsOf(form, key))} = ${valueOf(form, key, row)}`)
  const inside = rest.length === 0 ? [] : ranges(form, rest, row).map((range) => joined([...same, range], ' AND '))
  return [...inside, past(form, lead, row), ...(first.name === nullable && first.isDown ? [isNull] : [])]
}
/** The first rows of several conditions, each read in the order of its index. `distinct` where a row may pass two. */
function united(columns, conditions, order, { limit = page, distinct = false } = {}) {
  const parts = conditions.map(
    (condition, at) =>
      by`SELECT * FROM (SELECT ${text(columns)} FROM orders ${all(condition)} ORDER BY ${text(order)} LIMIT ${text(`${limit}`)}) AS t${text(`${at}`)}`,
  )
  return by`SELECT * FROM (${joined(parts, distinct ? ' UNION ' : ' UNION ALL ')}) AS t ORDER BY ${text(order)} LIMIT ${text(`${limit}`)}`
}

const page = 21
export const columnsOf = ({ fields = ['name', 'total'] }, keys) => [
  ...new Set(['id', ...fields, ...keys.map(({ name }) => name)]),
]
/**
 * A page by hand: the rows of `where` after the place. The ranges are read one by one; MySQL and MariaDB read their `OR` as ranges
 * by themselves.
 */
function pageOf(form, shape, where, row) {
  const keys = keysOf(shape, shape.back === true)
  const [order, columns] = [orderOf(form, keys), columnsOf(shape, keys).join(', ')]
  const limit = Number(/limit=(\d+)/.exec(shape.query)[1]) + 1
  const end = text(`ORDER BY ${order} LIMIT ${limit}`)
  const parts = row === undefined ? [] : ranges(form, keys, row)
  if (parts.length < 2) return by`SELECT ${text(columns)} FROM orders ${all(where, parts)} ${end}`
  return united(
    columns,
    parts.map((part) => (where === undefined ? part : by`${where} AND ${part}`)),
    order,
    { limit },
  )
}
const asOr = (form, shape, where, row) => {
  const keys = keysOf(shape, shape.back === true)
  const either = by`(${joined(
    ranges(form, keys, row).map((range) => by`(${range})`),
    ' OR ',
  )})`
  return by`SELECT ${text(columnsOf(shape, keys).join(', '))} FROM orders ${all(where, either)} ORDER BY ${text(orderOf(form, keys))} LIMIT ${text(`${page}`)}`
}

// --- Kinds of shapes. `hand` has the candidates: the fastest is the best by hand.

/** Pages by a sort: the first, and those after so many rows (`deep`), or before them (`back`). */
export function pages(
  name,
  query,
  { deep = [], back = [], first = true, grows = true, where = () => undefined, ...more } = {},
) {
  const shapeOf = (title, place) => {
    const shape = { name: `${name}, ${title}`, query: `${query}&limit=${page - 1}`, grows, ...more, ...place }
    const hand = [(form, row) => pageOf(form, shape, where(form), row)]
    if (place.after !== undefined)
      hand.push((form, row) => (form.compares === 'rows' ? undefined : asOr(form, shape, where(form), row)))
    return { ...shape, hand }
  }
  const titled = (kind, places) =>
    Object.entries(places).map(([title, after]) =>
      shapeOf(`${kind}${title === '' ? '' : ` ${title}`}`, { after, back: kind === 'previous' }),
    )
  return [...(first ? [shapeOf('first', {})] : []), ...titled('deep', deep), ...titled('previous', back)]
}
/** Twenty rows of a condition, by the key or another order; others than the plain statement are candidates too. */
export function where(name, query, write, { others = [], ...more } = {}) {
  const shape = { name, query: query.includes('limit=') ? query : `${query}&limit=${page - 1}`, ...more }
  const plain =
    write === undefined
      ? []
      : [
          (form) => {
            const condition = write(form)
            return condition && pageOf(form, shape, condition)
          },
        ]
  return { ...shape, hand: [...plain, ...others.map((other) => (form) => other(form, shape))] }
}
/** The rows of each of the conditions in the order, joined. */
export const windows = (conditions, more) => (form, shape) => {
  const keys = keysOf(shape, false)
  return united(columnsOf(shape, keys).join(', '), conditions(form), orderOf(form, keys), more)
}
/** The keys that a statement finds, and their orders. */
export const inOrders = (keys) => (form, shape) => {
  const sorted = keysOf(shape, false)
  const columns = columnsOf(shape, sorted).map((name) => `orders.${name}`)
  const order = orderOf(form, sorted).replace(/(^|, )/g, '$1orders.')
  return by`SELECT ${text(columns.join(', '))} FROM (${keys}) AS found JOIN orders ON orders.id = found.id ORDER BY ${text(order)} LIMIT ${text(`${page}`)}`
}
export const counted = (name, query, write, { max, others = [], ...more } = {}) => ({
  name,
  ...{ query, counts: true, max, ...more },
  hand: [
    ...(write === undefined
      ? []
      : [
          (form) =>
            max === undefined
              ? by`SELECT COUNT(*) AS id FROM orders ${all(write(form))}`
              : by`SELECT COUNT(*) AS id FROM (SELECT 1 FROM orders ${all(write(form))} LIMIT ${text(`${max + 1}`)}) AS t`,
        ]),
    ...others.map((other) => (form) => other(form)),
  ],
})
/** A facet: the values with their numbers of rows. */
export const facet = (name, path, filter, ...hand) => ({
  name: `facet ${name}`,
  query: `${filter}facets=${path}`,
  facet: true,
  hand,
})

// --- Conditions by hand

export const seller = (name) => by`seller = ${name}`
export const sellersOf = (names) => names.map(seller)
export const isIn = (column, values) => by`${text(column)} IN ${listed(values)}`
export const numbered = (from, many) => Array.from({ length: many }, (_, at) => `s-${from + at}`)
export const child = (condition) => by`EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id AND ${condition})`
export const parent = (condition) =>
  by`EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id AND ${condition})`
export const product = (name) => by`product = ${name}`
export const on = (families, write) => (form) => (families.includes(form.family) ? write(form) : undefined)
export const postgres = ['postgres']
export const onPostgres = (hand) => hand.map((write) => on(postgres, write))
export const day = (number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString()
/** Days since 2020, in a zone that is so many hours ahead. */
export const inDay = ({ moment }, number, ahead = 0) => {
  const [from, to] = [number, number + 1].map((one) =>
    moment(new Date(Date.parse(day(one)) - ahead * 3_600_000).toISOString()),
  )
  return by`created >= ${from} AND created < ${to}`
}
export const dayOf = (number) => day(number).slice(0, 10)
export const either = (conditions) =>
  by`(${joined(
    conditions.map((condition) => by`(${condition})`),
    ' OR ',
  )})`
/** A part of a lower-cased text. */
export const like =
  (column, pattern) =>
  ({ family }) =>
    family === 'sqlite' ? by`${text(column)} LIKE ${pattern}` : by`lower(${text(column)}) LIKE ${pattern}`
export const searched =
  (...words) =>
  (form) =>
    joined(
      words.map((word) => either(['title', 'note', 'city'].map((column) => like(column, `%${word}%`)(form)))),
      ' AND ',
    )
export const tagged =
  (...tags) =>
  ({ family }) => {
    if (family === 'postgres') return by`labels @> ${tags}::text[]`
    if (family === 'mysql')
      return joined(
        tags.map((tag) => by`${tag} MEMBER OF (tags)`),
        ' AND ',
      )
    if (family === 'mariadb') return by`JSON_CONTAINS(tags, ${JSON.stringify(tags)})`
    return joined(
      tags.map((tag) => by`EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${tag})`),
      ' AND ',
    )
  }
/** Values in JSON, which one document contains. */
export const inDocument = (values) => (form) =>
  form.family === 'postgres'
    ? by`data @> ${JSON.stringify(values)}::jsonb`
    : joined(
        Object.entries(values).map(([name, value]) => inJson(name, '=', value)(form)),
        ' AND ',
      )
/** A value in JSON, as a text or a number. */
export const inJson =
  (name, sign, value) =>
  ({ family }) => {
    const path = text(`'$.${name}'`)
    if (family === 'postgres') {
      if (sign === '=') return by`data @> ${JSON.stringify({ [name]: value })}::jsonb`
      return by`(data ->> ${text(`'${name}'`)})::numeric ${text(sign)} ${value}`
    }
    if (family === 'sqlite') return by`data ->> ${path} ${text(sign)} ${value}`
    return by`JSON_VALUE(data, ${path}) ${text(sign)} ${value}`
  }

// --- Parents' orders

/** A page by the name of the customer: a join and a sort, and a walk of the index of the names. */
export function byCustomer(name, query, { filter, after, isDown = false, fields } = {}) {
  const shape = { name, query: `${query}&limit=${page - 1}`, after, fields, grows: filter === undefined }
  const condition = filter === undefined ? undefined : seller(filter)
  const columns = 'orders.id, orders.name, orders.total, customers.name AS customer'
  const [sign, down] = isDown ? ['<', ' DESC'] : ['>', '']
  const nulls = ({ nulls: words }) => words?.[isDown] ?? ''
  const sorted = (form, column) => `${column}${form.collated}${down}`
  const place = (form, row) =>
    by`(customers.name${text(form.collated)}, orders.id) ${text(sign)} (${row.customer.name}, ${row.id})`
  const join = (form, row) =>
    by`SELECT ${text(columns)} FROM orders LEFT JOIN customers ON customers.id = orders.customer_id ${all(
      condition,
      row && (isDown ? by`(${place(form, row)} OR customers.name IS NULL)` : place(form, row)),
    )} ORDER BY ${text(`${sorted(form, 'customers.name')}${nulls(form)}, orders.id${down} LIMIT ${page}`)}`
  const walk = (isByNames) => (form, row) => {
    if (isByNames && form.family === 'postgres') return undefined
    const limit = text(`LIMIT ${page}`)
    const order = text(`ORDER BY ${sorted(form, 'customers.name')}, orders.id${down}`)
    const from = text(
      form.family === 'sqlite'
        ? 'customers CROSS JOIN orders ON orders.customer_id = customers.id'
        : form.family === 'postgres'
          ? 'customers JOIN orders ON orders.customer_id = customers.id'
          : 'customers STRAIGHT_JOIN orders ON orders.customer_id = customers.id',
    )
    // A database that sorts ties alone walks the index. Others sort the orders of as many names as may be on the page.
    const some = by`(SELECT 1 FROM orders WHERE customer_id = customers.id${condition === undefined ? nothing : by` AND ${condition}`} LIMIT 1) IS NOT NULL`
    const first = (range) =>
      by`(SELECT DISTINCT name FROM customers ${all(range, some)} ORDER BY name${text(down)} ${limit}) AS names JOIN customers ON customers.name = names.name JOIN orders ON orders.customer_id = customers.id ${all(condition)}`
    const names = (range) =>
      by`SELECT ${text(columns)} FROM ${isByNames ? first(range) : by`${from} ${all(condition, range)}`} ${order} ${limit}`
    const [column, c] = ['customers.name', text(form.collated)]
    const parts =
      row === undefined
        ? [names(undefined)]
        : [
            by`SELECT ${text(columns)} FROM ${from} ${all(condition, by`${text(column)}${c} = ${row.customer.name} AND orders.id ${text(sign)} ${row.id}`)} ${order} ${limit}`,
            names(by`${text(column)}${c} ${text(sign)} ${row.customer.name}`),
          ]
    if (row === undefined || isDown)
      parts.push(
        by`SELECT ${text(columns.replace('customers.name', 'NULL'))} FROM orders ${all(condition, by`customer_id IS NULL`)} ORDER BY orders.id${text(down)} ${limit}`,
      )
    const each = parts.map((part, at) => by`SELECT * FROM (${part}) AS t${text(`${at}`)}`)
    return by`SELECT * FROM (${joined(each, ' UNION ALL ')}) AS t ORDER BY ${text(`customer${form.collated}${down}${nulls(form)}, id${down}`)} ${limit}`
  }
  return { ...shape, hand: [walk(false), walk(true), join] }
}

// --- Whole rows

const scalars =
  'ref, account, created, name, seller, status, city, title, note, total, amount, guests, due, paid, gift, discount, coupon'
const stored = {
  postgres: 'labels, tags::text, marks::text, data::text',
  mysql: 'tags, tags AS marks, tags AS labels, data',
}
stored.mariadb = stored.mysql
stored.sqlite = stored.mysql
/** The items of an order as JSON; MySQL keeps no order in it. */
export const itemsOf = ({ family }) => {
  const entries = "'product', product, 'arrival', arrival, 'quantity', quantity, 'price', price"
  const made = {
    postgres: `coalesce(json_agg(json_build_object(${entries}) ORDER BY id), '[]')::text`,
    mysql: `JSON_ARRAYAGG(JSON_OBJECT(${entries}))`,
    mariadb: `JSON_ARRAYAGG(JSON_OBJECT(${entries}) ORDER BY id)`,
    sqlite: `json_group_array(json_object(${entries}) ORDER BY id)`,
  }
  return `(SELECT ${made[family]} FROM order_items WHERE order_id = orders.id) AS items`
}
export const customerColumns = 'customers.id AS c_id, customers.name AS c_name, email, country, vip'
/** Everything of the rows that a statement of keys finds, in an order. */
const wholeRows = (form, keys, order) =>
  by`SELECT orders.id, ${text(
    [...scalars.split(', '), ...stored[form.family].split(', ')].map((name) => `orders.${name}`).join(', '),
  )}, ${text(customerColumns)}, ${text(itemsOf(form))} FROM (${keys}) AS found JOIN orders ON orders.id = found.id LEFT JOIN customers ON customers.id = orders.customer_id ORDER BY ${text(order)}`
/** All fields, or some: the keys of the page first, then their rows. */
export function whole(name, query, condition, { limit = 20, offset } = {}) {
  const shape = {
    name,
    query: `${query}&limit=${limit}${offset === undefined ? '' : `&offset=${offset}`}`,
    fields: 'all',
  }
  const keys = keysOf(shape, false)
  const end = text(`LIMIT ${limit + 1}${offset === undefined ? '' : ` OFFSET ${offset}`}`)
  const late = (form) => {
    const order = orderOf(form, keys)
    return wholeRows(
      form,
      by`SELECT id FROM orders ${all(condition)} ORDER BY ${text(order)} ${end}`,
      order.replace(/(^|, )/g, '$1orders.'),
    )
  }
  const plain = (form) => {
    const order = orderOf(form, keys).replace(/(^|, )/g, '$1orders.')
    return by`SELECT orders.*, ${text(customerColumns)}, ${text(itemsOf(form))} FROM orders LEFT JOIN customers ON customers.id = orders.customer_id ${all(condition)} ORDER BY ${text(order)} ${end}`
  }
  return { ...shape, hand: [plain, late] }
}

export const newest = 'sort=-created'
export const s0 = () => seller('s-0')
export const s150 = () => seller('s-150')
export const inactive = ['z-old1', 'z-old2']
export const searchIn = { search: ['title', 'note', 'city'] }
/** Values of a seller beside the values of all: pages that the index of the seller has in order. */
export const inSellers = (title, names, { deep } = {}) => {
  const write = () => isIn('seller', names)
  const others = (more) => [windows(() => sellersOf(names), more)]
  const query = `seller[in]=${names}`
  return [
    where(`in ${title}, newest`, `${query}&${newest}`, write, { others: others() }),
    ...(deep === undefined
      ? []
      : [
          {
            ...where(`in ${title}, newest, deep`, `${query}&${newest}`),
            after: deep,
            hand: [
              (form, row) => pageOf(form, { query: `${query}&${newest}&limit=20` }, write(), row),
              (form, row) => {
                const keys = keysOf({ query: newest }, false)
                const range = past(form, keys, row)
                return united(
                  'id, name, total, created',
                  names.map((name) => by`seller = ${name} AND ${range}`),
                  orderOf(form, keys),
                )
              },
            ],
          },
        ]),
    where(`in ${title}, by total`, `${query}&sort=total`, write, { others: others() }),
  ]
}

/** Rows that a list in another table selects: `IN`, and keys in the order of the index of the list. */
export const byChild = (name, query, condition, more) =>
  where(name, query, () => child(condition), {
    others: [
      (form, shape) => pageOf(form, shape, by`id IN (SELECT order_id FROM order_items WHERE ${condition})`),
      inOrders(by`SELECT DISTINCT order_id AS id FROM order_items WHERE ${condition}`),
    ],
    ...more,
  })
export const counts = (name, query, write, more) => [
  counted(`count ${name}`, query, write, more),
  counted(`count ${name}, up to 1,000`, query, write, { max: 1000, ...more }),
]
/** The values of a column with their numbers, which the column's own type groups. */
export const valuesOf =
  (column, condition) =>
  ({ family, collated }) => {
    const value = family === 'postgres' ? `${column}::text` : column
    return by`SELECT ${text(value)} AS value, count FROM (SELECT ${text(column)}, COUNT(*) AS count FROM orders ${all(condition)} GROUP BY ${text(column)}) AS f ORDER BY count DESC, ${text(`${value}${collated}`)} LIMIT 50`
  }
/** Values with their numbers of rows, the highest first. */
const mostFirst = ({ collated, nulls }, found) =>
  by`SELECT value, count FROM (${found}) AS f WHERE count > 0 ORDER BY count DESC, ${text(`value${collated}${nulls?.false ?? ''}`)} LIMIT 50`
const entriesOf = {
  postgres: 'unnest(labels) AS t(value)',
  sqlite: 'json_each(tags)',
  mysql: `JSON_TABLE(tags, '$[*]' COLUMNS (value VARCHAR(50) PATH '$')) AS t`,
}
entriesOf.mariadb = entriesOf.mysql
const withoutTags = {
  postgres: `coalesce(labels, '{}') = '{}'`,
  sqlite: `coalesce(tags, '[]') = '[]'`,
  mysql: 'coalesce(JSON_LENGTH(tags), 0) = 0',
}
withoutTags.mariadb = withoutTags.mysql
export const facetsOfTags = (condition) => {
  const none = ({ family }) =>
    by`SELECT NULL AS value, COUNT(*) AS count FROM orders ${all(condition, text(withoutTags[family]))}`
  return [
    (form) => {
      const [lists, entries] = [form.family === 'postgres' ? 'labels' : 'tags', entriesOf[form.family]].map(text)
      const groups = by`SELECT ${lists}, COUNT(*) AS number FROM orders ${all(condition)} GROUP BY ${lists}`
      return mostFirst(
        form,
        by`SELECT value, SUM(number) AS count FROM (SELECT DISTINCT ${lists}, value, number FROM (${groups}) AS g, ${entries}) AS e GROUP BY value UNION ALL ${none(form)}`,
      )
    },
    (form) =>
      mostFirst(
        form,
        by`SELECT value, COUNT(DISTINCT orders.id) AS count FROM orders, ${text(entriesOf[form.family])} ${all(condition)} GROUP BY value UNION ALL ${none(form)}`,
      ),
  ]
}
export const facetsOfProducts = (condition) => [
  (form) => {
    const from =
      condition === undefined ? by`order_items` : by`orders JOIN order_items ON order_id = orders.id ${all(condition)}`
    const without = by`NOT EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id)`
    return mostFirst(
      form,
      by`SELECT product AS value, COUNT(*) AS count FROM (SELECT DISTINCT product, order_id FROM ${from}) AS i GROUP BY product UNION ALL SELECT NULL, COUNT(*) FROM orders ${all(condition, without)}`,
    )
  },
]
export const facetsOfCountries = (condition) =>
  [
    by`SELECT country AS value, SUM(number) AS count FROM (SELECT customer_id, COUNT(*) AS number FROM orders ${all(condition)} GROUP BY customer_id) AS g LEFT JOIN customers ON customers.id = customer_id GROUP BY country`,
    by`SELECT country AS value, COUNT(*) AS count FROM orders LEFT JOIN customers ON customers.id = customer_id ${all(condition)} GROUP BY country`,
  ].map((found) => (form) => mostFirst(form, found))

export const ofLists = Object.entries({
  'array, GIN': ['labels', postgres, (tags) => by`labels @> ${tags}::text[]`, (tags) => by`labels && ${tags}::text[]`],
  'JSONB, GIN jsonb_path_ops': [
    'tags',
    postgres,
    (tags) => by`tags @> ${JSON.stringify(tags)}::jsonb`,
    (tags) => either(tags.map((tag) => by`tags @> ${JSON.stringify([tag])}::jsonb`)),
  ],
  'JSONB, GIN': [
    'marks',
    postgres,
    (tags) => by`marks @> ${JSON.stringify(tags)}::jsonb`,
    (tags) => by`marks ?| ${tags}::text[]`,
  ],
  'multi-valued index': [
    'tags',
    ['mysql'],
    (tags) =>
      joined(
        tags.map((tag) => by`${tag} MEMBER OF (tags)`),
        ' AND ',
      ),
    (tags) => by`JSON_OVERLAPS(tags, ${JSON.stringify(tags)})`,
  ],
  'JSON without an index': [
    'tags',
    ['mariadb', 'sqlite'],
    (tags, form) => tagged(...tags)(form),
    (tags, form) => either(tags.map((tag) => tagged(tag)(form))),
  ],
}).flatMap(([title, [column, families, every, some]]) => [
  where(
    `tag: ${title}`,
    `${column}=t300&${newest}`,
    on(families, (form) => every(['t300'], form)),
  ),
  where(
    `tags in: ${title}`,
    `${column}[in]=t300,t301&${newest}`,
    on(families, (form) => some(['t300', 't301'], form)),
  ),
  where(
    `tags all: ${title}`,
    `${column}[all]=t300,u1`,
    on(families, (form) => every(['t300', 'u1'], form)),
  ),
])
