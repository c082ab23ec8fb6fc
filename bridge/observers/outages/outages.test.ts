import { describe, expect, test } from 'vitest'
import { ConnectionError, KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { adviceOn, type SinkTrouble } from '../sink-trouble.ts'
import { createOutages } from './outages.ts'

const about = {
  kind: 'DNSRecord',
  object: 'garden/x',
  id: 'id',
  operation: 'reconcile',
  reason: 'annotation',
  attempt: 0,
} as const
const retried = (why: string, more: { status?: number; code?: string } = {}): BridgeEvent => ({
  type: 'retried',
  why,
  status: undefined,
  code: undefined,
  ...more,
  ...about,
})
const accepted: BridgeEvent = { type: 'accepted', times: 1, by: 'answer', lagMs: 1, ...about }
const failed = (resource: string, error: unknown): BridgeEvent => ({
  type: 'restarted',
  resource,
  reason: 'failed',
  relist: false,
  error,
})
const recovered = (resource: string): BridgeEvent => ({ type: 'recovered', resource })
const away = new ConnectionError('GET /x: connect ECONNREFUSED', { cause: undefined, sent: false })

const watched = () => {
  const lines: unknown[][] = []
  let now = 0
  const line =
    (level: string) =>
    (...rest: unknown[]) =>
      lines.push([level, ...rest])
  const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  const outages = createOutages(log, { now: () => now })
  return {
    lines,
    outages,
    passTime: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('an outage', () => {
  test('it is logged once for the sink, with the setting to check, and once when it is over', () => {
    const { outages, lines, passTime } = watched()
    outages.sinkFailed({ why: 'connect ECONNREFUSED', code: 'ECONNREFUSED' })
    for (let tries = 0; tries < 50; tries++) outages.event(retried('ECONNREFUSED'))
    passTime(7_000)
    outages.event(accepted)
    outages.event(accepted)
    expect(lines).toEqual([
      [
        'warn',
        'sink does not accept events',
        {
          why: 'connect ECONNREFUSED',
          setting: '--sink (TRELLIS_SINK, K_SINK)',
          advice: expect.stringContaining('kubectl get broker'),
        },
      ],
      ['info', 'sink accepts events again', { awayMs: 7_000 }],
    ])
  })

  test('one event with a 5xx while others are accepted is no outage of the sink', () => {
    const { outages, lines } = watched()
    for (let tries = 0; tries < 50; tries++) {
      outages.event(retried('the sink answered 500', { status: 500 }))
      outages.event(accepted)
    }
    outages.event(retried('the sink answered 500', { status: 500 }))
    outages.event({ type: 'leadership', leading: false })
    outages.event({ type: 'leadership', leading: true })
    outages.event(retried('the sink answered 500', { status: 500 }))
    outages.event(accepted)
    expect(lines).toEqual([])
    for (let tries = 0; tries < 2; tries++) outages.event(retried('the sink answered 503', { status: 503 }))
    expect(lines).toHaveLength(1)
  })

  test.each([408, 425, 429])(
    'an answer that only asks for patience, with %s, is no outage of the sink',
    status => {
      const { outages, lines } = watched()
      outages.event(retried('not so fast', { status }))
      expect(lines).toEqual([])
      expect(outages.sinkTroubles()).toEqual([])
    },
  )

  test('invalid credentials are one line for all watches, and over when all of them work', () => {
    const { outages, lines } = watched()
    const resources = ['dnsrecords', 'workers']
    const unknown = new KubernetesError(401, 'Unauthorized', 'GET /x: 401 Unauthorized')
    for (const resource of [...resources, ...resources]) outages.event(failed(resource, unknown))
    for (const resource of resources) outages.event(recovered(resource))
    expect(lines).toEqual([
      [
        'warn',
        'API server does not accept the credentials',
        {
          status: 401,
          why: unknown.message,
          setting: '--kubeconfig (TRELLIS_KUBECONFIG)',
          advice: expect.stringContaining('restart the pod'),
        },
      ],
      ['info', 'API server accepts the credentials again'],
    ])
  })

  test('credentials that cannot be read are one line with the reason, however many watches fail', () => {
    const { outages, lines } = watched()
    const resources = ['dnsrecords', 'workers']
    const why = "the kubeconfig's plugin gardenlogin failed with exit code 3: the session has expired"
    for (const resource of [...resources, ...resources]) outages.event(failed(resource, new Error(why)))
    for (const resource of resources) outages.event(recovered(resource))
    outages.event(failed('workers', new Error(why)))
    const setting = '--kubeconfig (TRELLIS_KUBECONFIG)'
    expect(lines).toEqual([
      ['warn', 'cannot watch', { resource: 'dnsrecords', why, setting }],
      ['info', 'API server serves a watch again', { resource: 'dnsrecords' }],
      ['info', 'API server serves a watch again', { resource: 'workers' }],
      ['warn', 'cannot watch', { resource: 'workers', why, setting }],
    ])
  })

  test('an unreachable API server is one line, however many watches fail, and over when all of them work', () => {
    const { outages, lines, passTime } = watched()
    const resources = ['dnsrecords', 'workers', 'clusters']
    for (const resource of [...resources, ...resources]) outages.event(failed(resource, away))
    passTime(3_000)
    for (const resource of resources) outages.event(recovered(resource))
    expect(lines).toEqual([
      [
        'warn',
        'cannot reach the API server',
        { why: away.message, setting: '--kubeconfig (TRELLIS_KUBECONFIG)' },
      ],
      ['info', 'API server is reachable again', { awayMs: 3_000 }],
    ])
  })

  test('each forbidden watch is logged, with its message', () => {
    const { outages, lines } = watched()
    const why =
      'workers.extensions.gardener.cloud is forbidden: User "x" cannot list resource "workers" in API group "extensions.gardener.cloud" at the cluster scope'
    const forbidden = new KubernetesError(403, 'Forbidden', why)
    for (const resource of ['workers', 'workers', 'networks']) outages.event(failed(resource, forbidden))
    outages.event(recovered('workers'))
    outages.event(recovered('dnsrecords'))
    expect(lines.map(([level, message]) => `${level} ${message}`)).toEqual([
      'warn API server does not serve a watch',
      'warn API server does not serve a watch',
      'info API server serves a watch again',
    ])
    expect(lines[0]?.[2]).toMatchObject({
      resource: 'workers',
      status: 403,
      why,
      advice: expect.stringContaining('trellis doctor'),
    })
  })

  test('for a kind that the cluster does not have, it says that the cluster may be no seed', () => {
    const { outages, lines } = watched()
    outages.event(failed('workers', new KubernetesError(404, 'NotFound', '404 page not found')))
    expect(lines[0]?.[2]).toMatchObject({
      advice: expect.stringContaining('Check that it is a Gardener seed'),
    })
  })
})

test.each<[Parameters<typeof adviceOn>[0], SinkTrouble, string, string]>([
  [{ why: '', status: 401 }, 'unauthenticated', '--sink-token-file', 'status.address.audience'],
  [{ why: '', status: 403 }, 'forbidden', '--sink-token-file', 'EventPolicy'],
  [{ why: '', status: 404 }, 'missing', '--sink (TRELLIS_SINK', 'kubectl get broker'],
  [{ why: '', status: 405 }, 'missing', '--sink (TRELLIS_SINK', 'kubectl get broker'],
  [{ why: '', status: 302 }, 'refusing', '--sink (TRELLIS_SINK', 'may answer instead'],
  [{ why: '', status: 413 }, 'refusing', '--sink (TRELLIS_SINK', '1 MiB'],
  [{ why: '', status: 503 }, 'failing', '--sink (TRELLIS_SINK', 'Kafka'],
  [{ why: '', code: 'CERT_HAS_EXPIRED' }, 'certificate', '--sink-ca-file', 'CACerts'],
  [{ why: '', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate', '--sink-ca-file', 'CACerts'],
  [{ why: '', code: 'ECONNREFUSED' }, 'unreachable', '--sink (TRELLIS_SINK', 'NetworkPolicies'],
])('%j is "%s"; the setting to check is %s, and the advice names %s', (failure, trouble, setting, words) => {
  const advice = adviceOn(failure)
  expect(advice.trouble).toBe(trouble)
  expect(advice.setting).toContain(setting)
  expect(advice.advice).toContain(words)
})

describe('a sink that accepts nothing', () => {
  test('it is reported once for each problem, by the name in the metric', () => {
    const { outages, lines } = watched()
    for (const status of [404, 404, 403, 404, 403]) outages.event(retried('no', { status }))
    expect(lines.map(([, message]) => message)).toEqual(Array(2).fill('sink does not accept events'))
    expect(outages.sinkTroubles()).toEqual(['forbidden'])
    outages.event(accepted)
    expect(outages.sinkTroubles()).toEqual([])
    outages.event(retried('no', { status: 404 }))
    expect(lines).toHaveLength(4)
  })

  test.each([
    [404, true],
    [401, true],
    [undefined, true],
    [503, false],
  ])('after a minute with %s, the bridge is unready: %s', (status, isBlocked) => {
    const { outages, passTime } = watched()
    const fail = () => outages.event(retried('no', status === undefined ? {} : { status }))
    for (let times = 0; times < 4; times++) {
      fail()
      fail()
      expect(outages.isSinkBlocked()).toBe(false)
      passTime(15_000)
    }
    fail()
    expect(outages.isSinkBlocked()).toBe(isBlocked)
    outages.event(accepted)
    expect(outages.isSinkBlocked()).toBe(false)
  })

  test('a sink without further events, because the object is deleted, leaves the bridge unready for one more minute', () => {
    const { outages, passTime } = watched()
    outages.event(retried('no', { status: 404 }))
    passTime(60_000)
    outages.event(retried('no', { status: 404 }))
    expect(outages.isSinkBlocked()).toBe(true)
    passTime(60_001)
    expect(outages.isSinkBlocked()).toBe(false)
  })

  test('it is no problem of a bridge that does not send any more, which would not see its end', () => {
    const { outages, passTime } = watched()
    outages.event(retried('no', { status: 404 }))
    passTime(60_000)
    outages.event(retried('no', { status: 404 }))
    outages.event({ type: 'leadership', leading: false })
    expect(outages.sinkTroubles()).toEqual([])
    expect(outages.isSinkBlocked()).toBe(false)
    outages.event({ type: 'leadership', leading: true })
    outages.event(retried('no', { status: 403 }))
    expect(outages.sinkTroubles()).toEqual(['forbidden'])
    expect(outages.isSinkBlocked(), 'the outage begins again').toBe(false)
  })

  test('a sink that is reached at last is healthy, unless it has given another answer', () => {
    const { outages, lines } = watched()
    outages.sinkFailed({ why: 'connect ECONNREFUSED', code: 'ECONNREFUSED' })
    outages.sinkReached()
    expect(outages.sinkTroubles()).toEqual([])
    expect(lines.at(-1)?.[1]).toBe('sink accepts events again')
    outages.event(retried('no', { status: 404 }))
    outages.sinkReached()
    expect(outages.sinkTroubles()).toEqual(['missing'])
  })
})

describe('a broker that answers only after the functions have ended', () => {
  const late = (id: string, tookMs = 2_000): BridgeEvent[] => [
    { ...accepted, type: 'accepted', by: 'claim', id } as BridgeEvent,
    { type: 'answered', tookMs, status: 'accepted', ...about, id },
  ]

  test('it is reported even if many requests have ended without an answer before', () => {
    const { outages } = watched()
    for (let times = 0; times < 2_000; times++) {
      const id = `broken-${times}`
      outages.event({ ...accepted, type: 'accepted', by: 'claim', id } as BridgeEvent)
      outages.event({ type: 'answered', tookMs: 600_000, status: 'none', ...about, id })
    }
    for (const id of ['a', 'b', 'c']) for (const event of late(id)) outages.event(event)
    expect(outages.sinkTroubles()).toEqual(['synchronous'])
    outages.event({ type: 'leadership', leading: false })
    for (const event of late('d')) outages.event(event)
    expect(outages.sinkTroubles()).toEqual([])
  })

  test('it is reported once, with the annotation, and by its metric', () => {
    const { outages, lines } = watched()
    for (const id of ['a', 'b', 'c', 'd']) for (const event of late(id)) outages.event(event)
    expect(lines).toEqual([
      [
        'warn',
        'broker answers only after functions have ended',
        { advice: expect.stringContaining('messaging.knative.dev/async-handler: "true"') },
      ],
    ])
    expect(outages.sinkTroubles()).toEqual(['synchronous'])
    expect(outages.isSinkBlocked()).toBe(false)
    for (const event of late('e', 5)) outages.event(event)
    expect(outages.sinkTroubles()).toEqual([])
  })

  test('a broker that is slow to store events, or with an answer overtaken by a claim, is not reported', () => {
    const { outages, lines } = watched()
    for (let times = 0; times < 9; times++) {
      outages.event({ type: 'answered', tookMs: 9_000, status: 'accepted', ...about, id: `${times}` })
      for (const event of late(`fast ${times}`, 20)) outages.event(event)
    }
    expect(lines).toEqual([])
  })
})
