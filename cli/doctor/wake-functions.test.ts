import { describe, expect, test } from 'vitest'
import { virtualClock } from '../../shared/clock/clock.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import { parseEventJson } from '../../shared/events/events.ts'
import type { KubernetesObject, Transport, TransportRequest } from '../../shared/kubernetes/kubernetes.ts'
import type { CheckedSeed } from './checked-seed.ts'
import { installedOne, seedWith, testNow } from './testing/good-seed.ts'
import { diagnosesOf } from './testing/said-of.ts'
import { wakeFunctions } from './wake-functions.ts'

const names = ['aws-dnsrecord', 'aws-backupbucket', 'local-extension-seed']

const seedOf = (services = names): CheckedSeed => seedWith({ services: services.map(serviceOf) })

const serviceOf = (name: string): KubernetesObject => {
  const service = installedOne('services', name)
  const newest = `${name}-00001`
  const revisions = { latestCreatedRevisionName: newest, latestReadyRevisionName: newest }
  return { ...service, status: { ...recordOf(service.status), ...revisions } }
}

const podOf = (service: string, status: object): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${service}-00001-x`,
    namespace: 'trellis',
    labels: { 'serving.knative.dev/service': service },
  },
  status: { ...status },
})
const ready = { conditions: [{ type: 'Ready', status: 'True' }] }

interface Effect {
  /** Never: the function does not answer. */
  readonly afterMs?: number
  readonly status?: number
  readonly pod?: object
}

/** Creates an API server before Knative's activator: an event lets the pod of its function start. */
const activatorWith = (effect: (service: string) => Effect) => {
  const clock = virtualClock(testNow)
  const events: { readonly request: TransportRequest; readonly event: ReturnType<typeof parseEventJson> }[] =
    []
  const pods: KubernetesObject[] = []
  const transport: Transport = async request => {
    const event = parseEventJson(JSON.parse(request.body ?? ''))
    events.push({ request, event })
    const service = names.find(name => name.includes(event.kind.toLowerCase())) ?? ''
    const { afterMs, status = 204, pod } = effect(service)
    if (pod !== undefined) pods.push(podOf(service, pod))
    await clock.sleep(afterMs ?? 3_600_000, request.signal)
    return { status, headers: {}, body: (async function* () {})() }
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
  return { wake, linesOf, events, clock }
}

describe('a test event for each function without pods', () => {
  test('goes to its newest revision through the API server, and is about no object', async () => {
    const { wake, events } = activatorWith(() => ({ afterMs: 0 }))
    await wake(seedOf())
    expect(
      events.map(({ request: { path, headers } }) => [path, headers['knative-serving-revision']]),
    ).toEqual(
      names.map(name => [
        '/api/v1/namespaces/knative-serving/services/http:activator-service:80/proxy/',
        `${name}-00001`,
      ]),
    )
    expect(events.map(({ event }) => [event.operation, event.kind, event.provider, event.subject])).toEqual([
      ['healthcheck', 'DNSRecord', 'aws-route53', 'trellis/trellis-doctor'],
      ['healthcheck', 'BackupBucket', 'aws', 'trellis-doctor'],
      ['healthcheck', 'Extension', 'local-ext-seed', 'trellis/trellis-doctor'],
    ])
  })

  test('is not sent to a function that has a pod', async () => {
    const { wake, events } = activatorWith(() => ({ afterMs: 0 }))
    const seed = seedOf()
    const pods = { kind: 'objects', objects: [podOf('aws-dnsrecord', ready)], complete: true } as const
    await wake({ ...seed, reads: { ...seed.reads, pods } })
    expect(events.map(({ event }) => event.kind)).toEqual(['BackupBucket', 'Extension'])
  })

  test('shows that functions start, and how long the slowest takes', async () => {
    const { linesOf } = activatorWith(service => ({ afterMs: service === 'aws-dnsrecord' ? 3_500 : 500 }))
    expect(await linesOf(seedOf(), 'ok')).toEqual([
      '3 Services started from zero for a test event; aws-dnsrecord took the longest: 4 s',
    ])
  })

  test('shows why a pod does not start', async () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x": manifest unknown' }
    const pod = { containerStatuses: [{ name: 'function', ready: false, state: { waiting } }] }
    const { linesOf } = activatorWith(service =>
      service === 'aws-backupbucket' ? { pod } : { afterMs: 500 },
    )
    expect(await linesOf(seedOf(), 'problem')).toEqual([
      expect.stringMatching(
        /^the function aws-backupbucket does not start from zero: ImagePullBackOff: Back-off pulling image "x": manifest unknown \(60 s after a test event\) → check it: crane manifest /,
      ),
    ])
  })

  test.each<[string, Effect, string]>([
    ['no pod answers', {}, 'no answer (60 s after a test event)'],
    [
      'the activator answers with an error',
      { afterMs: 1_000, status: 503 },
      "Knative's activator answered 503 through the API server:  (1 s after a test event)",
    ],
  ])('shows that %s', async (_, effect, why) => {
    const { linesOf } = activatorWith(() => effect)
    expect(await linesOf(seedOf(['aws-dnsrecord']), 'problem')).toEqual([
      expect.stringContaining(
        `the function aws-dnsrecord does not start from zero: ${why} → kubectl -n trellis describe revision `,
      ),
    ])
  })
})

describe('it is not known whether functions start', () => {
  test.each([
    [403, 'you may not create services/proxy in the namespace knative-serving'],
    [404, "Knative's activator answered 404 through the API server: "],
  ])('if the answer to the event is %i', async (status, why) => {
    const { linesOf } = activatorWith(() => ({ afterMs: 0, status }))
    expect(await linesOf(seedOf(), 'skipped')).toEqual([`the start of ${names.join(', ')}: ${why}`])
  })

  test('if the time is over', async () => {
    const { wake, clock } = activatorWith(() => ({}))
    const ending = new AbortController()
    clock.after(5_000, () => ending.abort())
    const woken = await wake(seedOf(['aws-dnsrecord']), ending.signal)
    expect(woken.get('aws-dnsrecord')).toEqual({ kind: 'unknown', why: 'the time of --timeout is over' })
  })
})
