/** `urlwhere/policies`: policies of other engines as filters, and filters as policies of PostgreSQL. Re-exports only. */
export { fromCasl, type CaslAbility, type CaslRule } from './casl.ts'
export { fromCerbos } from './cerbos.ts'
export { fromMongoQuery } from './document.ts'
export { policyOf, type PolicyOptions } from './policy-of.ts'
