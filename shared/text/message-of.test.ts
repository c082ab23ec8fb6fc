import { expect, test } from 'vitest'
import { errorOf, messageOf } from './message-of.ts'

const throwing = {
  toString: () => {
    throw new Error('no')
  },
}
const unreadable = new Error('it')
Object.defineProperty(unreadable, 'message', {
  get: () => {
    throw new Error('no')
  },
})
const withoutText = Object.assign(new Error('it'), { message: undefined })
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

test.each<[what: string, thrown: unknown, message: string]>([
  ['an error', new TypeError('it broke'), 'it broke'],
  ['a text', 'it broke', 'it broke'],
  ['nothing', undefined, 'undefined'],
  ['a symbol', Symbol('it'), 'Symbol(it)'],
  ['an error of another realm', { name: 'Error', message: 'it broke' }, 'it broke'],
  ['an object without a prototype', Object.create(null), 'a value without a text was thrown'],
  ['an object whose toString throws', throwing, 'a value without a text was thrown'],
  ['an error whose message throws', unreadable, 'a value without a text was thrown'],
  ['an error whose message is no text', withoutText, 'undefined'],
  ['a proxy that is revoked', revoked(), 'a value without a text was thrown'],
])('%s has a message', (_, thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
  expect(errorOf(thrown).message).toBe(message)
})

test('an error is returned unchanged, and any other value becomes the cause of an error', () => {
  const error = new TypeError('it broke')
  expect(errorOf(error)).toBe(error)
  const thrown = { codes: ['ERR_INFRA_UNAUTHORIZED'] }
  expect(errorOf(thrown).cause).toBe(thrown)
})
