/** What is asked of the databases of databases.mjs, and the best statement by hand for each. */
import { count } from './databases.mjs'

/** A piece of a statement: values become parameters, other pieces stay text. */
const by = (strings, ...values) => ({ strings: [...strings], values })
const text = (words) => ({ strings: [words], values: [] })
const joined = (pieces, between) => ({ strings: ['', ...pieces.slice(1).map(() => between), ''], values: pieces })

// --- Rows, as databases.mjs makes them

const padded = (number, length) => String(number).padStart(length, '0')
/** The row whose shuffled number this is: 7919 times 17679 is 1 more than a multiple of a million. */
const rowOf = (n) => {
  const place = (n * 7919) % count
  const micros = 123_456 + Math.floor(place / 10) * 1_000_007
  const stamp = new Date(Date.UTC(2020, 0, 1) + Math.floor(micros / 1000)).toISOString()
  return {
    id: n,
    ref: `${padded(place, 8)}-0000-4000-8000-${padded(n, 12)}`,
    account: String(9_000_000_000 + place),
    created: `${stamp.slice(0, -1)}${padded(micros % 1000, 3)}Z`,
    name: `Guest ${place}`,
    total: place * 0.25,
    due: new Date(Date.UTC(2020, 0, 1 + (n % 1000))).toISOString().slice(0, 10),
    stars: n % 20 > 0 ? (n * 31) % 1000 : null,
    seller: `s${n % 1000}`,
    customer: { name: `Guest ${n % 100_000}`, city: `c${n % 100}` },
  }
}
/** How a statement by hand gives the values of the schema, by the family of the database. */
const forms = {
  postgres: {},
  sqlite: { amount: (value) => Math.round(value * 100), boolean: Number },
  mysql: {
    uuid: (value) => Buffer.from(value.replaceAll('-', ''), 'hex'),
    moment: (value) => value.slice(0, -1).replace('T', ' '),
    boolean: Number,
  },
}
forms.mariadb = forms.mysql
const families = Object.keys(forms)
const itself = (value) => value
/** A statement for each database; what differs in them is written by the forms of their values, or for each. */
const each = (write) =>
  Object.fromEntries(
    families.map((family) => {
      const form = { family, uuid: itself, moment: itself, amount: itself, boolean: itself, ...forms[family] }
      return [family, (after) => write(form, after)]
    }),
  )
const for_ = (written) => Object.fromEntries(Object.entries(written).map(([family, piece]) => [family, () => piece]))

// --- Pages

const page = 21
/** Rows after a place, by columns that all go in one direction: ranges of the index, as each database makes them. */
function past(family, sign, columns, values) {
  if (columns.length === 1) return by`${text(columns[0])} ${text(sign)} ${values[0]}`
  if (family === 'postgres' || family === 'sqlite')
    return by`(${text(columns.join(', '))}) ${text(sign)} (${joined(
      values.map((value) => by`${value}`),
      ', ',
    )})`
  const [column, ...others] = columns
  const [value, ...rest] = values
  return by`(${text(column)} ${text(sign)} ${value} OR (${text(column)} = ${value} AND ${past(family, sign, others, rest)}))`
}

/**
 * Pages by columns that are NOT NULL: the first, and after a place nine tenths down.
 *
 * @param keys the columns, in the order of the sort.
 * @param n the row at that place.
 */
function pages(name, sort, keys, n, { key = 'id', form = {}, where, filter = '' } = {}) {
  const isDown = sort.startsWith('-')
  const order = text(keys.map((column) => `${column}${isDown ? ' DESC' : ''}`).join(', '))
  const query = `${filter}sort=${sort}&limit=${page - 1}`
  const row = rowOf(n)
  const conditionOf = (pieces) => (pieces.length === 0 ? by`` : by`WHERE ${joined(pieces, ' AND ')}`)
  const own = where === undefined ? [] : [where]
  return [
    {
      name: `${name}, first page`,
      ...{ key, query, sorted: keys },
      hand: each(() => by`${conditionOf(own)} ORDER BY ${order} LIMIT ${text(String(page))}`),
    },
    {
      name: `${name}, deep page`,
      ...{ key, query, sorted: keys, after: row },
      hand: each((forms) => {
        const values = keys.map((column) => (forms[form[column]] ?? itself)(row[column]))
        const after = past(forms.family, isDown ? '<' : '>', keys, values)
        return by`${conditionOf([...own, after])} ORDER BY ${order} LIMIT ${text(String(page))}`
      }),
    },
  ]
}
const inverse = 17_679
/** The row with a shuffled number. */
const at = (place) => Number((BigInt(place) * BigInt(inverse)) % BigInt(count)) || count
const ofSeven = Array.from({ length: count / 1000 }, (_, k) => k * 1000 + 7).toSorted(
  (a, b) => ((a * 7919) % count) - ((b * 7919) % count),
)

// --- Conditions: twenty rows at most, by the key

const limited = text(`ORDER BY orders.id LIMIT ${page}`)
const found = (name, query, hand, more = {}) => ({ name, query: `${query}&limit=${page - 1}`, hand, ...more })
const where = (name, query, write, more) =>
  found(
    name,
    query,
    each((form) => by`WHERE ${write(form)} ${limited}`),
    more,
  )
const counted = (name, query, write, more) => ({
  name,
  ...{ query, counts: true },
  hand: each((form) => by`WHERE ${write(form)}`),
  ...more,
})
/** The rows of several ranges, each read in the order of its index. */
function united(column, conditions, order) {
  const select = text(`SELECT * FROM (SELECT orders.id, orders.name, orders.total, ${column} FROM orders WHERE `)
  const parts = conditions.map((condition, at) => by`${select}${condition} ${text(order)}) AS t${text(String(at))}`)
  return by`SELECT * FROM (${joined(parts, ' UNION ALL ')}) AS t ${text(order)}`
}
const noon = (day) => `2020-${day}T12:01:00.000000Z`
const listed = (values) =>
  by`(${joined(
    values.map((value) => by`${value}`),
    ', ',
  )})`

/** The items of an order as JSON; MySQL keeps no order in it. */
const itemsIn = {
  postgres: `SELECT coalesce(json_agg(json_build_object('arrival', arrival, 'product', product, 'quantity', quantity) ORDER BY id), '[]')`,
  mysql: `SELECT JSON_ARRAYAGG(JSON_OBJECT('arrival', arrival, 'product', product, 'quantity', quantity))`,
  mariadb: `SELECT JSON_ARRAYAGG(JSON_OBJECT('arrival', arrival, 'product', product, 'quantity', quantity) ORDER BY id)`,
  sqlite: `SELECT json_group_array(json_object('arrival', arrival, 'product', product, 'quantity', quantity) ORDER BY id)`,
}
const row = rowOf(at(123_456))
const other = rowOf(at(77))

/** Why a statement takes longer than one by hand, where that is known: by words of the shape, for a family or for all. */
export const reasons = [
  [
    /case ignored/,
    {
      sqlite: 'Each text is lower-cased before it is searched: the lower-casing may be a function of the application.',
      mysql: 'Two letters are replaced before `LOWER`, which would drop the text after them.',
      mariadb: 'MariaDB 10.11 has no index of an expression; by hand, a generated column is named.',
    },
  ],
  [
    /tag/,
    {
      mariadb: 'Entries are read one by one: `JSON_CONTAINS` misses texts that are stored with escapes.',
      sqlite: 'Each document is checked before it is read.',
    },
  ],
  [
    /^child/,
    {
      sqlite:
        '`EXISTS` runs once for each order. By hand, the statement first reads all orders of the list in the child table: slow where many match.',
    },
  ],
  [
    /NULL/,
    {
      all: 'NULL stands behind the range, so the position is an `OR`; by hand, `UNION ALL` joins two ranges. A `required` key has one range.',
    },
  ],
  [/directions/, { all: 'The page begins at the first row with the same day; by hand, `UNION ALL` joins two ranges.' }],
]

export const shapes = [
  ...pages('by a uuid', 'ref', ['ref'], at(900_000), { key: 'ref', form: { ref: 'uuid' } }),
  ...pages('by a uuid, descending', '-ref', ['ref'], at(100_000), { key: 'ref', form: { ref: 'uuid' } }),
  ...pages('by a bigint', 'account', ['account'], at(900_000), { key: 'account' }),
  ...pages('by a moment', 'created', ['created', 'id'], at(900_003), { form: { created: 'moment' } }),
  ...pages('by a moment, descending', '-created', ['created', 'id'], at(100_003), { form: { created: 'moment' } }),
  ...pages('by the key', 'id', ['id'], 900_000),
  ...pages('by a text', 'name', ['name', 'id'], at(890_000)),
  ...pages('by a number', 'total', ['total', 'id'], at(900_000)),
  ...pages('by a day', 'due', ['due', 'id'], 500_900),
  ...pages('by two columns', 'due,total', ['due', 'total', 'id'], 500_900),
  ...pages('of a seller, by a moment', 'created', ['created', 'id'], ofSeven[900], {
    ...{ filter: 'seller=s7&', form: { created: 'moment' }, where: by`seller = ${'s7'}` },
  }),

  where('text equals', 'name=Guest 1234', () => by`name = ${'Guest 1234'}`),
  where('text in', 'name[in]=Guest 1234,Guest 77', () => by`name IN ${listed(['Guest 1234', 'Guest 77'])}`),
  where(
    'text in a range',
    'name[gte]=Guest 1234&name[lt]=Guest 12342',
    () => by`name >= ${'Guest 1234'} AND name < ${'Guest 12342'}`,
  ),
  where('bigint equals', `account=${row.account}`, () => by`account = ${row.account}`),
  where(
    'bigint in',
    `account[in]=${row.account},${other.account}`,
    () => by`account IN ${listed([row.account, other.account])}`,
  ),
  where(
    'bigint in a range',
    'account[gte]=9000000100&account[lt]=9000000110',
    () => by`account >= ${'9000000100'} AND account < ${'9000000110'}`,
  ),
  where('uuid equals', `ref=${row.ref}`, ({ uuid }) => by`ref = ${uuid(row.ref)}`),
  where(
    'uuid in',
    `ref[in]=${row.ref},${other.ref}`,
    ({ uuid }) => by`ref IN ${listed([row, other].map(({ ref }) => uuid(ref)))}`,
  ),
  where('number equals', `total=${row.total}`, () => by`total = ${row.total}`),
  where('number in a range', 'total[range]=100,102', () => by`total BETWEEN ${100} AND ${102}`),
  where('decimal equals', 'amount=5', ({ amount }) => by`amount = ${amount(5)}`),
  where('decimal in', 'amount[in]=5,7.25', ({ amount }) => by`amount IN ${listed([amount('5'), amount('7.25')])}`),
  where(
    'decimal in a range',
    'amount[range]=100,102',
    ({ amount }) => by`amount BETWEEN ${amount(100)} AND ${amount(102)}`,
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
  where('moment in a day', 'paid=2020-02-02', ({ moment }) => {
    const [from, to] = ['02', '03'].map((day) => moment(`2020-02-${day}T00:00:00.000000Z`))
    return by`paid >= ${from} AND paid < ${to}`
  }),
  where('moments in', `paid[in]=${noon('02-02')},${noon('02-03')}`, ({ moment }) => {
    return by`paid IN ${listed(['02-02', '02-03'].map((day) => moment(noon(day))))}`
  }),
  where('days in a moment’s in', 'paid[in]=2020-02-02,2020-02-04', ({ moment }) => {
    const ranges = ['02', '04'].map((day) => {
      const [from, to] = [Number(day), Number(day) + 1].map((one) => moment(`2020-02-0${one}T00:00:00.000000Z`))
      return by`(paid >= ${from} AND paid < ${to})`
    })
    return by`(${joined(ranges, ' OR ')})`
  }),
  where('rare boolean', 'gift=true', ({ family, boolean }) =>
    family === 'postgres' ? by`gift` : by`gift = ${boolean(true)}`,
  ),
  where('rare enumeration', 'status=lost', () => by`status = ${'lost'}`),
  where('rare enumeration, in', 'status[in]=lost', () => by`status IN ${listed(['lost'])}`),
  where('enumeration, not equal', 'status[notEqual]=paid', () => by`status <> ${'paid'}`),
  where('rare value exists', 'note[exists]=true', () => by`note IS NOT NULL`),
  where('no value exists', 'stars[exists]=false&guests=5', () => by`stars IS NULL AND guests = ${5}`),
  where(
    'one of two conditions',
    `or=(account=${row.account},name=Guest 77)`,
    () => by`(account = ${row.account} OR name = ${'Guest 77'})`,
  ),

  // --- Texts without case
  found('prefix, case ignored', 'email[startsWith]=guest.1234', {
    ...for_({
      postgres: by`WHERE lower(email) COLLATE "C" >= ${'guest.1234'} AND lower(email) COLLATE "C" < ${'guest.1235'} ${limited}`,
      mysql: by`WHERE LOWER(email) >= ${'guest.1234'} AND LOWER(email) < ${'guest.1235'} ${limited}`,
      mariadb: by`WHERE email_lower LIKE ${'guest.1234%'} ${limited}`,
      sqlite: by`WHERE lower(email) >= ${'guest.1234'} AND lower(email) < ${'guest.1235'} ${limited}`,
    }),
  }),
  ...Object.entries({ contains: '71234', endsWith: '71234@example.com' }).map(([operator, words]) => {
    const pattern = operator === 'contains' ? `%${words}%` : `%${words}`
    return found(`text ${operator}, case ignored`, `email[${operator}]=${words}`, {
      ...for_({
        postgres: by`WHERE lower(email) LIKE ${pattern} ${limited}`,
        mysql: by`WHERE LOWER(email) LIKE ${pattern} ${limited}`,
        mariadb: by`WHERE LOWER(email) LIKE ${pattern} ${limited}`,
        sqlite: by`WHERE email LIKE ${pattern} ${limited}`,
      }),
    })
  }),

  // --- Lists
  found('rare tag: array, GIN', 'labels=u77', for_({ postgres: by`WHERE labels @> ${['u77']}::text[] ${limited}` })),
  found(
    'tags in: array, GIN',
    'labels[in]=u77,u78',
    for_({ postgres: by`WHERE labels && ${['u77', 'u78']}::text[] ${limited}` }),
  ),
  found(
    'rare tag: JSONB, GIN jsonb_path_ops',
    'tags=u77',
    for_({ postgres: by`WHERE tags @> jsonb_build_array(${'u77'}::text) ${limited}` }),
  ),
  found(
    'tags in: JSONB, GIN jsonb_path_ops',
    'tags[in]=u77,u78',
    for_({
      postgres: by`WHERE (tags @> jsonb_build_array(${'u77'}::text) OR tags @> jsonb_build_array(${'u78'}::text)) ${limited}`,
    }),
  ),
  found(
    'rare tag: JSONB, GIN',
    'marks=u77',
    for_({ postgres: by`WHERE marks @> jsonb_build_array(${'u77'}::text) ${limited}` }),
  ),
  found(
    'tags in: JSONB, GIN',
    'marks[in]=u77,u78',
    for_({ postgres: by`WHERE marks ?| ${['u77', 'u78']}::text[] ${limited}` }),
  ),
  found('rare tag: multi-valued index', 'tags=u77', for_({ mysql: by`WHERE ${'u77'} MEMBER OF (tags) ${limited}` })),
  found(
    'tags in: multi-valued index',
    'tags[in]=u77,u78',
    for_({ mysql: by`WHERE JSON_OVERLAPS(tags, ${'["u77","u78"]'}) ${limited}` }),
  ),
  found(
    'rare tag: JSON without an index',
    'tags=u77',
    for_({
      mariadb: by`WHERE JSON_CONTAINS(tags, ${'"u77"'}) ${limited}`,
      sqlite: by`WHERE EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${'u77'}) ${limited}`,
    }),
  ),

  // --- Other tables
  where(
    'child: product',
    'items.product=p77',
    () => by`id IN (SELECT order_id FROM order_items WHERE product = ${'p77'})`,
  ),
  where(
    'child: day in a range',
    'items.arrival[range]=2020-02-02,2020-02-03',
    () =>
      by`EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id AND arrival BETWEEN ${'2020-02-02'} AND ${'2020-02-03'})`,
  ),
  where(
    'child: two conditions on one entry',
    'items.product=p77&items.arrival[gte]=2020-06-01',
    () => by`id IN (SELECT order_id FROM order_items WHERE product = ${'p77'} AND arrival >= ${'2020-06-01'})`,
  ),
  where(
    'of a seller, child: day',
    'seller=s8&items.arrival[gte]=2020-06-05',
    () =>
      by`seller = ${'s8'} AND EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id AND arrival >= ${'2020-06-05'})`,
  ),
  found('parent: name equals', 'customer.name=Guest 77', {
    ...each(
      () => by`JOIN customers ON customers.id = orders.customer_id WHERE customers.name = ${'Guest 77'} ${limited}`,
    ),
  }),
  found('parent: name in', 'customer.name[in]=Guest 77,Guest 78', {
    ...each(
      () =>
        by`JOIN customers ON customers.id = orders.customer_id WHERE customers.name IN ${listed(['Guest 77', 'Guest 78'])} ${limited}`,
    ),
  }),
  where(
    'of a seller, no parent',
    'seller=s0&customer[exists]=false',
    () => by`seller = ${'s0'} AND NOT EXISTS (SELECT 1 FROM customers WHERE customers.id = orders.customer_id)`,
  ),
  {
    name: 'of a seller, by the parent’s name',
    query: 'seller=s7&sort=customer.name&limit=20',
    hand: each(({ family }) => {
      const ordered = family === 'postgres' ? 'customers.name COLLATE "C" NULLS FIRST' : 'customers.name'
      return by`LEFT JOIN customers ON customers.id = orders.customer_id WHERE seller = ${'s7'} ORDER BY ${text(ordered)}, orders.id LIMIT 21`
    }),
  },
  {
    name: 'by the parent’s name',
    query: 'sort=customer.name&limit=20',
    hand: each(({ family }) => {
      const ordered = family === 'postgres' ? 'customers.name COLLATE "C" NULLS FIRST' : 'customers.name'
      return by`LEFT JOIN customers ON customers.id = orders.customer_id ORDER BY ${text(ordered)}, orders.id LIMIT 21`
    }),
  },

  // --- Orders that no one range serves
  {
    name: 'by two columns in two directions, deep page',
    ...{ query: 'sort=due,-total&limit=20', after: rowOf(500_900) },
    hand: each(({ family }, { due, total, id }) => {
      if (family === 'mysql' || family === 'mariadb')
        return by`WHERE (due > ${due} OR (due = ${due} AND (total < ${total} OR (total = ${total} AND id < ${id})))) ORDER BY due, total DESC, id DESC LIMIT 21`
      const parts = [by`due = ${due} AND (total, id) < (${total}, ${id})`, by`due > ${due}`]
      return united('due', parts, 'ORDER BY due, total DESC, id DESC LIMIT 21')
    }),
  },
  ...['stars', '-stars'].map((sort) => ({
    name: `by a column that may be NULL${sort === 'stars' ? '' : ', descending'}, deep page`,
    ...{ query: `sort=${sort}&limit=20`, after: rowOf(sort === 'stars' ? 500_901 : 500_101) },
    hand: each(({ family }, { stars, id }) => {
      const [sign, words] = sort === 'stars' ? ['>', ''] : ['<', ' DESC']
      const nulls = family === 'postgres' ? (sort === 'stars' ? ' NULLS FIRST' : ' NULLS LAST') : ''
      const order = `ORDER BY stars${words}${nulls}, id${words} LIMIT 21`
      const tail = sort === 'stars' ? by`` : by` OR stars IS NULL`
      if (family === 'mysql' || family === 'mariadb')
        return by`WHERE (${past(family, sign, ['stars', 'id'], [stars, id])}${tail}) ${text(order)}`
      const parts = [by`(stars, id) ${text(sign)} (${stars}, ${id})`, ...(sort === 'stars' ? [] : [by`stars IS NULL`])]
      return united('stars', parts, order)
    }),
  })),

  // --- Counts
  counted('count of a seller', 'seller=s7', () => by`seller = ${'s7'}`),
  counted('count of a range', 'total[lt]=25000', () => by`total < ${25_000}`),
  counted('count of two conditions', 'seller=s7&status=paid', () => by`seller = ${'s7'} AND status = ${'paid'}`),
  { name: 'count of all', query: '', counts: true, hand: each(() => by``) },
  {
    ...counted('count up to 1,000', 'total[lt]=25000', () => by``),
    ...{
      max: 1000,
      hand: each(() => by`SELECT COUNT(*) AS id FROM (SELECT 1 FROM orders WHERE total < ${25_000} LIMIT 1001) AS t`),
    },
  },

  // --- Whole rows
  {
    name: 'rows with their parent',
    ...{ query: 'seller=s8&sort=-created&limit=20', fields: ['name', 'total', 'customer'] },
    hand: each(
      () =>
        by`SELECT orders.id, orders.name, orders.total, created, customers.id AS customer, customers.name AS customer_name, city FROM orders LEFT JOIN customers ON customers.id = customer_id WHERE seller = ${'s8'} ORDER BY created DESC, orders.id DESC LIMIT 21`,
    ),
  },
  {
    name: 'rows with their items',
    ...{ query: 'seller=s8&sort=-created&limit=20', fields: ['name', 'total', 'items'] },
    hand: each(({ family }) => {
      const items = text(`(${itemsIn[family]} FROM order_items WHERE order_id = orders.id) AS items`)
      return by`SELECT orders.id, orders.name, orders.total, created, ${items} FROM orders WHERE seller = ${'s8'} ORDER BY created DESC, orders.id DESC LIMIT 21`
    }),
  },
]
