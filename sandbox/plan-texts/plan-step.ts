import { kinds } from '../../shared/contract/kinds.ts'
import type { ManagedResource } from '../../shared/contract/objects.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import {
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  mergePatch,
  permittedKubernetes,
} from '../../shared/kubernetes/kubernetes.ts'
import {
  type Actuator,
  factsOf,
  lifecyclePermissions,
  type NotedWrite,
  notedKubernetes,
  operationType,
  type PlannedWrite,
  plannedStep,
  plannedWrite,
  type StepResult,
  secrets,
  type WrittenKubernetes,
  writtenKubernetes,
} from '../../shared/lifecycle/lifecycle.ts'
import {
  completeManagedResources,
  type ManagedResourceChange,
  managedResourceChange,
  type ObjectChange,
  objectChanges,
  type ShownOptions,
} from '../../shared/resources/resources.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { PlanSurroundings } from '../providers/provider.ts'

/** The changes of a function's next steps in Kubernetes. Contains no secrets. */
export interface StepPlan {
  readonly actions: readonly StepAction[]
  /** The waits between the steps, in the words of the steps. */
  readonly waits: readonly string[]
  /** All writes, except those to the object itself. */
  readonly writes: readonly PlannedWrite[]
}

/** A changed object; or a ManagedResource, with the changes of the objects that it contains. */
export type StepAction = ObjectChange | ({ readonly id: ObjectChange['id'] } & ManagedResourceChange)

/** Steps end after fewer rounds, or wait for another controller. */
const mostSteps = 20

export interface PlanStepInput extends Omit<PlanSurroundings, 'secret' | 'connection' | 'env'> {
  readonly object: KubernetesObject
  readonly secret: PlanSurroundings['secret'] | undefined
  readonly actuator: Actuator
  /** True if the dependencies of the actuator record changes outside of this API server. Default: false. */
  readonly isNotedOutside?: boolean
}

/**
 * Runs the steps of a function that changes only Kubernetes, one after the other, on an API server that does not
 * forward writes; in between, ManagedResources are applied. Ends when all is done, or when a step waits and has nothing
 * more to write. Throws any error that a step would throw.
 */
export const planStep = async (
  { kind, permissions }: Pick<FunctionDefinition, 'kind' | 'permissions'>,
  { actuator, object, destroy, kubernetes, isNotedOutside = false, ...given }: PlanStepInput,
): Promise<StepPlan> => {
  const { clock, signal, secret } = given
  const server = writtenKubernetes(kubernetes, { signal, now: clock.now() })
  const noted = notedKubernetes(server)
  const operation = destroy ? 'Delete' : operationType(factsOf(object))
  const { resource } = kinds[kind]
  const saveStatus = async (status: object | undefined) => {
    const present = (await server.get(resource, object.metadata)) ?? object
    server.put(resource, object.metadata, mergePatch(present, { status: status ?? {} }) as KubernetesObject)
  }
  // The same port as in the function, without calls that steps do not use: replace, watch.
  const permitted = permittedKubernetes(noted.kubernetes as Kubernetes, [
    ...lifecyclePermissions(kind),
    ...permissions,
  ])
  const waits: string[] = []
  for (let count = 0, idle = false; count < mostSteps; count++) {
    const before = noted.writes().length
    // With the status from the previous step.
    const { status } = (await server.get(resource, object.metadata)) ?? object
    const step = {
      ...plannedStep({ ...given, object: { ...object, status }, operation, kubernetes: permitted }),
      saveStatus,
      throwIfExpired: isNotedOutside ? () => signal.throwIfAborted() : refuse,
    }
    if (operation !== 'Delete' && operation !== 'Migrate') await actuator.check?.({ object, secret })
    await actuator.validate?.(step)
    const result = await runOf(actuator, operation)(step)
    await saveStatus(result.status)
    if (result.kind === 'done') break
    if (waits.at(-1) !== result.description) waits.push(result.description)
    const hasWritten = noted.writes().length > before
    if (!hasWritten && idle) break
    idle = !hasWritten
    await completeManagedResources(server, object.metadata.namespace ?? '', clock.now())
  }
  const writes = noted.writes().filter(write => !isOf(write, resource))
  const shown = { secret, unknownNames: new Map(), unknownCertificates: new Set<string>() }
  const actions = await actionsOf(writes, { server, kubernetes, signal, shown })
  return {
    actions: [...actions, ...(await ownStatus(resource, object, server, shown))],
    waits,
    writes: writes.map(write => plannedWrite(write)),
  }
}

/** A step calls it before it changes anything outside of Kubernetes (`StepContext`). */
const refuse = (): never => {
  throw new Error('the step changes something outside of Kubernetes, which a plan cannot predict')
}

const runOf = (
  { reconcile, remove, restore = reconcile, migrate = async () => ({ kind: 'done' }) }: Actuator,
  operation: ReturnType<typeof operationType>,
): Actuator['reconcile'] => {
  switch (operation) {
    case 'Delete':
      return remove
    case 'Migrate':
      return migrate as (step: Parameters<Actuator['reconcile']>[0]) => Promise<StepResult>
    case 'Restore':
      return restore
    default:
      return reconcile
  }
}

/** The API server with the recorded writes, and the real one for reads. */
export interface Reporting {
  readonly server: WrittenKubernetes
  readonly kubernetes: PlanSurroundings['kubernetes']
  readonly signal: AbortSignal
  readonly shown: ShownOptions
}

/** Returns one action for each written object. The Secrets of a ManagedResource appear as its objects. */
export const actionsOf = async (
  writes: readonly NotedWrite[],
  reporting: Reporting,
): Promise<readonly StepAction[]> => {
  const once = [...new Map(writes.map(write => [JSON.stringify([write.resource.plural, write.key]), write]))]
  const all = await Promise.all(
    once.map(async ([, write]) => ({ write, ...(await formsOf(write, reporting)) })),
  )
  const manifests = new Set(
    all
      .filter(({ write }) => isOf(write, managedResourceKind.resource))
      .flatMap(({ before, after }) => [before, after].flatMap(secretsOf)),
  )
  const isManifest = ({ write }: (typeof all)[number]) =>
    isOf(write, secrets) && manifests.has(JSON.stringify([write.key.namespace, write.key.name]))
  const actions = all
    .filter(one => !isManifest(one))
    .map(async ({ write, before, after }): Promise<readonly StepAction[]> => {
      const changes = objectChanges(bare(before), bare(after), reporting.shown)
      if (!isOf(write, managedResourceKind.resource)) return changes
      const contents = await managedResourceChange(
        { managedResource: before as ManagedResource | undefined, kubernetes: reporting.kubernetes },
        { managedResource: after as ManagedResource | undefined, kubernetes: reporting.server },
        reporting.shown,
        reporting.signal,
      )
      return changes.map(({ id }) => ({ id, ...contents }))
    })
  return (await Promise.all(actions)).flat()
}

/**
 * Returns an object before and after all writes; one with a deletion timestamp, which only a finalizer retains, counts
 * as deleted.
 */
const formsOf = async (
  { resource, key, verb, ...write }: NotedWrite,
  { server, kubernetes, signal }: Reporting,
) => {
  const created = (verb === 'create' || verb === 'apply') && 'object' in write ? write.object : undefined
  const named = (object: KubernetesObject | undefined) =>
    object && { ...object, kind: object.kind || (created?.kind ?? resource.plural) }
  const after = await server.get(resource, key)
  return {
    before: named(await kubernetes.get(resource, key, { signal })),
    after: after?.metadata.deletionTimestamp === undefined ? named(after) : undefined,
  }
}

const isOf = ({ resource }: NotedWrite, { group, plural }: GroupVersionResource): boolean =>
  resource.group === group && resource.plural === plural

const secretsOf = (object: KubernetesObject | undefined): readonly string[] =>
  ((object as ManagedResource | undefined)?.spec?.secretRefs ?? []).map(({ name }) =>
    JSON.stringify([object?.metadata.namespace, name]),
  )

/** Removes fields that an API server or other clients write. */
const bare = (object: KubernetesObject | undefined): readonly KubernetesObject[] => {
  if (object === undefined) return []
  const { status: _, metadata, ...fields } = object
  const { name, namespace, labels, annotations, finalizers, ownerReferences } =
    metadata as typeof metadata & {
      readonly ownerReferences?: unknown
    }
  const kept = { name, namespace, labels, annotations, finalizers, ownerReferences }
  const there = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
  return [{ ...fields, metadata: { name, ...there } }]
}

/** Returns the fields that a step writes to the object's status, without those of the lifecycle. */
const ownStatus = async (
  resource: GroupVersionResource,
  object: KubernetesObject,
  server: WrittenKubernetes,
  shown: ShownOptions,
): Promise<readonly ObjectChange[]> => {
  const after = await server.get(resource, object.metadata)
  const { apiVersion, kind, metadata } = object
  const { name, namespace } = metadata
  const form = (status: unknown): KubernetesObject => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    status: status ?? {},
  })
  return objectChanges([form(object.status)], [form(after?.status ?? object.status)], shown)
}
