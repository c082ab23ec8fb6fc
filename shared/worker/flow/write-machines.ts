import { formatSeconds } from '../../clock/clock.ts'
import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Cluster, Machine, MachineDeployment, Worker } from '../../contract/objects.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { secrets } from '../core-resources.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import { desiredReplicas } from '../desired/desired-replicas.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import {
  classPatch,
  classSecretPatch,
  type DesiredClass,
  newClass,
  newClassSecret,
} from '../objects/class-objects.ts'
import { deploymentContent, deploymentPatch, newDeployment } from '../objects/deployment-object.ts'
import { keepObject } from '../objects/keep-object.ts'
import { replacement } from '../objects/merge-patch.ts'
import { byName, listClassSecrets, listMachineObjects } from '../objects/observe.ts'
import type { PoolProblem } from '../provider.ts'
import { readUserData } from '../user-data.ts'
import type { WorkerStep } from './worker-step.ts'

/** Which deployments could be written, and which pools have a problem. */
export interface Written {
  readonly deployments: readonly DesiredDeployment[]
  readonly problems: readonly PoolProblem[]
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
    readUserData(kubernetes, namespace, pools),
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
  const withoutData = [...userData.values()].filter(data => typeof data !== 'string')
  return {
    deployments: writable.map(({ deployment }) => deployment),
    problems: [...problems, ...withoutData],
    changed,
  }
}

/** Lets the machine controller delete machines without draining them. */
export const forceDeletion = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  machines: readonly Machine[],
): Promise<void> => {
  const label = 'force-deletion'
  const { resource } = machineKinds.Machine
  await atMost(
    writesAtOnce,
    machines.filter(({ metadata }) => metadata.labels?.[label] !== 'True'),
    async machine => {
      await keepObject(
        kubernetes,
        {
          resource,
          create: () => machine,
          patch: ({ metadata }: KubernetesObject) =>
            metadata.labels?.[label] === 'True' ? undefined : { metadata: { labels: { [label]: 'True' } } },
        },
        machine,
      )
    },
  )
}

interface DeploymentsToWrite {
  readonly worker: Worker
  readonly cluster: Cluster
  readonly desired: readonly DesiredDeployment[]
  /** All of the namespace. */
  readonly observed: readonly MachineDeployment[]
  /** Replicas of a state that is being restored, by the name of the deployment. */
  readonly restored?: ReadonlyMap<string, number>
}

/** Writes MachineDeployments; whether anything was changed. */
export const writeDeployments = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  { worker, cluster, desired, observed, restored }: DeploymentsToWrite,
): Promise<boolean> => {
  const { name: workerName, namespace = '' } = worker.metadata
  const present = byName(observed)
  const hibernation = isHibernationEnabled(cluster)
  const replicasIn = (seen: readonly MachineDeployment[]) =>
    desiredReplicas({ worker, hibernation, observed: seen, ...(restored && { restored }) })
  const replicasOf = replicasIn(observed)
  let changed = false
  await atMost(writesAtOnce, desired, async deployment => {
    const content = deploymentContent(deployment, workerName)
    const outcome = await keepObject<MachineDeployment>(
      kubernetes,
      {
        resource: machineKinds.MachineDeployment.resource,
        create: () =>
          newDeployment(deployment.name, namespace, content, replicasOf(deployment) ?? deployment.minimum),
        patch: found =>
          deploymentPatch(
            found,
            content,
            // Read anew: what somebody else has made of its replicas since counts.
            found === present.get(deployment.name)
              ? replicasOf(deployment)
              : replicasIn([...observed.filter(({ metadata }) => metadata.name !== deployment.name), found])(
                  deployment,
                ),
          ),
        // The autoscaler writes replicas, too.
        isLocked: patch => 'spec' in patch && 'replicas' in Object(patch.spec),
      },
      present.get(deployment.name),
    )
    if (outcome !== 'same') changed = true
  })
  return changed
}

/** The MachineDeployments in the status, for gardenlet and the autoscaler. A pool with a problem is told as it was. */
export const deploymentsStatus = (
  { status }: Worker,
  { pools }: Pick<DesiredWorker, 'pools'>,
  written: readonly DesiredDeployment[],
) => {
  const desired = new Map(written.map(deployment => [deployment.name, deployment]))
  const before = new Map(status?.machineDeployments?.map(entry => [entry.name, entry]))
  return pools.flatMap(({ names, pool: { priority } }) =>
    names.flatMap(name => {
      const deployment = desired.get(name)
      if (deployment === undefined) return before.get(name) ?? []
      const { minimum, maximum } = deployment
      return [{ name, minimum, maximum, ...(priority !== undefined && { priority }) }]
    }),
  )
}

/**
 * Tells the deployments, and when they were written: once in a reconcile, whether or not they were changed, since gardenlet
 * waits for it.
 */
export const saveDeploymentsStatus = async (
  { object, saveStatus, clock, resumed = false }: WorkerStep,
  machineDeployments: ReturnType<typeof deploymentsStatus>,
): Promise<void> => {
  const differs = replacement(object.status?.machineDeployments, machineDeployments) !== undefined
  if (object.spec.pools.length === 0 || (resumed && !differs)) return
  await saveStatus({
    ...(differs && { machineDeployments }),
    ...(!resumed && { machineDeploymentsLastUpdateTime: formatSeconds(clock.now()) }),
  })
}
