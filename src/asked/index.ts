/** The conditions and parameters of a client as data, and the text that contains them. Re-exports only. */
export {
  keyOf,
  keyText,
  valueOf,
  type Asked,
  type Condition,
  type Group,
  type Item,
  type Member,
  type PairAt,
  type Parameter,
  type Part,
  type Value,
} from './asked.ts'
export {
  codeAt,
  decode,
  decodeClear,
  decodingFault,
  mayHoldSecret,
  memberSource,
  percent,
  sourceOf,
  spanIn,
  startOfPair,
  widthAt,
  type Source,
} from './source.ts'
