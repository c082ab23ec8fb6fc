import { describe, expect, test } from 'vitest'
import type { MachineClassContent } from '../../../../../shared/worker/worker.ts'
import { apiVersion } from '../../../../../terraform-free-infra/aws/account/config/config.ts'
import { desiredMachines } from '../desired-machines.ts'
import type { MachinePool } from '../request.ts'
import { poolOf, requestOf } from '../testing/request.ts'

const classesOf = (pool: MachinePool) => {
  const [classes] = desiredMachines(requestOf({ pools: [pool] })).pools
  if (classes?.kind !== 'classes') throw classes?.error ?? new Error('no pool')
  return classes
}

/** Returns the changes in words: reads the hash inputs of one pool from the class of another. */
const changesOf = (before: Partial<MachinePool>, after: Partial<MachinePool>) => {
  const content = classesOf(poolOf(before)).zones[0]?.content as MachineClassContent
  return classesOf(poolOf(after))
    .hashInputs.flatMap(input => input.parts ?? [input])
    .flatMap(({ name, datum, observed }) => {
      const found = observed?.(content)
      return found === datum ? [] : [`${name}: ${found ?? 'none'} → ${datum ?? 'none'}`]
    })
}

const config = (fields: object) => ({ providerConfig: { apiVersion, kind: 'WorkerConfig', ...fields } })
const volumes = (...sizes: readonly (readonly [string, string])[]) => ({
  dataVolumes: sizes.map(([name, size]) => ({ name, size, type: 'gp3' })),
})

describe.each(['1.33.3', '1.34.1'])('the reported changes of a pool of Kubernetes %s', kubernetesVersion => {
  const changes = (before: object, after: object) =>
    changesOf({ kubernetesVersion, ...before }, { kubernetesVersion, ...after })

  test('are empty if nothing has changed', () => {
    const full = {
      ...volumes(['kubelet-dir', '50Gi'], ['a', '7Gi']),
      volume: { size: '20Gi', type: 'gp3', encrypted: false },
      ...config({
        volume: { iops: 3000, throughput: 200 },
        nodeTemplate: { capacity: { cpu: '1500m' }, virtualCapacity: { 'a.b/c': 1 } },
        cpuOptions: { coreCount: 4, threadsPerCore: 2 },
        instanceMetadataOptions: { httpTokens: 'optional' },
        iamInstanceProfile: { arn: 'arn:aws:iam::123456789012:instance-profile/p' },
        placement: { tenancy: 'host', hostId: 'h-1' },
        networkInterfaces: [
          { deviceIndex: 0, type: 'efa' },
          { deviceIndex: 1, networkCardIndexRange: { from: 1, to: 3 }, type: 'efa-only' },
        ],
      }),
    }
    expect(changes(full, full)).toEqual([])
    expect(changes({}, {})).toEqual([])
    expect(changes(config({}), config({}))).toEqual([])
  })

  test.each<[string, object, object, readonly string[]]>([
    [
      'the size of a data volume',
      volumes(['kubelet-dir', '50Gi'], ['a', '7Gi']),
      volumes(['kubelet-dir', '60Gi'], ['a', '7Gi']),
      ['data volume kubelet-dir: size: 50Gi → 60Gi'],
    ],
    [
      'a data volume that is new',
      volumes(['kubelet-dir', '50Gi']),
      volumes(['kubelet-dir', '50Gi'], ['a', '7Gi']),
      ['data volume a: size: none → 7Gi', 'data volume a: type: none → gp3'],
    ],
    [
      'a data volume that has gone',
      volumes(['kubelet-dir', '50Gi'], ['a', '7Gi']),
      volumes(['kubelet-dir', '50Gi']),
      ['data volumes that were removed from the pool: 1 → none'],
    ],
    [
      'the encryption of the root volume',
      { volume: { size: '20Gi', type: 'gp3' } },
      { volume: { size: '20Gi', type: 'gp3', encrypted: false } },
      ['root volume: encrypted: true → false'],
    ],
    [
      'IOPS, changed',
      config({ volume: { iops: 3000 } }),
      config({ volume: { iops: 4000 } }),
      ['root volume: iops: 3000 → 4000'],
    ],
    ['IOPS, gone', config({ volume: { iops: 3000 } }), {}, ['root volume: iops: 3000 → none']],
    [
      'spot',
      {},
      config({ instanceMarketOptions: { marketType: 'spot' } }),
      ['instanceMarketOptions: marketType: none → spot'],
    ],
    [
      'metadata options that go back to what they are without any',
      config({ instanceMetadataOptions: { httpTokens: 'optional', httpPutResponseHopLimit: 2 } }),
      {},
      ['instanceMetadataOptions: httpTokens: optional → none'],
    ],
    [
      'a capacity',
      config({ nodeTemplate: { capacity: { memory: '9Gi' } } }),
      config({ nodeTemplate: { capacity: { memory: '10Gi' } } }),
      ['node template: capacity of memory: memory=9663676416 → memory=10737418240'],
    ],
  ])('name the change: %s', (_, before, after, sentences) => {
    expect(changes(before, after)).toEqual(sentences)
  })
})
