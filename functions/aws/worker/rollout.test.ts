import { describe, expect, test } from 'vitest'
import type { Cluster, MachineClass, MachineDeployment, Worker } from '../../../shared/contract/objects.ts'
import { planRollout } from '../../../shared/worker/worker.ts'
import { awsMachines } from './aws-machines.ts'
import { cloudProfile, infrastructureStatus, poolOf } from './machines/testing/request.ts'

type Pool = ReturnType<typeof poolOf>

const namespace = 'shoot--foo--bar'
const cluster = {
  spec: {
    cloudProfile: { metadata: { name: 'aws' }, spec: cloudProfile },
    shoot: { status: { technicalID: namespace } },
  },
} as unknown as Cluster
const workerOf = (pool: Partial<Pool>) =>
  ({
    metadata: { name: 'bar', namespace },
    spec: {
      type: 'aws',
      region: 'eu-west-1',
      secretRef: { name: 'cloudprovider', namespace },
      infrastructureProviderStatus: infrastructureStatus,
      pools: [poolOf(pool)],
    },
  }) as unknown as Worker

const deploymentOf = (className: string) =>
  ({
    metadata: { name: `${namespace}-a-z1`, namespace, generation: 1 },
    spec: { replicas: 1, template: { spec: { class: { kind: 'MachineClass', name: className } } } },
  }) as unknown as MachineDeployment

/** Plans the rollout of a changed pool while the class of the old one still exists. */
const rolloutOf = (before: Partial<Pool>, after: Partial<Pool>) => {
  const plan = (worker: Worker, className: string, classes: readonly MachineClass[]) => {
    const [change] = planRollout(awsMachines, {
      worker,
      cluster,
      deployments: [deploymentOf(className)],
      classes,
    }).deployments
    if (change?.kind !== 'rolled') throw new Error('nothing is rolled')
    return change
  }
  const { to: name } = plan(workerOf(before), 'another', [])
  const { pools } = awsMachines.desired({ worker: workerOf(before), cluster, technicalId: namespace })
  const content = pools[0]?.kind === 'classes' ? pools[0].zones[0]?.content : undefined
  return plan(workerOf(after), name, [
    { metadata: { name, namespace }, ...content } as unknown as MachineClass,
  ])
}

const apiVersion = 'aws.provider.extensions.gardener.cloud/v1alpha1'
const config = (fields: object) => ({ providerConfig: { apiVersion, kind: 'WorkerConfig', ...fields } })
const volume = (size: string) => ({ dataVolumes: [{ name: 'kubelet-dir', size, type: 'gp3' }] })

describe.each(['1.33.3', '1.34.1'])('a plan for a pool of Kubernetes %s', kubernetesVersion => {
  const planned = (before: Partial<Pool>, after: Partial<Pool>) =>
    rolloutOf({ kubernetesVersion, ...before }, { kubernetesVersion, ...after })

  test.each<[string, Partial<Pool>, Partial<Pool>, object]>([
    [
      'the size of a data volume',
      volume('50Gi'),
      volume('60Gi'),
      { name: 'data volume kubelet-dir: size', from: '50Gi', to: '60Gi' },
    ],
    [
      'IOPS',
      config({ volume: { iops: 3000, throughput: 200 } }),
      config({ volume: { iops: 4000, throughput: 200 } }),
      { name: 'root volume: iops', from: '3000', to: '4000' },
    ],
    [
      'IOPS, for the first time',
      config({ placement: { tenancy: 'dedicated' } }),
      config({ placement: { tenancy: 'dedicated' }, volume: { iops: 4000 } }),
      { name: 'root volume: iops', from: undefined, to: '4000' },
    ],
    [
      'spot, no longer',
      config({ volume: { iops: 3000 }, instanceMarketOptions: { marketType: 'spot' } }),
      config({ volume: { iops: 3000 } }),
      { name: 'instanceMarketOptions: marketType', from: 'spot', to: undefined },
    ],
    [
      'a WorkerConfig, no longer',
      config({ volume: { iops: 3000 } }),
      {},
      { name: 'root volume: iops', from: '3000', to: undefined },
    ],
  ])('names the cause of a rollout of its machines: %s', (_, before, after, cause) => {
    expect(planned(before, after).why).toEqual({ causes: [cause], isProved: true })
  })
})
