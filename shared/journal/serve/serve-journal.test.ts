import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { virtualClock } from '../../clock/clock.ts'
import type { ExtensionEvent } from '../../events/events.ts'
import { type JournalEntry, journalReader, readJournal, type StepReport } from '../journal.ts'
import { journalTap } from './journal-tap.ts'

const event = (id: string, operation = 'reconcile') =>
  ({
    ...{
      id,
      operation,
      source: '/seeds/a',
      type: `t.${operation}`,
      subject: 'a/b',
      time: 'now',
      kind: 'DNSRecord',
    },
    sending: 'planted',
    data: { secret: 'planted' },
  }) as unknown as ExtensionEvent
const step = (id: string, args = ''): StepReport => ({
  ...{
    event: id,
    function: 'f',
    object: 'DNSRecord a/b',
    operation: 'reconcile',
    ms: 1,
    outcome: 'succeeded',
  },
  began: '2026-11-21T12:00:00.000Z',
  calls: [{ to: 'cloud', name: 'ec2 X', args, after: 0, ms: 0, status: '200' }],
})

const setUp = async (bytes = 1_000_000) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  const tap = journalTap(clock, bytes, 'rose')
  const server = createServer((incoming, response) => {
    if (!tap.answer(incoming, response)) response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/journal`
  const send = tap.noted(async () => ({ kind: 'accepted' }) as never)
  const { signal } = new AbortController()
  return { clock, tap, url, server, send: (sent: ExtensionEvent) => send(sent, signal) }
}
const read = async (url: string) => {
  const { body } = await fetch(url)
  if (body === null) throw new Error('no body')
  return readJournal(body as unknown as AsyncIterable<Uint8Array>)
}
const idsOf = (entries: readonly JournalEntry[]) =>
  entries.map(entry =>
    entry.type === 'event' ? entry.event.id : entry.type === 'step' ? entry.event : entry.type,
  )
const cursorsOf = async (url: string) =>
  (await (await fetch(url)).text())
    .trim()
    .split('\n')
    .flatMap(line => JSON.parse(line).cursor ?? [])

/** Follows the journal. Its entries are added as they arrive. */
const follow = async (url: string) => {
  const entries: JournalEntry[] = []
  const reader = journalReader(entry => entries.push(entry))
  const sent = request(url, { agent: false })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return {
    entries,
    response,
    listen: () => response.on('data', chunk => reader.push(chunk)),
    end: () => sent.destroy(),
  }
}

test('the events that were sent and the steps that were reported are a journal, without data of events', async () => {
  const { tap, url, send } = await setUp()
  await send(event('a'))
  tap.steps([step('a')])
  const { header, entries, problems } = await read(url)
  expect(problems).toEqual([])
  expect(header).toMatchObject({ journal: 1, by: 'trellis bridge', seed: 'rose' })
  expect(idsOf(entries)).toEqual(['a', 'a'])
  expect(await (await fetch(url)).text()).not.toContain('planted')
})

test('health checks and quick repeats of an event are not noted', async () => {
  const { clock, url, send } = await setUp()
  await send(event('check', 'healthcheck'))
  for (let index = 0; index < 5; index++) await send(event('a'))
  await clock.advance(60_000)
  await send(event('a'))
  expect(idsOf((await read(url)).entries)).toEqual(['a', 'a'])
})

test('a reader continues after a cursor', async () => {
  const { tap, url } = await setUp()
  tap.steps([step('a'), step('b'), step('c')])
  const [, second] = await cursorsOf(url)
  expect(idsOf((await read(`${url}?after=${second}`)).entries)).toEqual(['c'])
})

test('a reader learns of entries that were dropped, and of a restart', async () => {
  const { tap, url } = await setUp(2_000)
  tap.steps([step('a')])
  const [cursor] = await cursorsOf(url)
  for (let index = 0; index < 50; index++) tap.steps([step(String(index))])
  const late = (await read(`${url}?after=${cursor}`)).entries
  expect(late[0]).toMatchObject({ type: 'gap', why: expect.stringMatching(/\d+ are missing$/) })
  expect(idsOf(late).at(-1)).toBe('49')
  const restarted = (await read(`${url}?after=abc-7`)).entries
  expect(restarted[0]).toMatchObject({ type: 'gap', why: 'steps and events: the bridge restarted' })
})

test('a follower gets later entries at once', async () => {
  const { tap, url } = await setUp()
  tap.steps([step('a')])
  const follower = await follow(`${url}?follow`)
  follower.listen()
  await expect.poll(() => idsOf(follower.entries)).toEqual(['a'])
  tap.steps([step('b')])
  await expect.poll(() => idsOf(follower.entries)).toEqual(['a', 'b'])
  follower.end()
})

test('a slow follower misses what the ring dropped, then continues; others are not delayed', async () => {
  const { tap, url } = await setUp(1_000_000)
  const slow = await follow(`${url}?follow`)
  for (let index = 0; index < 400; index++) tap.steps([step(String(index), 'x'.repeat(50_000))])
  const other = (await read(url)).entries
  expect(idsOf(other).at(-1)).toBe('399')
  slow.listen()
  await expect.poll(() => idsOf(slow.entries).at(-1)).toBe('399')
  expect(slow.entries.some(({ type }) => type === 'gap')).toBe(true)
  slow.end()
})

test('a follower that takes nothing is disconnected', async () => {
  const { clock, tap, url, server } = await setUp(10_000_000)
  await follow(`${url}?follow`)
  const connections = promisify(server.getConnections.bind(server))
  expect(await connections()).toBe(1)
  for (let index = 0; index < 400; index++) tap.steps([step(String(index), 'x'.repeat(50_000))])
  await expect
    .poll(async () => {
      // The system's buffers may still take something.
      await clock.advance(60_000)
      return connections()
    })
    .toBe(0)
})

test('an idle follower gets empty lines, which are not entries', async () => {
  const { clock, url } = await setUp()
  const idle = await follow(`${url}?follow`)
  let text = ''
  idle.response.on('data', chunk => {
    text += chunk
  })
  await expect.poll(() => text).toContain('\n')
  await clock.advance(15_000)
  await clock.advance(15_000)
  await expect.poll(() => text.endsWith('\n\n\n')).toBe(true)
  idle.end()
})

test('more readers than the limit are refused until one ends', async () => {
  const { url } = await setUp()
  const followers = await Promise.all(Array.from({ length: 8 }, () => follow(`${url}?follow`)))
  expect((await fetch(url)).status).toBe(503)
  followers[0]?.end()
  await expect.poll(async () => (await fetch(url)).status).toBe(200)
  for (const follower of followers) follower.end()
})

test('only GET is answered, and nothing if the journal is off', async () => {
  const { url } = await setUp()
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
  const off = await setUp(0)
  off.tap.steps([step('a')])
  expect((await fetch(off.url)).status).toBe(404)
})
