import { isHibernationEnabled } from '../../contract/cluster-facts.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { Cluster, MachineDeployment, Worker } from '../../contract/objects.ts'
import { ensureObject, patchObject } from '../../kubernetes/ensure-object.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import { desiredReplicas } from '../desired/desired-replicas.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import { deploymentContent, deploymentPatch, newDeployment } from '../objects/deployment-object.ts'
import { byName } from '../objects/observe.ts'
import { refusedObject } from '../problems.ts'
import type { PoolProblem } from '../provider.ts'
import { classNameOf } from '../waits/owned.ts'
import type { WorkerStep } from './worker-step.ts'

const isAwake = ({ spec }: MachineDeployment): boolean => (spec?.replicas ?? 0) > 0

interface DeploymentsToWrite {
  readonly worker: Worker
  readonly cluster: Cluster
  readonly desired: readonly DesiredDeployment[]
  /** All objects of the namespace. */
  readonly observed: readonly MachineDeployment[]
  /** Names of classes that are being deleted. */
  readonly leaving: ReadonlySet<string>
}

export interface WrittenDeployments {
  readonly changed: boolean
  /** Deployments that are not written, because their classes are being deleted. */
  readonly heldBack: readonly DesiredDeployment[]
  /** Pools with a MachineDeployment that the API server refuses. */
  readonly problems: readonly PoolProblem[]
}

/**
 * Writes MachineDeployments. A refused one does not stop those of other pools. A deployment gets no class that is being
 * deleted, because its new machines would block the deletion. A deployment that already uses such a class may have
 * machines of it and is written. In hibernation, any other deployment is scaled to zero.
 */
export const writeDeployments = async (
  { kubernetes }: Pick<WorkerStep, 'kubernetes'>,
  { worker, cluster, desired, observed, leaving }: DeploymentsToWrite,
): Promise<WrittenDeployments> => {
  const { name: workerName, namespace = '' } = worker.metadata
  const present = byName(observed)
  const hibernation = isHibernationEnabled(cluster)
  const replicasIn = (seen: readonly MachineDeployment[]) =>
    desiredReplicas({ worker, hibernation, observed: seen })
  const replicasOf = replicasIn(observed)
  let changed = false
  const refused = new Map<string, PoolProblem>()
  const isHeldBack = ({ name, className }: DesiredDeployment): boolean => {
    const found = present.get(name)
    return leaving.has(className) && (found === undefined || classNameOf(found) !== className)
  }
  const writable = desired.filter(deployment => !isHeldBack(deployment))
  await atMost(writesAtOnce, writable, async deployment => {
    const content = deploymentContent(deployment, workerName)
    const kept = ensureObject<MachineDeployment>(
      kubernetes,
      {
        resource: machineKinds.MachineDeployment.resource,
        create: () =>
          newDeployment(deployment.name, namespace, content, replicasOf(deployment) ?? deployment.minimum),
        patch: found =>
          deploymentPatch(
            found,
            content,
            // Uses the newly read object, because its replicas may have changed since.
            found === present.get(deployment.name)
              ? replicasOf(deployment)
              : replicasIn([...observed.filter(({ metadata }) => metadata.name !== deployment.name), found])(
                  deployment,
                ),
          ),
        // The autoscaler also writes replicas.
        isLocked: patch => 'spec' in patch && 'replicas' in Object(patch.spec),
      },
      present.get(deployment.name),
    )
    try {
      if ((await kept) !== 'same') changed = true
    } catch (error) {
      const problem = refusedObject(worker.spec.pools, deployment.pool, error)
      if (problem === undefined) throw error
      refused.set(deployment.pool.name, problem)
    }
  })
  const heldBack = desired.filter(isHeldBack)
  // Hibernation deletes the machines of the deployment's current class and needs no other class.
  const awake = heldBack.flatMap(({ name }) => present.get(name) ?? []).filter(isAwake)
  if (hibernation)
    await atMost(writesAtOnce, awake, async found => {
      const patch = { spec: { replicas: null } }
      if (await patchObject(kubernetes, machineKinds.MachineDeployment.resource, found, patch)) changed = true
    })
  return { changed, heldBack, problems: [...refused.values()] }
}
