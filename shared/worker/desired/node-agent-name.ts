import { minorVersionOf } from '../../contract/minor-version-of.ts'
import type { WorkerPool } from '../../contract/objects.ts'
import type { HashInput } from '../provider.ts'
import {
  hashOf,
  isInPlace,
  kubeletInputs,
  minorText,
  rotationInputs,
  type SetInput,
  type WithCredentials,
} from './class-hash.ts'

/** The facts of a shoot that gardenlet hashes and that its Worker does not contain. */
export interface NodeAgentFacts {
  /** The container runtime of the pool: `containerd`. */
  readonly cri: string | undefined
  readonly nodeLocalDns: boolean
  /** True if kube-proxy runs in IPVS mode. */
  readonly ipvs: boolean
}

/**
 * Returns the name of the Secret that the node agents of a pool read, as gardenlet computes it
 * (docs/contract/workers.md#name-of-the-node-agents-secret). Throws a `CodedError` for an invalid version or quantity.
 */
export const nodeAgentSecretNameOf = (pool: WorkerPool, inputs: readonly SetInput[]): string => {
  const name = `gardener-node-agent-${pool.name}`
  return isInPlace(pool)
    ? name
    : `${name}-${hashOf(
        inputs.map(({ datum }) => datum),
        16,
      )}`
}

/** Returns the data in the hash of that name, in order. Empty for pools that are updated in place. */
export const nodeAgentInputs = (
  pool: WorkerPool,
  cluster: WithCredentials,
  { cri, nodeLocalDns, ipvs }: NodeAgentFacts,
): readonly SetInput[] => {
  if (isInPlace(pool)) return []
  const { machineType, machineImage, volume, kubernetesVersion = '' } = pool
  const minor = minorText(pool)
  return [
    { name: 'minor version of Kubernetes', datum: minor },
    { name: 'machine type', datum: machineType },
    ...(machineImage
      ? [
          {
            name: 'machine image',
            datum: machineImage.name + machineImage.version,
            parts: imageParts(machineImage),
          },
        ]
      : []),
    ...(volume ? [{ name: 'root volume: size', datum: volume.size }] : []),
    ...(volume?.type === undefined ? [] : [{ name: 'root volume: type', datum: volume.type }]),
    ...(cri === undefined ? [] : [{ name: 'container runtime', datum: cri }]),
    ...rotationInputs(pool, cluster),
    ...(nodeLocalDns && (ipvs || isBefore134(kubernetesVersion))
      ? [{ name: 'node-local DNS', datum: 'node-local-dns' }]
      : []),
    ...kubeletInputs(pool),
  ]
}

const imageParts = ({ name, version }: NonNullable<WorkerPool['machineImage']>): readonly HashInput[] => [
  { name: 'machine image', datum: name },
  { name: 'version of the machine image', datum: version },
]

/** Pre-releases of 1.34 are not before it. */
const isBefore134 = (version: string): boolean => {
  const { major, minor } = minorVersionOf(version)
  return major < 1 || (major === 1 && minor < 34)
}
