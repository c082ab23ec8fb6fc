import { type AddressInfo, connect, createServer, type LookupFunction, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { codeOf, errorOf, messageOf } from './message-of.ts'

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

const coded = (message: string, code: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code })
const refused = [
  coded('connect ECONNREFUSED ::1:1', 'ECONNREFUSED'),
  coded('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
]
const bothRefused = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' })
const circle = new Error('')
circle.cause = circle

test.each<[what: string, thrown: unknown, reason: string]>([
  [
    'attempts at several addresses',
    bothRefused,
    'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
  ],
  [
    'a fetch of several addresses',
    new TypeError('fetch failed', { cause: bothRefused }),
    'fetch failed: connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
  ],
  [
    'a fetch with any cause',
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    'fetch failed: bad port',
  ],
  [
    'a broken download',
    new TypeError('terminated', { cause: coded('other side closed', 'UND_ERR_SOCKET') }),
    'terminated: other side closed (UND_ERR_SOCKET)',
  ],
  ['a code that the text lacks', coded('socket hang up', 'ECONNRESET'), 'socket hang up (ECONNRESET)'],
  ['a code without a text', coded('', 'EPIPE'), 'EPIPE'],
  [
    'members with other texts',
    new AggregateError([new Error('one'), 'two', new Error('one')], 'all failed'),
    'all failed: one; two',
  ],
  ['members that the text has', new AggregateError([new Error('a')], 'all failed: a'), 'all failed: a'],
  [
    'a failed connection below a sentence',
    new Error('cannot load', { cause: new Error('x', { cause: refused[0] }) }),
    'cannot load: x: connect ECONNREFUSED ::1:1',
  ],
  [
    'a sentence that names its cause',
    new Error('cannot load: connect ECONNREFUSED ::1:1', { cause: refused[0] }),
    'cannot load: connect ECONNREFUSED ::1:1',
  ],
  [
    'a sentence that hides a content',
    new Error('it is no JSON', { cause: new SyntaxError('Unexpected token in secret') }),
    'it is no JSON',
  ],
  ['no text at all', new RangeError(), 'RangeError without a message'],
  ['an empty aggregate', new AggregateError([]), 'AggregateError without a message'],
  ['a circle', circle, 'Error without a message'],
])('the reason of an error names what the platform leaves to other fields: %s', (_, thrown, reason) => {
  expect(messageOf(thrown)).toBe(reason)
})

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

test('the reasons of real connections name the addresses or the code', async () => {
  const closing = createServer((socket: Socket) => socket.destroy()).listen(0, '127.0.0.1')
  try {
    await new Promise(resolve => closing.once('listening', resolve))
    const { port } = closing.address() as AddressInfo
    const two = await failureOf(
      new Promise((resolve, reject) => {
        const lookup: LookupFunction = (_host, _options, done) =>
          done(null, [
            { address: '127.0.0.1', family: 4 },
            { address: '127.0.0.2', family: 4 },
          ])
        connect({ host: 'two.example', port: 1, lookup, autoSelectFamily: true }, () =>
          resolve(undefined),
        ).once('error', reject)
      }),
    )
    expect(Object(two).message).toBe('')
    expect(messageOf(two)).toBe('connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1')
    expect(codeOf(two)).toBe('ECONNREFUSED')
    expect(messageOf(await failureOf(fetch(`http://127.0.0.1:${port}`)))).toContain('(UND_ERR_SOCKET')
    expect(messageOf(await failureOf(fetch('http://127.0.0.1:2')))).toContain(
      'connect ECONNREFUSED 127.0.0.1:2',
    )
  } finally {
    closing.close()
  }
})
