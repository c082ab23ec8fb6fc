import { afterEach, expect, test } from 'vitest'
import { bridgeSettings, startBridge } from '../../bridge/bridge.ts'
import { fakeKubernetes } from '../../bridge/testing/fake-kubernetes.ts'
import { asyncHandler, parseManifests } from '../../sandbox/knative/knative.ts'
import { cleanUp, onCleanUp, start, subscriber } from '../../sandbox/knative/testing/harness.ts'
import { formatMilliseconds, type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import { record } from './harness.ts'

afterEach(cleanUp)

const { resource } = kinds.DNSRecord
const records = 60
const stepMs = 22_000

/** The Broker of the cluster, simplified, with a Service of `places` concurrent requests. */
const manifestsOf = (annotation: string, places: number) =>
  parseManifests([
    {
      name: 'test.yaml',
      text: `
apiVersion: eventing.knative.dev/v1
kind: Broker
metadata: { name: default, namespace: ns, annotations: { ${annotation} } }
spec: { delivery: { retry: 5, backoffPolicy: exponential, backoffDelay: PT1S, timeout: PT75S } }
---
apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata: { name: dns, namespace: ns }
spec:
  broker: default
  filter: { attributes: { kind: DNSRecord } }
  subscriber: { ref: { apiVersion: serving.knative.dev/v1, kind: Service, name: fn } }
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: fn, namespace: ns }
spec: { template: { spec: { containerConcurrency: ${places}, containers: [{ image: x }] } } }
`,
    },
  ])

/** A function with steps of 22 s: claims, works, writes `Succeeded`, answers. */
const longSteps = (clock: VirtualClock) => {
  const kubernetes = fakeKubernetes()
  const count = { runs: 0, running: 0, most: 0, done: 0 }
  const write = (name: string, step: string | undefined, state: string) => {
    const object = kubernetes.read(resource, { name, namespace: 'garden' })
    if (object === undefined) throw new Error(`${name} is gone`)
    const { [annotations.operation]: _, [annotations.step]: __, ...kept } = object.metadata.annotations ?? {}
    kubernetes.put(resource, {
      ...object,
      metadata: {
        ...object.metadata,
        annotations: step === undefined ? kept : { ...kept, [annotations.step]: step },
      },
      status: { lastOperation: { type: 'Create', state, lastUpdateTime: formatMilliseconds(clock.now()) } },
    })
  }
  const handle = async (id: string, name: string): Promise<number> => {
    const object = kubernetes.read(resource, { name, namespace: 'garden' })
    if (object?.metadata.annotations?.[annotations.step] !== undefined) return 503
    if (object?.metadata.annotations?.[annotations.operation] === undefined) return 204
    count.runs++
    count.most = Math.max(count.most, ++count.running)
    const step = formatStepAnnotation({
      phase: 'claimed',
      operation: 'reconcile',
      attempt: 0,
      until: formatMilliseconds(clock.now() + 75_000),
      durationMs: 75_000,
      event: id,
      request: '',
      generation: 1,
      was: '',
    })
    write(name, step, 'Processing')
    await clock.sleep(stepMs)
    write(name, undefined, 'Succeeded')
    count.running--
    count.done++
    return 204
  }
  return { kubernetes, count, handle }
}

test.each<[string, string, number]>([
  ['only when the function has ended', '', 4],
  ['before it delivers', `${asyncHandler}: "true"`, 4],
  ['only when the function has ended', '', 60],
  ['before it delivers', `${asyncHandler}: "true"`, 60],
])(
  'behind a broker that answers %s (%s), 60 steps of 22 s take the minimum time for their %i places',
  async (_, annotation, places) => {
    const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
    const { kubernetes, count, handle } = longSteps(clock)
    const fn = await subscriber(async (_count, { event }) => ({
      status: await handle(event.attributes.id ?? '', event.attributes.name ?? ''),
    }))
    const { broker } = await start({
      manifests: manifestsOf(annotation, places),
      resolve: async () => fn.url,
      clock,
    })
    const warnings: unknown[] = []
    const warn = (...line: unknown[]) => warnings.push(line)
    const bridge = await startBridge({
      settings: parseSettings(bridgeSettings, {
        flags: {
          seed: 'test',
          sink: broker.ingress('ns', 'default'),
          address: '127.0.0.1',
          port: 0,
          kinds: 'DNSRecord',
        },
        env: {},
      }),
      kubernetes: kubernetes.port,
      clock,
      log: { debug: () => {}, info: () => {}, warn, error: warn },
    })
    onCleanUp(async () => {
      const closing = bridge.close()
      await clock.advance(2_000)
      await closing
    })
    /** Requests use real connections, which need event loop iterations before the clock advances. */
    const pass = async (milliseconds: number) => {
      await new Promise(resolve => setTimeout(resolve, 3))
      await clock.advance(milliseconds)
    }
    for (let index = 0; index < records; index++) {
      const object = record(`x${index}`)
      kubernetes.put(resource, { ...object, metadata: { ...object.metadata, namespace: 'garden' } })
    }
    const began = clock.now()
    const ideal = Math.ceil(records / places) * stepMs
    while (count.done < records && clock.now() - began < 2 * ideal) await pass(250)
    expect(count).toMatchObject({ runs: records, done: records, most: places })
    expect(clock.now() - began).toBeLessThanOrEqual(1.1 * ideal + 2_000)
    await pass(1_000)
    // A broker that is detected by its late answers is reported once, and nothing else is.
    const isLate = annotation === ''
    expect(warnings).toEqual(
      isLate
        ? [
            [
              'broker answers only after functions have ended',
              { advice: expect.stringContaining(asyncHandler) },
            ],
          ]
        : [],
    )
    const text = await (await fetch(`http://127.0.0.1:${bridge.port}/metrics`)).text()
    expect(text).not.toMatch(/^trellis_bridge_retried_total/m)
    expect(text).toContain(`trellis_bridge_sink_trouble{trouble="synchronous"} ${isLate ? 1 : 0}`)
    expect(text).toContain('trellis_bridge_in_flight{kind="DNSRecord"} 0')
  },
  60_000,
)
