import { isHibernated, isHibernationEnabled } from '../../contract/cluster-facts.ts'
import { type MachineKindName, machineKinds } from '../../contract/machine-kinds.ts'
import type { Cluster, MachineClass } from '../../contract/objects.ts'
import { deleteObject } from '../../kubernetes/ensure-object.ts'
import {
  type GroupVersionResource,
  KubernetesError,
  type KubernetesObject,
} from '../../kubernetes/kubernetes.ts'
import type { StepResult } from '../../lifecycle/lifecycle.ts'
import type { DesiredDeployment } from '../desired/desired-deployment.ts'
import type { DesiredWorker } from '../desired/desired-worker.ts'
import { atMost, writesAtOnce } from '../objects/at-most.ts'
import { deploymentContent, newDeployment } from '../objects/deployment-object.ts'
import { listMachineObjects } from '../objects/observe.ts'
import { together, whileDoing } from '../problems.ts'
import type { MachineProvider } from '../provider.ts'
import { formerClasses } from '../restore/former-classes.ts'
import { type MachineState, machineStateOf, readMachineState } from '../restore/machine-state.ts'
import { type Restoration, restorationOf } from '../restore/restoration.ts'
import { ensureDependencies } from './dependencies.ts'
import { scaleController } from './machine-controller.ts'
import { desiredOf, generating, reconcileEnsured, reconcileWorker } from './reconcile.ts'
import { clusterOf, namespaceOf, type WorkerStep } from './worker-step.ts'
import { writeClasses } from './write-classes.ts'

/**
 * Reads the ShootState of that name in the garden, where gardenlet stores the machines of a shoot during a migration.
 * Returns undefined if there is none.
 */
export type ReadShootState = (
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
) => Promise<object | undefined>

/**
 * Restores the objects of running machines, then reconciles (docs/contract/workers.md#machine-state). The machine
 * controller terminates machines without objects, so it is scaled up only once all objects exist. A problem of one pool
 * therefore stops the restore.
 *
 * If a deployment is not older than the Worker, an earlier attempt restored its machines. They may have been replaced
 * since and are not restored again. An older one is left from a migration that ended in the middle: gardenlet may have
 * deleted its machine objects already.
 */
export const restoreWorker = async (
  provider: MachineProvider,
  given: WorkerStep,
  readShootState: ReadShootState | undefined,
): Promise<StepResult> => {
  if (given.waited !== undefined) return reconcileWorker(provider, given)
  const cluster = clusterOf(given)
  const ensured = await ensureDependencies(provider, given, cluster)
  const { step } = ensured
  const { object, kubernetes } = step
  const { namespace = '' } = object.metadata
  const desired = desiredOf(provider, step, cluster, ensured.problems)
  throwProblems(desired.problems)
  const { creationTimestamp = '' } = object.metadata
  const restored = new Set(
    (await listMachineObjects(kubernetes, 'MachineDeployment', namespace))
      .filter(({ metadata }) => (metadata.creationTimestamp ?? '') >= creationTimestamp)
      .map(({ metadata }) => metadata.name),
  )
  const missing = desired.deployments.filter(({ name }) => !restored.has(name))
  const state = missing.length === 0 ? undefined : await readState(step, cluster, readShootState)
  await removeLeftovers(step, desired)
  const restoration = restorationOf(missing, state, namespace)
  const { classes, problems } = await writeClasses(step, desired)
  throwProblems(problems)
  await createRestored(step, cluster, missing, restoration)
  await writeFormerClasses(step, desired, classes)
  if (!isHibernated(cluster)) await scaleController(step, namespace, 1)
  return reconcileEnsured(provider, ensured)
}

/**
 * Deletes deployments and sets without machines that no pool needs: a migration that ended in the middle may leave them.
 * The machine controller would create machines for them whose class does not exist, and could not delete these.
 */
const removeLeftovers = async (step: WorkerStep, { deployments }: DesiredWorker): Promise<void> => {
  const { kubernetes } = step
  const list = (kind: MachineKindName) => listMachineObjects(kubernetes, kind, namespaceOf(step))
  const used = new Set<string | undefined>([undefined, ...deployments.map(({ name }) => name)])
  for (const { metadata } of await list('Machine')) used.add(metadata.labels?.name)
  for (const set of await list('MachineSet'))
    if (!used.has(set.metadata.labels?.name))
      await deleteObject(kubernetes, machineKinds.MachineSet.resource, set)
  for (const deployment of await list('MachineDeployment'))
    if (!used.has(deployment.metadata.name))
      await deleteObject(kubernetes, machineKinds.MachineDeployment.resource, deployment)
}

/** Also after a restore by the Go extension that waits for machines without a class. */
const writeFormerClasses = async (
  step: WorkerStep,
  { deployments }: DesiredWorker,
  classes: readonly MachineClass[],
): Promise<void> => {
  const namespace = namespaceOf(step)
  const sets = await listMachineObjects(step.kubernetes, 'MachineSet', namespace)
  const present = new Set(classes.map(({ metadata }) => metadata.name))
  const former = formerClasses(deployments, sets, present)
  if (former.length === 0) return
  throwProblems((await writeClasses(step, { deployments: former, problems: [] })).problems)
  const names = former.map(({ className }) => className)
  step.log.info('machine classes of restored machines created', { namespace, names })
}

const throwProblems = (problems: readonly { readonly error: Error }[]): void => {
  if (problems.length > 0) throw whileDoing(generating, together(problems.map(({ error }) => error)))
}

const readState = async (
  { object, signal }: WorkerStep,
  cluster: Cluster,
  readShootState: ReadShootState | undefined,
): Promise<MachineState | undefined> => {
  const kept = readMachineState(object.status?.state)
  if (kept !== undefined) return kept
  const { namespace, name } = cluster.spec.shoot.metadata ?? {}
  const key = { namespace: namespace ?? '', name: name ?? '' }
  const doing = `failed reading ShootState "${key.namespace}/${key.name}" from garden`
  if (readShootState === undefined)
    throw whileDoing(doing, 'this function has no access to the garden, and status.state holds no machines')
  const found = await readShootState(key, signal)
  if (found === undefined) throw whileDoing(doing, `shootstates.core.gardener.cloud "${key.name}" not found`)
  return readMachineState(machineStateOf(found))
}

/** Sets and machines before their deployments: an existing deployment proves that all its objects were restored. */
const createRestored = async (
  { object, kubernetes, log }: WorkerStep,
  cluster: Cluster,
  missing: readonly DesiredDeployment[],
  { sets, machines, replicas }: Restoration,
): Promise<void> => {
  const { name: workerName, namespace = '' } = object.metadata
  const create = async (resource: GroupVersionResource, objects: readonly KubernetesObject[]) => {
    await atMost(writesAtOnce, objects, async restored => {
      try {
        await kubernetes.create(resource, restored)
      } catch (error) {
        if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
      }
    })
  }
  const { MachineSet, Machine, MachineDeployment } = machineKinds
  await create(MachineSet.resource, sets)
  await create(Machine.resource, machines)
  await create(
    MachineDeployment.resource,
    missing.flatMap(deployment => {
      const known = replicas.get(deployment.name)
      if (known === undefined) return []
      const content = deploymentContent(deployment, workerName)
      return [newDeployment(deployment.name, namespace, content, isHibernationEnabled(cluster) ? 0 : known)]
    }),
  )
  log.info('machines restored', { namespace, sets: sets.length, machines: machines.length })
}
