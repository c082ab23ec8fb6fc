import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { measuredBridge } from '../../bridge/testing/measured-bridge.ts'
import type { BridgeTestSeed } from '../../bridge/testing/test-seed.ts'
import { ruleGroups } from '../../knative/monitoring/monitoring.ts'
import type { AlertSeries } from '../../knative/monitoring/testing/alert-cases.ts'
import { KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { createMetrics, createReportedMetrics } from '../../shared/runtime/runtime.ts'
import {
  eventMetrics,
  processMetrics,
  requestMetrics,
} from '../../shared/runtime/testing/function-metrics.ts'
import { reviewMetrics, upkeepMetrics } from '../../webhook/testing/webhook-metrics.ts'
import { createScrapes, type Scrapes } from './scrapes.ts'

/** A fault that was caused, what the code showed of it, and when its alert has to fire and to be over. */
export interface AlertFault {
  readonly alert: string
  readonly series: readonly AlertSeries[]
  readonly firesAt: number
  readonly clearAt: number
}

/** In minutes: when the fault begins, when its alert has to fire, when the fault ends, and when the alert has to be over. */
interface Times {
  readonly from: number
  readonly fires: number
  readonly until: number
  readonly clear: number
}

interface Cause extends Times {
  readonly alert: string
  readonly world: (newSeed: () => BridgeTestSeed, scrapes: Scrapes) => Promise<World>
}

/** Acts and shows its metrics once a minute. */
interface World {
  readonly minute: (minute: number, isBroken: boolean) => Promise<void>
}

/** Names of the series that each alert asks for. */
const seriesOf = new Map(
  ruleGroups({ namespace: 'trellis', hasWebhooks: true })
    .groups.flatMap<object>(({ rules }) => rules)
    .map(rule => rule as { readonly alert?: string; readonly expr: string })
    .map(({ alert, expr }) => [alert, new Set([...expr.matchAll(/[\w:]+(?=\{)/g)].map(([name]) => name))]),
)

/** Causes a fault and records what is scraped meanwhile. */
export const causeFault = async (cause: Cause, newSeed: () => BridgeTestSeed): Promise<AlertFault> => {
  const { alert, from, until, fires, clear } = cause
  const scrapes = createScrapes()
  const world = await cause.world(newSeed, scrapes)
  for (let minute = 0; minute <= clear; minute++) await world.minute(minute, minute >= from && minute < until)
  return { alert, series: scrapes.series(seriesOf.get(alert) ?? new Set()), firesAt: fires, clearAt: clear }
}

/** A file of `promtool test rules`: each alert is quiet at first, fires at its fault, and is over after it. */
export const promtoolFaultTests = (rulesFile: string, faults: readonly AlertFault[]): object => ({
  rule_files: [rulesFile],
  evaluation_interval: '1m',
  tests: faults.map(({ alert, series, firesAt, clearAt }) => ({
    name: alert,
    interval: '1m',
    input_series: series,
    promql_expr_test: [
      [firesAt, 1],
      [clearAt, 0],
    ].map(([minute, value]) => ({
      expr: `(count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)) > bool 0`,
      eval_time: `${minute}m`,
      exp_samples: [{ value }],
    })),
  })),
})

const bridgePod = { pod: 'bridge-1', container: 'bridge' }
const secondsMs = 1_000

/** A seed with a bridge whose metrics are scraped. */
const bridgeWorld =
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

const down = () => ({ kind: 'retry', reason: 'down' }) as const
const rejected = () => ({ kind: 'rejected', status: 413, reason: 'too large' }) as const
const accepted = () => ({ kind: 'accepted' }) as const

let steps = 0
/** A step of an object from its claim to its end, as a function writes it. */
const runStep = async (
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

/** What a function reports, once a minute. */
const functionWorld = (
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

const cloudRequest = { service: 'ec2', operation: 'DescribeVpcs', durationMs: 5 } as const

const webhookWorld =
  (
    act: (
      count: {
        readonly upkeep: ReturnType<typeof upkeepMetrics>
        readonly reviews: ReturnType<typeof reviewMetrics>
      },
      isBroken: boolean,
      minute: number,
    ) => void,
  ): Cause['world'] =>
  async (_, scrapes) => {
    const metrics = createMetrics()
    const count = { upkeep: upkeepMetrics(metrics), reviews: reviewMetrics(metrics) }
    return {
      minute: async (minute, isBroken) => {
        act(count, isBroken, minute)
        const { text } = await metrics.render()
        scrapes.take(minute, text, { pod: 'webhook-1', container: 'webhook' })
      },
    }
  }

/** promtool's time begins at 0, in seconds. */
const dayMs = 86_400 * secondsMs

const run = promisify(execFile)
/** What another process of Node shows of its start. */
const otherProcess = async (): Promise<string> => {
  const module = new URL('../../shared/runtime/runtime.ts', import.meta.url).href
  const program = `import { createMetrics } from ${JSON.stringify(module)}
const { text } = await createMetrics({ processMetrics: true, eager: true }).render()
process.stdout.write(text)`
  return (await run(process.execPath, ['--input-type=module', '-e', program])).stdout
}

const short: Times = { from: 5, fires: 20, until: 25, clear: 45 }
const long: Times = { from: 5, fires: 60, until: 65, clear: 130 }

export const alertCauses: readonly Cause[] = [
  {
    alert: 'TrellisBridgeDown',
    ...short,
    world: async (newSeed, scrapes) => {
      const seed = newSeed()
      const bridge = await measuredBridge(seed)
      return {
        minute: async (minute, isBroken) => {
          await seed.clock.advance(60 * secondsMs)
          if (!isBroken) scrapes.take(minute, await bridge.render(), bridgePod)
        },
      }
    },
  },
  {
    alert: 'TrellisBridgeShardMissing',
    ...short,
    world: async (newSeed, scrapes) => {
      const both = await Promise.all(
        [0, 1].map(async shard => {
          const seed = newSeed()
          return { seed, bridge: await measuredBridge(seed, {}, { shard, shards: 2 }), shard }
        }),
      )
      return {
        minute: async (minute, isBroken) => {
          for (const { seed, bridge, shard } of both) {
            await seed.clock.advance(60 * secondsMs)
            if (shard === 0 || !isBroken)
              scrapes.take(minute, await bridge.render(), { ...bridgePod, pod: `bridge-${shard}` })
          }
        },
      }
    },
  },
  {
    alert: 'TrellisBridgeNotReady',
    ...{ from: 0, fires: 20, until: 25, clear: 45 },
    world: async (newSeed, scrapes) => {
      let isRefused = true
      return bridgeWorld(
        ({ isBroken }) => {
          isRefused = isBroken
        },
        seed => ({
          kubernetes: {
            ...seed.kubernetes.port,
            list: async (resource, options) => {
              if (isRefused && resource.plural === 'infrastructures')
                throw new KubernetesError(403, 'Forbidden', 'no')
              return seed.kubernetes.port.list(resource, options)
            },
          },
        }),
      )(newSeed, scrapes)
    },
  },
  {
    alert: 'TrellisBridgeNoLeader',
    ...short,
    world: async (newSeed, scrapes) => {
      let isLeading = true
      return bridgeWorld(
        ({ isBroken }) => {
          isLeading = !isBroken
        },
        () => ({
          leadership: {
            leading: () => isLeading,
            run: signal => new Promise(resolve => signal.addEventListener('abort', () => resolve())),
          },
        }),
      )(newSeed, scrapes)
    },
  },
  {
    alert: 'TrellisSinkDown',
    ...short,
    world: bridgeWorld(({ seed, isBroken, minute }) => {
      seed.sink = isBroken ? down : accepted
      seed.put('DNSRecord', `record-${minute}`)
    }),
  },
  {
    alert: 'TrellisEventsRefused',
    ...{ from: 5, fires: 25, until: 30, clear: 45 },
    world: bridgeWorld(({ seed, isBroken, minute }) => {
      seed.sink = isBroken ? rejected : accepted
      if (minute === 5) seed.put('DNSRecord', 'x')
      // Somebody makes it smaller.
      if (minute === 30) seed.put('DNSRecord', 'x', { generation: 2 })
    }),
  },
  {
    alert: 'TrellisEventsUnclaimed',
    ...{ from: 5, fires: 30, until: 35, clear: 45 },
    world: bridgeWorld(({ seed, minute, isBroken }) => {
      if (minute === 5) seed.put('DNSRecord', 'x')
      if (minute > 5 && !isBroken) seed.put('DNSRecord', 'x', { last: { state: 'Succeeded' } })
    }),
  },
  {
    alert: 'TrellisEventsLate',
    ...{ from: 5, fires: 25, until: 30, clear: 45 },
    world: bridgeWorld(({ seed, isBroken, minute }) => {
      seed.sink = isBroken ? down : accepted
      if (minute === 5) seed.put('DNSRecord', 'x')
    }),
  },
  {
    alert: 'TrellisWatchesFail',
    ...{ from: 5, fires: 35, until: 40, clear: 70 },
    world: bridgeWorld(async ({ seed, isBroken }) => {
      for (let second = 0; isBroken && second < 50; second += 10) {
        seed.kubernetes.breakWatches(new KubernetesError(500, 'InternalError', 'broken'))
        await seed.clock.advance(10 * secondsMs)
      }
    }),
  },
  {
    alert: 'TrellisHeartbeatLate',
    ...short,
    world: async (newSeed, scrapes) => {
      let isRefused = false
      const stop = new AbortController()
      const write = async () => {
        if (isRefused) throw new KubernetesError(403, 'Forbidden', 'no')
        return { apiVersion: 'v1', kind: 'Lease', metadata: { name: 'x' } }
      }
      let running: Promise<void> | undefined
      return bridgeWorld(async ({ bridge, isBroken, minute }) => {
        isRefused = isBroken
        const namespaced = { name: 'trellis-acme', namespace: 'extension-acme' }
        // The second one has no namespace, which is no fault.
        const list = async () => ({ items: [], resourceVersion: '1' })
        running ??= bridge.beat(
          { list, create: write, patch: write },
          [namespaced, { name: 'provider-local' }],
          stop.signal,
        )
        if (minute === short.clear) {
          stop.abort()
          await running
        }
      })(newSeed, scrapes)
    },
  },
  {
    alert: 'TrellisProcessDies',
    ...{ from: 5, fires: 8, until: 45, clear: 50 },
    world: async (_, scrapes) => {
      const first = await otherProcess()
      await sleep(2_100)
      const second = await otherProcess()
      return {
        minute: async (minute, isBroken) =>
          scrapes.take(minute, isBroken || minute >= 45 ? second : first, bridgePod),
      }
    },
  },
  {
    alert: 'TrellisBridgeBusy',
    ...{ from: 5, fires: 25, until: 30, clear: 40 },
    world: async (_, scrapes) => {
      const metrics = createMetrics({ processMetrics: true, eager: true })
      const calm = (await metrics.render()).text
      await sleep(30)
      const end = performance.now() + 1_500
      while (performance.now() < end) Math.random()
      await sleep(30)
      const busy = (await metrics.render()).text
      return {
        minute: async (minute, isBroken) => scrapes.take(minute, isBroken ? busy : calm, bridgePod),
      }
    },
  },
  {
    alert: 'TrellisRequestTooOld',
    ...{ from: 5, fires: 90, until: 95, clear: 110 },
    world: bridgeWorld(async ({ seed, isBroken, minute }) => {
      if (minute === 5) await runStep(seed, 'failed')
      if (minute > 5 && !isBroken) await runStep(seed, 'succeeded')
    }),
  },
  {
    alert: 'TrellisStepsFail',
    ...long,
    world: bridgeWorld(({ seed, isBroken }) => runStep(seed, isBroken ? 'failed' : 'succeeded')),
  },
  {
    alert: 'TrellisErrorWithoutCode',
    ...long,
    world: bridgeWorld(({ seed, isBroken }) => runStep(seed, isBroken ? 'failed' : 'succeeded')),
  },
  {
    alert: 'TrellisStepsExpire',
    ...long,
    world: bridgeWorld(({ seed, isBroken }) => runStep(seed, isBroken ? 'expired' : 'succeeded')),
  },
  {
    alert: 'TrellisStepsSlow',
    ...long,
    world: bridgeWorld(({ seed, isBroken }) =>
      runStep(seed, 'succeeded', isBroken ? 55 * secondsMs : secondsMs),
    ),
  },
  {
    alert: 'TrellisFunctionOutOfMemory',
    ...{ from: 20, fires: 23, until: 21, clear: 45 },
    world: functionWorld(({ process }, isBroken) => process.started(1, isBroken)),
  },
  {
    alert: 'TrellisFunctionFull',
    ...{ from: 5, fires: 35, until: 40, clear: 60 },
    world: functionWorld(({ events }, isBroken) =>
      events.answered(undefined, isBroken ? 'full' : 'recorded'),
    ),
  },
  {
    alert: 'TrellisCloudThrottles',
    ...{ from: 20, fires: 75, until: 80, clear: 120 },
    world: functionWorld(({ requests }, isBroken) => {
      for (let number = 0; number < 20; number++)
        requests.cloud({
          ...cloudRequest,
          status: isBroken && number < 10 ? '400' : '200',
          throttled: isBroken && number < 10,
        })
    }),
  },
  {
    alert: 'TrellisFunctionForbidden',
    ...{ from: 5, fires: 25, until: 30, clear: 50 },
    world: functionWorld(({ requests }, isBroken) => requests.kubernetes('GET', isBroken ? '403' : '200')),
  },
  {
    alert: 'TrellisReportsMissing',
    ...{ from: 10, fires: 80, until: 85, clear: 100 },
    world: async (newSeed, scrapes) => {
      const metrics = createReportedMetrics()
      const { kubernetes } = requestMetrics(metrics)
      return bridgeWorld(async ({ seed, bridge, isBroken }) => {
        await runStep(seed, 'succeeded')
        kubernetes('GET', '200')
        if (!isBroken) await bridge.report({ program: 'aws-infrastructure', series: metrics.take() })
      })(newSeed, scrapes)
    },
  },
  {
    alert: 'TrellisReportsCurtailed',
    ...{ from: 5, fires: 30, until: 32, clear: 75 },
    world: bridgeWorld(async ({ bridge, isBroken }) => {
      await bridge.report(isBroken ? 'this is no report' : { program: 'aws-infrastructure', series: {} })
    }),
  },
  {
    alert: 'TrellisWebhookDown',
    ...short,
    world: async (_, scrapes) => {
      const metrics = createMetrics()
      upkeepMetrics(metrics).certificate('provider-aws', 30 * dayMs)
      const { text } = await metrics.render()
      return {
        minute: async (minute, isBroken) => {
          if (!isBroken) scrapes.take(minute, text, { pod: 'webhook-1', container: 'webhook' })
        },
      }
    },
  },
  {
    alert: 'TrellisWebhookFails',
    ...{ from: 15, fires: 40, until: 45, clear: 70 },
    world: webhookWorld(({ reviews }, isBroken) => {
      for (let number = 0; number < 10; number++)
        reviews.answers({ webhook: 'mutator', outcome: isBroken && number === 0 ? 'failed' : 'changed' })
    }),
  },
  {
    alert: 'TrellisWebhookSlow',
    ...{ from: 15, fires: 40, until: 45, clear: 70 },
    world: webhookWorld(({ reviews }, isBroken) => {
      for (let number = 0; number < 10; number++) reviews.seconds(isBroken ? 4 : 0.01, { webhook: 'mutator' })
    }),
  },
  {
    alert: 'TrellisWebhookCertificateExpires',
    ...{ from: 5, fires: 30, until: 35, clear: 45 },
    // Nothing renews it; then another one is shown.
    world: webhookWorld(({ upkeep }, isBroken) =>
      upkeep.certificate('provider-aws', isBroken ? 2 * dayMs : 30 * dayMs),
    ),
  },
  {
    alert: 'TrellisWebhookUpkeepFails',
    ...{ from: 5, fires: 30, until: 35, clear: 45 },
    world: webhookWorld(({ upkeep }, isBroken) => upkeep.failing('provider-aws', isBroken)),
  },
]
