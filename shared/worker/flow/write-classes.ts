import { machineKinds } from '../../contract/machine-kinds.ts'
import { keepObject } from '../../kubernetes/kubernetes.ts'
import { secrets } from '../core-resources.ts'
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
import type { PoolProblem } from '../provider.ts'
import { readUserData } from '../user-data.ts'
import type { WorkerStep } from './worker-step.ts'

/** Which deployments could be written, and which pools have a problem. */
export interface Written {
  readonly deployments: readonly DesiredDeployment[]
  readonly problems: readonly PoolProblem[]
  /** Names of classes that are being deleted, or whose Secrets are: they are made anew once they are gone. */
  readonly leaving: ReadonlySet<string>
  /** Whether anything but the Worker was changed. */
  readonly changed: boolean
}

/**
 * Writes class Secrets, then MachineClasses (docs/contract/workers.md#order-of-writes). A pool without user data has a
 * problem; the others are written.
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
  const keep = async (...input: Parameters<typeof keepObject>): Promise<void> => {
    if ((await keepObject(...input)) !== 'same') changed = true
  }
  await atMost(writesAtOnce, writable, ({ deployment: { className: name }, data }) =>
    keep(
      kubernetes,
      {
        resource: secrets,
        create: () => newClassSecret({ name, namespace }, data),
        patch: present => classSecretPatch(present, data),
      },
      presentSecrets.get(name),
    ),
  )
  await atMost(writesAtOnce, writable, ({ deployment: { className: name, zone } }) => {
    const desired: DesiredClass = {
      key: { name, namespace },
      content: zone.content,
      credentials: object.spec.secretRef,
    }
    return keep(
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
    deployments: writable.map(({ deployment }) => deployment),
    problems: [...problems, ...withoutData],
    leaving,
    changed,
  }
}
