import { createHash } from 'node:crypto'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { minorVersionOf } from '../../../../shared/contract/minor-version-of.ts'
import type { Cluster, Worker, WorkerPool } from '../../../../shared/contract/objects.ts'
import { readWorkerConfig } from '../machines/machines.ts'

/** The server group that a pool needs. */
export interface NeededServerGroup {
  readonly pool: WorkerPool
  readonly policy: string
  /** The name of a new one. Only this shoot can have it. */
  readonly name: string
  /** True: a group with a name of earlier releases must be replaced. */
  readonly onlyThisName: boolean
}

/**
 * Returns the server groups that pools with a policy need (docs/contract/workers-openstack.md#server-groups). Pools with
 * a malformed WorkerConfig or version need none yet: their classes report it.
 */
export const neededServerGroups = (worker: Worker, cluster: Cluster): readonly NeededServerGroup[] =>
  worker.spec.pools.flatMap(pool => {
    const policy = policyOf(pool)
    if (policy === undefined) return []
    const uid = uidOf(cluster)
    return [
      { pool, policy, name: serverGroupName(uid, pool.name, policy), onlyThisName: isNew(pool, cluster) },
    ]
  })

/** An empty policy counts as none. */
const policyOf = ({ providerConfig }: WorkerPool): string | undefined => {
  try {
    return readWorkerConfig(providerConfig)?.serverGroup?.policy || undefined
  } catch {
    return undefined
  }
}

const uidOf = ({ spec: { shoot } }: Cluster): string => {
  const { uid } = shoot.metadata ?? {}
  if (uid && uid.length >= uidCharacters) return uid
  throw configurationProblem(
    'the Cluster has no uid of its Shoot, which the names of server groups begin with (spec.shoot.metadata.uid). Reconcile the shoot',
  )
}

const uidCharacters = 18

/** `ccc81001-590f-4bff-3b58282c`: 18 characters of the shoot's uid, 8 of a hash of pool and policy. */
export const serverGroupName = (uid: string, pool: string, policy: string): string => {
  const hash = createHash('sha256').update(`pool=${pool},policy=${policy}`, 'utf8').digest('hex')
  return `${uid.slice(0, uidCharacters)}-${hash.slice(0, 8)}`
}

/** Returns true if a name has the form of one that only this shoot can have. */
export const isNameOfShoot = ({ spec: { shoot } }: Cluster, name: string): boolean => {
  const { uid } = shoot.metadata ?? {}
  if (!uid || uid.length < uidCharacters) return false
  return (
    name.startsWith(`${uid.slice(0, uidCharacters)}-`) && /^[0-9a-f]{8}$/.test(name.slice(uidCharacters + 1))
  )
}

/** From Kubernetes 1.35 of the pool on, as in the Go extension. Its machines are replaced then in any case. */
const isNew = ({ kubernetesVersion }: WorkerPool, { spec: { shoot } }: Cluster): boolean => {
  try {
    const { major, minor } = minorVersionOf(kubernetesVersion ?? shoot.spec?.kubernetes?.version ?? '')
    return major > 1 || (major === 1 && minor >= 35)
  } catch {
    return false
  }
}
