/** `urlwhere/notations`: the query conventions of other APIs and their clients. Re-exports only. */
export { jsonApi } from './json-api.ts'
export { jsonServer } from './json-server.ts'
export { jsonServer1 } from './json-server-1.ts'
export { nestPaginate } from './nest-paginate.ts'
export { reactAdmin } from './react-admin.ts'
export { strapi } from './strapi.ts'
export { printNotation, type PrintNotationOptions } from './write.ts'
export type { Notation } from '../../reading/index.ts'
