import type { WorkerPool } from '../../contract/objects.ts'
import { nodeAgentInputs, nodeAgentSecretNameOf } from '../desired/node-agent-name.ts'
import type { HashInput } from '../provider.ts'
import type { NodesShoot, PoolOfShoot, ShootKubelet } from './read-shoot.ts'

/** A pool of a Worker before gardenlet has written it. */
export interface FuturePool {
  readonly pool: WorkerPool & { readonly nodeAgentSecretName: string }
  /** The data in the name of the node agent's Secret. */
  readonly nodeAgentInputs: readonly HashInput[]
}

/**
 * Returns a pool of a Shoot as gardenlet writes it into the Worker: the fields that decide about its machines. Throws a
 * `CodedError` for an invalid version or quantity.
 */
export const workerPoolOf = (shoot: NodesShoot, from: PoolOfShoot): FuturePool => {
  const { kubernetes, systemComponents } = shoot.spec
  const { enabled, mode } = kubernetes.kubeProxy ?? {}
  const pool = fieldsOf(shoot, from)
  const inputs = nodeAgentInputs(
    pool,
    { spec: { shoot } },
    {
      cri: from.cri?.name ?? undefined,
      nodeLocalDns: systemComponents?.nodeLocalDNS?.enabled === true,
      ipvs: enabled === true && mode === 'IPVS',
    },
  )
  return {
    pool: { ...pool, nodeAgentSecretName: nodeAgentSecretNameOf(pool, inputs) },
    nodeAgentInputs: inputs,
  }
}

const fieldsOf = ({ spec: { kubernetes } }: NodesShoot, from: PoolOfShoot): WorkerPool => {
  const { name, minimum, maximum, machine, volume, dataVolumes, updateStrategy, providerConfig } = from
  const kubelet = from.kubernetes?.kubelet ?? kubernetes.kubelet
  return {
    name,
    minimum,
    maximum,
    machineType: machine.type,
    ...(machine.image && {
      machineImage: { name: machine.image.name, version: machine.image.version ?? '' },
    }),
    ...(volume && { volume: withoutNull(volume) }),
    ...(dataVolumes && { dataVolumes: dataVolumes.map(withoutNull) }),
    kubernetesVersion: from.kubernetes?.version ?? kubernetes.version,
    ...(kubelet && { kubeletConfig: kubeletOf(kubelet) }),
    ...(updateStrategy && { updateStrategy }),
    ...(providerConfig && { providerConfig }),
    // They decide about no machine.
    maxSurge: 1,
    maxUnavailable: 0,
    userDataSecretRef: { key: 'cloud_config' },
  }
}

const kubeletOf = ({ kubeReserved, evictionHard, cpuManagerPolicy }: ShootKubelet) => ({
  ...(kubeReserved && { kubeReserved: withoutNull(kubeReserved) }),
  ...(evictionHard && { evictionHard: withoutNull(evictionHard) }),
  ...withoutNull({ cpuManagerPolicy }),
})

type WithoutNull<T> = {
  [K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as null extends T[K] ? K : undefined extends T[K] ? K : never]?: NonNullable<T[K]>
}

/** The garden's API server omits null, and Go reads it as absent. */
const withoutNull = <T extends object>(values: T): WithoutNull<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutNull<T>
