/** `urlwhere/http`: the reference adapter. Re-exports only. */
export { digestOf } from './credentials.ts'
export { createListService, type Accounts, type Collection, type ListServiceOptions, type Rows } from './service.ts'
