import { describe, expect, test } from 'vitest'
import type { CheckedSeed } from './checked-seed.ts'
import {
  allOfAws,
  asked,
  broker,
  delivery,
  failed,
  goExtension,
  record,
  service,
  step,
  trigger,
  withAnnotations,
  withEnvironment,
} from './testing/broken-objects.ts'
import { bridgeLease, changed, heartbeat, type SeedChanges, seedWith, testNow } from './testing/good-seed.ts'
import { diagnosesOf, saidOf } from './testing/said-of.ts'

describe('the report of a seed has the problem and the advice for', () => {
  test.each<[what: string, changes: SeedChanges, problem: RegExp, advice: RegExp]>([
    [
      'no Knative',
      {
        brokers: { kind: 'absent' },
        triggers: { kind: 'absent' },
        services: { kind: 'absent' },
        definitions: [],
      },
      /kinds of Knative Eventing: brokers.eventing.knative.dev/,
      /install Knative Eventing: https/,
    ],
    [
      'no seed of Gardener',
      { definitions: [] },
      /the extension kinds of Gardener: .*missing/,
      /wrong context/,
    ],
    ['no broker', { brokers: [] }, /the Broker default is missing/, /apply the Broker/],
    [
      'a broker that is not ready',
      changed('brokers', 'default', failed('Ready', 'ChannelTemplateFailed', 'no channel')),
      /the Broker default is not ready: ChannelTemplateFailed: no channel/,
      /describe broker default/,
    ],
    [
      'a broker without the annotation',
      changed('brokers', 'default', withAnnotations(broker, {})),
      /answers only after the function has ended/,
      /annotate broker default messaging.knative.dev\/async-handler=true .* restart deployment imc-dispatcher/,
    ],
    [
      'a delivery that is shorter than a step',
      changed('brokers', 'default', delivery({ timeout: 'PT30S', retry: 5, backoffDelay: 'PT1S' })),
      /gives up a delivery after 30 s/,
      /"timeout":"PT75S"/,
    ],
    [
      'retries that outlast the setting of the bridge',
      {
        ...changed('brokers', 'default', delivery({ timeout: 'PT75S', retry: 5, backoffDelay: 'PT1S' })),
        ...changed(
          'deployments',
          'bridge',
          withEnvironment([{ name: 'TRELLIS_UNCLAIMED_MS', value: '30000' }]),
        ),
      },
      /retries for 31 s, but the bridge sends an event again after 30 s/,
      /increase TRELLIS_UNCLAIMED_MS/,
    ],
    [
      'retries that outlast the patience of the bridge',
      changed('brokers', 'default', delivery({ timeout: 'PT75S', retry: 10, backoffDelay: 'PT1S' })),
      /retries for 1023 s, but the bridge sends an event again after 90 s/,
      /"retry":5/,
    ],
    [
      'Triggers of Kafka that deliver in order',
      {
        ...changed(
          'brokers',
          'default',
          withAnnotations(broker, { 'eventing.knative.dev/broker.class': 'Kafka' }),
        ),
        ...changed(
          'triggers',
          'aws-dnsrecord',
          withAnnotations(trigger, { 'kafka.eventing.knative.dev/delivery.order': 'ordered' }),
        ),
      },
      /1 Triggers deliver in order/,
      /delivery.order=unordered/,
    ],
    [
      'a function without a Trigger',
      changed('triggers', 'aws-dnsrecord'),
      /aws-dnsrecord is deployed but has no Trigger/,
      /from the manifests, chart or registration that installed it; .*functions\/aws-dnsrecord.yaml lists them$/,
    ],
    [
      'a Trigger without a subscriber',
      changed('services', 'aws-dnsrecord'),
      /the Trigger aws-dnsrecord refers to the Service aws-dnsrecord, which does not exist/,
      /delete trigger aws-dnsrecord/,
    ],
    [
      'a Trigger that is not ready',
      changed('triggers', 'aws-dnsrecord', failed('Ready', 'BrokerDoesNotExist', 'no such broker')),
      /the Trigger aws-dnsrecord is not ready: BrokerDoesNotExist/,
      /describe trigger aws-dnsrecord/,
    ],
    [
      'a Trigger with another filter',
      changed('triggers', 'aws-dnsrecord', {
        spec: { ...(trigger.spec as object), filter: { attributes: { kind: 'DNSRecord', provider: 'aws' } } },
      }),
      /the Trigger aws-dnsrecord does not pass DNSRecord of type aws-route53/,
      /functions\/aws-dnsrecord.yaml/,
    ],
    [
      'two Triggers for the same events',
      { triggers: [trigger, { ...trigger, metadata: { ...trigger.metadata, name: 'mine' } }] },
      /DNSRecord of type aws-route53 has 2 Triggers: aws-dnsrecord, mine/,
      /delete trigger/,
    ],
    [
      'a registry that refuses',
      changed(
        'services',
        'aws-dnsrecord',
        failed(
          'ConfigurationsReady',
          'RevisionFailed',
          'Unable to fetch image "registry.example.org/trellis/aws-dnsrecord:1": 401 Unauthorized',
        ),
      ),
      /aws-dnsrecord is not ready: RevisionFailed: Unable to fetch image/,
      /refuses registry.example.org\/trellis\/aws-dnsrecord:1.*imagePullSecrets/,
    ],
    [
      'an image without a registry',
      changed('services', 'aws-dnsrecord', {
        spec: JSON.parse(
          JSON.stringify(service.spec).replaceAll('registry.example.org/trellis/', 'trellis/'),
        ) as object,
      }),
      /1 Services have an image without a registry \(trellis\/aws-dnsrecord:1\)/,
      /set your registry/,
    ],
    ['no bridge', { deployments: [] }, /the namespace trellis has no Deployment of a bridge/, /--namespace/],
    [
      'a bridge that does not start',
      {
        ...changed('deployments', 'bridge', { status: { availableReplicas: 0 } }),
        pods: [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'bridge-5c9f-x2' },
            status: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
          },
        ],
      },
      /0 of 2 replicas of the bridge's Deployment bridge are available: ImagePullBackOff/,
      /describe deployment bridge/,
    ],
    [
      'a SinkBinding that is not ready',
      changed('sinkBindings', 'bridge', failed('Ready', 'SinkMissing', '')),
      /the SinkBinding bridge is not ready: SinkMissing/,
      /describe sinkbinding bridge/,
    ],
    [
      'a bridge without a SinkBinding',
      { sinkBindings: [] },
      /no SinkBinding selects the Deployment bridge/,
      /SinkBinding/,
    ],
    [
      'a Lease without a renewal',
      { leases: [bridgeLease(60_000)] },
      /renewed 60 s ago/,
      /logs deployment\/bridge/,
    ],
    [
      'a Lease without a holder',
      { leases: [bridgeLease(1_000, '')] },
      /the Lease trellis-bridge has no holder/,
      /logs/,
    ],
    [
      'a heartbeat that is old',
      { heartbeats: [heartbeat(600_000)] },
      /heartbeat of provider-aws is 600 s old/,
      /logs/,
    ],
    [
      'kinds that are not watched',
      changed('deployments', 'bridge', withEnvironment([{ name: 'TRELLIS_KINDS', value: 'Worker' }])),
      /does not watch .*aws-/,
      /apply the bridge's Deployment again/,
    ],
    [
      'types that are not watched',
      changed(
        'deployments',
        'bridge',
        withEnvironment([{ name: 'TRELLIS_SERVED', value: 'DNSRecord/aws-route53' }]),
      ),
      /does not watch .*aws-backupbucket \(BackupBucket\/aws\)/,
      /TRELLIS_SERVED/,
    ],
    [
      'a node whose clock is ahead',
      { leases: [bridgeLease(-120_000)] },
      /119 s ahead of the API server/,
      /chrony/,
    ],
    [
      'the Go extension beside',
      {
        extensionDeployments: [goExtension([`--disable-controllers=${allOfAws.replace('dnsrecord,', '')}`])],
      },
      /gardener-extension-provider-aws runs beside aws-dnsrecord for the same objects/,
      /disableControllers: \[dnsrecord\]/,
    ],
    [
      'an object that another controller writes, too',
      {
        DNSRecord: [
          record({
            annotations: step({ phase: 'claimed' }),
            managedFields: [
              {
                manager: 'gardener-extension-provider-aws',
                time: '2026-11-21T11:30:00Z',
                fieldsV1: { 'f:status': { 'f:lastOperation': {} } },
              },
            ],
          }),
        ],
      },
      /1 DNSRecord was written by gardener-extension-provider-aws/,
      /run only one of the two/,
    ],
    [
      'an object that waits for its first step',
      { DNSRecord: [record({ annotations: asked })] },
      /1 DNSRecord waits for its first step, for up to 30 min: dnsrecord\/shoot--foo--bar\/external/,
      /trellis status shows why/,
    ],
    [
      'a step whose time is over',
      {
        DNSRecord: [
          {
            ...record({ annotations: step({}) }),
            status: { lastOperation: { type: 'Reconcile', state: 'Error' } },
          },
        ],
      },
      /1 DNSRecord has a step that is overdue, by up to 60 min/,
      /trellis status/,
    ],
  ])('%s', (_, changes, text, advice) => {
    const found = saidOf(seedWith(changes), 'problem').filter(one => text.test(one.text))
    expect(found).toHaveLength(1)
    expect(found[0]?.advice).toMatch(advice)
  })

  test('a missing permission is reported with the account and a command that shows it', () => {
    const { rights } = seedWith()
    const seed = seedWith(
      {},
      { rights: rights.map(right => ({ ...right, allowed: right.account !== 'aws-worker' })) },
    )
    const [found, ...others] = saidOf(seed, 'problem')
    expect(others).toEqual([])
    expect(found?.text).toMatch(/ServiceAccount aws-worker may not get workers.extensions.gardener.cloud, /)
    expect(found?.advice).toContain(
      'kubectl auth can-i get workers.extensions.gardener.cloud -A --as system:serviceaccount:trellis:aws-worker',
    )
  })

  test('a missing bridge is reported once', () => {
    const { length } = saidOf(seedWith(), 'problem')
    const said = saidOf(seedWith({ deployments: [], sinkBindings: [], leases: [] }), 'problem')
    expect(length).toBe(0)
    expect(said.filter(({ text }) => /SinkBinding/.test(text))).toEqual([])
    expect(said.filter(({ text }) => /no Deployment of a bridge/.test(text))).toHaveLength(1)
  })

  test('no advice applies manifests with images that have no registry', () => {
    const broken = seedWith({ brokers: [], triggers: [], sinkBindings: [] })
    for (const { text, advice } of diagnosesOf(broken)) expect(advice ?? '', text).not.toMatch(/apply -f/)
  })

  test('every problem and every warning has advice', () => {
    const broken = seedWith({ brokers: [], deployments: [], services: [], heartbeats: [] })
    for (const { state, text, advice } of diagnosesOf(broken))
      if (state === 'problem' || state === 'warning') expect(advice, text).toMatch(/\S/)
  })
})

describe('the report of a seed has a warning, and no failure, for', () => {
  test.each<[what: string, seed: CheckedSeed, text: RegExp]>([
    [
      'an untested class of broker',
      seedWith(
        changed(
          'brokers',
          'default',
          withAnnotations(broker, { 'eventing.knative.dev/broker.class': 'Mine' }),
        ),
      ),
      /the class Mine of default/,
    ],
    [
      'Triggers of RabbitMQ with one worker',
      seedWith(
        changed(
          'brokers',
          'default',
          withAnnotations(broker, { 'eventing.knative.dev/broker.class': 'RabbitMQBroker' }),
        ),
      ),
      /Triggers deliver one event at a time/,
    ],
    [
      'objects of a type that no Trigger is for',
      seedWith({ DNSRecord: [record({ annotations: asked }, 'google-clouddns')] }),
      /1 DNSRecord of type google-clouddns waits.*Trellis does not serve it/,
    ],
    [
      'another time here',
      seedWith({}, { server: { date: testNow + 30_000 } }),
      /API server is 30.0 s ahead of this machine/,
    ],
    ['an old Kubernetes', seedWith({}, { server: { version: 'v1.24.3' } }), /Kubernetes v1.24.3/],
    ['no machines', seedWith({ definitions: [] }), /no Worker can be reconciled/],
  ])('%s', (_, seed, text) => {
    expect(saidOf(seed, 'warning').filter(one => text.test(one.text))).toHaveLength(1)
  })
})
