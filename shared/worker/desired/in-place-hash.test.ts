import { describe, expect, test } from 'vitest'
import type { Cluster } from '../../contract/objects.ts'
import { poolOf } from '../testing/worker-of.ts'
import { hashOf, inPlaceHashOf } from './class-hash.ts'

const clusterWith = (rotation: object): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shoot--foo--bar' },
  spec: { cloudProfile: {}, shoot: { status: { credentials: { rotation } } } },
})
const plain = clusterWith({})

const pool = poolOf({
  name: 'i',
  nodeAgentSecretName: 'gardener-node-agent-i',
  kubernetesVersion: '1.33.3',
  machineImage: { name: 'gardenlinux', version: '1877.3.0' },
  updateStrategy: 'AutoInPlaceUpdate',
})

describe('the in-place hash', () => {
  test.each([
    ['of a pool', {}, 'fa403f7da5302d94'],
    ['does not count the patch version', { kubernetesVersion: '1.33.9' }, 'fa403f7da5302d94'],
    [
      'does not count the image’s name',
      { machineImage: { name: 'other', version: '1877.3.0' } },
      'fa403f7da5302d94',
    ],
    ['does not count an empty kubelet configuration', { kubeletConfig: {} }, 'fa403f7da5302d94'],
    ['counts the minor version', { kubernetesVersion: '1.34.1' }, 'c31c92eed4a19819'],
    [
      'counts the image’s version',
      { machineImage: { name: 'gardenlinux', version: '1877.4.0' } },
      '363e0d676e27a216',
    ],
    [
      'counts what the kubelet reserves, evicts at and manages',
      {
        kubeletConfig: {
          cpuManagerPolicy: 'static',
          kubeReserved: { cpu: '0.1', memory: '1024Mi', pid: '10k', ephemeralStorage: '2Gi' },
          evictionHard: {
            memoryAvailable: '100Mi',
            imageFSAvailable: '5%',
            imageFSInodesFree: '6%',
            nodeFSAvailable: '7%',
            nodeFSInodesFree: '8%',
          },
        },
      },
      'e397d962d129737e',
    ],
  ])('%s', (_, parts, hash) => {
    expect(inPlaceHashOf({ ...pool, ...parts }, plain)).toBe(hash)
  })

  test('includes the time of the credentials rotation', () => {
    const cluster = clusterWith({
      certificateAuthorities: { lastInitiationTime: '2026-01-02T03:04:05Z' },
      serviceAccountKey: { lastInitiationTime: '2026-02-02T03:04:05Z' },
    })
    expect(inPlaceHashOf(pool, cluster)).toBe('a17ed75ab665212b')
  })

  test('uses the current state of the pool while a rotation has yet to reach it', () => {
    const before = clusterWith({ certificateAuthorities: { lastInitiationTime: '2026-01-02T03:04:05Z' } })
    const pending = (entry: object) =>
      clusterWith({
        certificateAuthorities: {
          lastInitiationTime: '2026-09-09T09:09:09Z',
          pendingWorkersRollouts: [{ name: 'other' }, { name: 'i', ...entry }],
        },
      })
    expect(inPlaceHashOf(pool, pending({ lastInitiationTime: '2026-01-02T03:04:05Z' }))).toBe(
      inPlaceHashOf(pool, before),
    )
    expect(inPlaceHashOf(pool, pending({}))).toBe(inPlaceHashOf(pool, plain))
  })

  test('writes missing reservations as Go does', () => {
    const reserved = {
      ...pool,
      kubeletConfig: { kubeReserved: { cpu: 1 }, evictionHard: { nodeFSAvailable: '5%' } },
    }
    expect(inPlaceHashOf(reserved, plain)).toBe(
      hashOf(['1.33', '1877.3.0', '1-<nil>-<nil>-<nil>', '---5%-'], 16),
    )
  })

  test.each(['', 'latest', '1.', '1.x'])('is refused for the version %j', kubernetesVersion => {
    expect(() => inPlaceHashOf({ ...pool, kubernetesVersion }, plain)).toThrow('invalid semantic version')
  })
})
