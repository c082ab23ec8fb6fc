import { expect, test } from 'vitest'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { inError, record, trigger } from './testing/broken-objects.ts'
import { changed, installedOne, type SeedChanges, seedWith } from './testing/good-seed.ts'
import { saidOf } from './testing/said-of.ts'

const lastOperationOf = (object: KubernetesObject, state: string): KubernetesObject => ({
  ...object,
  status: {
    ...Object(object.status),
    lastOperation: { ...Object(object.status).lastOperation, state },
  },
})

test.each<[what: string, changes: SeedChanges, problem: RegExp, advice: RegExp]>([
  [
    'an image that cannot be pulled, which Knative does not say and the pods do',
    {
      ...changed('services', 'aws-dnsrecord', {
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
      }),
      pods: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'aws-dnsrecord-00001-deployment-5c9f-x2',
            labels: { 'serving.knative.dev/service': 'aws-dnsrecord' },
          },
          status: {
            containerStatuses: [
              { state: { running: {} } },
              {
                state: {
                  waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry…"' },
                },
              },
            ],
          },
        },
      ],
    },
    /aws-dnsrecord is not ready: Ready is Unknown; ImagePullBackOff: Back-off pulling image/,
    /check it: crane manifest registry.example.org\/trellis\/aws-dnsrecord:1/,
  ],
  [
    'a function that runs and is never ready, which Knative reports after ten minutes',
    {
      ...changed('services', 'aws-dnsrecord', {
        status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
      }),
      pods: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name: 'aws-dnsrecord-00002-deployment-5c9f-x2',
            labels: { 'serving.knative.dev/service': 'aws-dnsrecord' },
          },
          status: {
            containerStatuses: [
              { name: 'function', ready: true, state: { running: {} } },
              { name: 'queue-proxy', ready: false, state: { running: {} } },
            ],
          },
        },
      ],
    },
    /aws-dnsrecord is not ready: Ready is Unknown; the readiness probe of the container queue-proxy fails$/,
    /describe revision -l serving.knative.dev\/service=aws-dnsrecord/,
  ],
  [
    'a Trigger of a function of another author without a subscriber',
    {
      triggers: [
        {
          ...trigger,
          metadata: { ...trigger.metadata, name: 'acme-dnsrecord' },
          spec: {
            ...(trigger.spec as object),
            subscriber: { ref: { kind: 'Service', name: 'acme-dnsrecord' } },
            filter: { attributes: { kind: 'DNSRecord', provider: 'acme' } },
          },
        },
      ],
    },
    /the Trigger acme-dnsrecord refers to the Service acme-dnsrecord, which does not exist/,
    /^(?!.*knative\/base).*trellis install --render manifests/,
  ],
  [
    "the webhooks' Deployment with no replicas",
    changed('deployments', 'webhook', {
      spec: { ...(installedOne('deployments', 'webhook').spec as object), replicas: 0 },
      status: { conditions: [{ type: 'Available', status: 'True' }] },
    }),
    /the webhooks' Deployment webhook has no replicas: API servers time out and refuse writes/,
    /scale deployment webhook --replicas 2/,
  ],
  [
    'webhooks that do not start',
    {
      ...changed('deployments', 'webhook', { status: { replicas: 2 } }),
      pods: [
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'webhook-5c9f-x2' },
          status: {
            containerStatuses: [
              {
                state: { waiting: { reason: 'CrashLoopBackOff' } },
                lastState: { terminated: { exitCode: 134, reason: 'Error' } },
              },
            ],
          },
        },
      ],
    },
    /0 of 2 replicas of the webhooks' Deployment webhook are available: CrashLoopBackOff \(exit code 134\); API servers/,
    /logs deployment\/webhook/,
  ],
  [
    'objects in Error, each cause once',
    { DNSRecord: [inError('a', 'no such Secret'), inError('b', 'no such Secret'), record()] },
    /^2 of 3 DNSRecords in Error: dnsrecord\/shoot--foo--bar\/a, dnsrecord\/shoot--foo--bar\/b: ERR_CONFIGURATION_PROBLEM: no such Secret$/,
    /kubectl -n shoot--foo--bar describe dnsrecord a; trellis status/,
  ],
  ...['Processing', 'Succeeded'].map((state): [string, SeedChanges, RegExp, RegExp] => [
    `an object that is tried again after an error, and is ${state} at this moment`,
    { DNSRecord: [lastOperationOf(inError('a', 'no such Secret'), state), record()] },
    /^1 of 2 DNSRecords with an error that is retried: dnsrecord\/shoot--foo--bar\/a: ERR_CONFIGURATION_PROBLEM: no such Secret$/,
    /kubectl -n shoot--foo--bar describe dnsrecord a; trellis status/,
  ]),
  [
    'errors of more kinds than anybody reads',
    { DNSRecord: ['a', 'b', 'c', 'd', 'e'].map(name => inError(name, `error ${name}`)) },
    /2 of 5 DNSRecords with 2 other errors/,
    /reason=StepFailed/,
  ],
  [
    'a typo in an operation',
    { DNSRecord: [record({ annotations: { 'gardener.cloud/operation': 'recocile' } })] },
    /^dnsrecord\/shoot--foo--bar\/external: gardener.cloud\/operation "recocile" is ignored: .* Did you mean reconcile\?$/,
    /trellis reconcile dnsrecord\/shoot--foo--bar\/external/,
  ],
])('the report has a problem and advice for %s', (_, changes, text, advice) => {
  const found = saidOf(seedWith(changes), 'problem').filter(one => text.test(one.text))
  expect(found).toHaveLength(1)
  expect(found[0]?.advice).toMatch(advice)
})

const pausedUntil = (pause: string) => ({ annotations: { 'trellis.gardener.cloud/pause': pause } })
const cluster = (pause: string): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shoot--foo--bar', ...pausedUntil(pause) },
})

test.each<[what: string, changes: SeedChanges, text: string]>([
  [
    'a paused shoot, with who and until when',
    { clusters: [cluster('2026-11-21T14:00:00Z anna: NAT gateway')] },
    'shoot--foo--bar: paused until 14:00:00Z by anna: NAT gateway',
  ],
  [
    'a paused object',
    { DNSRecord: [record(pausedUntil('2026-11-21T14:00:00Z'))] },
    'DNSRecord/shoot--foo--bar/external: paused until 14:00:00Z',
  ],
  [
    'a pause that is over',
    { clusters: [cluster('2026-11-20T14:00:00Z anna')] },
    'shoot--foo--bar: trellis.gardener.cloud/pause is ignored: its time is over',
  ],
  [
    'an unreadable pause',
    { DNSRecord: [record(pausedUntil('tomorrow'))] },
    'DNSRecord/shoot--foo--bar/external: trellis.gardener.cloud/pause is ignored: its first word is no time such as 2026-12-01T10:00:00Z',
  ],
])('the report has a warning and its command for %s', (_, changes, text) => {
  expect(saidOf(seedWith(changes), 'warning')).toContainEqual({
    state: 'warning',
    text,
    advice: `trellis resume ${text.slice(0, text.indexOf(': '))} ends this`,
  })
})

test('work of a paused shoot is not stuck', () => {
  const DNSRecord = [record({ annotations: { 'gardener.cloud/operation': 'reconcile' } })]
  const stuck = (changes: SeedChanges) =>
    saidOf(seedWith({ DNSRecord, ...changes }), 'problem').filter(({ text }) => text.includes('first step'))
  expect(stuck({})).toHaveLength(1)
  expect(stuck({ clusters: [cluster('2026-11-21T14:00:00Z')] })).toEqual([])
})

test.each<[what: string, changes: SeedChanges]>([
  ['the user may not list Triggers', { triggers: { kind: 'forbidden' } }],
  ['the API server has no Knative', { triggers: { kind: 'absent' } }],
])('objects in Error are a problem although %s', (_, changes) => {
  const seed = seedWith({ ...changes, DNSRecord: [inError('a', 'it broke'), record()] })
  expect(saidOf(seed, 'problem').map(({ text }) => text)).toContainEqual(
    expect.stringMatching(
      /^1 of 2 DNSRecords in Error: dnsrecord\/shoot--foo--bar\/a: ERR_CONFIGURATION_PROBLEM: it broke/,
    ),
  )
})

test('an object in Error that the bridge does not watch is a warning', () => {
  const foreign = { ...inError('a', 'it broke'), spec: { type: 'foreign-dns' } }
  expect(saidOf(seedWith({ DNSRecord: [foreign] }), 'warning').map(({ text }) => text)).toContainEqual(
    expect.stringMatching(
      /^1 DNSRecord of type foreign-dns in Error, and Trellis does not serve it:.*: it broke$/,
    ),
  )
})
