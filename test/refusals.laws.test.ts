/**
 * The same mistake is refused in the same way by every public function: a program's by a TypeError that names the argument,
 * a query's by issues, which a FilterError carries.
 */
import { join } from 'node:path'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { entry } from '../rollup.config.ts'
import { memoryBackend } from '../src/backends/memory/index.ts'
import { mongoBackend } from '../src/backends/mongo/index.ts'
import { fromPrisma, prismaBackend } from '../src/backends/prisma/index.ts'
import { childTable, column, parentTable, postgres, sqlBackend, table } from '../src/backends/sql/index.ts'
import type { SqlOptions } from '../src/backends/sql/index.ts'
import { fromDrizzle, toDrizzle } from '../src/tools/drizzle/index.ts'
import { describe as describeFilter, subsumes, trace } from '../src/tools/explain/index.ts'
import { advise, check, checkColumns, inspect, pull } from '../src/tools/inspect/index.ts'
import { livePage, matcher, transition } from '../src/live/index.ts'
import { fromAgGrid, fromMuiX, fromRefine, fromTanStackDb, fromTanStackTable } from '../src/clients/grids/index.ts'
import {
  createListService,
  fastifyHandler,
  keysAndBasic,
  memoryRows,
  mongoRows,
  nodeListener,
  prismaRows,
  sqlRows,
} from '../src/service/index.ts'
import * as core from '../src/index.ts'
import { fromJsonSchema } from '../src/tools/json-schema/index.ts'
import { jsonApi, printNotation } from '../src/clients/notations/index.ts'
import { fromCasl, fromCerbos, fromMongoQuery, policyOf } from '../src/policies/index.ts'
import { openapi, operation, parameters, rowSchema, toolSchema } from '../src/tools/openapi/index.ts'
import { filterOf, runBackend, runQueries } from '../src/kit/index.ts'
import * as tree from '../src/tree.ts'

const { field } = core
const schema = core.defineSchema({ id: field.integer(), name: field.string() })
const collection = core.defineCollection(schema, { key: 'id', sort: true })
const filter = core.where(schema).equals('name', 'x')
const query = core.buildQuery(collection, {})
const model = 'datasource db {\n  provider = "postgresql"\n}\nmodel M {\n  id Int @id\n  name String\n}\n'
const prisma = { schema, datamodel: model, model: 'M' }
const sql: SqlOptions = { dialect: postgres, table: table('t', { schema, key: 'id' }) }
const backends = {
  memoryBackend: memoryBackend(),
  mongoBackend: mongoBackend({ schema }),
  prismaBackend: prismaBackend(prisma),
  sqlBackend: sqlBackend(sql),
}
const service = { authenticate: () => ({}), collections: {} }
type Call = (wrong: never) => unknown
const ofBackends = (call: (backend: tree.QueryBackend<unknown, unknown>, wrong: never) => unknown) =>
  Object.fromEntries(
    Object.entries(backends).map(([name, backend]) => [`${name}, compiled`, (wrong: never) => call(backend, wrong)]),
  )

/** What a program gets wrong: values that are wrong, how each message begins, and the functions with that argument. */
const mistakes: Readonly<Record<string, { wrong: readonly unknown[]; message: RegExp; calls: Record<string, Call> }>> =
  {
    schema: {
      wrong: [null, {}, 'x', collection, { ...schema }],
      message: /^schema must be made by defineSchema$/,
      calls: {
        defineCollection: (wrong) => core.defineCollection(wrong, { key: 'id' }),
        parseFilter: (wrong) => core.parseFilter(wrong, ''),
        parseFilterOrThrow: (wrong) => core.parseFilterOrThrow(wrong, ''),
        printFilter: (wrong) => core.printFilter(wrong, filter),
        where: (wrong) => core.where(wrong),
        rowSchema: (wrong) => rowSchema(wrong),
        fromCasl: (wrong) => fromCasl(wrong, [], 'read', 'Order'),
        fromCerbos: (wrong) => fromCerbos(wrong, {}),
        fromMongoQuery: (wrong) => fromMongoQuery(wrong, {}),
        // One way for all backends that have a schema: the option of what maps its fields.
        table: (wrong) => table('t', { schema: wrong }),
        mongoBackend: (wrong) => mongoBackend({ schema: wrong }),
        prismaBackend: (wrong) => prismaBackend({ ...prisma, schema: wrong }),
      },
    },
    collection: {
      wrong: [undefined, null, {}, 'x', schema, { ...collection }],
      message: /^collection must be made by defineCollection$/,
      calls: {
        parseObject: (wrong) => core.parseObject(wrong, {}),
        parseQuery: (wrong) => core.parseQuery(wrong, ''),
        parseQueryOrThrow: (wrong) => core.parseQueryOrThrow(wrong, ''),
        printQuery: (wrong) => core.printQuery(wrong, query),
        printNotation: (wrong) => printNotation(wrong, query, jsonApi),
        buildQuery: (wrong) => core.buildQuery(wrong),
        checkBackend: (wrong) => core.checkBackend(wrong, backends.memoryBackend),
        keyQuery: (wrong) => core.keyQuery(wrong, '1'),
        narrow: (wrong) => core.narrow(wrong, {}),
        operation: (wrong) => operation(wrong),
        parameters: (wrong) => parameters(wrong),
        toolSchema: (wrong) => toolSchema(wrong),
        fromAgGrid: (wrong) => fromAgGrid(wrong, {}),
        fromMuiX: (wrong) => fromMuiX(wrong, {}),
        fromRefine: (wrong) => fromRefine(wrong, {}),
        fromTanStackDb: (wrong) => fromTanStackDb(wrong, {}),
        fromTanStackTable: (wrong) => fromTanStackTable(wrong, {}),
      },
    },
    text: {
      wrong: [undefined, null, 1, {}, ['a=1']],
      message: /^text must be a query string, a URL or a URLSearchParams/,
      calls: {
        parseFilter: (wrong) => core.parseFilter(schema, wrong),
        parseFilterOrThrow: (wrong) => core.parseFilterOrThrow(schema, wrong),
        parseQuery: (wrong) => core.parseQuery(collection, wrong),
        parseQueryOrThrow: (wrong) => core.parseQueryOrThrow(collection, wrong),
        readReserved: (wrong) => core.readReserved(wrong, { reserved: [] }),
        formatIssue: (wrong) =>
          core.formatIssue(wrong, { code: 'field_unknown', fault: 'client', message: '' } as never),
      },
    },
    filter: {
      wrong: [undefined, null, {}, 'name=x', [], query, { kind: 'nand', filters: [] }],
      message: /^(?:(?:and|or)\.filters\[0\]|(?:not|some|query)\.filter|filter|restriction|wide)(?:\.kind)? must be /,
      calls: {
        and: (wrong) => core.and(wrong),
        or: (wrong) => core.or(wrong),
        not: (wrong) => core.not(wrong),
        some: (wrong) => tree.some(['a'], wrong),
        checkFilter: (wrong) => tree.checkFilter(wrong),
        checkSupport: (wrong) => tree.checkSupport(wrong, backends.memoryBackend.capabilities),
        children: (wrong) => tree.children(wrong),
        fold: (wrong) => tree.fold(wrong, {} as never),
        map: (wrong) => tree.map(wrong, (one) => one),
        sameFilter: (wrong) => tree.sameFilter(filter, wrong),
        restrict: (wrong) => core.restrict(query, wrong),
        buildQuery: (wrong) => core.buildQuery(collection, { filter: wrong }),
        printFilter: (wrong) => core.printFilter(schema, wrong),
        policyOf: (wrong) => policyOf(postgres, sql.table, wrong),
        describe: (wrong) => describeFilter(wrong),
        subsumes: (wrong) => subsumes(wrong, filter),
        trace: (wrong) => trace(wrong, {}),
        matcher: (wrong) => matcher().add('a', wrong),
        transition: (wrong) => transition(wrong, {}, {}),
        ...ofBackends((backend, wrong) => backend.compile(wrong)),
      },
    },
    query: {
      wrong: [undefined, null, {}, 'name=x', filter, { ...query, limit: 0 }, { ...query, sort: [] }],
      message: /^query(?:\.\w+)? must /,
      calls: {
        checkQuery: (wrong) => tree.checkQuery(wrong),
        positionFilter: (wrong) => tree.positionFilter(wrong),
        restrict: (wrong) => core.restrict(wrong, filter),
        printQuery: (wrong) => core.printQuery(collection, wrong),
        printNotation: (wrong) => printNotation(collection, wrong, jsonApi),
        toPage: (wrong) => core.toPage(wrong, []),
        toAnswer: (wrong) => core.toAnswer(collection, wrong, []),
        livePage: (wrong) => livePage(wrong, []),
        ...ofBackends((backend, wrong) => backend.compileQuery(wrong)),
      },
    },
    options: {
      wrong: [null, 'x', [], { misspelt: 1 }],
      message:
        /^(?:options|parts|run|cache|concurrency|collections\.a)(?: must be an? (?:plain )?object|\.misspelt is unknown)/,
      calls: {
        ...Object.fromEntries(
          (['string', 'uuid', 'integer', 'bigint', 'number', 'decimal', 'boolean', 'date', 'datetime'] as const).map(
            (type) => [`field.${type}`, (wrong: never) => (field[type] as (options: unknown) => unknown)(wrong)],
          ),
        ),
        'field.enumeration': (wrong) => field.enumeration(['a'], wrong),
        'field.object': (wrong) => field.object({}, wrong),
        defineCollection: (wrong) => core.defineCollection(schema, wrong),
        narrow: (wrong) => core.narrow(collection, wrong),
        buildQuery: (wrong) => core.buildQuery(collection, wrong),
        queryString: (wrong) => core.queryString(wrong),
        parseFilter: (wrong) => core.parseFilter(schema, '', wrong),
        parseFilterOrThrow: (wrong) => core.parseFilterOrThrow(schema, '', wrong),
        parseObject: (wrong) => core.parseObject(collection, {}, wrong),
        parseQuery: (wrong) => core.parseQuery(collection, '', wrong),
        parseQueryOrThrow: (wrong) => core.parseQueryOrThrow(collection, '', wrong),
        printFilter: (wrong) => core.printFilter(schema, filter, wrong),
        printNotation: (wrong) => printNotation(collection, query, jsonApi, wrong),
        readReserved: (wrong) => core.readReserved('', wrong),
        formatIssue: (wrong) =>
          core.formatIssue('', { code: 'field_unknown', fault: 'client', message: '' } as never, wrong),
        toPage: (wrong) => core.toPage(query, [], wrong),
        memoryBackend: (wrong) => memoryBackend(wrong),
        mongoBackend: (wrong) => mongoBackend(wrong),
        prismaBackend: (wrong) => prismaBackend(wrong),
        sqlBackend: (wrong) => sqlBackend(wrong),
        policyOf: (wrong) => policyOf(postgres, sql.table, filter, wrong),
        table: (wrong) => table('t', wrong),
        childTable: (wrong) => childTable('t', wrong),
        parentTable: (wrong) => parentTable('t', wrong),
        column: (wrong) => column('c', wrong),
        fromJsonSchema: (wrong) => fromJsonSchema({ type: 'object', properties: {} }, wrong),
        fromPrisma: (wrong) => fromPrisma(model, 'M', wrong),
        fromDrizzle: (wrong) => fromDrizzle({ t: pgTable('t', { id: integer() }) }, 't', wrong),
        openapi: (wrong) => openapi({ '/x': { collection } }, wrong),
        operation: (wrong) => operation(collection, wrong),
        parameters: (wrong) => parameters(collection, wrong),
        toolSchema: (wrong) => toolSchema(collection, wrong),
        fromTanStackTable: (wrong) => fromTanStackTable(collection, {}, wrong),
        rowSchema: (wrong) => rowSchema(schema, wrong),
        createListService: (wrong) => createListService(wrong),
        'createListService, a collection': (wrong) => createListService({ ...service, collections: { a: wrong } }),
        'createListService, cache': (wrong) => createListService({ ...service, cache: wrong }),
        'createListService, concurrency': (wrong) => createListService({ ...service, concurrency: wrong }),
        keysAndBasic: (wrong) => keysAndBasic({} as never, wrong),
        runBackend: (wrong) => runBackend(wrong),
        inspect: (wrong) => inspect(() => [], wrong),
        checkColumns: (wrong) => checkColumns(() => [], wrong),
        check: (wrong) => check({} as never, wrong),
        advise: (wrong) => advise({} as never, wrong),
        pull: (wrong) => pull({ engine: 'sqlite', tables: [] } as never, wrong),
        runQueries: (wrong) => runQueries(wrong),
      },
    },
    'another argument': {
      wrong: [undefined, null, {}, 'x y'],
      message:
        /^(?:backend|case|collection|collections|delegate|dialect|document|fields|plan|rows|rules|running|issue|notation|options\.\w+|path|piece|entry|values|accounts|source)\b.* must /,
      calls: {
        checkBackend: (wrong) => core.checkBackend(collection, wrong),
        printNotation: (wrong) => printNotation(collection, query, wrong),
        sqlBackend: (wrong) => sqlBackend({ ...sql, dialect: wrong }),
        policyOf: (wrong) => policyOf(wrong, sql.table, filter),
        'policyOf, table': (wrong) => policyOf(postgres, wrong, filter),
        fromCerbos: (wrong) => fromCerbos(schema, wrong),
        fromCasl: (wrong) => fromCasl(schema, wrong, 'read', 'Order'),
        'fromMongoQuery, condition': (wrong) => fromMongoQuery(schema, { $or: wrong }),
        toDrizzle: (wrong) => toDrizzle(wrong),
        check: (wrong) => check({} as never, { ...sql, dialect: wrong }),
        advise: (wrong) => advise({} as never, { ...sql, dialect: wrong }),
        'advise, restriction': (wrong) => advise({} as never, { ...sql, restriction: wrong ?? null }),
        checkColumns: (wrong) => checkColumns(() => [], { ...sql, table: wrong }),
        openapi: (wrong) => openapi(wrong),
        filterOf: (wrong) => filterOf(wrong),
        memoryRows: (wrong) => memoryRows(wrong, () => []),
        'memoryRows, rows': (wrong) => memoryRows(backends.memoryBackend, wrong),
        mongoRows: (wrong) => mongoRows(wrong, {} as never),
        'mongoRows, collection': (wrong) => mongoRows(backends.mongoBackend, wrong),
        prismaRows: (wrong) => prismaRows(wrong, {} as never),
        'prismaRows, delegate': (wrong) => prismaRows(backends.prismaBackend, wrong),
        sqlRows: (wrong) => sqlRows(wrong, () => []),
        'sqlRows, running': (wrong) => sqlRows(backends.sqlBackend, wrong),
        formatIssue: (wrong) => core.formatIssue('', wrong),
      },
    },
    service: {
      wrong: [undefined, null, {}, 'x', [], service],
      message: /^service must be made by createListService$/,
      calls: {
        nodeListener: (wrong) => nodeListener(wrong),
        fastifyHandler: (wrong) => fastifyHandler(wrong),
      },
    },
    principalOf: {
      wrong: [null, {}, 'x', []],
      message: /^principalOf must be a function of the request$/,
      calls: {
        nodeListener: (wrong) => nodeListener(createListService(service), wrong),
        fastifyHandler: (wrong) => fastifyHandler(createListService(service), wrong),
      },
    },
  }
/** Functions with none of these arguments; their own tests have what they refuse. */
const others = [
  ...['FilterError', 'defineSchema', 'pickFields', 'countOf', 'comparison', 'count', 'match', 'membership', 'presence'],
  ...['simpleLowerCase', 'arrayColumn', 'jsonColumn', 'digestOf', 'problemResponse'],
]

describe.each(Object.entries(mistakes))('%s', (_, { wrong, message, calls }) => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    for (const one of wrong) {
      // Some functions are asynchronous.
      const error = await new Promise((resolve) => resolve(call(one as never))).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(error, JSON.stringify(one)).toBeInstanceOf(TypeError)
      expect((error as TypeError).message).toMatch(message)
    }
  })
})

test('every function of every door is in a table', async () => {
  const named = new Set([...Object.values(mistakes).flatMap(({ calls }) => Object.keys(calls)), ...others])
  // What only dialects and property tests are made of.
  const doors = Object.entries(entry).filter(([name]) => name !== 'dialect' && name !== 'arbitraries')
  for (const [door, file] of doors) {
    const exported = (await import(join(import.meta.dirname, '..', file))) as Record<string, unknown>
    const functions = Object.keys(exported).filter((name) => typeof exported[name] === 'function')
    expect(
      functions.filter((name) => !named.has(name)),
      door,
    ).toEqual([])
  }
})

describe('what a client, or another collection, asks', () => {
  const elsewhere = core.defineCollection(core.defineSchema({ other: field.integer() }), { key: 'other' })
  const foreign = core.buildQuery(elsewhere, {})
  const unmapped = ['mongoBackend', 'prismaBackend', 'sqlBackend'] as const

  test('issues of a text, which OrThrow throws', () => {
    for (const [read, orThrow] of [
      [() => core.parseFilter(schema, 'other=1'), () => core.parseFilterOrThrow(schema, 'other=1')],
      [() => core.parseQuery(collection, 'other=1'), () => core.parseQueryOrThrow(collection, 'other=1')],
    ] as const) {
      const result = read()
      expect(result.ok || result.issues.map(({ code }) => code)).toEqual(['field_unknown'])
      expect(orThrow).toThrow(core.FilterError)
    }
  })

  test.each(unmapped)('%s: a filter and a query of another schema', (name) => {
    for (const compile of [
      () => backends[name].compile(core.where(elsewhere.schema).equals('other', 1)),
      () => backends[name].compileQuery(foreign),
    ]) {
      expect(compile).toThrow(core.FilterError)
      expect(compile).toThrow('the schema has no field "other"')
    }
  })

  test('a filter and a query of another schema are not printed', () => {
    expect(() => core.printFilter(schema, core.where(elsewhere.schema).equals('other', 1))).toThrow(core.FilterError)
    expect(() => core.printQuery(collection, foreign)).toThrow(core.FilterError)
  })
})
