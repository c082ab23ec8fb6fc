import type { Cluster, Worker, WorkerPool } from '../../contract/objects.ts'
import { testNamespace } from './machine-objects.ts'

/** A pool with the fields that every pool has. */
export const poolOf = (fields: Partial<WorkerPool> = {}): WorkerPool => ({
  name: 'a',
  machineType: 'large',
  machineImage: { name: 'gardenlinux', version: '1877.3.0' },
  minimum: 1,
  maximum: 2,
  maxSurge: 1,
  maxUnavailable: 0,
  userDataSecretRef: { name: 'u', key: 'k' },
  nodeAgentSecretName: 'gardener-node-agent-a-0123456789abcdef',
  volume: { type: 'gp3', size: '50Gi' },
  kubernetesVersion: '1.33.3',
  zones: ['z1'],
  ...fields,
})

/** A Worker with these pools. Their default names are `a`, `b`, … */
export const workerOf = ({
  pools = [{}],
  status,
}: {
  readonly pools?: readonly Partial<WorkerPool>[]
  readonly status?: NonNullable<Worker['status']>
} = {}): Worker => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Worker',
  metadata: { name: 'worker', namespace: testNamespace, uid: 'uid-of-worker', generation: 1 },
  spec: {
    type: 'toy',
    region: 'r1',
    secretRef: { name: 'cloudprovider', namespace: testNamespace },
    pools: pools.map((pool, i) => poolOf({ name: String.fromCharCode(97 + i), ...pool })),
  },
  ...(status && { status }),
})

/** A Cluster with this Shoot. */
export const clusterOf = (shoot: Cluster['spec']['shoot'] = {}): Cluster => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: testNamespace },
  spec: { cloudProfile: {}, shoot },
})
