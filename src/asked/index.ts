/** The conditions and parameters of a client as data, and the text that contains them. Re-exports only. */
export * from './asked.ts'
export * from './source.ts'
