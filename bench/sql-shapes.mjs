/** What is asked of the databases of databases.mjs, and the best statements by hand for it. */
import {
  all,
  by,
  byChild,
  byCustomer,
  child,
  columnsOf,
  counted,
  counts,
  customerColumns,
  day,
  dayOf,
  either,
  facet,
  facetsOfCountries,
  facetsOfProducts,
  facetsOfTags,
  inDay,
  inDocument,
  inJson,
  inOrders,
  inSellers,
  inactive,
  isIn,
  itemsOf,
  keysOf,
  like,
  listed,
  newest,
  numbered,
  ofLists,
  on,
  onPostgres,
  orderOf,
  pages,
  parent,
  postgres,
  product,
  s0,
  s150,
  searchIn,
  searched,
  seller,
  sellersOf,
  tagged,
  text,
  valuesOf,
  where,
  whole,
  windows,
} from './sql-by-hand.mjs'

/** Why a statement takes longer than one by hand, where that is known: by words of the shape, for a family or for all. */
export const reasons = [
  [
    /^facet of (tags|child)/,
    {
      all: 'All pairs of a row and a value are sorted. By hand, equal lists are counted first, or an index has the order.',
    },
  ],
  [
    /^facet of parent/,
    {
      all: 'By hand, orders are counted by customer, then joined. For customers with one order, this takes 1.4 to 2.6 times as long, beside a condition up to 15 times.',
    },
  ],
  [
    /^facet/,
    {
      all: 'Texts are grouped. By hand, an index groups stored values. Beside a condition that it does not have, this took 25 to 62 times as long.',
    },
  ],
  [
    /^of s-\d+, by the parent/,
    { all: 'All rows of the filter are sorted, because they may be few. By hand, they are known to be many.' },
  ],
  [
    /NULL|two directions/,
    { all: 'Each range is read by itself, and their rows are sorted. By hand, the database reads an `OR` as ranges.' },
  ],
  [
    /^seller or status/,
    { all: 'An `or` of two fields reads the rows in their order. By hand, two indexes are read, one for each field.' },
  ],
  [
    /^in 20 sellers/,
    {
      all: 'The database chooses how to read so many values. By hand, each value is read by itself.',
    },
  ],
  [
    /^(in \d|status in|seller and status in|one of two)/,
    {
      all: 'Each value is read by itself. Where most rows have one of them, the order of all rows is shorter.',
    },
  ],
  [
    /^count of a common child/,
    { all: 'Entries are counted alone only where they are few. By hand, this is known to pay for many.' },
  ],
  [
    /^child/,
    {
      all: '`EXISTS` serves any order. By hand, all entries that match are read first, which is slow where many do.',
    },
  ],
  [
    /^many/,
    { all: 'By hand, the entries of a seller are counted up to the bound in the order of the sellers’ index.' },
  ],
  [/no parent/, { all: 'The parent is looked up, because the row that a foreign key names may be missing.' }],
  [/^tags atLeast/, { all: 'Each entry is read, because NULL is no entry. By hand, the length of the list is read.' }],
  [
    /case ignored/,
    {
      mariadb: 'MariaDB 10.11 has no index of an expression. By hand, a generated column is named.',
      mysql: '`LOWER` drops the text after two letters, so they are replaced first.',
    },
  ],
  [
    /^(search|text contains|text ends|count of a part)/,
    {
      sqlite: 'Each text is lower-cased before it is searched: the function may be one of the application.',
      mysql: '`LOWER` drops the text after two letters, so they are replaced first.',
    },
  ],
  [
    /tag/,
    {
      postgres:
        'Each value is a condition. Where the planner expects many rows with both, it reads them in order. By hand, one condition has both.',
      mariadb: 'Entries are read one by one: `JSON_CONTAINS` misses texts stored with escapes.',
      sqlite: 'Each document is checked before it is read.',
      mysql: 'Entries are compared once more: the index also finds texts that only start alike.',
    },
  ],
  [/^whole rows/, { sqlite: 'JSON is checked before it is read, and numbers of entries are written with all digits.' }],
  [/^JSON/, { mariadb: 'The type of a value is read before the value.' }],
  [/offset/, { all: 'Some columns of the rows that the page skips are read. By hand, only their keys are.' }],
  [
    /^parent/,
    { sqlite: 'SQLite begins at the parents that match, and sorts their orders. By hand, the condition is `EXISTS`.' },
  ],
  [/moments in/, { all: 'The database reads both days and sorts their rows. By hand, each day is read by itself.' }],
]

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
  where('JSON: number and text', 'data.score=7&data.channel=app', inDocument({ score: 7, channel: 'app' })),
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
      ({ family, collated }) =>
        by`SELECT id, name FROM sellers WHERE ${text(exists)} (SELECT 1 FROM orders WHERE seller = sellers.id ${text(family === 'postgres' ? 'OFFSET' : 'LIMIT 1 OFFSET')} ${text(`${offset}`)}) ORDER BY id${text(collated)} LIMIT 21`,
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

  // --- Counts and facets; the others need up to a minute for those of lists in all rows
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
  facet('of child product, all', 'items.product', '', ...onPostgres(facetsOfProducts())),
  facet('of child product, s-0', 'items.product', 'seller=s-0&', ...onPostgres(facetsOfProducts(s0()))),
  facet('of child product, s-150', 'items.product', 'seller=s-150&', ...facetsOfProducts(s150())),
  facet('of tags, all', 'labels', '', ...onPostgres(facetsOfTags())),
  facet('of tags, s-0', 'labels', 'seller=s-0&', ...onPostgres(facetsOfTags(s0()))),
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
