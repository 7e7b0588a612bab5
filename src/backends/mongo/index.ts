/** `urlwhere/mongo`: filters as query documents of MongoDB. */
export { mongoBackend, type MongoBackend } from './compile.ts'
export type { MongoDocument } from './document.ts'
export type { MongoFacet } from './facets.ts'
export type { BsonType, MongoField, MongoOptions } from './options.ts'
export { simpleLowerCase } from '../../values/case.ts'
export type { MongoQuery } from './page.ts'
