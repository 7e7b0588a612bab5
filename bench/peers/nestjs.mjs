/**
 * The list of bench/service on NestJS, nestjs-paginate and TypeORM: bench/serving.mjs measures it where bench/peers is installed. Pages
 * are by OFFSET, beside a COUNT: by cursor, nestjs-paginate sorts by a text that it makes of the sort columns, which takes longer.
 */
import 'reflect-metadata'
import { Controller, Get, Module, Req, UnauthorizedException } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { paginate, Paginate, PaginationType } from 'nestjs-paginate'
import { DataSource, EntitySchema } from 'typeorm'

class Order {}
const columnsOf = ({ total, day }) => ({
  id: { type: 'integer', primary: true },
  seller: { type: 'text' },
  customerName: { type: 'text', name: 'customer_name', nullable: true },
  status: { type: 'text' },
  total: { type: total },
  note: { type: 'text', nullable: true },
  day: { type: day },
})
const types = { SQLite: { total: 'real', day: 'text' }, PostgreSQL: { total: 'double precision', day: 'date' } }
const sources = {
  SQLite: ({ file }) => ({ type: 'better-sqlite3', database: file, readonly: true }),
  PostgreSQL: ({ schema }) => ({ type: 'postgres', url: process.env.POSTGRES_URL, schema, extra: { max: 4 } }),
}
const config = {
  sortableColumns: ['total', 'id'],
  filterableColumns: { seller: ['$eq'], total: ['$gte'] },
  defaultSortBy: [
    ['total', 'DESC'],
    ['id', 'DESC'],
  ],
  maxLimit: 100,
  paginationType: PaginationType.LIMIT_AND_OFFSET,
  relativePath: true,
}

export async function serverOf(store, place, isRestricted) {
  const columns = columnsOf(types[store])
  const entity = new EntitySchema({ name: 'Order', target: Order, tableName: 'orders', columns })
  const source = await new DataSource({ ...sources[store](place), entities: [entity] }).initialize()
  const repository = source.getRepository(Order)
  class Orders {
    list(query, request) {
      const [, seller] = (request.headers.authorization ?? '').split(' ')
      if (seller === undefined) throw new UnauthorizedException()
      return paginate(query, repository, isRestricted ? { ...config, where: { seller } } : config)
    }
  }
  Controller('orders')(Orders)
  Get()(Orders.prototype, 'list', Object.getOwnPropertyDescriptor(Orders.prototype, 'list'))
  Paginate()(Orders.prototype, 'list', 0)
  Req()(Orders.prototype, 'list', 1)
  class App {}
  Module({ controllers: [Orders] })(App)
  const app = await NestFactory.create(App, { logger: ['error'] })
  await app.init()
  return app.getHttpServer()
}
