import { annotations } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Store } from '../../kubernetes/kubernetes.ts'
import type { RunningCode } from '../process/process.ts'
import { runningCode } from '../process/running-code.ts'
import type { Problems } from './invariant.ts'

/** The step that may write the outcome of an object. */
interface WatchedClaim {
  readonly process: string
  readonly event: string
  readonly generation: number
  /** The requested operation that remains until its success. */
  readonly operation: string | undefined
}

interface SeenStatus {
  readonly observedGeneration?: number
  readonly lastOperation?: {
    readonly type?: string
    readonly state?: string
    readonly description?: string
  }
  readonly lastError?: { readonly description?: string }
}

const group = '.extensions.gardener.cloud'
const finalizerPrefix = 'extensions.gardener.cloud/'

const noted = (object: KubernetesObject | undefined, name: string): string | undefined =>
  object?.metadata.annotations?.[name]
const statusOf = (object: KubernetesObject | undefined): SeenStatus => Object(object?.status)
const stepOf = (text: string | undefined): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text ?? 'null'))
  } catch {
    return {}
  }
}
const ownFinalizers = ({ metadata: { finalizers = [] } }: KubernetesObject): readonly string[] =>
  finalizers.filter(finalizer => finalizer.startsWith(finalizerPrefix))

/** The text with which an operation begins. It says nothing about a wait. */
const begun = /^(?:Creating|Reconciling|Deleting|Migrating|Restoring) the \S+$/

/**
 * Watches requests, claims and outcomes of all extension objects of a seed (docs/contract/lifecycle.md#one-attempt).
 */
export interface WatchedClaims {
  /** etcd has returned to an earlier state, in which other steps had the claims. */
  forget(): void
}

export const watchClaims = (store: Store, problems: Problems): WatchedClaims => {
  const claims = new Map<string, WatchedClaim>()
  /** The namespaces of shoots that have failed at some time. */
  const failed = new Set<string>()
  store.subscribe((resource, { type, key, entry, previous }) => {
    if (!resource.endsWith(group)) return
    if (resource.startsWith('clusters.')) {
      if (hasFailed(entry.object)) failed.add(key)
      return
    }
    const id = `${resource} ${key}`
    if (type !== 'MODIFIED' || previous === undefined) return void claims.delete(id)
    const code = runningCode.getStore()
    if (code?.step === undefined) return
    const [before, after] = [previous.object, entry.object]
    const text = noted(after, annotations.step)
    const isNewStep = text !== noted(before, annotations.step)
    const step = stepOf(text)
    if (isNewStep && step.phase === 'claimed') {
      claims.set(id, {
        process: code.process.name,
        event: code.step.event,
        generation: after.metadata.generation ?? 0,
        operation: noted(after, annotations.operation),
      })
    }
    const claim = claims.get(id)
    const seen = { id, before, after, claim, code, problems }
    const mayStop = mayIgnore(before) || failed.has(before.metadata.namespace ?? '')
    checkRequest(seen, mayStop || (isNewStep && step.phase === 'claimed'))
    checkOutcome(seen)
    checkFinalizers(seen)
    const isWait = isNewStep && step.phase === 'waiting'
    // A wait that precedes a success has its reason then. A step that could not write says nothing.
    if (isWait && step.claimedUntil === undefined && step.interrupted !== true) checkReason(seen)
  })
  return { forget: () => claims.clear() }
}

interface SeenWrite {
  readonly id: string
  readonly before: KubernetesObject
  readonly after: KubernetesObject
  readonly claim: WatchedClaim | undefined
  readonly code: RunningCode
  readonly problems: Problems
}

/** Undefined: the claim is not known. */
const isClaimant = ({ claim, code }: SeenWrite): boolean | undefined =>
  claim && claim.process === code.process.name && claim.event === code.step?.event

/** A request disappears with the claim that works on it, or with its success. */
const checkRequest = (seen: SeenWrite, isAnswered: boolean): void => {
  const { id, before, after, claim, problems } = seen
  const request = noted(before, annotations.operation)
  if (request === undefined || request === noted(after, annotations.operation)) return
  if (request === 'reconcile' ? isAnswered : claim?.operation === request) return
  problems.add('a newer request is never lost', `${id}: the request ${request} was removed without a claim`)
}

/** An object that was migrated or has nothing to delete. */
const mayIgnore = (before: KubernetesObject): boolean => {
  const { type, state } = statusOf(before).lastOperation ?? {}
  return (
    (type === 'Migrate' && state === 'Succeeded') ||
    (before.metadata.deletionTimestamp !== undefined && ownFinalizers(before).length === 0)
  )
}

const hasFailed = (cluster: KubernetesObject): boolean =>
  Object(Object(Object(Object(cluster.spec).shoot).status).lastOperation).state === 'Failed'

/** Only the step with the claim writes outcomes, and only of what it has read. */
const checkOutcome = (seen: SeenWrite): void => {
  const { id, before, after, claim, code, problems } = seen
  const { lastOperation, observedGeneration } = statusOf(after)
  if (JSON.stringify(lastOperation) === JSON.stringify(statusOf(before).lastOperation)) return
  if (isClaimant(seen) === false)
    problems.add(
      'a newer request is never lost',
      `${id}: ${code.process.name} wrote ${lastOperation?.type} ${lastOperation?.state} after another step had claimed the object`,
    )
  if (lastOperation?.state === 'Succeeded' && claim && observedGeneration !== claim.generation)
    problems.add(
      'a newer request is never lost',
      `${id}: success for generation ${observedGeneration}, but its step has read ${claim.generation}`,
    )
}

const checkFinalizers = (seen: SeenWrite): void => {
  const { id, before, after, problems } = seen
  const lost = ownFinalizers(before).filter(finalizer => !ownFinalizers(after).includes(finalizer))
  if (lost.length === 0) return
  const { type, state } = statusOf(before).lastOperation ?? {}
  const isEnd =
    before.metadata.deletionTimestamp !== undefined || (type === 'Migrate' && state === 'Succeeded')
  if (!isEnd || isClaimant(seen) === false)
    problems.add('nothing is left', `${id}: a step removed ${lost.join(', ')} before the end of a deletion`)
}

const checkReason = ({ id, after, problems }: SeenWrite): void => {
  const { lastOperation: { state, description = '' } = {}, lastError } = statusOf(after)
  const hasReason =
    state === 'Succeeded' ||
    (state === 'Error' && (lastError?.description ?? '') !== '') ||
    (state === 'Processing' && description !== '' && !begun.test(description))
  if (!hasReason)
    problems.add(
      'every wait has a reason, every operation an end',
      `${id} waits, but its status is ${state}: ${description}`,
    )
}
