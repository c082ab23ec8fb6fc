import { kinds } from '../../../../shared/contract/kinds.ts'
import type { Cluster, Worker, WorkerPool } from '../../../../shared/contract/objects.ts'
import { testNamespace } from '../../../../shared/worker/testing/machine-objects.ts'
import { newSeed, type SeedOptions } from '../../../../shared/worker/testing/seed.ts'
import { localMachines } from '../machines.ts'

export const key = { name: 'worker', namespace: testNamespace }

export const cloudProfile: Cluster['spec']['cloudProfile'] = {
  metadata: { name: 'local' },
  spec: {
    machineTypes: [{ name: 'local' }],
    providerConfig: {
      machineImages: [
        { name: 'local', versions: [{ version: '1.0.0', image: 'registry.example.org/node:1.0.0' }] },
      ],
    },
  },
}

export const poolOf = (fields: Partial<WorkerPool> = {}): WorkerPool => ({
  name: 'pool',
  machineType: 'local',
  machineImage: { name: 'local', version: '1.0.0' },
  minimum: 1,
  maximum: 2,
  maxSurge: 1,
  maxUnavailable: 0,
  userDataSecretRef: { name: 'u', key: 'k' },
  nodeAgentSecretName: 'gardener-node-agent-pool-1',
  architecture: 'amd64',
  kubernetesVersion: '1.33.3',
  nodeTemplate: { capacity: { cpu: '2', gpu: '0', memory: '4Gi' } },
  ...fields,
})

export interface LocalOptions extends Pick<SeedOptions, 'status' | 'shoot' | 'operation'> {
  readonly pools?: readonly WorkerPool[]
  readonly cloudProfile?: Cluster['spec']['cloudProfile']
  readonly secretRef?: Worker['spec']['secretRef']
}

/** A seed with a Worker for pods, as gardenlet creates it. */
export const newLocalSeed = async ({
  pools = [poolOf()],
  cloudProfile: profile = cloudProfile,
  secretRef,
  ...options
}: LocalOptions = {}) => {
  const seed = await newSeed({
    ...options,
    provider: localMachines,
    cloudProfile: profile,
    spec: { type: 'local', region: 'local', pools: [...pools], ...(secretRef && { secretRef }) },
  })
  const patchSpec = (spec: Partial<Worker['spec']>) =>
    seed.kubernetes.patch(kinds.Worker.resource, key, { spec })
  return { ...seed, patchSpec }
}
export type LocalSeed = Awaited<ReturnType<typeof newLocalSeed>>
