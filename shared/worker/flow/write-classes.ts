import { machineKinds } from '../../contract/machine-kinds.ts'
import type { MachineClass, WorkerPool } from '../../contract/objects.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import { ensureObject } from '../../kubernetes/ensure-object.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import {
  classPatch,
  classSecretPatch,
  type DesiredClass,
  newClass,
  newClassSecret,
} from '../objects/class-objects.ts'
import { byName, listClassSecrets, listMachineObjects } from '../objects/observe.ts'
import { refusedObject } from '../problems.ts'
import type { PoolProblem } from '../provider.ts'
import { readUserData } from '../user-data.ts'
import type { WorkerStep } from './worker-step.ts'

/** The deployments with written classes, and the pools with a problem. */
export interface Written {
  readonly deployments: readonly DesiredDeployment[]
  readonly problems: readonly PoolProblem[]
  /** Names of classes that are being deleted, or have a Secret in deletion. They are recreated once they are gone. */
  readonly leaving: ReadonlySet<string>
  /** All classes of the namespace, read before the writes. */
  readonly classes: readonly MachineClass[]
  /** True if an object other than the Worker was changed. */
  readonly changed: boolean
}

/**
 * Writes class Secrets, then MachineClasses (docs/contract/workers.md#order-of-writes). A pool without user data, or
 * with an object refused by the API server, has a problem; the others are written.
 */
export const writeClasses = async (
  { object, kubernetes }: Pick<WorkerStep, 'object' | 'kubernetes'>,
  { deployments, problems }: Pick<DesiredWorker, 'deployments' | 'problems'>,
): Promise<Written> => {
  const { namespace = '' } = object.metadata
  const pools = [...new Set(deployments.map(({ pool }) => pool))]
  const [userData, presentSecrets, presentClasses] = await Promise.all([
    readUserData(kubernetes, namespace, pools, object.spec.pools),
    listClassSecrets(kubernetes, namespace).then(byName),
    listMachineObjects(kubernetes, 'MachineClass', namespace).then(byName),
  ])
  const writable = deployments.flatMap(deployment => {
    const data = userData.get(deployment.pool.name)
    return typeof data === 'string' ? [{ deployment, data }] : []
  })
  let changed = false
  const refused = new Map<string, PoolProblem>()
  const ensure = async (pool: WorkerPool, ...input: Parameters<typeof ensureObject>): Promise<void> => {
    try {
      if ((await ensureObject(...input)) !== 'same') changed = true
    } catch (error) {
      const problem = refusedObject(object.spec.pools, pool, error)
      if (problem === undefined) throw error
      refused.set(pool.name, problem)
    }
  }
  const isRefused = ({ deployment: { pool } }: (typeof writable)[number]): boolean => refused.has(pool.name)
  await atMost(writesAtOnce, writable, ({ deployment: { className: name, pool }, data }) =>
    ensure(
      pool,
      kubernetes,
      {
        resource: secrets,
        create: () => newClassSecret({ name, namespace }, data),
        patch: present => classSecretPatch(present, data),
      },
      presentSecrets.get(name),
    ),
  )
  const withSecrets = writable.filter(written => !isRefused(written))
  await atMost(writesAtOnce, withSecrets, ({ deployment: { className: name, zone, pool } }) => {
    const desired: DesiredClass = {
      key: { name, namespace },
      content: zone.content,
      credentials: object.spec.secretRef,
    }
    return ensure(
      pool,
      kubernetes,
      {
        resource: machineKinds.MachineClass.resource,
        create: () => newClass(desired),
        patch: present => classPatch(present, desired),
      },
      presentClasses.get(name),
    )
  })
  const leaving = new Set(
    [...presentClasses.values(), ...presentSecrets.values()].flatMap(({ metadata }) =>
      metadata.deletionTimestamp === undefined ? [] : [metadata.name],
    ),
  )
  const withoutData = [...userData.values()].filter(data => typeof data !== 'string')
  return {
    deployments: writable.flatMap(written => (isRefused(written) ? [] : [written.deployment])),
    problems: [...problems, ...withoutData, ...refused.values()],
    leaving,
    classes: [...presentClasses.values()],
    changed,
  }
}
