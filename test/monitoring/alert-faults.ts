import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { measuredBridge } from '../../bridge/testing/measured-bridge.ts'
import { KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { createRunnerMetrics } from '../../shared/runner/runner.ts'
import { createMetrics, createReportedMetrics } from '../../shared/runtime/runtime.ts'
import { requestMetrics } from '../../shared/runtime/testing/function-metrics.ts'
import { maintenanceMetrics } from '../../shared/webhooks/server/testing/webhook-metrics.ts'
import type { Cause, Times } from './cause-fault.ts'
import { bridgePod, bridgeWorld, functionWorld, runStep, secondsMs, webhookWorld } from './worlds.ts'

const down = () => ({ kind: 'retry', reason: 'down' }) as const
const rejected = () => ({ kind: 'rejected', status: 413, reason: 'too large' }) as const
const accepted = () => ({ kind: 'accepted' }) as const

const cloud = { cloud_service: 'ec2' } as const

/** promtool's time starts at 0, in seconds. */
const dayMs = 86_400 * secondsMs

const run = promisify(execFile)
/** The start metric of another Node process. */
const otherProcess = async (): Promise<string> => {
  const module = new URL('../../shared/runtime/runtime.ts', import.meta.url).href
  const program = `import { createMetrics } from ${JSON.stringify(module)}
const { text } = await createMetrics({ processMetrics: true }).render()
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
      // A user reduces the limit.
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
        // The second extension has no namespace, which is not a fault.
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
      const metrics = createMetrics({ processMetrics: true })
      const calm = (await metrics.render()).text
      // A sample before the block is needed, because a delay lies between two of them.
      const block = async (): Promise<string> => {
        await sleep(1_500)
        const end = performance.now() + 2_500
        while (performance.now() < end) Math.random()
        await sleep(30)
        const { text } = await metrics.render()
        return /^nodejs_eventloop_lag_p99_seconds (?:0\.[6-9]|[1-9])/m.test(text) ? text : block()
      }
      const busy = await block()
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
      for (let number = 0; number < 20; number++) {
        const isThrottled = isBroken && number < 10
        requests.cloud({ ...cloud, operation: 'DescribeVpcs', status: isThrottled ? '400' : '200' })
        if (isThrottled) requests.throttled(cloud)
      }
    }),
  },
  {
    alert: 'TrellisFunctionForbidden',
    ...{ from: 5, fires: 25, until: 30, clear: 50 },
    world: functionWorld(({ requests }, isBroken) =>
      requests.kubernetes({ method: 'GET', status: isBroken ? '403' : '200' }),
    ),
  },
  {
    alert: 'TrellisReportsMissing',
    ...{ from: 10, fires: 80, until: 85, clear: 100 },
    world: async (newSeed, scrapes) => {
      const metrics = createReportedMetrics()
      const { kubernetes } = requestMetrics(metrics)
      return bridgeWorld(async ({ seed, bridge, isBroken }) => {
        await runStep(seed, 'succeeded')
        kubernetes({ method: 'GET', status: '200' })
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
    alert: 'TrellisProgramDoesNotStart',
    ...short,
    world: async (_, scrapes) => {
      const metrics = createMetrics()
      const runner = createRunnerMetrics(metrics)
      const program = 'aws-compact'
      return {
        minute: async (minute, isBroken) => {
          runner.event(isBroken ? { type: 'start failed', program } : { type: 'started', program, tookMs: 1 })
          scrapes.take(minute, (await metrics.render()).text, bridgePod)
        },
      }
    },
  },
  {
    alert: 'TrellisWebhookDown',
    ...short,
    world: async (_, scrapes) => {
      const metrics = createMetrics()
      maintenanceMetrics(metrics).certificate('provider-aws', 30 * dayMs)
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
    // The webhook does not renew it. Later it shows another one.
    world: webhookWorld(({ maintenance }, isBroken) =>
      maintenance.certificate('provider-aws', isBroken ? 2 * dayMs : 30 * dayMs),
    ),
  },
  {
    alert: 'TrellisWebhookUpkeepFails',
    ...{ from: 5, fires: 30, until: 35, clear: 45 },
    world: webhookWorld(({ maintenance }, isBroken) => maintenance.failing('provider-aws', isBroken)),
  },
]
