/** `urlwhere/inspect`: what a database says of its tables. Re-exports only. */
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
export { inspect, type InspectOptions } from './inspect.ts'
export type { Run } from './run.ts'
export type { Sample, SampleForm } from './sample.ts'
