/** What objects have themselves, while every object inherits something else. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { member, own, ownOf } from '../src/own.ts'

interface Options {
  readonly name?: string
  readonly size?: number
}
const prototype = Object.prototype as { size?: unknown }
beforeEach(() => {
  prototype.size = 7
})
afterEach(() => {
  delete prototype.size
})

test('own gives a property of the object itself', () => {
  const options: Options = { name: 'a' }
  expect(options.size).toBe(7)
  expect([own(options, 'name'), own(options, 'size')]).toEqual(['a', undefined])
  expect(own([1] as readonly number[], 0)).toBe(1)
  expect(own(Object.create({ name: 'a' }) as Options, 'name')).toBeUndefined()
})

test('ownOf gives a copy that inherits nothing', () => {
  const options: Options = { name: 'a' }
  const { name, size = 1 } = ownOf(options)
  expect([name, size]).toEqual(['a', 1])
  const prototype = Object.getPrototypeOf(ownOf(options)) as object
  expect([Object.getPrototypeOf(prototype), Reflect.ownKeys(prototype), Object.isFrozen(prototype)]).toEqual([
    null,
    [],
    true,
  ])
  expect(ownOf(JSON.parse('{ "__proto__": 1 }') as object)).toHaveProperty('__proto__', 1)
  expect(ownOf(options)).not.toBe(options)
  expect(ownOf({ size: 2 })).toHaveProperty('size', 2)
})

test('member gives a property of the object or of its class', () => {
  class Base {
    find() {
      return 'found'
    }
  }
  class Entity extends Base {
    readonly #name = 'a'
    get name() {
      return this.#name
    }
    size?: number
  }
  const entity = new Entity()
  expect(member(entity, 'name')).toBe('a')
  expect(member(entity, 'find')!.call(entity)).toBe('found')
  expect(member(entity, 'size')).toBeUndefined()
  expect(member({} as Options, 'size')).toBeUndefined()
  expect(member({ size: 2 } as Options, 'size')).toBe(2)
  expect(member(Object.create(null) as Options, 'size')).toBeUndefined()
  const inherits: Options = Object.assign(Object.create(Object.create(null) as object) as object, { name: 'b' })
  expect([member(inherits, 'name'), member(inherits, 'size')]).toEqual(['b', undefined])
  expect(member(new (class {})() as Options, 'size')).toBeUndefined()
})
