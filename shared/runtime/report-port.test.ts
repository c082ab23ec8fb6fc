import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { reportPort } from './report-port.ts'

test('a process reports its port to the one that started it, and ends with it', () => {
  const sent: unknown[] = []
  const host = Object.assign(new EventEmitter(), { send: (message: unknown) => sent.push(message) })
  let ends = 0
  host.on('SIGTERM', () => ends++)
  reportPort(8080, host)
  expect(sent).toEqual([{ port: 8080 }])
  expect(ends).toBe(0)
  host.emit('disconnect')
  expect(ends).toBe(1)
})

test('a process without a channel reports nothing', () => {
  const host = new EventEmitter()
  reportPort(8080, host)
  expect(host.eventNames()).toEqual([])
})
