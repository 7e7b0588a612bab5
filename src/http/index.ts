/** `urlwhere/http`: the reference adapter. Re-exports only. */
export type { Authenticate, Authentication, Authenticator } from './authenticator.ts'
export { digestOf } from './credentials.ts'
export { keysAndBasic, type Accounts, type KeysAndBasicOptions } from './keys-and-basic.ts'
export { problemCodes, problemResponse, type Problem, type ProblemCode } from './problem.ts'
export type {
  FoundPages,
  FoundRows,
  AccountListServiceOptions,
  ListedCollection,
  ListServiceOptions,
  Rows,
  ServiceOptions,
} from './options.ts'
export { createListService } from './service.ts'
