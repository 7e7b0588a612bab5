/** `urlwhere/http`: the reference adapter. Re-exports only. */
export type { Authenticate, Authentication, Authenticator } from './authenticator.ts'
export { digestOf } from './credentials.ts'
export { keysAndBasic, type Accounts, type KeysAndBasicOptions } from './keys-and-basic.ts'
export { problemCodes, problemResponse, type Problem, type ProblemCode } from './problem.ts'
export type { CacheOptions } from './caching.ts'
export type { ConcurrencyOptions } from './concurrency.ts'
export type {
  AnswerOptions,
  AnswerParts,
  EndpointOptions,
  FoundPages,
  FoundRows,
  ReadRows,
  Rows,
  RowsAnswer,
  RowsContext,
  RowValidator,
} from './endpoint.ts'
export { memoryRows, mongoRows, prismaRows, sqlRows } from './backend-rows.ts'
export type {
  BackendRows,
  MongoCollection,
  PrismaDelegate,
  SqlRun,
  SqlRunning,
  SqlTransaction,
} from './backend-rows.ts'
export type { Observed } from './observe.ts'
export type { ServiceAnswer } from './answer.ts'
export {
  fastifyHandler,
  nodeListener,
  type Answering,
  type FastifyReplyPart,
  type FastifyRequestPart,
  type NodeRequest,
  type NodeResponse,
  type PrincipalOf,
} from './listeners.ts'
export type { RequestContent, RequestHead, RequestHeaders, ServiceRequest } from './request.ts'
export type { AccountListServiceOptions, ListServiceOptions, ServiceOptions } from './options.ts'
export { createListService, type DescribedCollection, type DescribedService, type ListService } from './service.ts'
