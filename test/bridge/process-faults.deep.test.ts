import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { kinds } from '../../shared/contract/kinds.ts'
import { replay } from '../cases/replay.ts'
import { type BridgeProcess, leaseTimes } from './bridge-process.ts'
import { record } from './harness.ts'
import { startProcessSeed } from './process-seed.ts'

const processSeed = await startProcessSeed()
const { kubernetes, sink } = processSeed

afterAll(processSeed.close)

const start = () =>
  processSeed.start({
    TRELLIS_LEADER_ELECTION: 'true',
    // Short, so that the test is fast. The proportions are those of the defaults.
    ...leaseTimes({ durationMs: 1_500, renewMs: 1_000, retryMs: 200 }),
    TRELLIS_INITIAL_PER_SECOND: '1000',
  })

const faults = fc.record({
  who: fc.constantFrom(0, 1),
  what: fc.constantFrom('SIGKILL' as const, 'SIGTERM' as const, 'SIGSTOP' as const, 'both SIGKILL' as const),
  /** Milliseconds before the next fault, including so few that a bridge is still starting. */
  after: fc.integer({ min: 20, max: 1_500 }),
})

const { seed } = replay(1)
const rounds = fc.sample(faults, { seed, numRuns: 10 })

test(`two bridges that are killed, ended and paused at any moment lose nothing and repeat only ids (seed ${seed})`, async () => {
  const pair: [BridgeProcess, BridgeProcess] = [start(), start()]
  const created: string[] = []
  let isOver = false
  const creating = (async () => {
    // Continues even if the faults end early.
    while (!isOver || created.length < 100) {
      const name = `x-${created.length}`
      await kubernetes.create(kinds.DNSRecord.resource, record(name))
      created.push(name)
      await sleep(15)
    }
  })()
  for (const { who, what, after } of rounds) {
    await sleep(after)
    switch (what) {
      case 'SIGSTOP': {
        const paused = pair[who]
        paused?.signal('SIGSTOP')
        // Longer than the lease, so that the other bridge takes over.
        await sleep(2_000)
        paused?.signal('SIGCONT')
        break
      }
      case 'both SIGKILL':
        await Promise.all(pair.map(bridge => bridge.end('SIGKILL')))
        pair[0] = start()
        pair[1] = start()
        break
      default:
        await pair[who]?.end(what)
        pair[who === 0 ? 0 : 1] = start()
    }
  }
  isOver = true
  await creating
  const idsOf = () => {
    const ids = new Map<string, Set<string>>()
    for (const { name, id } of sink.arrivals) ids.set(name, (ids.get(name) ?? new Set()).add(id))
    return ids
  }
  await sink.until(() => idsOf().size === created.length)
  for (const [name, ids] of idsOf()) expect(ids.size, name).toBe(1)
  await Promise.all(pair.map(bridge => bridge.end('SIGTERM')))
})

test('a bridge that is killed with events in flight sends them again with their ids', async () => {
  const before = sink.arrivals.length
  const { answer } = sink
  // Accepted, and never answered.
  sink.answer = () => undefined
  const first = start()
  const mine = () => sink.arrivals.slice(before).filter(({ name }) => name.startsWith('under-way-'))
  const names = Array.from({ length: 10 }, (_, index) => `under-way-${index}`)
  for (const name of names) await kubernetes.create(kinds.DNSRecord.resource, record(name))
  const arrived = (times: number) =>
    names.every(name => mine().filter(arrival => arrival.name === name).length >= times)
  await sink.until(() => mine().length > 0)
  await first.end('SIGKILL')
  sink.answer = answer
  const seen = new Map(mine().map(({ name, id }) => [name, id]))
  expect(seen.size).toBeGreaterThan(0)
  const second = start()
  await sink.until(
    () => arrived(1) && [...seen.keys()].every(name => mine().filter(a => a.name === name).length > 1),
  )
  for (const { name, id } of mine()) expect(id).toBe(seen.get(name) ?? id)
  await second.end('SIGTERM')
})
