import * as z from 'zod'
import { parseTimestamp } from '../../clock/clock.ts'
import type { Cluster } from '../../contract/objects.ts'
import { canonicalQuantity } from '../../contract/quantity.ts'
import type { WorkerPool } from '../../contract/schemas/worker-pool.ts'
import { hashOf } from '../hash.ts'
import { configurationProblem } from '../problems.ts'

/**
 * What of a pool is updated in place, as 16 characters: the version of Kubernetes without its patch, that of the image, when the
 * certificate authorities and the key of service accounts were rotated, and some settings of the kubelet
 * (docs/contract/workers.md#in-place-hash). It is a part of the class's hash, and `status.inPlaceUpdates` says it.
 *
 * @throws CodedError when the pool has no version of Kubernetes that can be read
 */
export const inPlaceHashOf = (pool: WorkerPool, cluster: Cluster): string =>
  hashOf(
    [
      minorVersionOf(pool.kubernetesVersion),
      pool.machineImage?.version ?? '',
      ...rotationTimes(pool.name, cluster),
      ...kubeletData(pool.kubeletConfig),
    ],
    16,
  )

const minorVersionOf = (version = ''): string => {
  const [, major, minor] = /^v?(\d+)\.(\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(version) ?? []
  if (major === undefined || minor === undefined) throw configurationProblem('invalid semantic version')
  return `${Number(major)}.${Number(minor)}`
}

const rotation = z.looseObject({
  lastInitiationTime: z.string().nullish(),
  pendingWorkersRollouts: z
    .array(z.looseObject({ name: z.string().nullish(), lastInitiationTime: z.string().nullish() }))
    .nullish(),
})

const rotated = z.looseObject({
  credentials: z.looseObject({
    rotation: z.looseObject({
      certificateAuthorities: rotation.nullish(),
      serviceAccountKey: rotation.nullish(),
    }),
  }),
})

/** A pool whose nodes are yet to be rolled counts with the time that its own entry has. */
const rotationTimes = (pool: string, { spec: { shoot } }: Cluster): readonly string[] => {
  const { certificateAuthorities, serviceAccountKey } =
    rotated.safeParse(shoot.status).data?.credentials.rotation ?? {}
  return [certificateAuthorities, serviceAccountKey].flatMap(phase => {
    const pending = phase?.pendingWorkersRollouts?.find(({ name }) => name === pool)
    const time = parseTimestamp((pending === undefined ? phase : pending)?.lastInitiationTime ?? '')
    return time === undefined ? [] : [goTime(time)]
  })
}

/** As Go prints a time of whole seconds in UTC: `2026-01-02 03:04:05 +0000 UTC`. */
const goTime = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`

const kubeletData = ({
  kubeReserved,
  evictionHard,
  cpuManagerPolicy,
}: NonNullable<WorkerPool['kubeletConfig']> = {}): readonly string[] => [
  ...(kubeReserved === undefined
    ? []
    : [
        [kubeReserved.cpu, kubeReserved.memory, kubeReserved.pid, kubeReserved.ephemeralStorage]
          .map(quantity => (quantity === undefined ? '<nil>' : canonicalQuantity(quantity)))
          .join('-'),
      ]),
  ...(evictionHard === undefined
    ? []
    : [
        [
          evictionHard.imageFSAvailable,
          evictionHard.imageFSInodesFree,
          evictionHard.memoryAvailable,
          evictionHard.nodeFSAvailable,
          evictionHard.nodeFSInodesFree,
        ]
          .map((threshold = '') => threshold)
          .join('-'),
      ]),
  ...(cpuManagerPolicy === undefined ? [] : [cpuManagerPolicy]),
]
