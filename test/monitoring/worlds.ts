import { measuredBridge } from '../../bridge/testing/measured-bridge.ts'
import type { BridgeTestSeed } from '../../bridge/testing/test-seed.ts'
import { createMetrics, createReportedMetrics } from '../../shared/runtime/runtime.ts'
import {
  eventMetrics,
  processMetrics,
  requestMetrics,
} from '../../shared/runtime/testing/function-metrics.ts'
import { maintenanceMetrics, reviewMetrics } from '../../shared/webhooks/server/testing/webhook-metrics.ts'
import type { Cause } from './cause-fault.ts'

export const bridgePod = { pod: 'bridge-1', container: 'bridge' }
export const secondsMs = 1_000

/** A seed with a bridge, and the metrics of the bridge. */
export const bridgeWorld =
  (
    act: (given: {
      readonly seed: BridgeTestSeed
      readonly bridge: Awaited<ReturnType<typeof measuredBridge>>
      readonly minute: number
      readonly isBroken: boolean
    }) => Promise<unknown> | unknown,
    prepare: (seed: BridgeTestSeed) => Parameters<typeof measuredBridge>[1] = () => ({}),
  ): Cause['world'] =>
  async (newSeed, scrapes) => {
    const seed = newSeed()
    const begun = seed.clock.now()
    const bridge = await measuredBridge(seed, prepare(seed))
    return {
      minute: async (minute, isBroken) => {
        await act({ seed, bridge, minute, isBroken })
        await seed.clock.advance(begun + (minute + 1) * 60 * secondsMs - seed.clock.now())
        scrapes.take(minute, await bridge.render(), bridgePod)
      },
    }
  }

let steps = 0
/** The writes of a function for one step of an object, from the claim to the end. */
export const runStep = async (
  seed: BridgeTestSeed,
  outcome: 'failed' | 'succeeded' | 'expired',
  tookMs = secondsMs,
): Promise<void> => {
  const { clock } = seed
  const at = (ms: number) => new Date(clock.now() + ms).toISOString()
  const event = `step-${++steps}`
  const step = { event, until: at(75 * secondsMs), durationMs: 75 * secondsMs }
  seed.put('Infrastructure', 'x', {
    operation: 'reconcile',
    timestamp: at(0),
    last: { state: 'Processing' },
    step,
  })
  await clock.advance(tookMs)
  if (outcome === 'expired') return
  seed.put('Infrastructure', 'x', {
    timestamp: at(-tookMs),
    last: { state: outcome === 'failed' ? 'Error' : 'Succeeded', at: at(0) },
    step:
      outcome === 'succeeded' ? step : { event, phase: 'waiting', attempt: 1, until: at(600 * secondsMs) },
  })
  await clock.advance(0)
}

/** The report of a function, once a minute. */
export const functionWorld = (
  act: (
    count: {
      readonly requests: ReturnType<typeof requestMetrics>
      readonly events: ReturnType<typeof eventMetrics>
      readonly process: ReturnType<typeof processMetrics>
    },
    isBroken: boolean,
    minute: number,
  ) => void,
): Cause['world'] => {
  const metrics = createReportedMetrics()
  const count = {
    requests: requestMetrics(metrics),
    events: eventMetrics(metrics),
    process: processMetrics(metrics),
  }
  return bridgeWorld(async ({ bridge, isBroken, minute }) => {
    act(count, isBroken, minute)
    await bridge.report({ program: 'aws-infrastructure', series: metrics.take() })
  })
}

export const webhookWorld =
  (
    act: (
      count: {
        readonly maintenance: ReturnType<typeof maintenanceMetrics>
        readonly reviews: ReturnType<typeof reviewMetrics>
      },
      isBroken: boolean,
      minute: number,
    ) => void,
  ): Cause['world'] =>
  async (_, scrapes) => {
    const metrics = createMetrics()
    const count = { maintenance: maintenanceMetrics(metrics), reviews: reviewMetrics(metrics) }
    return {
      minute: async (minute, isBroken) => {
        act(count, isBroken, minute)
        const { text } = await metrics.render()
        scrapes.take(minute, text, { pod: 'webhook-1', container: 'webhook' })
      },
    }
  }
