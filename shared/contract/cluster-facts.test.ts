import { describe, expect, test } from 'vitest'
import {
  failureToleranceOf,
  genericKubeconfigSecretName,
  isForceDeletionConfirmed,
  isHibernated,
  isHibernatingOrWakingUp,
  isHibernationEnabled,
  isSelfHosted,
  isShootDeleted,
  isShootFailed,
  isWorkerless,
  kubernetesVersionOf,
  parseBool,
  podNetworks,
  rotationPhaseOf,
} from './cluster-facts.ts'
import type { Cluster, Shoot } from './schemas/cluster.ts'

const cluster = (shoot: Shoot, annotations: Record<string, string> = {}): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shoot--p--x', annotations },
  spec: { cloudProfile: {}, shoot },
})
const hibernation = (enabled: boolean | undefined, isHibernated: boolean | undefined): Cluster =>
  cluster({
    ...(enabled === undefined ? {} : { spec: { hibernation: { enabled } } }),
    ...(isHibernated === undefined ? {} : { status: { hibernated: isHibernated } }),
  })

describe('facts of a Cluster', () => {
  test.each<[boolean | undefined, boolean | undefined, boolean, boolean, boolean]>([
    [undefined, undefined, false, false, false],
    [false, false, false, false, false],
    [true, undefined, true, false, true],
    [true, false, true, false, true],
    [true, true, true, true, false],
    [false, true, false, false, true],
  ])('hibernation desired %j, reached %j', (wanted, reached, enabled, hibernated, onTheWay) => {
    const subject = hibernation(wanted, reached)
    expect(isHibernationEnabled(subject)).toBe(enabled)
    expect(isHibernated(subject)).toBe(hibernated)
    expect(isHibernatingOrWakingUp(subject)).toBe(onTheWay)
  })

  test('a shoot with a deletion timestamp is deleted', () => {
    expect(isShootDeleted(cluster({}))).toBe(false)
    expect(isShootDeleted(cluster({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }))).toBe(true)
  })

  test.each<[Shoot['status'], boolean]>([
    [undefined, false],
    [{ lastOperation: null }, false],
    [{ lastOperation: { type: 'Create', state: 'Processing' } }, false],
    [{ lastOperation: { type: 'Create', state: 'Failed' } }, true],
    [{ lastOperation: { type: 'Reconcile', state: 'Error' } }, false],
    [{ lastOperation: { type: 'Delete', state: 'Failed' } }, true],
  ])('shoot status %j', (status, failed) => {
    const subject = cluster(status === undefined ? {} : { status })
    expect(isShootFailed(subject)).toBe(failed)
  })

  test('networks: first that of the spec, then those of the status, each once', () => {
    const subject = cluster({
      spec: { networking: { pods: '10.1.0.0/16' } },
      status: { networking: { pods: ['fd00::/64', '10.1.0.0/16'] } },
    })
    expect(podNetworks(subject)).toEqual(['10.1.0.0/16', 'fd00::/64'])
    expect(podNetworks(cluster({}))).toEqual([])
  })

  test('the generic kubeconfig has a name with a fallback', () => {
    const annotation = 'generic-token-kubeconfig.secret.gardener.cloud/name'
    expect(genericKubeconfigSecretName(cluster({}, { [annotation]: 'generic-token-kubeconfig-abc' }))).toBe(
      'generic-token-kubeconfig-abc',
    )
    expect(genericKubeconfigSecretName(cluster({}))).toBe('generic-token-kubeconfig')
  })

  test('a forced delete is confirmed on the Shoot, not on the Cluster', () => {
    const annotation = { 'confirmation.gardener.cloud/force-deletion': 'true' }
    expect(isForceDeletionConfirmed(cluster({ metadata: { annotations: annotation } }))).toBe(true)
    expect(isForceDeletionConfirmed(cluster({}, annotation))).toBe(false)
  })
})

describe('parseBool of Go', () => {
  test.each<[string | undefined, boolean | undefined]>([
    ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text): [string, boolean] => [text, true]),
    ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text): [string, boolean] => [text, false]),
    ['yes', undefined],
    ['tRUE', undefined],
    [' true', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j is read as %j', (text, expected) => {
    expect(parseBool(text)).toBe(expected)
  })
})

test.each([
  [undefined, false],
  [[], false],
  [[{ name: 'a' }, { name: 'b', controlPlane: null }], false],
  [[{ name: 'a' }, { name: 'b', controlPlane: {} }], true],
])('a shoot with the workers %j is self-hosted: %j', (workers, expected) => {
  expect(isSelfHosted(cluster({ spec: { provider: { workers } } }))).toBe(expected)
})

test.each<[Shoot['spec'], boolean]>([
  [{}, true],
  [{ provider: { workers: [] } }, true],
  [{ provider: { workers: [{ name: 'a' }] } }, false],
])('a Shoot with the spec %j is workerless: %j', (spec, expected) => {
  expect(isWorkerless(cluster({ spec }))).toBe(expected)
})

test('the Kubernetes version is that of the Shoot, and a missing one is an error', () => {
  expect(kubernetesVersionOf(cluster({ spec: { kubernetes: { version: '1.34.2' } } }))).toBe('1.34.2')
  expect(() => kubernetesVersionOf(cluster({ spec: { kubernetes: {} } }))).toThrow(
    'the Shoot in the Cluster shoot--p--x has no spec.kubernetes.version',
  )
})

test.each([
  ['zone', 'zone'],
  ['node', 'node'],
  ['region', undefined],
])('the failure tolerance %s is %s', (type, expected) => {
  const spec = { controlPlane: { highAvailability: { failureTolerance: { type } } } }
  expect(failureToleranceOf(cluster({ spec }))).toBe(expected)
  expect(failureToleranceOf(cluster({ spec: { controlPlane: null } }))).toBeUndefined()
})

test('each kind of credentials has its own phase, and an unknown phase is none', () => {
  const rotation = {
    certificateAuthorities: { phase: 'WaitingForWorkersRollout' },
    etcdEncryptionKey: { phase: 'Thinking' },
  }
  const subject = cluster({ status: { credentials: { rotation } } })
  expect(rotationPhaseOf(subject, 'certificateAuthorities')).toBe('WaitingForWorkersRollout')
  expect(rotationPhaseOf(subject, 'serviceAccountKey')).toBeUndefined()
  expect(rotationPhaseOf(subject, 'etcdEncryptionKey')).toBeUndefined()
})
