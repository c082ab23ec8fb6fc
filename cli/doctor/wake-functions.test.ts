import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import { parseEventJson } from '../../shared/events/events.ts'
import type { KubernetesObject, Transport } from '../../shared/kubernetes/kubernetes.ts'
import type { CheckedSeed } from './checked-seed.ts'
import { installedOne, seedWith, testNow } from './testing/good-seed.ts'
import { diagnosesOf } from './testing/said-of.ts'
import { wakeFunctions } from './wake-functions.ts'

const names = ['aws-dnsrecord', 'aws-backupbucket', 'local-extension-seed']
const address = 'http://broker-ingress.knative-eventing.svc.cluster.local/trellis/default'

const seedOf = (brokerUrl = address, services = names): CheckedSeed => {
  const broker = installedOne('brokers', 'default')
  return seedWith({
    brokers: [{ ...broker, status: { ...recordOf(broker.status), address: { url: brokerUrl } } }],
    services: services.map(name => installedOne('services', name)),
  })
}

const podOf = (service: string, status: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${service}-00001`,
    namespace: 'trellis',
    labels: { 'serving.knative.dev/service': service },
  },
  status: { ...status },
})
const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
const bridge = podOf('bridge', ready)

/** Creates a broker behind an API server: each event lets the pods of its function appear after a while. */
const brokerWith = (
  effect: (service: string) => { readonly afterMs: number; readonly status: object } | undefined,
  answer = 202,
) => {
  const clock = virtualClock(testNow)
  const events: { readonly path: string; readonly event: ReturnType<typeof parseEventJson> }[] = []
  const pods: KubernetesObject[] = [bridge]
  const transport: Transport = async ({ path, body = '' }) => {
    const event = parseEventJson(JSON.parse(body))
    events.push({ path, event })
    const service = names.find(name => name.includes(event.kind.toLowerCase())) ?? ''
    const shown = effect(service)
    if (shown !== undefined) clock.after(shown.afterMs, () => pods.push(podOf(service, shown.status)))
    return { status: answer, headers: {}, body: (async function* () {})() }
  }
  const wake = async (seed: CheckedSeed, signal = new AbortController().signal) => {
    const list = async () => ({ items: [...pods], resourceVersion: '1', continue: undefined })
    const woken = wakeFunctions(seed, { kubernetes: { list } as never, transport, clock, signal })
    let isDone = false
    void woken.finally(() => {
      isDone = true
    })
    while (!isDone) await clock.advance(500)
    return woken
  }
  const linesOf = async (seed: CheckedSeed, state: 'ok' | 'problem' | 'skipped') => {
    const about = /test event|start of|start from zero/
    return diagnosesOf({ ...seed, woken: await wake(seed) })
      .filter(one => one.state === state && about.test(one.text))
      .map(({ text, advice }) => (advice === undefined ? text : `${text} → ${advice}`))
  }
  return { wake, linesOf, events, pods, clock }
}

describe('a test event for each function without pods', () => {
  test('goes to the Broker through the API server, and is about no object', async () => {
    const { wake, events } = brokerWith(() => ({ afterMs: 0, status: ready }))
    await wake(seedOf())
    expect(events.map(({ path }) => path)).toEqual(
      names.map(
        () => '/api/v1/namespaces/knative-eventing/services/http:broker-ingress:80/proxy/trellis/default',
      ),
    )
    expect(events.map(({ event }) => [event.operation, event.kind, event.provider, event.subject])).toEqual([
      ['healthcheck', 'DNSRecord', 'aws-route53', 'trellis/trellis-doctor'],
      ['healthcheck', 'BackupBucket', 'aws', 'trellis-doctor'],
      ['healthcheck', 'Extension', 'local-ext-seed', 'trellis/trellis-doctor'],
    ])
  })

  test('is not sent to a function that has a pod', async () => {
    const { wake, events } = brokerWith(() => ({ afterMs: 0, status: ready }))
    const seed = seedOf()
    const pods = { kind: 'objects', objects: [podOf('aws-dnsrecord', ready)], complete: true } as const
    await wake({ ...seed, reads: { ...seed.reads, pods } })
    expect(events.map(({ event }) => event.kind)).toEqual(['BackupBucket', 'Extension'])
  })

  test('shows that functions start, and how long the slowest takes', async () => {
    const { linesOf } = brokerWith(service => ({
      afterMs: service === 'aws-dnsrecord' ? 3_500 : 500,
      status: ready,
    }))
    expect(await linesOf(seedOf(), 'ok')).toEqual([
      '3 Services started from zero for a test event; aws-dnsrecord took the longest: 4 s',
    ])
  })

  test('shows why a pod does not start', async () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x": manifest unknown' }
    const pulls = { containerStatuses: [{ name: 'function', ready: false, state: { waiting } }] }
    const { linesOf } = brokerWith(service => ({
      afterMs: 500,
      status: service === 'aws-backupbucket' ? pulls : ready,
    }))
    expect(await linesOf(seedOf(), 'problem')).toEqual([
      expect.stringMatching(
        /^the function aws-backupbucket does not start from zero: ImagePullBackOff: Back-off pulling image "x": manifest unknown \(6\d s after a test event\) → check it: crane manifest /,
      ),
    ])
  })

  test('shows that no pod is created', async () => {
    const { linesOf } = brokerWith(() => undefined)
    expect(await linesOf(seedOf(address, ['aws-dnsrecord']), 'problem')).toEqual([
      expect.stringMatching(
        /^the function aws-dnsrecord does not start from zero: no pod was created \(6\d s after a test event\) → kubectl -n trellis describe revision /,
      ),
    ])
  })
})

describe('it is not known whether functions start', () => {
  test.each([
    [
      403,
      'you may not create services/proxy (/api/v1/namespaces/knative-eventing/services/http:broker-ingress:80)',
    ],
    [
      503,
      'the Broker answered 503 through the API server (/api/v1/namespaces/knative-eventing/services/http:broker-ingress:80): ',
    ],
  ])('if the answer to the event is %i', async (status, why) => {
    const { linesOf } = brokerWith(() => undefined, status)
    expect(await linesOf(seedOf(), 'skipped')).toEqual([`the start of ${names.join(', ')}: ${why}`])
  })

  test('if the Broker has no address in the cluster', async () => {
    const { linesOf } = brokerWith(() => undefined)
    expect(
      await linesOf(seedOf('http://127.0.0.1:4000/trellis/default', ['aws-dnsrecord']), 'skipped'),
    ).toEqual([
      'the start of aws-dnsrecord: the address of the Broker default is not that of a Service in the cluster',
    ])
  })

  test('if the time is over', async () => {
    const { wake, clock } = brokerWith(() => undefined)
    const ending = new AbortController()
    clock.after(5_000, () => ending.abort())
    const woken = await wake(seedOf(address, ['aws-dnsrecord']), ending.signal)
    expect(woken.get('aws-dnsrecord')).toEqual({
      kind: 'unknown',
      why: 'the time of --timeout is over; until then, no pod was created',
    })
  })

  test('if the API server shows no pods', async () => {
    const { linesOf, pods } = brokerWith(() => undefined)
    pods.length = 0
    expect(await linesOf(seedOf(address, ['aws-dnsrecord']), 'skipped')).toEqual([
      'the start of aws-dnsrecord: the API server shows no pod at all, not even that of the bridge',
    ])
  })
})
