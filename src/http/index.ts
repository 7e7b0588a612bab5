/** `urlwhere/http`: the reference adapter. Re-exports only. */
export { digestOf } from './credentials.ts'
export {
  createListService,
  type Accounts,
  type ListedCollection,
  type ListServiceOptions,
  type Rows,
} from './service.ts'
