import { afterEach, describe, expect, test } from 'vitest'
import { createBridge } from '../../bridge/bridge.ts'
import type { ActionOptions } from '../../cli/act/prepare-action.ts'
import { runAction } from '../../cli/act/run-action.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ExtensionEvent } from '../../shared/events/events.ts'
import { eventResource } from '../../shared/kubernetes/kubernetes.ts'
import { continueAfter, done, type StepResult } from '../../shared/lifecycle/lifecycle.ts'
import { harness } from '../lifecycle/harness.ts'
import { shootNamespace as namespace } from '../lifecycle/sample-objects.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A Worker behind a bridge, with the commands of an operator. `step` decides the outcome of each step. */
const operatedWorker = async (step: (count: number) => StepResult) => {
  let count = 0
  const seed = await harness('Worker', { actuator: { reconcile: async () => step(++count) } })
  const { clock, kubernetes } = seed
  const stop = new AbortController()
  let ended = false
  const bridge = createBridge({
    ...{ kubernetes, clock, log: silent, source: '/seeds/test', monitored: {} },
    send: async (event: ExtensionEvent) => {
      void seed.step({ id: event.id, reason: event.reason })
      return { kind: 'accepted' }
    },
    selection: { kinds: ['Worker'], classes: ['shoot'], namespaces: [] },
  })
  void bridge.run(stop.signal).then(() => {
    ended = true
  })
  closing.push(async () => {
    stop.abort()
    while (!ended) await clock.advance(500)
  })
  await clock.advance(100)
  return {
    ...seed,
    bridge,
    steps: () => count,
    run: async (options: Pick<ActionOptions, 'action'> & Partial<ActionOptions>) => {
      const lines: string[] = []
      const code = await runAction(
        { target: namespace, ...options },
        {
          ...{ kubernetes, clock, user: 'anna' },
          print: text => void lines.push(text),
          confirm: async () => true,
          signal: () => new AbortController().signal,
        },
      )
      await clock.advance(500)
      return { code, text: lines.join('') }
    },
    events: async () => {
      const { items } = await kubernetes.list(eventResource)
      return items.map(({ reason, message }) => `${String(reason)}: ${String(message)}`)
    },
  }
}

const fails = (): StepResult => {
  throw new Error('the gateway is not there')
}

describe('an operator', () => {
  test('pauses a shoot, whose work continues at the end of the pause by itself', async () => {
    const worker = await operatedWorker(() => done())
    expect(await worker.run({ action: 'pause', until: '4h', reason: 'NAT gateway' })).toMatchObject({
      code: 0,
    })
    await worker.create({ annotation: 'reconcile' })
    await worker.clock.advance(4 * 3_600_000 - 2_000)
    expect(worker.steps()).toBe(0)
    expect(worker.bridge.waiting()).toMatchObject([{ why: 'paused' }])
    await worker.clock.advance(2_000)
    expect(worker.steps()).toBe(1)
    expect(await worker.events()).toContainEqual(
      expect.stringMatching(/^PauseRequested: trellis-sandbox has run trellis pause \(NAT gateway\)/),
    )
  })

  test('pauses an operation between two of its steps, and resumes it', async () => {
    const worker = await operatedWorker(count => (count < 3 ? continueAfter(5_000, 50, 'Half') : done()))
    await worker.create({ annotation: 'reconcile' })
    await worker.clock.advance(1_000)
    expect(worker.steps()).toBe(1)
    await worker.run({ action: 'pause' })
    await worker.clock.advance(3_600_000)
    expect(worker.steps()).toBe(1)
    const { code, text } = await worker.run({ action: 'resume' })
    expect(code).toBe(0)
    expect(text).toContain(`Shoot ${namespace}: due work starts at once (now paused until `)
    await worker.clock.advance(10_000)
    expect((await worker.live()).status?.lastOperation).toMatchObject({ state: 'Succeeded' })
  })

  test('retries a failed object at once, without a change of its timestamp', async () => {
    const worker = await operatedWorker(count => (count < 8 ? fails() : done()))
    await worker.create({ annotation: 'reconcile' })
    // The waits are 1, 2, 4, …, 64 s.
    await worker.clock.advance(70_000)
    const [steps, timestamp] = [
      worker.steps(),
      (await worker.live()).metadata.annotations?.[annotations.timestamp],
    ]
    const { code, text } = await worker.run({ action: 'retry' })
    expect(text).toContain(
      `Worker/${namespace}/it: ends the wait of 57 s after the error "Error reconciling Worker: the gateway is not there" (it would retry by itself at `,
    )
    expect([code, worker.steps()]).toEqual([0, steps + 1])
    expect((await worker.live()).metadata.annotations?.[annotations.timestamp]).toBe(timestamp)
  })

  test('retries nothing that has not failed, and reconciles it', async () => {
    const worker = await operatedWorker(() => done())
    await worker.create({ annotation: 'reconcile' })
    await worker.clock.advance(1_000)
    const before = await worker.live()
    expect(await worker.run({ action: 'retry' })).toEqual({
      code: 0,
      text: `- Worker/${namespace}/it: it has not failed\nNothing to retry.\n`,
    })
    expect(await worker.live()).toEqual(before)
    expect((await worker.run({ action: 'reconcile', kinds: ['workers'] })).code).toBe(0)
    expect(worker.steps()).toBe(2)
  })

  test('retries a failed deletion', async () => {
    const seed = await operatedWorker(() => done())
    const remove = seed.backend.actuator.remove
    let removals = 0
    Object.assign(seed.backend.actuator, {
      remove: async (context: Parameters<typeof remove>[0]) => (removals++ < 7 ? fails() : remove(context)),
    })
    await seed.create({ annotation: 'reconcile' })
    await seed.clock.advance(1_000)
    await seed.kubernetes.patch(
      kinds.Worker.resource,
      { name: 'it', namespace },
      { metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } } },
    )
    await seed.kubernetes.delete(kinds.Worker.resource, { name: 'it', namespace })
    await seed.clock.advance(70_000)
    const before = removals
    const { text } = await seed.run({ action: 'retry' })
    expect(text).toContain('deletes at once')
    expect(removals).toBe(before + 1)
  })
})
