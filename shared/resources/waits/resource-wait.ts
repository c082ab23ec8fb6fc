import { classify, gardenerClassifier } from '../../contract/classify.ts'
import { type ErrorCode, errorCodes } from '../../contract/constants.ts'
import { CodedError } from '../../contract/errors.ts'
import type { ManagedResource } from '../../contract/objects.ts'
import type { StepContext, StepResult } from '../../lifecycle/lifecycle.ts'
import { keepManagedResource } from '../keep-managed-resource.ts'
import type { DesiredManagedResource, ManagedResourceKey } from '../managed-resource-object.ts'
import type { CompareManifests } from '../secrets/compare-manifests.ts'

type ResourceCondition = NonNullable<NonNullable<ManagedResource['status']>['conditions']>[number]

/** The progress of another controller's work. */
export type ResourceWait =
  | { readonly kind: 'over' }
  | {
      readonly kind: 'waiting'
      /** The missing part, and the resource manager's reason. */
      readonly message: string
      /** Prefix of the message when the wait exceeds its limit. */
      readonly failure?: string
      /** Error codes of the reason. */
      readonly codes: readonly ErrorCode[]
    }

const over: ResourceWait = { kind: 'over' }

const conditionTypes = ['ResourcesApplied', 'ResourcesHealthy', 'ResourcesProgressing'] as const
type ConditionType = (typeof conditionTypes)[number]

export const conditionsOf = ({
  status,
}: Pick<ManagedResource, 'status'>): Readonly<Partial<Record<ConditionType, ResourceCondition>>> =>
  Object.fromEntries((status?.conditions ?? []).map(condition => [condition.type, condition]))

/**
 * Waits until all objects are applied, healthy and rolled out (docs/contract/managed-resources.md#waits).
 *
 * @param managedResource undefined: it does not exist
 * @param rollout `ignored`: applied and healthy is enough
 */
export const healthyWait = (
  { name, namespace }: ManagedResourceKey,
  managedResource: ManagedResource | undefined,
  rollout: 'awaited' | 'ignored' = 'awaited',
): ResourceWait => {
  const id = `${namespace}/${name}`
  if (managedResource === undefined)
    return {
      kind: 'waiting',
      message: `managedresources.resources.gardener.cloud ${JSON.stringify(name)} not found`,
      codes: [],
    }
  const { metadata, status } = managedResource
  if (metadata.deletionTimestamp !== undefined)
    return { kind: 'waiting', message: `managed resource ${id} is being deleted`, codes: [] }
  const { ResourcesApplied, ResourcesHealthy, ResourcesProgressing } = conditionsOf(managedResource)
  const isObserved = status?.observedGeneration === metadata.generation
  if (!isObserved || ResourcesApplied?.status !== 'True' || ResourcesHealthy?.status !== 'True') {
    // A generation in progress reports only a failed apply.
    const [culprit] = [ResourcesApplied, ResourcesHealthy].filter(one => one && one.status !== 'True')
    return waitingFor(`managed resource ${id} is not healthy`, culprit)
  }
  if (rollout === 'ignored' || ResourcesProgressing?.status === 'False') return over
  return waitingFor(`managed resource ${id} is still progressing`, ResourcesProgressing)
}

/**
 * Waits until all objects are applied, whatever happened to them since.
 *
 * @param managedResource undefined: it does not exist
 */
export const appliedWait = (
  key: ManagedResourceKey,
  managedResource: ManagedResource | undefined,
): ResourceWait => {
  const isApplied =
    managedResource !== undefined &&
    managedResource.status?.observedGeneration === managedResource.metadata.generation &&
    conditionsOf(managedResource).ResourcesApplied?.status === 'True'
  return isApplied ? over : healthyWait(key, managedResource)
}

/**
 * Waits until it is gone with the objects that are deleted with it (docs/contract/managed-resources.md#waits).
 *
 * @param managedResource undefined: it does not exist
 */
export const goneWait = (
  { name, namespace }: ManagedResourceKey,
  managedResource: ManagedResource | undefined,
): ResourceWait => {
  if (managedResource === undefined) return over
  const message = `resource ${namespace}/${name} still exists`
  const { ResourcesApplied: applied } = conditionsOf(managedResource)
  const isDeletion = applied?.reason === 'DeletionFailed' || applied?.reason === 'DeletionPending'
  if (applied === undefined || applied.status === 'True' || !isDeletion)
    return { kind: 'waiting', message, codes: [] }
  return {
    kind: 'waiting',
    failure: 'error while waiting for all resources to be deleted',
    message: `${message}:\n${shortened(applied.message)}`,
    codes: codesOf(applied),
  }
}

const waitingFor = (message: string, culprit: ResourceCondition | undefined): ResourceWait => {
  if (culprit === undefined) return { kind: 'waiting', message, codes: [] }
  const { type, reason } = culprit
  return {
    kind: 'waiting',
    message: `${message}: ${type} ${reason}: ${shortened(culprit.message)}`,
    codes: codesOf(culprit),
  }
}

/** Limit of a condition's message in an error, in characters: a message names every failing object. */
const longestReason = 2_000

const shortened = (text: string): string =>
  text.length <= longestReason ? text : `${text.slice(0, longestReason)} …`

/** Returns the resource manager's codes, and those of its message. */
const codesOf = ({ codes = [], message }: ResourceCondition): readonly ErrorCode[] => {
  const given = codes.filter((code): code is ErrorCode => errorCodes.some(known => known === code))
  return [...new Set([...given, ...classify(message, [gardenerClassifier])])].sort()
}

/** A wait for ManagedResources that may span several steps. */
export interface ResourceWaiting {
  /** A short name, unique among the waits of the kind. The next step uses it to find the wait's start. */
  readonly name: string
  /** The action, for errors: `could not wait for shoot webhooks to be healthy`. */
  readonly doing: string
  /** Limit in milliseconds since the end of the first step that waited. */
  readonly longestMs: number
  /** 1 to 99, during the wait. */
  readonly progress: number
}

/** Limit of the deletion of ManagedResources, in milliseconds (docs/contract/managed-resources.md#waits). */
export const longestDeletionMs = 2 * 60_000

/** Limit until they are healthy, in milliseconds: the same as for an attempt of a ControlPlane. */
export const longestCreationMs = 3 * 60_000

/** Delay until the next step if no change of a ManagedResource starts it earlier, in milliseconds. */
const nextStepAfterMs = 10_000

/**
 * Ends the step while a wait is not over, so that the next one continues it. Returns undefined if all are over. Throws
 * when the wait exceeds its limit, with the resource manager's reason and its codes.
 */
export const settleResources = (
  { waited, clock }: Pick<StepContext, 'waited' | 'clock'>,
  { name, doing, longestMs, progress }: ResourceWaiting,
  waits: readonly ResourceWait[],
): StepResult | undefined => {
  const waiting = waits.find(wait => wait.kind === 'waiting')
  if (waiting === undefined) return undefined
  const { message, failure, codes } = waiting
  const lasts = waited?.for === name ? clock.now() - waited.since : 0
  if (lasts >= longestMs) {
    const failed = failure === undefined ? doing : `${doing}: ${failure}`
    throw new CodedError(`${failed}: retry failed with context deadline exceeded, last error: ${message}`, {
      codes,
    })
  }
  return {
    kind: 'continue',
    afterMs: Math.min(nextStepAfterMs, longestMs - lasts),
    progress,
    description: message,
    waitsFor: name,
  }
}

/** `waiting`: one is in deletion and must be gone before it can be recreated. */
export type KeptResources =
  | { readonly kind: 'kept'; readonly kept: readonly ManagedResource[] }
  | { readonly kind: 'waiting'; readonly result: StepResult }

/**
 * Writes those with differences, sequentially in their order.
 *
 * @param observed by name, as read in this step
 */
export const keepManagedResources = async (
  step: Pick<StepContext, 'kubernetes' | 'waited' | 'clock'>,
  desired: readonly DesiredManagedResource[],
  observed: ReadonlyMap<string, ManagedResource>,
  compare: CompareManifests,
): Promise<KeptResources> => {
  const kept: ManagedResource[] = []
  for (const resource of desired) {
    const { name, namespace } = resource
    const { outcome, managedResource } = await keepManagedResource(
      step.kubernetes,
      resource,
      observed.get(name) ?? null,
      compare,
    )
    if (outcome === 'deleting') {
      const waiting = settleResources(
        step,
        {
          name: `${name} gone`,
          doing: `could not wait for managed resource ${name}, which somebody deletes, to be gone`,
          longestMs: longestDeletionMs,
          progress: 20,
        },
        [goneWait({ name, namespace }, managedResource)],
      )
      if (waiting !== undefined) return { kind: 'waiting', result: waiting }
    }
    kept.push(managedResource)
  }
  return { kind: 'kept', kept }
}
