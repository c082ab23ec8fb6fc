import { createHash } from 'node:crypto'
import * as z from 'zod'
import { parseTimestamp } from '../../clock/clock.ts'
import { minorVersionOf } from '../../contract/minor-version-of.ts'
import type { WorkerPool } from '../../contract/objects.ts'
import { canonicalQuantity } from '../../contract/quantity.ts'
import { messageOf } from '../../text/message-of.ts'
import { FieldError } from '../problems.ts'
import type { HashInput, PoolClasses } from '../provider.ts'

/** Returns the first characters of the hash used for names and in-place updates (docs/contract/workers.md#hash). */
export const hashOf = (data: readonly string[], length: number): string =>
  hashOfDigests(data.map(digestOf), length)

/** Like `hashOf`, for digests that are computed already. */
export const hashOfDigests = (digests: readonly string[], length: number): string =>
  digestOf(digests.join('')).slice(0, length)

export const digestOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Returns true if the pool's machines are updated in place, automatically or manually, instead of being replaced. */
export const isInPlace = ({
  updateStrategy,
}: {
  readonly updateStrategy?: string | null | undefined
}): boolean => updateStrategy === 'AutoInPlaceUpdate' || updateStrategy === 'ManualInPlaceUpdate'

/**
 * Returns the last five characters of the names of a pool's classes. A new hash means a new class and replaces every
 * machine of the pool (docs/contract/workers.md#hash).
 *
 * @param inputs all hashed data (`classInputs`)
 */
export const classHash = (inputs: readonly Pick<HashInput, 'datum'>[]): string =>
  hashOf(
    inputs.flatMap(({ datum }) => datum ?? []),
    5,
  )

/**
 * Returns all data hashed for the classes of a pool, in order: first the data common to all providers, then the
 * provider's. Throws a `CodedError` for a pool without a hash.
 */
export const classInputs = (
  { pool, hashInputs }: Pick<PoolClasses, 'pool' | 'hashInputs'>,
  cluster: WithCredentials,
): readonly HashInput[] => [
  { name: nodeAgentSecret, datum: nodeAgentSecretOf(pool) },
  ...(isInPlace(pool) ? [{ name: inPlace, datum: inPlaceHashOf(pool, cluster) }] : []),
  ...hashInputs,
]

/** gardenlet derives it from the machine type, the image, the root volume and the minor version of Kubernetes. */
export const nodeAgentSecret = 'name of the Secret of the node agent'
export const inPlace = 'hash of what is updated in place'

const nodeAgentSecretOf = ({ name, nodeAgentSecretName }: WorkerPool): string => {
  if (nodeAgentSecretName) return nodeAgentSecretName
  throw new FieldError(`missing node-agent secret name for worker pool "${name}"`, {
    field: 'nodeAgentSecretName',
    wayOut: 'gardenlet writes it. Reconcile the shoot',
  })
}

/**
 * Returns the hash that distinguishes in-place updates of a pool's machines: 16 characters, also in the status
 * (docs/contract/workers.md#in-place-hash).
 */
export const inPlaceHashOf = (pool: WorkerPool, cluster: WithCredentials): string =>
  hashOf(
    inPlaceInputs(pool, cluster).map(({ datum }) => datum),
    16,
  )

/** The part of a Cluster that hashes use: the rotations of the shoot. */
export interface WithCredentials {
  readonly spec: {
    readonly shoot: {
      /** Read for `credentials`. */
      readonly status?: Readonly<Record<string, unknown>> | null | undefined
    }
  }
}

/** A hashed value that is always set. */
export interface SetInput extends HashInput {
  readonly datum: string
}

/** Returns the hashed data, in order. Throws a `CodedError` for an invalid version or quantity. */
export const inPlaceInputs = (pool: WorkerPool, cluster: WithCredentials): readonly SetInput[] => [
  { name: 'minor version of Kubernetes', datum: minorText(pool) },
  { name: 'version of the machine image', datum: pool.machineImage?.version ?? '' },
  ...rotationInputs(pool, cluster),
  ...kubeletInputs(pool),
]

/** Returns `1.34`. Throws a `CodedError` for an invalid version. */
export const minorText = ({ kubernetesVersion = '' }: WorkerPool): string => {
  try {
    const { major, minor } = minorVersionOf(kubernetesVersion)
    return `${major}.${minor}`
  } catch (error) {
    const { message } = error as Error
    throw new FieldError(
      `failed to calculate worker pool hash for in-place update: failed to parse kubernetes version ${kubernetesVersion}: ${message}`,
      { field: 'kubernetesVersion', wayOut: 'Set a version such as 1.34.1', cause: error },
    )
  }
}

const rotation = z.looseObject({
  lastInitiationTime: z.string().nullish(),
  pendingWorkersRollouts: z
    .array(z.looseObject({ name: z.string(), lastInitiationTime: z.string().nullish() }))
    .nullish(),
})

/** Part of the Shoot's status. A Cluster with another shape has no rotation. */
const credentials = z.looseObject({
  rotation: z.looseObject({
    certificateAuthorities: rotation.nullish(),
    serviceAccountKey: rotation.nullish(),
  }),
})

/** Returns the times of the rotations whose credentials the pool's machines were created with. */
export const rotationInputs = (
  { name }: Pick<WorkerPool, 'name'>,
  cluster: WithCredentials,
): readonly SetInput[] => {
  const { data } = credentials.safeParse(cluster.spec.shoot.status?.credentials)
  const inputs = [
    ['rotation of the certificate authorities', data?.rotation.certificateAuthorities],
    ['rotation of the service account key', data?.rotation.serviceAccountKey],
  ] as const
  return inputs.flatMap(([input, rotated]) => {
    const pending = rotated?.pendingWorkersRollouts?.find(rollout => rollout.name === name)
    const time = (pending ?? rotated)?.lastInitiationTime
    return time ? [{ name: input, datum: goTime(time) }] : []
  })
}

/** A time in Go's format: `2026-01-02 03:04:05 +0000 UTC`. */
const goTime = (text: string): string => {
  const time = parseTimestamp(text)
  if (time === undefined) return text
  const [date, clock] = new Date(time).toISOString().split(/[T.]/)
  return `${date} ${clock} +0000 UTC`
}

/** Returns the hashed settings of the kubelet. */
export const kubeletInputs = ({ kubeletConfig }: WorkerPool): readonly SetInput[] => {
  const { kubeReserved, evictionHard, cpuManagerPolicy } = kubeletConfig ?? {}
  return [
    ...(kubeReserved ? [joined('kubeReserved', kubeReserved, reserved, quantityText)] : []),
    ...(evictionHard ? [joined('evictionHard', evictionHard, signals, value => value ?? '')] : []),
    ...(cpuManagerPolicy === undefined ? [] : [{ name: 'cpuManagerPolicy', datum: cpuManagerPolicy }]),
  ]
}

const reserved = ['cpu', 'memory', 'pid', 'ephemeralStorage'] as const
const signals = [
  'imageFSAvailable',
  'imageFSInodesFree',
  'memoryAvailable',
  'nodeFSAvailable',
  'nodeFSInodesFree',
] as const

const joined = <K extends string, V>(
  name: string,
  values: Readonly<Partial<Record<K, V>>>,
  keys: readonly K[],
  textOf: (value: V | undefined) => string,
): SetInput => ({
  name,
  datum: keys.map(key => textOf(values[key])).join('-'),
  parts: keys.map(key => ({
    name: `${name}.${key}`,
    datum: values[key] === undefined ? undefined : textOf(values[key]),
  })),
})

/** Go's format of a missing quantity. */
const quantityText = (quantity: string | number | undefined): string => {
  if (quantity === undefined) return '<nil>'
  try {
    return canonicalQuantity(quantity)
  } catch (error) {
    throw new FieldError(`kubeletConfig.kubeReserved: ${messageOf(error)}`, {
      field: 'kubeletConfig.kubeReserved',
      wayOut: 'Correct the quantity',
      cause: error,
    })
  }
}

/**
 * `i` is the position of the zone in the pool, from 0. The zone itself is not part of the name, only its position
 * (docs/contract/workers.md#names).
 */
export const deploymentName = (technicalId: string, pool: string, i: number): string =>
  `${technicalId}-${pool}-z${i + 1}`

/** The name of a MachineClass and its Secret. */
export const className = (deployment: string, hash: string): string => `${deployment}-${hash}`
