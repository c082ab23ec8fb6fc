import type { WorkerPool } from '../../contract/schemas/worker-pool.ts'

/** A pool as gardenlet writes it, and what a test wants otherwise. */
export const poolOf = (parts: Partial<WorkerPool> = {}): WorkerPool => ({
  name: 'a',
  machineType: 'large',
  machineImage: { name: 'linux', version: '1.0.0' },
  minimum: 1,
  maximum: 2,
  maxSurge: 1,
  maxUnavailable: 0,
  labels: { 'node.kubernetes.io/role': 'node' },
  nodeAgentSecretName: `gardener-node-agent-${parts.name ?? 'a'}`,
  userDataSecretRef: { name: `osc-result-${parts.name ?? 'a'}`, key: 'cloud_config' },
  zones: ['zone-1'],
  kubernetesVersion: '1.34.1',
  ...parts,
})
