/** `urlwhere/sql/dialect`: what dialects are made of, for a dialect of your own. Re-exports only. */
export { afterPrefix } from '../../../values/order.ts'
export { fittedDecimal, type Fitted } from '../../fitting.ts'
export { compare, escapeLike, prefixRange, truth } from './dialect.ts'
export type {
  ArrayRules,
  Comparing,
  Dialect,
  JsonContains,
  JsonRules,
  JsonValue,
  StoredType,
  StoredVariant,
  TextRules,
  TypeOptions,
} from './dialect.ts'
export { join, parameter, raw, sql, stringLiteral, type Parameter, type Sql } from './sql.ts'
