import { classify, gardenerClassifier } from '../../contract/classify.ts'
import { type ErrorCode, errorCodes } from '../../contract/constants.ts'
import type { ManagedResource } from '../../contract/objects.ts'
import type { ManagedResourceKey } from '../observe.ts'

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
 *
 * @example
 * const key = { namespace, name: 'extension-acme' }
 * const wait = healthyWait(key, await readManagedResource(kubernetes, key))
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
 *
 * @example
 * const key = { namespace, name: 'extension-acme' }
 * const wait = appliedWait(key, await readManagedResource(kubernetes, key))
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
 *
 * @example
 * const key = { namespace, name: 'extension-acme' }
 * const wait = goneWait(key, await readManagedResource(kubernetes, key))
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
