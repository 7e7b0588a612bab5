/** `urlwhere/inspect`: describes a database, checks a mapping and writes mappings. Re-exports only. */
export { advise, type Advice, type AdviseOptions } from './advise.ts'
export { check } from './check.ts'
export { checkColumns, type CheckOptions } from './check-columns.ts'
export type {
  ColumnFacts,
  Database,
  Engine,
  ForeignKeyFacts,
  IndexEntry,
  IndexFacts,
  KeyFacts,
  SchemaFacts,
  Session,
  TableFacts,
} from './database.ts'
export type { Finding, FindingCode } from './finding.ts'
export { inspect, type InspectOptions } from './inspect.ts'
export type { Run } from './run.ts'
export type { Sample, SampleForm } from './sample.ts'
export { pull, type Pulled, type PulledList, type PullOptions } from './pull.ts'
export type { Mapped } from './uses.ts'
