import { RequeueAfterError } from '../../../../shared/contract/errors.ts'
import type { Worker, WorkerPool } from '../../../../shared/contract/objects.ts'
import { recordOf, valueAt } from '../../../../shared/decode/record-of.ts'
import {
  type DependencyContext,
  FieldError,
  type MachineDependencies,
  type PoolProblem,
  poolProblem,
} from '../../../../shared/worker/worker.ts'
import {
  cloudProfileConfigSchema,
  keystoneOf,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import {
  type OpenAccess,
  type OpenStackAccess,
  OpenStackError,
  withCodes,
  withErrorCodes,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import {
  readWorkerStatus,
  type ServerGroupDependency,
  serverGroupOf,
  workerStatusOf,
} from '../machines/machines.ts'
import { isNameOfShoot, type NeededServerGroup, neededServerGroups } from './names.ts'
import {
  createServerGroup,
  deleteServerGroup,
  getServerGroup,
  listServerGroups,
  type ServerGroup,
} from './nova.ts'

/**
 * The server groups of pools with a policy (docs/contract/workers-openstack.md#server-groups). Nova stores only their
 * names and policies, and accepts a name twice. A group belongs to the Worker if the status has its id, or if its name
 * is exactly one that only this shoot can have. A prefix of a name proves nothing. Without a policy and without a
 * recorded group, nothing here calls OpenStack.
 */
export const serverGroups = (openAccess: OpenAccess): MachineDependencies => ({
  ensure: context => withErrorCodes(ensure(openAccess, context)),
  remove: context => withErrorCodes(remove(openAccess, context)),
  known: worker =>
    recordedIn(worker).map(({ name, id }) => `server group ${name}${id === '' ? '' : ` (${id})`}`),
})

type Recorded = readonly ServerGroupDependency[]

const recordedIn = ({ status }: Worker): Recorded =>
  readWorkerStatus(status?.providerStatus).serverGroupDependencies

const accessOf = (
  openAccess: OpenAccess,
  { worker, cluster, secret, signal, throwIfExpired }: DependencyContext,
): OpenStackAccess => {
  const { region } = worker.spec
  const profile = keystoneFields.safeParse(valueAt(cluster.spec.cloudProfile.spec, 'providerConfig')).data
  return openAccess({
    secret,
    region,
    signal,
    throwIfExpired,
    keystone: profile && keystoneOf(profile, region),
  })
}

/** Other fields of a CloudProfileConfig may have any form. */
const keystoneFields = cloudProfileConfigSchema
  .pick({ keystoneURL: true, keystoneURLs: true, keystoneCACert: true, keystoneForceInsecure: true })
  .loose()

/** Saves the recorded groups, and leaves the images of the status unchanged. */
const saveRecorded = ({ worker, save }: DependencyContext, recorded: Recorded): Promise<void> => {
  const { machineImages } = recordOf(worker.status?.providerStatus)
  return save(workerStatusOf(Array.isArray(machineImages) ? machineImages : undefined, recorded))
}

/**
 * Finds or creates the group of each pool with a policy. The name of a new group is recorded before its creation, so
 * that it is found or removed later even if the answer is lost.
 */
const ensure = async (
  openAccess: OpenAccess,
  context: DependencyContext,
): Promise<readonly PoolProblem[]> => {
  const { worker, cluster, resumed } = context
  const all = neededServerGroups(worker, cluster)
  if (all.length === 0) return []
  let recorded = recordedIn(worker)
  const unknown = all.filter(({ pool }) => !resumed || serverGroupOf(recorded, pool.name) === undefined)
  if (unknown.length === 0) return []
  const access = accessOf(openAccess, context)
  const states = await Promise.all(unknown.map(needed => stateOf(access, recorded, needed)))
  const missing = unknown.filter((_, index) => states[index] !== 'kept')
  if (missing.length === 0) return []
  const gone = unknown.flatMap(({ pool }, index) =>
    states[index] === 'gone' ? [serverGroupOf(recorded, pool.name)] : [],
  )
  recorded = recorded.filter(entry => !gone.includes(entry))
  const listed = await listServerGroups(access)
  const absent: NeededServerGroup[] = []
  for (const needed of missing) {
    const [found, ...doubles] = listed
      .filter(({ name, policies }) => name === needed.name && policies[0] === needed.policy)
      .toSorted(usedFirst)
    recorded = withGroup(recorded, needed, found?.id ?? '')
    if (found === undefined) absent.push(needed)
    for (const double of doubles)
      if (double.members.length === 0) await drop(access, context, double, needed.pool.name)
  }
  await saveRecorded(context, recorded)
  const problems: PoolProblem[] = []
  for (const needed of absent) {
    const made = await create(access, context, needed)
    if (typeof made === 'string') recorded = withGroup(recorded, needed, made)
    else {
      recorded = recorded.filter(({ id, poolName }) => id !== '' || poolName !== needed.pool.name)
      problems.push(made)
    }
  }
  await saveRecorded(context, recorded)
  return problems
}

/** The group that is recorded for a pool. `other`: it has another policy or name, or there is none. */
const stateOf = async (
  access: OpenStackAccess,
  recorded: Recorded,
  { pool, name, policy, onlyThisName }: NeededServerGroup,
): Promise<'kept' | 'gone' | 'other'> => {
  const entry = serverGroupOf(recorded, pool.name)
  if (entry === undefined) return 'other'
  const group = await getServerGroup(access, entry.id)
  if (group === undefined) return 'gone'
  const fits = group.name === entry.name && group.policies[0] === policy
  return fits && (!onlyThisName || group.name === name) ? 'kept' : 'other'
}

const usedFirst = (one: ServerGroup, other: ServerGroup): number =>
  other.members.length - one.members.length || (one.id < other.id ? -1 : 1)

/** Records a group as the current one of its pool. A former one stays recorded until it is deleted. */
const withGroup = (recorded: Recorded, { pool, name }: NeededServerGroup, id: string): Recorded => [
  ...recorded.filter(
    entry => !(entry.poolName === pool.name && (entry.id === id || (entry.id === '' && entry.name === name))),
  ),
  { poolName: pool.name, id, name },
]

/** Returns the id of a new group, or the problem of its pool if Nova refuses it. */
const create = async (
  access: OpenStackAccess,
  { change, worker }: DependencyContext,
  { pool, name, policy }: NeededServerGroup,
): Promise<string | PoolProblem> => {
  const sentence = `create server group ${name} with policy ${policy}`
  try {
    const made = await change({ kind: 'create', sentence, pool: pool.name }, () =>
      createServerGroup(access, { name, policy, pool: pool.name }),
    )
    // Only a plan has none. Its classes are hashed with the name.
    return made?.id ?? name
  } catch (error) {
    return refusalOf(worker, pool, error)
  }
}

/** Statuses that say that this group is impossible. Others are about the account or the service. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 403, 406, 409, 413])

const refusalOf = ({ spec }: Worker, pool: WorkerPool, error: unknown): PoolProblem => {
  if (!(error instanceof OpenStackError) || error.origin !== 'openstack' || !refusals.has(error.status))
    throw error
  const coded = withCodes(error)
  if (coded instanceof RequeueAfterError) throw error
  if (error.status !== 400 && error.status !== 406) return poolProblem(spec.pools, pool, coded as Error)
  const wayOut = 'Choose a policy that this Nova supports'
  const field = 'providerConfig.serverGroup.policy'
  return poolProblem(spec.pools, pool, new FieldError(error.message, { field, wayOut, cause: error }))
}

const drop = (
  access: OpenStackAccess,
  { change }: DependencyContext,
  group: Pick<ServerGroup, 'id' | 'name'>,
  pool: string,
): Promise<unknown> =>
  change({ kind: 'delete', sentence: `delete server group ${group.name} (${group.id})`, pool }, () =>
    deleteServerGroup(access, group),
  )

/**
 * Deletes groups that no pool needs. A group that still has servers of former machines stays recorded, and the next
 * reconcile looks again. A deleted Worker has no machines left: it also deletes groups with its exact names, in case
 * its status was lost.
 */
const remove = async (openAccess: OpenAccess, context: DependencyContext): Promise<void> => {
  const { worker, cluster, isDeleted } = context
  const recorded = recordedIn(worker)
  const needed = neededServerGroups(worker, cluster)
  const current = isDeleted ? [] : needed.map(({ pool }) => serverGroupOf(recorded, pool.name))
  const unneeded = recorded.filter(entry => !current.includes(entry))
  const names = namesToFind(context, unneeded, needed)
  if (unneeded.length === 0 && names.size === 0) return
  const access = accessOf(openAccess, context)
  const kept: ServerGroupDependency[] = []
  const dropped = new Set<string>()
  for (const entry of unneeded.filter(({ id }) => id !== '')) {
    const group = isDeleted ? entry : await getServerGroup(access, entry.id)
    if (group === undefined) continue
    if ('members' in group && group.members.length > 0) {
      kept.push(entry)
      continue
    }
    await drop(access, context, entry, entry.poolName)
    dropped.add(entry.id)
  }
  const listed = names.size === 0 ? [] : await listServerGroups(access)
  const inUse = new Set([...current, ...kept].map(entry => entry?.id))
  for (const group of listed) {
    const pool = names.get(group.name)
    if (pool === undefined || inUse.has(group.id) || dropped.has(group.id)) continue
    if (isDeleted || group.members.length === 0) await drop(access, context, group, pool)
  }
  if (isDeleted) return
  const left = [...current, ...kept]
  await saveRecorded(
    context,
    recorded.filter(entry => left.includes(entry)),
  )
}

/** Returns the pools by the exact names of groups whose ids may be unknown. */
const namesToFind = (
  { isDeleted, cluster }: DependencyContext,
  unneeded: Recorded,
  needed: readonly NeededServerGroup[],
): ReadonlyMap<string, string> =>
  new Map([
    ...unneeded
      .filter(({ id, name }) => (isDeleted || id === '') && isNameOfShoot(cluster, name))
      .map(({ name, poolName }) => [name, poolName] as const),
    ...(isDeleted ? needed.map(({ name, pool }) => [name, pool.name] as const) : []),
  ])
