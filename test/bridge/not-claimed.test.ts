import { describe, expect, test } from 'vitest'
import type { Unclaimed } from '../../bridge/bridge.ts'
import { createEventRecorder } from '../../bridge/bridge.ts'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { type Seed, startSeed } from '../../sandbox/seed/seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, eventResource } from '../../shared/kubernetes/kubernetes.ts'
import { record } from './harness.ts'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const unclaimed = (fields: Partial<Unclaimed> = {}): Unclaimed => ({
  type: 'unclaimed',
  kind: 'DNSRecord',
  object: 'shoot--foo--bar/x',
  uid: 'uid-1',
  id: 'id',
  operation: 'reconcile',
  reason: 'annotation',
  attempt: 0,
  times: 1,
  provider: 'aws-rout53',
  known: [],
  ...fields,
})

const bench = () => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.000Z'))
  const server = createApiServer({
    clock,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shoot--foo--bar' } }],
  })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const warnings: unknown[] = []
  const record = (kubernetesOfRecorder: Pick<Kubernetes, 'get' | 'create' | 'patch'> = kubernetes) =>
    createEventRecorder({
      kubernetes: kubernetesOfRecorder,
      clock,
      log: { ...silent, warn: (...line) => warnings.push(line) },
    })
  const events = async (namespace?: string) =>
    (await kubernetes.list(eventResource, namespace === undefined ? {} : { namespace })).items
  return { clock, kubernetes, record, events, warnings, close: server.close }
}

describe('a Kubernetes Event', () => {
  test('is written for an unclaimed object, where kubectl describe finds it', async () => {
    const { clock, record, kubernetes, close } = bench()
    record().event(unclaimed())
    await clock.advance(0)
    const { items } = await kubernetes.list(eventResource, {
      namespace: 'shoot--foo--bar',
      fieldSelector:
        'involvedObject.name=x,involvedObject.namespace=shoot--foo--bar,involvedObject.uid=uid-1,involvedObject.kind=DNSRecord',
    })
    expect(items).toMatchObject([
      {
        metadata: { name: expect.stringMatching(/^x\.[0-9a-f]{16}$/), namespace: 'shoot--foo--bar' },
        type: 'Warning',
        reason: 'NotClaimed',
        message: 'no function has claimed it since its event was sent once; its spec.type is "aws-rout53"',
        source: { component: 'trellis-bridge' },
        count: 1,
        firstTimestamp: '2026-11-21T12:00:00Z',
        lastTimestamp: '2026-11-21T12:00:00Z',
      },
    ])
    close()
  })

  test('is counted once per object, across processes', async () => {
    const { clock, record, events, close } = bench()
    const first = record()
    first.event(unclaimed())
    await clock.advance(90_000)
    first.event(unclaimed({ times: 2 }))
    await clock.advance(180_000)
    record().event(unclaimed({ times: 1 }))
    record().event(unclaimed({ uid: 'uid-2', object: 'shoot--foo--bar/y' }))
    await clock.advance(0)
    expect(await events('shoot--foo--bar')).toMatchObject([
      { count: 3, firstTimestamp: '2026-11-21T12:00:00Z', lastTimestamp: '2026-11-21T12:04:30Z' },
      { count: 1 },
    ])
    close()
  })

  test.each([
    ['no event can be built from', 0, 'no event can be built from it: spec.type has too many characters'],
    [
      'the sink refuses',
      413,
      expect.stringMatching(
        /^its event was refused and is retried: spec.type has too many characters; .*must accept 1 MiB/,
      ),
    ],
  ])(
    'is written for an object that %s, in addition to the Event for the unclaimed object',
    async (_, status, message) => {
      const { clock, record, events, close } = bench()
      const recorder = record()
      recorder.event(unclaimed())
      await clock.advance(0)
      const { type: __, provider: ___, known: ____, times: _____, ...about } = unclaimed()
      recorder.event({ type: 'parked', status, why: 'spec.type has too many characters', ...about })
      await clock.advance(0)
      const reasonOf = (event: object) => String(Object(event).reason)
      const stored = await events('shoot--foo--bar')
      expect(stored.toSorted((a, b) => reasonOf(a).localeCompare(reasonOf(b)))).toMatchObject([
        { reason: 'NotClaimed' },
        {
          reason: 'NotSent',
          message,
          involvedObject: { name: 'x', uid: 'uid-1', apiVersion: 'extensions.gardener.cloud/v1alpha1' },
        },
      ])
      close()
    },
  )

  test.each([
    'a'.repeat(253),
    `${'a'.repeat(235)}.${'b'.repeat(17)}`,
    `${'a'.repeat(234)}--${'b'.repeat(17)}`,
  ])('has a valid name, also for an object with the longest possible name: %s', async name => {
    const { clock, record, events, close } = bench()
    record().event(unclaimed({ object: `shoot--foo--bar/${name}` }))
    await clock.advance(0)
    const [event] = await events('shoot--foo--bar')
    expect(event?.metadata.name.length).toBeLessThanOrEqual(253)
    expect(event?.metadata.name).toMatch(/^a+[.][0-9a-f]{16}$/)
    expect(event?.involvedObject).toMatchObject({ name })
    close()
  })

  test('is in the namespace default for an object without namespace', async () => {
    const { clock, record, events, close } = bench()
    record().event(unclaimed({ kind: 'BackupBucket', object: 'bucket' }))
    await clock.advance(0)
    const [event] = await events('default')
    expect(event?.involvedObject).toEqual({
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'BackupBucket',
      name: 'bucket',
      uid: 'uid-1',
    })
    close()
  })

  test('is logged once if it cannot be written, and delays nothing', async () => {
    const { clock, record, kubernetes, warnings, events, close } = bench()
    let isStuck = true
    const recorder = record({
      ...kubernetes,
      create: (resource, object, options) =>
        isStuck
          ? new Promise((_, reject) =>
              options?.signal?.addEventListener('abort', () => reject(options.signal?.reason)),
            )
          : kubernetes.create(resource, object, options),
    })
    for (let index = 0; index < 3; index++) recorder.event(unclaimed({ uid: `uid-${index}` }))
    await clock.advance(30_000)
    expect(warnings).toMatchObject([['cannot write a Kubernetes Event', {}]])
    isStuck = false
    for (let index = 0; index < 1_000; index++) recorder.event(unclaimed({ uid: `many-${index}` }))
    for (let round = 0; round < 300; round++) await clock.advance(1)
    expect(await events()).toHaveLength(201)
    recorder.close()
    expect(clock.pending()).toEqual([])
    close()
  })
})

describe('a typing error in spec.type', () => {
  test('is reported at once with the intended type if the functions are known', async () => {
    const said: string[] = []
    const seed: Seed = await startSeed({
      functions: [],
      kinds: ['DNSRecord'],
      observe: event => {
        if (event.part === 'bridge' && event.event.type === 'unclaimed') said.push(event.event.object)
      },
    })
    try {
      const object = record('x')
      await seed.kubernetes.create(kinds.DNSRecord.resource, {
        ...object,
        metadata: { ...object.metadata, namespace: 'default' },
        spec: {
          ...(object.spec as object),
          type: 'aws-rout53',
          secretRef: { name: 'c', namespace: 'default' },
        },
      })
      await expect
        .poll(async () => (await seed.kubernetes.list(eventResource, { namespace: 'default' })).items)
        .toMatchObject([
          {
            reason: 'NotClaimed',
            message:
              'no function serves DNSRecord of type "aws-rout53". Did you mean "aws-route53"? (served: aws-route53, local, openstack-designate)',
          },
        ])
      expect(said).toEqual(['default/x'])
    } finally {
      await seed.close()
    }
  })
})
