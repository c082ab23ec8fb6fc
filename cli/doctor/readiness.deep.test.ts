import { describe, expect, test } from 'vitest'
import { recordOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { ReadName } from './reads.ts'
import { changed, installedOne, seedWith } from './testing/good-seed.ts'
import { diagnosesOf, saidOf } from './testing/said-of.ts'

const subjects: readonly (readonly [read: ReadName, name: string])[] = [
  ['brokers', 'default'],
  ['triggers', 'aws-dnsrecord'],
  ['services', 'aws-dnsrecord'],
  ['sinkBindings', 'bridge'],
  ['deployments', 'bridge'],
  ['deployments', 'webhook'],
]

const changedTo = (object: KubernetesObject, metadata: object, status: object = {}): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
  status: { ...recordOf(object.status), ...status },
})

/** The objects that doctor reports as a problem, by what only the change can cause. */
const problemsOf = (
  read: ReadName,
  name: string,
  object: KubernetesObject,
  pods: readonly KubernetesObject[] = [],
) => saidOf(seedWith({ ...changed(read, name, object), pods }), 'problem').map(({ text }) => text)

describe.each(subjects)('%s %s', (read, name) => {
  const good = installedOne(read, name)

  test('it is well at first', () => {
    expect(problemsOf(read, name, good)).toEqual([])
    expect(problemsOf(read, name, changedTo(good, { generation: 3 }, { observedGeneration: 3 }))).toEqual([])
  })

  test('a status of a former generation proves nothing', () => {
    expect(problemsOf(read, name, changedTo(good, { generation: 3 }, { observedGeneration: 2 }))).toEqual([
      expect.stringMatching(new RegExp(`${name}.*has not seen the last change \\(generation 3, seen 2\\)`)),
    ])
  })

  test('an object that is being deleted is not ready', () => {
    const deleted = changedTo(good, { deletionTimestamp: '2026-11-21T11:58:00Z' })
    expect(problemsOf(read, name, deleted)).toEqual([
      expect.stringMatching(new RegExp(`${name}.*is being deleted since 2026-11-21T11:58:00Z`)),
    ])
  })
})

test('conditions of a former generation prove nothing, either', () => {
  const trigger = installedOne('triggers', 'aws-dnsrecord')
  const conditions = [{ type: 'Ready', status: 'True', observedGeneration: 1 }]
  expect(
    problemsOf('triggers', 'aws-dnsrecord', changedTo(trigger, { generation: 2 }, { conditions })),
  ).toHaveLength(1)
})

test('a definition that is being deleted is no definition', () => {
  const { definitions } = seedWith().reads
  const all = definitions.kind === 'objects' ? definitions.objects : []
  const seed = seedWith({
    definitions: all.map(one =>
      one.metadata.name === 'triggers.eventing.knative.dev'
        ? changedTo(one, { deletionTimestamp: '2026-11-21T11:58:00Z' })
        : one,
    ),
  })
  expect(saidOf(seed, 'problem').map(({ text }) => text)).toEqual([
    expect.stringContaining('triggers.eventing.knative.dev not established, or being deleted'),
  ])
})

/** Ways in which a pod of a function or of a Deployment fails. */
const failures: Readonly<Record<string, object>> = {
  ImagePullBackOff: {
    containerStatuses: [{ name: 'a', ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } }],
  },
  CrashLoopBackOff: {
    containerStatuses: [
      {
        name: 'a',
        ready: false,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 1 } },
      },
    ],
  },
  CreateContainerConfigError: {
    initContainerStatuses: [
      { name: 'a', ready: false, state: { waiting: { reason: 'CreateContainerConfigError' } } },
    ],
  },
  Unschedulable: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  'readiness probe': { containerStatuses: [{ name: 'a', ready: false, state: { running: {} } }] },
}

const pod = (
  name: string,
  status: object,
  labels: Readonly<Record<string, string>> = {},
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'trellis', labels, creationTimestamp: '2026-11-21T11:00:00Z' },
  status,
})

describe.each(Object.entries(failures))('a pod that fails beside Ready=True: %s', (reason, status) => {
  test('the function is not ready', () => {
    const service = installedOne('services', 'aws-dnsrecord')
    const latest = {
      latestCreatedRevisionName: 'aws-dnsrecord-00002',
      latestReadyRevisionName: 'aws-dnsrecord-00002',
    }
    const ofRevision = (revision: string) =>
      pod(`${revision}-deployment-5c9f-x2`, status, {
        'serving.knative.dev/service': 'aws-dnsrecord',
        'serving.knative.dev/revision': revision,
      })
    const seen = (revision: string) =>
      problemsOf('services', 'aws-dnsrecord', changedTo(service, {}, latest), [ofRevision(revision)])
    expect(seen('aws-dnsrecord-00002')).toEqual([
      expect.stringMatching(new RegExp(`the function aws-dnsrecord is not ready: .*${reason}`)),
    ])
    expect(seen('aws-dnsrecord-00001')).toEqual([])
  })

  test.each(['bridge', 'webhook'])(
    'the Deployment %s has a problem, although its former pods are available',
    name => {
      const deployment = installedOne('deployments', name)
      const replicas = Number(recordOf(deployment.spec).replicas ?? 1)
      const rolling = changedTo(
        deployment,
        {},
        { replicas: replicas + 1, updatedReplicas: 1, availableReplicas: replicas },
      )
      for (const object of [deployment, rolling])
        expect(problemsOf('deployments', name, object, [pod(`${name}-5c9f-x2`, status)])).toEqual([
          expect.stringContaining(reason),
        ])
    },
  )
})

test('a pod that has just started, or that ends, is no failure', () => {
  const labels = { 'serving.knative.dev/service': 'aws-dnsrecord' }
  const starting = pod('aws-dnsrecord-00001-deployment-5c9f-x2', failures['readiness probe'] ?? {}, labels)
  const pods = [
    { ...starting, metadata: { ...starting.metadata, creationTimestamp: '2026-11-21T11:59:50Z' } },
    { ...starting, metadata: { ...starting.metadata, deletionTimestamp: '2026-11-21T11:59:50Z' } },
  ]
  expect(saidOf(seedWith({ pods }), 'problem')).toEqual([])
})

test('a rollout that a Deployment reports as stuck is a problem, and one in progress a warning', () => {
  const deployment = installedOne('deployments', 'bridge')
  const rolling = (status: object) =>
    seedWith(
      changed(
        'deployments',
        'bridge',
        changedTo(deployment, {}, { replicas: 3, updatedReplicas: 1, ...status }),
      ),
    )
  expect(saidOf(rolling({}), 'warning').map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/bridge's Deployment bridge .*1 of 2 replicas have the present template/),
  )
  const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }]
  expect(saidOf(rolling({ conditions }), 'problem').map(({ text }) => text)).toEqual([
    expect.stringContaining('ProgressDeadlineExceeded'),
  ])
})

test('a newer revision that is not ready is a problem, although the former one gets the events', () => {
  const service = installedOne('services', 'aws-dnsrecord')
  const latest = {
    latestCreatedRevisionName: 'aws-dnsrecord-00002',
    latestReadyRevisionName: 'aws-dnsrecord-00001',
  }
  expect(problemsOf('services', 'aws-dnsrecord', changedTo(service, {}, latest))).toEqual([
    expect.stringContaining('aws-dnsrecord-00002 is not ready'),
  ])
})

test('functions without pods are named, with the time of the last work that their objects show', () => {
  const said = diagnosesOf(seedWith()).map(({ text }) => text)
  expect(said).toContainEqual(
    expect.stringMatching(
      /^\d+ Services have no pod now, and start one for an event \(--wake tries it\); no object shows a step of /,
    ),
  )
})
