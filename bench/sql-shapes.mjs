/** What is asked of the databases of databases.mjs, and the best statements by hand for it. */

/** A piece of a statement: values become parameters, other pieces stay text. */
const by = (strings, ...values) => ({ strings: [...strings], values })
const text = (words) => ({ strings: [words], values: [] })
const joined = (pieces, between) => ({ strings: ['', ...pieces.slice(1).map(() => between), ''], values: pieces })
const nothing = by``
const listed = (values) =>
  by`(${joined(
    values.map((value) => by`${value}`),
    ', ',
  )})`
const all = (...conditions) => {
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
function keysOf({ key = 'id', query }, isReversed) {
  const named = /(?:^|&)sort=([^&]*)/.exec(query)?.[1] ?? key
  const keys = named
    .split(',')
    .map((one) => ({ name: one.replace('-', ''), isDown: one.startsWith('-') !== isReversed }))
  if (keys.every(({ name }) => name !== key)) keys.push({ name: key, isDown: keys.at(-1).isDown })
  return keys
}
const wordsOf = ({ collated, status = 'status' }, { name }) =>
  texts.includes(name) ? `${name}${collated}` : name === 'status' ? status : name
const orderOf = (form, keys) =>
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
/** The ranges of an index after a place, one after the other. */
function ranges(form, keys, row) {
  const [first, ...others] = keys
  if (first.name === nullable) {
    const isNull = by`discount IS NULL`
    if (row.discount === null) {
      const rest = ranges(form, others, row).map((range) => by`${isNull} AND ${range}`)
      return first.isDown ? rest : [...rest, by`discount IS NOT NULL`]
    }
    return [past(form, keys, row), ...(first.isDown ? [isNull] : [])]
  }
  const turn = keys.findIndex(({ name, isDown }) => isDown !== first.isDown || name === nullable)
  if (turn === -1) return [past(form, keys, row)]
  const [lead, rest] = [keys.slice(0, turn), keys.slice(turn)]
  const same = lead.map((key) => by`${text(wordsOf(form, key))} = ${valueOf(form, key, row)}`)
  return [...ranges(form, rest, row).map((range) => joined([...same, range], ' AND ')), past(form, lead, row)]
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
const columnsOf = ({ fields = ['name', 'total'] }, keys) => [
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
function pages(
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
function where(name, query, write, { others = [], ...more } = {}) {
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
const windows = (conditions, more) => (form, shape) => {
  const keys = keysOf(shape, false)
  return united(columnsOf(shape, keys).join(', '), conditions(form), orderOf(form, keys), more)
}
/** The keys that a statement finds, and their orders. */
const inOrders = (keys) => (form, shape) => {
  const sorted = keysOf(shape, false)
  const columns = columnsOf(shape, sorted).map((name) => `orders.${name}`)
  const order = orderOf(form, sorted).replace(/(^|, )/g, '$1orders.')
  return by`SELECT ${text(columns.join(', '))} FROM (${keys}) AS found JOIN orders ON orders.id = found.id ORDER BY ${text(order)} LIMIT ${text(`${page}`)}`
}
const counted = (name, query, write, { max, others = [], ...more } = {}) => ({
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
const facet = (name, path, filter, ...hand) => ({
  name: `facet ${name}`,
  query: `${filter}facets=${path}`,
  facet: true,
  hand,
})

// --- Conditions by hand

const seller = (name) => by`seller = ${name}`
const sellersOf = (names) => names.map(seller)
const isIn = (column, values) => by`${text(column)} IN ${listed(values)}`
const numbered = (from, many) => Array.from({ length: many }, (_, at) => `s-${from + at}`)
const child = (condition) => by`EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id AND ${condition})`
const parent = (condition) =>
  by`EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id AND ${condition})`
const product = (name) => by`product = ${name}`
const on = (families, write) => (form) => (families.includes(form.family) ? write(form) : undefined)
const postgres = ['postgres']
const others = ['mysql', 'mariadb', 'sqlite']
const day = (number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString()
/** Days since 2020, in a zone that is so many hours ahead. */
const inDay = ({ moment }, number, ahead = 0) => {
  const [from, to] = [number, number + 1].map((one) =>
    moment(new Date(Date.parse(day(one)) - ahead * 3_600_000).toISOString()),
  )
  return by`created >= ${from} AND created < ${to}`
}
const dayOf = (number) => day(number).slice(0, 10)
const either = (conditions) =>
  by`(${joined(
    conditions.map((condition) => by`(${condition})`),
    ' OR ',
  )})`
/** A part of a lower-cased text. */
const like =
  (column, pattern) =>
  ({ family }) =>
    family === 'sqlite' ? by`${text(column)} LIKE ${pattern}` : by`lower(${text(column)}) LIKE ${pattern}`
const searched =
  (...words) =>
  (form) =>
    joined(
      words.map((word) => either(['title', 'note', 'city'].map((column) => like(column, `%${word}%`)(form)))),
      ' AND ',
    )
const tagged =
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
/** A value in JSON, as a text or a number. */
const inJson =
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
function byCustomer(name, query, { filter, after, isDown = false, fields } = {}) {
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
const itemsOf = ({ family }) => {
  const entries = "'product', product, 'arrival', arrival, 'quantity', quantity, 'price', price"
  const made = {
    postgres: `coalesce(json_agg(json_build_object(${entries}) ORDER BY id), '[]')::text`,
    mysql: `JSON_ARRAYAGG(JSON_OBJECT(${entries}))`,
    mariadb: `JSON_ARRAYAGG(JSON_OBJECT(${entries}) ORDER BY id)`,
    sqlite: `json_group_array(json_object(${entries}) ORDER BY id)`,
  }
  return `(SELECT ${made[family]} FROM order_items WHERE order_id = orders.id) AS items`
}
const customerColumns = 'customers.id AS c_id, customers.name AS c_name, email, country, vip'
/** Everything of the rows that a statement of keys finds, in an order. */
const wholeRows = (form, keys, order) =>
  by`SELECT orders.id, ${text(
    [...scalars.split(', '), ...stored[form.family].split(', ')].map((name) => `orders.${name}`).join(', '),
  )}, ${text(customerColumns)}, ${text(itemsOf(form))} FROM (${keys}) AS found JOIN orders ON orders.id = found.id LEFT JOIN customers ON customers.id = orders.customer_id ORDER BY ${text(order)}`
/** All fields, or some: the keys of the page first, then their rows. */
function whole(name, query, condition, { limit = 20, offset } = {}) {
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

/** Why a statement takes longer than one by hand, where that is known: by words of the shape, for a family or for all. */
export const reasons = []

const newest = 'sort=-created'
const s0 = () => seller('s-0')
const s150 = () => seller('s-150')
const inactive = ['z-old1', 'z-old2']
const searchIn = { search: ['title', 'note', 'city'] }
/** Values of a seller beside the values of all: pages that the index of the seller has in order. */
const inSellers = (title, names, { deep } = {}) => {
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
const byChild = (name, query, condition, more) =>
  where(name, query, () => child(condition), {
    others: [
      (form, shape) => pageOf(form, shape, by`id IN (SELECT order_id FROM order_items WHERE ${condition})`),
      inOrders(by`SELECT DISTINCT order_id AS id FROM order_items WHERE ${condition}`),
    ],
    ...more,
  })
const counts = (name, query, write, more) => [
  counted(`count ${name}`, query, write, more),
  counted(`count ${name}, up to 1,000`, query, write, { max: 1000, ...more }),
]
/** The values of a column with their numbers, which the column's own type groups. */
const valuesOf =
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
const facetsOfTags = (condition) => {
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
const facetsOfProducts = (condition) => [
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
const facetsOfCountries = (condition) =>
  [
    by`SELECT country AS value, SUM(number) AS count FROM (SELECT customer_id, COUNT(*) AS number FROM orders ${all(condition)} GROUP BY customer_id) AS g LEFT JOIN customers ON customers.id = customer_id GROUP BY country`,
    by`SELECT country AS value, COUNT(*) AS count FROM orders LEFT JOIN customers ON customers.id = customer_id ${all(condition)} GROUP BY country`,
  ].map((found) => (form) => mostFirst(form, found))

const ofLists = Object.entries({
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

export const shapes = [
  // --- Pages by keys that an index has in order
  ...pages('by a uuid', 'sort=ref', { key: 'ref', deep: { '': 900_000 } }),
  ...pages('by a uuid, descending', 'sort=-ref', { key: 'ref', deep: { '': 900_000 } }),
  ...pages('by a bigint', 'sort=account', { key: 'account', deep: { '': 900_000 } }),
  ...pages('by the key', 'sort=id', { deep: { '': 900_000 } }),
  ...pages('by a moment', 'sort=created', { deep: { '': 900_003 } }),
  ...pages('by a moment, descending', newest, { deep: { '': 900_003 }, back: { '': 900_003 } }),
  ...pages('by a text', 'sort=name', { deep: { '': 900_000 } }),
  ...pages('by a number', 'sort=total', { deep: { '': 900_000 } }),
  ...pages('by a day', 'sort=due', { deep: { '': 900_000 } }),
  ...pages('by two columns', 'sort=due,total', { deep: { '': 900_000 } }),
  ...['s-0', 's-150'].flatMap((name) => [
    ...pages(`of ${name}, newest`, `seller=${name}&${newest}`, {
      ...{ where: () => seller(name), deep: { '': name === 's-0' ? 300_000 : 3000 }, back: { '': 2000 } },
    }),
    ...pages(`of ${name}, by total`, `seller=${name}&sort=total`, {
      ...{ where: () => seller(name), first: false, deep: { '': name === 's-0' ? 300_000 : 3000 } },
    }),
  ]),
  ...['1', '100', '1000'].map((limit) =>
    where(`of s-0, newest, limit=${limit}`, `seller=s-0&${newest}&limit=${limit}`, s0),
  ),
  ...pages('by an enumeration', 'sort=status', { grows: false }),

  // --- Two directions, and a key that may be NULL
  ...pages('by two directions, many first values', 'sort=city,-total', { deep: { '': 500_000 } }),
  ...pages('by two directions, a common first value', 'sort=seller,-total', {
    deep: { '': 200_000 },
    back: { '': 200_000 },
  }),
  ...pages('by two directions without an index', 'sort=seller,-account', {
    first: false,
    grows: false,
    deep: { '': 200_000 },
  }),
  ...pages('by two directions, days', 'sort=due,-total', { first: false, deep: { '': 500_000 } }),
  ...pages('by a column with NULL', 'sort=discount', {
    deep: { 'in the NULLs': 200_000, 'in the values': 600_000 },
    back: { 'in the NULLs': 200_000, 'in the values': 600_000 },
  }),
  ...pages('by a column with NULL, descending', 'sort=-discount', {
    deep: { 'in the NULLs': 900_000, 'in the values': 600_000 },
    back: { 'in the NULLs': 900_000, 'in the values': 600_000 },
  }),
  ...pages('of s-0, by a column with NULL, descending', 'seller=s-0&sort=-discount', {
    where: s0,
    deep: { '': 200_000 },
  }),

  // --- The order of a parent's field
  byCustomer('by the parent’s name, first', 'sort=customer.name'),
  byCustomer('by the parent’s name, deep', 'sort=customer.name', { after: 'id=5001' }),
  byCustomer('by the parent’s name, descending, first', 'sort=-customer.name', { isDown: true }),
  byCustomer('by the parent’s name, descending, deep', 'sort=-customer.name', { isDown: true, after: 'id=5001' }),
  byCustomer('of s-0, by the parent’s name', 'seller=s-0&sort=customer.name', { filter: 's-0' }),
  byCustomer('of s-150, by the parent’s name', 'seller=s-150&sort=customer.name', { filter: 's-150' }),

  // --- One of several values, and another order
  ...inSellers('1 seller', ['s-150'], { deep: 2000 }),
  ...inSellers('1 common seller', ['s-0']),
  ...inSellers('1 inactive seller', ['z-old1']),
  ...inSellers('2 sellers', numbered(150, 2)),
  ...inSellers('2 sellers, one common', ['s-0', 's-150']),
  ...inSellers('2 inactive sellers', inactive),
  ...inSellers('5 sellers, one inactive', [...numbered(150, 4), 'z-old1']),
  ...inSellers('20 sellers', numbered(140, 20), { deep: 20_000 }),
  where('status in 1, newest', `status[in]=new&${newest}`, () => by`status = ${'new'}`),
  where('status in 2, newest', `status[in]=new,paid&${newest}`, () => isIn('status', ['new', 'paid']), {
    others: [windows(() => ['new', 'paid'].map((status) => by`status = ${status}`))],
  }),
  where(
    'seller and status, newest',
    `seller=s-0&status=held&${newest}`,
    () => by`seller = ${'s-0'} AND status = ${'held'}`,
  ),
  where(
    'seller and status in 1, newest',
    `seller=s-0&status[in]=held&${newest}`,
    () => by`seller = ${'s-0'} AND status = ${'held'}`,
  ),
  where(
    'seller and status in 2, newest',
    `seller=s-0&status[in]=held,lost&${newest}`,
    () => by`seller = ${'s-0'} AND status IN (${'held'}, ${'lost'})`,
    { others: [windows(() => ['held', 'lost'].map((status) => by`seller = ${'s-0'} AND status = ${status}`))] },
  ),
  where(
    'one of two sellers, newest',
    `or=(seller=s-150,seller=s-151)&${newest}`,
    () => isIn('seller', ['s-150', 's-151']),
    {
      others: [windows(() => sellersOf(['s-150', 's-151']))],
    },
  ),
  where(
    'one of two inactive sellers, newest',
    `or=(seller=${inactive[0]},seller=${inactive[1]})&${newest}`,
    () => isIn('seller', inactive),
    {
      others: [windows(() => sellersOf(inactive))],
    },
  ),
  where(
    'seller or status, newest',
    `or=(seller=z-old1,status=lost)&${newest}`,
    () => either([seller('z-old1'), by`status = ${'lost'}`]),
    {
      others: [windows(() => [seller('z-old1'), by`status = ${'lost'}`], { distinct: true })],
    },
  ),
  where('seller or parent’s country, newest', `or=(seller=s-150,customer.country=de)&${newest}`, () =>
    either([seller('s-150'), parent(by`country = ${'de'}`)]),
  ),
  where(
    'seller not in 20, newest',
    `seller[nin]=${numbered(140, 20)}&${newest}`,
    () => by`seller NOT IN ${listed(numbered(140, 20))}`,
  ),
  where('seller, not equal', `seller[notEqual]=s-0&${newest}`, () => by`seller <> ${'s-0'}`),
  where('status, not equal', `status[notEqual]=new&${newest}`, () => by`status <> ${'new'}`),
  where(
    'not one of two',
    `not=(or(status=new,seller=s-0))&${newest}`,
    () => by`NOT (status = ${'new'} OR seller = ${'s-0'})`,
  ),
  where('NULL or not equal', `discount[notEqual]=5&${newest}`, () => by`(discount <> ${5} OR discount IS NULL)`),

  // --- Conditions, by the key
  where('text equals', 'name=Guest 1234', () => by`name = ${'Guest 1234'}`),
  where('text in', 'name[in]=Guest 1234,Guest 77', () => isIn('name', ['Guest 1234', 'Guest 77'])),
  where(
    'text in a range',
    'name[gte]=Guest 1234&name[lt]=Guest 12342',
    () => by`name >= ${'Guest 1234'} AND name < ${'Guest 12342'}`,
  ),
  where(
    'text equals, beside an index of another collation',
    'city=Oslo 12',
    ({ collated }) => by`city${text(collated)} = ${'Oslo 12'}`,
  ),
  where('bigint equals', 'account=9000123456', () => by`account = ${'9000123456'}`),
  where('bigint in', 'account[in]=9000123456,9000000077,9000000078', () =>
    isIn('account', ['9000123456', '9000000077', '9000000078']),
  ),
  where(
    'bigint in a range',
    'account[gte]=9000000100&account[lt]=9000000110',
    () => by`account >= ${'9000000100'} AND account < ${'9000000110'}`,
  ),
  where('bigint in a range, by it', 'account[gte]=9000500000&sort=account', () => by`account >= ${'9000500000'}`),
  where(
    'uuid equals',
    'ref=00007919-0000-4000-8000-000000000001',
    ({ uuid }) => by`ref = ${uuid('00007919-0000-4000-8000-000000000001')}`,
  ),
  where('number equals', 'total=26182.25', () => by`total = ${26182.25}`),
  where('number in a range', 'total[range]=100,102', () => by`total BETWEEN ${100} AND ${102}`),
  where('number in a rare range, newest', `total[gte]=249997.5&${newest}`, () => by`total >= ${249_997.5}`),
  where('number in a range, newest', `total[gte]=247500&${newest}`, () => by`total >= ${247_500}`),
  where('decimal equals', 'amount=5', ({ decimal }) => by`amount = ${decimal(5)}`),
  where('decimal in', 'amount[in]=5,7.25', ({ decimal }) => isIn('amount', [decimal('5'), decimal('7.25')])),
  where(
    'decimal in a range, newest',
    `amount[range]=100,102&${newest}`,
    ({ decimal }) => by`amount BETWEEN ${decimal(100)} AND ${decimal(102)}`,
  ),
  where('one index of two columns', 'guests=5&due=2020-02-05', () => by`guests = ${5} AND due = ${'2020-02-05'}`),
  where(
    'integer in a range',
    'guests[range]=5,6&due=2020-06-05',
    () => by`guests BETWEEN ${5} AND ${6} AND due = ${'2020-06-05'}`,
  ),
  where(
    'day equals, and a number',
    'due=2020-02-05&total[lt]=20000',
    () => by`due = ${'2020-02-05'} AND total < ${20_000}`,
  ),
  where('rare boolean', 'gift=true', ({ family, boolean }) =>
    family === 'postgres' ? by`gift` : by`gift = ${boolean(true)}`,
  ),
  where('rare enumeration', 'status=lost', () => by`status = ${'lost'}`),
  where('rare value exists', 'coupon[exists]=true', () => by`coupon IS NOT NULL`),
  where('no value exists', `note[exists]=false&${newest}`, () => by`note IS NULL`),
  where(
    'one of two conditions',
    'or=(account=9000123456,name=Guest 77)',
    () => by`(account = ${'9000123456'} OR name = ${'Guest 77'})`,
  ),

  // --- Days
  where(
    'moment in a day',
    'paid=2020-02-02',
    ({ moment }) =>
      by`paid >= ${moment('2020-02-02T00:00:00.000000Z')} AND paid < ${moment('2020-02-03T00:00:00.000000Z')}`,
  ),
  where('moment in a day of a zone', `created=${dayOf(400)}`, (form) => inDay(form, 400, 9), { timeZone: '+09:00' }),
  where(
    'moments in days, newest',
    `created[in]=${dayOf(400)},${dayOf(700)}&${newest}`,
    (form) => either([inDay(form, 400), inDay(form, 700)]),
    {
      others: [windows((form) => [inDay(form, 400), inDay(form, 700)])],
    },
  ),
  where(
    'moments in days of a zone, by the key',
    `created[in]=${dayOf(400)},${dayOf(700)}`,
    (form) => either([inDay(form, 400, 9), inDay(form, 700, 9)]),
    {
      timeZone: '+09:00',
      others: [windows((form) => [inDay(form, 400, 9), inDay(form, 700, 9)])],
    },
  ),
  where(
    'of s-150, moments in days, newest',
    `seller=s-150&created[in]=${dayOf(400)},${dayOf(700)}&${newest}`,
    (form) => by`seller = ${'s-150'} AND ${either([inDay(form, 400), inDay(form, 700)])}`,
  ),
  where(
    'of s-150, moments in a range, by total',
    `seller=s-150&created[gte]=${dayOf(400)}&created[lt]=${dayOf(700)}&sort=total`,
    ({ moment }) => by`seller = ${'s-150'} AND created >= ${moment(day(400))} AND created < ${moment(day(700))}`,
  ),

  // --- Parts of texts
  where('prefix, case ignored', 'title[startsWith]=order abcd', ({ family }) =>
    family === 'mariadb'
      ? by`title_lower LIKE ${'order abcd%'}`
      : by`lower(title)${text(family === 'postgres' ? ' COLLATE "C"' : '')} >= ${'order abcd'} AND lower(title)${text(family === 'postgres' ? ' COLLATE "C"' : '')} < ${'order abce'}`,
  ),
  where('prefix, case ignored, by it', 'title[startsWith]=order ab&sort=title', ({ family }) =>
    family === 'mariadb'
      ? by`title_lower LIKE ${'order ab%'}`
      : by`lower(title)${text(family === 'postgres' ? ' COLLATE "C"' : '')} >= ${'order ab'} AND lower(title)${text(family === 'postgres' ? ' COLLATE "C"' : '')} < ${'order ac'}`,
  ),
  where('text equals, case ignored', 'title[equalsIgnoreCase]=ORDER 208f19', ({ family }) =>
    family === 'mariadb' ? by`title_lower = ${'order 208f19'}` : by`lower(title) = ${'order 208f19'}`,
  ),
  where('text contains, rare', 'title[contains]=abcd', like('title', '%abcd%')),
  where('text contains, two letters', `note[contains]=ab&${newest}`, like('note', '%ab%')),
  where('text contains, common', `note[contains]=fragile&${newest}`, like('note', '%fragile%')),
  where('text ends with', `note[endsWith]=echo&${newest}`, like('note', '%echo')),
  where('search for a rare text', 'search=abcde', searched('abcde'), searchIn),
  where('search for two words', `search=fragile oslo&${newest}`, searched('fragile', 'oslo'), searchIn),
  where('search for a rare and a common word', 'search=abcd lima', searched('abcd', 'lima'), searchIn),
  where('search for what no row has', 'search=zzzz yyyy', searched('zzzz', 'yyyy'), searchIn),

  // --- Lists and JSON
  ...ofLists,
  where('common tag, newest', `labels=t0&${newest}`, tagged('t0')),
  where('of s-150, tag', 'seller=s-150&labels=t300', (form) => by`seller = ${'s-150'} AND ${tagged('t300')(form)}`),
  where('tags all, one common', `labels[all]=t300,t0`, tagged('t300', 't0')),
  where(
    'tags, not equal',
    `labels[notEqual]=u1&${newest}`,
    on(postgres, () => by`(labels IS NULL OR NOT (labels @> ${['u1']}::text[]))`),
  ),
  where(
    'tags contain a text',
    `labels[contains]=300&${newest}`,
    on(postgres, () => by`EXISTS (SELECT 1 FROM unnest(labels) AS t(tag) WHERE tag LIKE ${'%300%'})`),
  ),
  where('tags atLeast 3', `labels[atLeast]=3&${newest}`, ({ family }) =>
    family === 'postgres'
      ? by`cardinality(labels) >= ${3}`
      : family === 'sqlite'
        ? by`json_array_length(tags) >= ${3}`
        : by`JSON_LENGTH(tags) >= ${3}`,
  ),
  where('JSON: rare text', `data.sku=k77&${newest}`, inJson('sku', '=', 'k77')),
  where('JSON: rare text in', `data.sku[in]=k77,k78&${newest}`, (form) =>
    either(['k77', 'k78'].map((sku) => inJson('sku', '=', sku)(form))),
  ),
  where(
    'JSON: number and text',
    'data.score=7&data.channel=app',
    (form) => by`${inJson('score', '=', 7)(form)} AND ${inJson('channel', '=', 'app')(form)}`,
  ),
  where('JSON: number in a range', `data.score[gte]=999&${newest}`, inJson('score', '>=', 999)),
  where('JSON: common text', `data.channel=web&${newest}`, inJson('channel', '=', 'web')),

  // --- Other tables
  byChild('child, rare, by the key', 'items.product=p1999', product('p1999')),
  byChild('child, rare, newest', `items.product=p1999&${newest}`, product('p1999')),
  byChild('child, common, by the key', 'items.product=p0', product('p0')),
  byChild('child, common, newest', `items.product=p0&${newest}`, product('p0')),
  byChild(
    'child, two conditions on a rare entry',
    `items.product=p1999&items.quantity[gte]=5&${newest}`,
    by`product = ${'p1999'} AND quantity >= ${5}`,
  ),
  byChild(
    'child, two conditions on a common entry',
    `items.product=p0&items.quantity[gte]=5&${newest}`,
    by`product = ${'p0'} AND quantity >= ${5}`,
  ),
  byChild(
    'child, day in a range',
    `items.arrival[range]=${dayOf(500)},${dayOf(501)}`,
    by`arrival BETWEEN ${dayOf(500)} AND ${dayOf(501)}`,
  ),
  where('child, number without an index', `items.price[gte]=12490&${newest}`, () => child(by`price >= ${12_490}`)),
  where(
    'child, all of two',
    'items.product[all]=p1,p2',
    () => by`${child(product('p1'))} AND ${child(product('p2'))}`,
    {
      others: [
        inOrders(
          by`SELECT a.order_id AS id FROM (SELECT DISTINCT order_id FROM order_items WHERE product = ${'p1'}) AS a JOIN (SELECT DISTINCT order_id FROM order_items WHERE product = ${'p2'}) AS b ON b.order_id = a.order_id`,
        ),
      ],
    },
  ),
  where(
    'child atLeast 6',
    `items[atLeast]=6&${newest}`,
    () => by`(SELECT COUNT(*) FROM order_items WHERE order_id = orders.id) >= ${6}`,
  ),
  where(
    'child exists',
    `items[exists]=true&${newest}`,
    () => by`EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id)`,
  ),
  where('child, none', `and=(items.none(product=p0))&${newest}`, () => by`NOT ${child(product('p0'))}`),
  where('child, every', `and=(items.every(quantity[gte]=9))&${newest}`, () => by`NOT ${child(by`quantity < ${9}`)}`),
  where(
    'of s-150, child',
    `seller=s-150&items.product=p0&${newest}`,
    () => by`seller = ${'s-150'} AND ${child(product('p0'))}`,
  ),
  where(
    'child or tag',
    `or=(items.product=p1999,labels=t300)&${newest}`,
    on(postgres, (form) => either([child(product('p1999')), tagged('t300')(form)])),
    {
      others: [
        on(postgres, (form) =>
          inOrders(
            by`SELECT order_id AS id FROM order_items WHERE product = ${'p1999'} UNION SELECT id FROM orders WHERE ${tagged('t300')(form)}`,
          )(form, { query: newest }),
        ),
      ],
    },
  ),
  where(
    'child or child',
    `or=(items.product=p1999,items.product=p1998)&${newest}`,
    () => child(isIn('product', ['p1999', 'p1998'])),
    {
      others: [inOrders(by`SELECT DISTINCT order_id AS id FROM order_items WHERE product IN (${'p1999'}, ${'p1998'})`)],
    },
  ),
  ...Object.entries({ atLeast: ['EXISTS', 2], atMost: ['NOT EXISTS', 3] }).map(([operator, [exists, offset]]) => ({
    name: `many children, ${operator} 3`,
    ...{ query: `orders[${operator}]=3&limit=20`, of: 'sellers', fields: ['name'] },
    hand: [
      ({ family }) =>
        by`SELECT id, name FROM sellers WHERE ${text(exists)} (SELECT 1 FROM orders WHERE seller = sellers.id ${text(family === 'postgres' ? 'OFFSET' : 'LIMIT 1 OFFSET')} ${text(`${offset}`)}) ORDER BY id LIMIT 21`,
    ],
  })),
  where(
    'parent: name equals, newest',
    `customer.name=Customer 77&${newest}`,
    () => by`customer_id IN (SELECT id FROM customers WHERE name = ${'Customer 77'})`,
  ),
  where(
    'parent: name in',
    'customer.name[in]=Customer 77,Customer 78',
    () => by`customer_id IN (SELECT id FROM customers WHERE name IN (${'Customer 77'}, ${'Customer 78'}))`,
  ),
  where(
    'parent: name not equal',
    `customer.name[notEqual]=Customer 77&${newest}`,
    () => by`NOT ${parent(by`name = ${'Customer 77'}`)}`,
  ),
  where(
    'parent: email, case ignored',
    'customer.email[equalsIgnoreCase]=GUEST.77@example.com',
    () => by`customer_id IN (SELECT id FROM customers WHERE lower(email) = ${'guest.77@example.com'})`,
  ),
  where('parent: country, newest', `customer.country=de&${newest}`, () => parent(by`country = ${'de'}`)),
  where('parent: rare boolean, newest', `customer.vip=true&${newest}`, ({ family, boolean }) =>
    parent(family === 'postgres' ? by`vip` : by`vip = ${boolean(true)}`),
  ),
  where('parent: none matches', `customer.country=de&customer.vip=true&${newest}`, ({ family, boolean }) =>
    parent(by`country = ${'de'} AND ${family === 'postgres' ? by`vip` : by`vip = ${boolean(true)}`}`),
  ),
  where('no parent, newest', `customer[exists]=false&${newest}`, () => by`customer_id IS NULL`),
  where(
    'of s-0, no parent',
    `seller=s-0&customer[exists]=false&${newest}`,
    () => by`seller = ${'s-0'} AND customer_id IS NULL`,
  ),

  // --- Counts and facets
  ...counts('of all', '', () => []),
  ...counts('of s-0', 'seller=s-0', s0),
  ...counts('of a range', 'total[lt]=25000', () => by`total < ${25_000}`),
  counted('count of two conditions', 'seller=s-0&status=paid', () => by`seller = ${'s-0'} AND status = ${'paid'}`),
  counted('count in 20 sellers', `seller[in]=${numbered(140, 20)}`, () => isIn('seller', numbered(140, 20))),
  counted('count of a common child', 'items.product=p0', undefined, {
    others: [() => by`SELECT COUNT(DISTINCT order_id) AS id FROM order_items WHERE product = ${'p0'}`],
  }),
  counted('count of a common child, up to 1,000', 'items.product=p0', undefined, {
    ...{
      max: 1000,
      others: [
        () =>
          by`SELECT COUNT(*) AS id FROM (SELECT DISTINCT order_id FROM order_items WHERE product = ${'p0'} LIMIT 1001) AS t`,
      ],
    },
  }),
  counted('count of a common tag', 'labels=t0', tagged('t0')),
  counted(
    'count of a parent’s country',
    'customer.country=de',
    () => by`customer_id IN (SELECT id FROM customers WHERE country = ${'de'})`,
  ),
  counted('count of a part of a text, up to 1,000', 'title[contains]=abc', like('title', '%abc%'), { max: 1000 }),
  facet('of status, all', 'status', '', valuesOf('status')),
  facet('of status, s-0', 'status', 'seller=s-0&', valuesOf('status', s0())),
  facet('of status, s-150', 'status', 'seller=s-150&', valuesOf('status', s150())),
  facet('of seller, all', 'seller', '', valuesOf('seller')),
  facet('of child product, all', 'items.product', '', ...facetsOfProducts()),
  facet('of child product, s-0', 'items.product', 'seller=s-0&', ...facetsOfProducts(s0())),
  facet('of child product, s-150', 'items.product', 'seller=s-150&', ...facetsOfProducts(s150())),
  facet('of tags, all', 'labels', '', ...facetsOfTags()),
  facet('of tags, s-0', 'labels', 'seller=s-0&', ...facetsOfTags(s0())),
  facet('of tags, s-150', 'labels', 'seller=s-150&', ...facetsOfTags(s150())),
  facet('of parent’s country, all', 'customer.country', '', ...facetsOfCountries()),
  facet('of parent’s country, s-0', 'customer.country', 'seller=s-0&', ...facetsOfCountries(s0())),

  // --- Whole rows, and rows after an offset
  whole('whole rows of s-150, newest', `seller=s-150&${newest}`, s150()),
  whole('whole rows of s-150, newest, limit=1', `seller=s-150&${newest}`, s150(), { limit: 1 }),
  whole('whole rows of s-150, newest, limit=100', `seller=s-150&${newest}`, s150(), { limit: 100 }),
  whole('whole rows of s-0, newest, offset=10000', `seller=s-0&${newest}`, s0(), { offset: 10_000 }),
  whole('whole rows of s-0, by a text without an index', 'seller=s-0&sort=title', s0()),
  whole('whole rows of s-150, by a text without an index', 'seller=s-150&sort=title', s150()),
  ...[
    ['ids of s-0, newest, offset=10000', `seller=s-0&${newest}&offset=10000`, [], s0],
    [
      'by the key, offset=10000',
      'sort=id&offset=10000',
      ['name', 'total', 'city', 'title', 'note', 'status', 'amount'],
      () => undefined,
    ],
  ].map(([name, query, fields, write]) => ({
    ...where(name, query, undefined, { fields }),
    hand: [
      (form) => {
        const shape = { query: `${query}&limit=20`, fields }
        const keys = keysOf(shape, false)
        return by`SELECT ${text(columnsOf(shape, keys).join(', '))} FROM orders ${all(write())} ORDER BY ${text(orderOf(form, keys))} LIMIT 21 OFFSET 10000`
      },
      (form) => {
        const shape = { query, fields }
        const keys = keysOf(shape, false)
        const order = orderOf(form, keys)
        const columns = columnsOf(shape, keys).map((name) => `orders.${name}`)
        return by`SELECT ${text(columns.join(', '))} FROM (SELECT id FROM orders ${all(write())} ORDER BY ${text(order)} LIMIT 21 OFFSET 10000) AS found JOIN orders ON orders.id = found.id ORDER BY ${text(order.replace(/(^|, )/g, '$1orders.'))}`
      },
    ],
  })),
  {
    ...where('rows with their items, newest', `seller=s-150&${newest}`, undefined, { fields: ['items'] }),
    hand: [
      (form) =>
        by`SELECT orders.id, created, ${text(itemsOf(form))} FROM orders WHERE seller = ${'s-150'} ORDER BY created DESC, orders.id DESC LIMIT 21`,
    ],
  },
  {
    ...where('rows with their parent and items, offset=1000', `seller=s-0&${newest}&offset=1000`, undefined, {
      fields: ['customer', 'items'],
    }),
    hand: [
      (form) =>
        by`SELECT found.*, ${text(customerColumns)}, ${text(itemsOf(form).replace('orders.id', 'found.id'))} FROM (SELECT id, created, customer_id FROM orders WHERE seller = ${'s-0'} ORDER BY created DESC, id DESC LIMIT 21 OFFSET 1000) AS found LEFT JOIN customers ON customers.id = customer_id ORDER BY created DESC, found.id DESC`,
    ],
  },
]
