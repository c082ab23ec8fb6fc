import { afterEach, describe, expect, test } from 'vitest'
import { createBridge } from '../../bridge/bridge.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { ExtensionEvent, Send } from '../../shared/events/events.ts'
import { continueAfter, done, type StepContext } from '../../shared/lifecycle/lifecycle.ts'
import { type Harness, harness } from '../lifecycle/harness.ts'
import { shootNamespace as namespace } from '../lifecycle/sample-objects.ts'

const { resource } = machineKinds.MachineDeployment
const count = 90
/** The wait that a step requests. Without a wake-up, a shoot would wait that long. */
const waitMs = 300_000
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Waits until all expected deployments are rolled out. A read takes 300 ms. */
const reconcile = async ({ kubernetes, clock }: StepContext) => {
  const { items } = await kubernetes.list(resource, { namespace })
  const available = items.filter(
    ({ status }) => (status as { replicas?: number } | undefined)?.replicas === 1,
  )
  await clock.sleep(300)
  return available.length === count ? done() : continueAfter(waitMs, 50, `${available.length} of ${count}`)
}

/** A Worker that waits for 90 deployments, behind a bridge. `deliver` passes the sink's events to the function. */
const waitingWorker = async (
  deliver: (event: ExtensionEvent, step: () => void) => void = (_, step) => step(),
) => {
  const seed: Harness = await harness('Worker', { actuator: { reconcile } })
  const { clock, kubernetes } = seed
  const names = Array.from({ length: count }, (_, index) => `d-${index}`)
  for (const name of names) {
    await kubernetes.create(resource, {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind: 'MachineDeployment',
      metadata: { name, namespace },
      spec: { replicas: 1, template: { spec: { class: { kind: 'MachineClass', name: 'c' } } } },
    })
  }
  const events: ExtensionEvent[] = []
  const send: Send = async event => {
    events.push(event)
    deliver(event, () => void seed.step({ id: event.id, reason: event.reason }))
    return { kind: 'accepted' }
  }
  const start = () => {
    const stop = new AbortController()
    let ended = false
    const bridge = createBridge({
      ...{ kubernetes, send, clock, log: silent, source: '/seeds/test' },
      selection: { kinds: ['Worker'], classes: ['shoot'], namespaces: [] },
      // Health checks have their own suites (test/health).
      monitored: {},
    })
    void bridge.run(stop.signal).then(() => {
      ended = true
    })
    const close = async () => {
      stop.abort()
      while (!ended) await clock.advance(500)
    }
    closing.push(close)
    return close
  }
  const stop = start()
  await clock.advance(100)
  await seed.create({ annotation: 'reconcile' })
  await clock.advance(2_000)
  const state = async () => (await seed.live()).status?.lastOperation?.state
  expect(await state()).toBe('Processing')
  events.length = 0
  return {
    ...seed,
    ...{ events, start, stop, state },
    available: async (name: string) => {
      const conditions = [{ type: 'Available', status: 'True', lastTransitionTime: '2026-11-21T12:00:00Z' }]
      const status = {
        observedGeneration: 1,
        replicas: 1,
        updatedReplicas: 1,
        availableReplicas: 1,
        conditions,
      }
      await kubernetes.patch(resource, { namespace, name }, { status }, { subresource: 'status' })
    },
    names,
    /** Returns the time until it succeeds, in milliseconds. */
    untilSucceeded: async () => {
      const from = clock.now()
      while ((await state()) !== 'Succeeded' && clock.now() - from < 2 * waitMs) await clock.advance(50)
      return clock.now() - from
    },
  }
}

describe('a Worker that waits for 90 MachineDeployments', () => {
  test.each([0, 10, 700])(
    'succeeds within a second of the last one, if they become ready %i ms apart',
    async apartMs => {
      const { available, names, untilSucceeded, events, clock } = await waitingWorker()
      for (const name of names) {
        await available(name)
        await clock.advance(apartMs)
      }
      expect(await untilSucceeded()).toBeLessThan(1_000)
      expect(events.length).toBeLessThanOrEqual(2 + Math.ceil((count * apartMs) / 5_000))
      expect(new Set(events.map(({ reason }) => reason))).toEqual(new Set(['changed']))
    },
  )

  const succeeds = async (worker: Awaited<ReturnType<typeof waitingWorker>>, meanwhile = async () => {}) => {
    for (const name of worker.names) await worker.available(name)
    await meanwhile()
    return worker.untilSucceeded()
  }

  test('succeeds by its timer if the broker loses the wake-up event', async () => {
    const worker = await waitingWorker(({ reason }, step) => reason === 'changed' || step())
    expect(await succeeds(worker)).toBeLessThan(waitMs)
    expect(worker.events.at(-1)?.reason).toBe('due')
    expect(new Set(worker.events.map(({ id }) => id)).size).toBe(1)
  })

  test('succeeds at the retry if the broker loses the wake-up event once', async () => {
    let lost = 0
    const worker = await waitingWorker(({ reason }, step) =>
      reason === 'changed' && lost++ === 0 ? undefined : step(),
    )
    expect(await succeeds(worker)).toBeLessThan(92_000)
    expect(worker.events.map(({ reason }) => reason)).toEqual(['changed', 'changed'])
  })

  test('succeeds by its timer if the bridge is restarted before it can send the wake-up', async () => {
    const worker = await waitingWorker()
    const restart = async () => {
      await worker.stop()
      worker.start()
    }
    expect(await succeeds(worker, restart)).toBeLessThan(waitMs)
    expect(worker.events.map(({ reason }) => reason)).toEqual(['due'])
  })

  test('succeeds at once with one step if the wake-up event is delivered three times', async () => {
    const worker = await waitingWorker((_, step) => {
      for (let times = 0; times < 3; times++) step()
    })
    const before = worker.calls.length
    expect(await succeeds(worker)).toBeLessThan(1_000)
    await worker.clock.advance(2 * waitMs)
    expect(worker.calls.length - before).toBe(worker.events.length)
    expect(worker.events).toHaveLength(1)
  })

  test('succeeds at once if the last one becomes ready during a step', async () => {
    const worker = await waitingWorker()
    const [last = '', ...others] = worker.names
    for (const name of others) await worker.available(name)
    await worker.clock.advance(400)
    expect(worker.events, 'the step has begun').toHaveLength(1)
    await worker.available(last)
    expect(await worker.untilSucceeded()).toBeLessThan(1_000)
    expect(worker.events).toHaveLength(2)
  })
})
