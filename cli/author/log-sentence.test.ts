import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { logSentence } from './log-sentence.ts'

const urlOf = (file: string): string => pathToFileURL(file).href
const failed = (fields: object): string =>
  JSON.stringify({ level: 'warn', msg: 'step failed', time: 'now', name: 'acme', attempt: 1, ...fields })
const at = [
  `ensureObject (${urlOf('node_modules/@trellis-gardener/trellis/dist/package/keep.js')}:7:11)`,
  'process.processTicksAndRejections (node:internal/process/task_queues:104:5)',
  `async reconcile (${urlOf('functions/acme/dnsrecord/actuator.ts')}:12:9)`,
  `${urlOf('functions/acme/dnsrecord/function.ts')}:3:1`,
]

describe('a failed step', () => {
  test('it is shown with the line of its author’s files that threw the error', () => {
    expect(logSentence('acme', failed({ error: 'no', at }), false)).toEqual({
      part: 'function',
      text: 'acme: functions/acme/dnsrecord/actuator.ts:12: no',
      tone: 'bad',
    })
  })

  test('it is shown once: further attempts are lines of its object', () => {
    expect(logSentence('acme', failed({ error: 'no', at, attempt: 2 }), false)).toBeUndefined()
  })

  test.each([
    ['on purpose by the author', undefined],
    ['by a library without a frame of the author', at.slice(0, 2)],
  ])('only the object shows the error if it was thrown %s', (_, frames) => {
    expect(logSentence('acme', failed({ error: 'no', at: frames }), false)).toBeUndefined()
  })

  test('the verbose log shows its complete line', () => {
    expect(logSentence('acme', failed({ error: 'no', at }), true)?.text).toContain('"at":')
  })
})

test('a line of step.log appears with the object of its step, and lines of the host appear only in detail', () => {
  const line = (fields: object) =>
    JSON.stringify({ level: 'info', msg: 'zone found', name: 'acme', ...fields })
  const own = line({ zone: 'Z1', step: 'reconcile DNSRecord shoot--a--b/c' })
  expect(logSentence('acme', own, false)).toEqual({
    part: 'function',
    text: 'acme: zone found {"zone":"Z1"} (reconcile DNSRecord shoot--a--b/c)',
    tone: 'plain',
  })
  expect(logSentence('acme', line({}), false)).toBeUndefined()
  expect(logSentence('acme', line({ level: 'debug', step: 'a' }), false)).toBeUndefined()
})

test('the output of a function is printed unchanged', () => {
  expect(logSentence('acme', 'hello', false)?.text).toBe('acme: hello')
})

test('the address of the inspector is shown, and the other lines of Node about it are not', () => {
  const address = 'ws://127.0.0.1:9229/7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d01'
  expect(logSentence('acme', `Debugger listening on ${address}`, false)?.text).toBe(
    `acme: a debugger can attach to ${address}`,
  )
  for (const line of [
    'For help, see: https://nodejs.org/learn/getting-started/debugging',
    'Debugger attached.',
  ])
    expect(logSentence('acme', line, false)).toBeUndefined()
})
