import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeEvent } from '../../bridge/bridge.ts'
import { bridgeSettings, type RunningBridge, startBridge } from '../../bridge/bridge.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import { startTestSeed, type TestSeed } from './harness.ts'

/** A seed with a bridge that does not watch DNSRecords. The tests start and end other bridges. */
let seed: TestSeed
beforeAll(async () => {
  seed = await startTestSeed({ kinds: ['Network'] })
})
afterAll(() => seed.close())

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

interface TestBridge {
  readonly running: RunningBridge
  /** The ids of all sent events of a record. */
  ids(name: string): readonly string[]
}

const start = async (sink = seed.broker.ingress('trellis', 'default')): Promise<TestBridge> => {
  const events: BridgeEvent[] = []
  const running = await startBridge({
    settings: parseSettings(bridgeSettings, {
      flags: { seed: 'restarts', sink, address: '127.0.0.1', port: 0, kinds: 'DNSRecord' },
      env: {},
    }),
    kubernetes: seed.kubernetes,
    clock: seed.clock,
    log: silent,
    observe: event => events.push(event),
  })
  return {
    running,
    ids: name =>
      events.flatMap(event =>
        event.type === 'emitted' && event.object.endsWith(`/${name}`) ? [event.id] : [],
      ),
  }
}

test('a change without a running bridge is handled by the next one', async () => {
  const before = await start()
  await Promise.all(['stays', 'changes', 'goes'].map(name => seed.create(name)))
  await Promise.all(['stays', 'changes', 'goes'].map(name => seed.untilReady(name)))
  await before.running.close()
  seed.aws.calls.clear()

  await seed.create('comes')
  await seed.ask('changes', 'reconcile', { values: ['203.0.113.99'] })
  await seed.remove('goes')

  const after = await start()
  await Promise.all([seed.untilReady('comes'), seed.untilReady('changes'), seed.untilGone('goes')])
  await after.running.close()
  expect(seed.records()).toEqual([
    'A changes.rose.example.com. 120 203.0.113.99',
    'A comes.rose.example.com. 120 203.0.113.10',
    'A stays.rose.example.com. 120 203.0.113.10',
  ])
  expect(seed.changes()).toHaveLength(3)
  expect(after.ids('stays')).toEqual([])
})

test('if a bridge dies before its event arrives, the next bridge sends the event with the same id', async () => {
  // No server listens there.
  const deaf = await start('http://127.0.0.1:1/')
  await seed.create('unheard')
  await seed.until('the event to go out', () => (deaf.ids('unheard').length > 0 ? true : undefined))
  await deaf.running.close()

  const after = await start()
  await seed.untilReady('unheard')
  await after.running.close()
  expect(new Set([...deaf.ids('unheard'), ...after.ids('unheard')]).size).toBe(1)
})

test('two concurrent bridges create nothing twice', async () => {
  const both = await Promise.all([start(), start()])
  seed.aws.calls.clear()
  const names = Array.from({ length: 10 }, (_, index) => `both-${index}`)
  await Promise.all(names.map(name => seed.create(name)))
  await Promise.all(names.map(name => seed.untilReady(name)))
  await Promise.all(both.map(({ running }) => running.close()))
  // Records that wait at the same time share a batch.
  const changed = seed
    .changes()
    .flatMap(({ input }) => (input as { ChangeBatch: { Changes: readonly unknown[] } }).ChangeBatch.Changes)
  expect(changed).toHaveLength(names.length)
  for (const name of names) expect(new Set(both.flatMap(bridge => bridge.ids(name))).size).toBe(1)
})

test('a bridge that restarts repeatedly does not disturb finished objects', async () => {
  seed.aws.calls.clear()
  for (let round = 0; round < 3; round++) {
    const bridge = await start()
    await seed.until('the list', () => (bridge.running.bridge.ready() ? true : undefined))
    await bridge.running.close()
  }
  expect(seed.actions()).toEqual([])
})
