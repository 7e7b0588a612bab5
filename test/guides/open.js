/** Opens each ORM with the tables of docs/guides/orms.md, and the code of the guide. */

const account = { password: 'none', host: '127.0.0.1' }

export const open = {
  async typeorm({ byTypeorm, findByTypeorm, deleteByTypeorm }, port) {
    const { DataSource, EntitySchema } = await import('typeorm')
    const columns = {
      id: { type: 'int', primary: true },
      customerName: { type: 'text', name: 'customer_name', nullable: true },
      total: { type: 'numeric', nullable: true },
    }
    const source = await new DataSource({
      ...{ type: 'postgres', ...account, port, username: 'postgres', database: 'postgres', poolSize: 1 },
      entities: [new EntitySchema({ name: 'Order', tableName: 'orders', columns })],
    }).initialize()
    const orders = source.getRepository('Order')
    return {
      run: byTypeorm(source),
      find: (condition) => findByTypeorm(orders, condition),
      remove: (condition) => deleteByTypeorm(orders, condition),
      close: () => source.destroy(),
    }
  },

  async sequelize({ bySequelize, findBySequelize, deleteBySequelize }, port) {
    const { and, DataTypes, literal, Sequelize } = await import('sequelize')
    const sequelize = new Sequelize({
      ...{ dialect: 'postgres', ...account, port, username: 'postgres', database: 'postgres', pool: { max: 1 } },
      logging: false,
    })
    const columns = {
      id: { type: DataTypes.INTEGER, primaryKey: true },
      customerName: { type: DataTypes.TEXT, field: 'customer_name' },
      total: { type: DataTypes.DECIMAL },
    }
    const orders = sequelize.define('orders', columns, { timestamps: false })
    return {
      run: bySequelize(sequelize),
      find: (condition) => findBySequelize(orders, condition),
      remove: (condition) => deleteBySequelize(orders, condition),
      close: () => sequelize.close(),
      own: [
        () => orders.update({ total: 1 }, { where: literal('id = $1'), bind: [1] }),
        (customerName) => orders.findAll({ where: and(literal('id = $1'), { customerName }), bind: [1] }),
      ],
    }
  },

  async 'mikro-orm'({ byMikroOrm, findByMikroOrm, deleteByMikroOrm }, port) {
    const { defineEntity, MikroORM, p } = await import('@mikro-orm/postgresql')
    const properties = {
      id: p.integer().primary(),
      customerName: p.text().nullable(),
      total: p.decimal().nullable(),
    }
    const orders = defineEntity({ name: 'Order', tableName: 'orders', properties })
    const orm = await MikroORM.init({
      ...{ ...account, port, user: 'postgres', dbName: 'postgres', pool: { min: 0, max: 1 } },
      entities: [orders],
    })
    return {
      run: byMikroOrm(orm.em),
      find: (condition) => findByMikroOrm(orm.em.fork(), orders, condition),
      remove: (condition) => deleteByMikroOrm(orm.em.fork(), orders, condition),
      close: () => orm.close(),
    }
  },
}
