import { describe, expect, test } from 'vitest'
import { ConnectionError, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import type { BridgeEvent } from '../bridge-event.ts'
import { createOutages, sinkSetting } from './outages.ts'

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
  test('of the sink is said once, with the setting to look at, and once when it is over', () => {
    const { outages, lines, passTime } = watched()
    outages.sinkFailed({ why: 'connect ECONNREFUSED', code: 'ECONNREFUSED' })
    for (let tries = 0; tries < 50; tries++) outages.observe(retried('ECONNREFUSED'))
    passTime(7_000)
    outages.observe(accepted)
    outages.observe(accepted)
    expect(lines).toEqual([
      [
        'warn',
        'the sink does not take events',
        { why: 'connect ECONNREFUSED', setting: '--sink (TRELLIS_SINK, K_SINK)' },
      ],
      ['info', 'the sink takes events again', { awayMs: 7_000 }],
    ])
  })

  test('of the sink is none where one event is answered 5xx and others are taken', () => {
    const { outages, lines } = watched()
    for (let tries = 0; tries < 50; tries++) {
      outages.observe(retried('the sink answered 500', { status: 500 }))
      outages.observe(accepted)
    }
    expect(lines).toEqual([])
    for (let tries = 0; tries < 2; tries++) outages.observe(retried('the sink answered 503', { status: 503 }))
    expect(lines).toHaveLength(1)
  })

  test('of the credentials is one line for all watches, and over when all of them work', () => {
    const { outages, lines } = watched()
    const resources = ['dnsrecords', 'workers']
    const unknown = new KubernetesError(401, 'Unauthorized', 'GET /x: 401 Unauthorized')
    for (const resource of [...resources, ...resources]) outages.observe(failed(resource, unknown))
    for (const resource of resources) outages.observe(recovered(resource))
    expect(lines).toEqual([
      [
        'warn',
        'the API server does not accept the credentials',
        {
          status: 401,
          why: unknown.message,
          setting: '--kubeconfig (TRELLIS_KUBECONFIG)',
          remedy: expect.stringContaining('restart the pod'),
        },
      ],
      ['info', 'the API server accepts the credentials again'],
    ])
  })

  test('of the API server is one line, however many watches fail, and over when all of them work', () => {
    const { outages, lines, passTime } = watched()
    const resources = ['dnsrecords', 'workers', 'clusters']
    for (const resource of [...resources, ...resources]) outages.observe(failed(resource, away))
    passTime(3_000)
    for (const resource of resources) outages.observe(recovered(resource))
    expect(lines).toEqual([
      [
        'warn',
        'the API server cannot be reached',
        { why: away.message, setting: '--kubeconfig (TRELLIS_KUBECONFIG)' },
      ],
      ['info', 'the API server is back', { awayMs: 3_000 }],
    ])
  })

  test('of a single watch that the API server does not allow is said of each, with its message', () => {
    const { outages, lines } = watched()
    const why =
      'workers.extensions.gardener.cloud is forbidden: User "x" cannot list resource "workers" in API group "extensions.gardener.cloud" at the cluster scope'
    const forbidden = new KubernetesError(403, 'Forbidden', why)
    for (const resource of ['workers', 'workers', 'networks']) outages.observe(failed(resource, forbidden))
    outages.observe(recovered('workers'))
    outages.observe(recovered('dnsrecords'))
    expect(lines.map(([level, message]) => `${level} ${message}`)).toEqual([
      'warn the API server does not serve a watch',
      'warn the API server does not serve a watch',
      'info the API server serves a watch again',
    ])
    expect(lines[0]?.[2]).toMatchObject({
      resource: 'workers',
      status: 403,
      why,
      remedy: expect.stringContaining('trellis doctor'),
    })
  })

  test('of a kind that the cluster does not have says that it may be no seed', () => {
    const { outages, lines } = watched()
    outages.observe(failed('workers', new KubernetesError(404, 'NotFound', '404 page not found')))
    expect(lines[0]?.[2]).toMatchObject({ remedy: expect.stringContaining('is it a seed of Gardener?') })
  })
})

test.each([
  [{ why: '', status: 401 }, '--sink-token-file'],
  [{ why: '', status: 404 }, '--sink (TRELLIS_SINK'],
  [{ why: '', code: 'CERT_HAS_EXPIRED' }, '--sink-ca-file'],
  [{ why: '', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, '--sink-ca-file'],
  [{ why: '', code: 'ECONNREFUSED' }, '--sink (TRELLIS_SINK'],
])('what to look at for %j is %s', (failure, setting) => {
  expect(sinkSetting(failure)).toContain(setting)
})
