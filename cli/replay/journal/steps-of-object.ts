import { annotations } from '../../../shared/contract/constants.ts'
import { isKindName } from '../../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import { isRecord } from '../../../shared/decode/record-of.ts'
import { buildEvent, type ExtensionEvent } from '../../../shared/events/events.ts'
import type { EventEntry, RecordedObject } from '../../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../../shared/lifecycle/lifecycle.ts'
import { readSavedEvent } from '../saved-event.ts'
import type { ObjectChanges } from './recorded-step.ts'

/** Returns the step annotation of a recorded object. */
export const stepOf = (object: RecordedObject) => {
  const { metadata } = object as Partial<KubernetesObject>
  const notes = isRecord(metadata) ? metadata.annotations : undefined
  return parseStepAnnotation(isRecord(notes) ? String(notes[annotations.step] ?? '') : undefined)
}

/**
 * Returns the changes by which steps claimed an object, by the id of their event. The annotation names the event also
 * after a step, so a recorder that has not seen the claim itself sees the step.
 */
export const claimsOf = (changes: ObjectChanges): ReadonlyMap<string, number> => {
  const claims = new Map<string, number>()
  let last: string | undefined
  for (const [index, change] of changes.entries()) {
    const after = change.after()
    const event = after && stepOf(after)?.event
    if (event !== undefined && event !== last && index > 0 && !claims.has(event)) claims.set(event, index)
    last = event ?? last
  }
  return claims
}

/**
 * Returns the object that a step read: the version that the event names, else the last one before the claim, else the
 * last one before the event. Undefined: the journal does not contain it.
 */
export const objectBefore = (
  changes: ObjectChanges,
  {
    claim,
    version,
    at,
  }: { readonly claim: number | undefined; readonly version: string | undefined; readonly at: number },
): KubernetesObject | undefined => {
  const named = changes
    .map(change => change.after())
    .find(state => version !== undefined && version !== '' && versionOf(state) === version)
  const claimed = claim === undefined ? undefined : changes[claim]?.before()
  const last = changes.findLast(({ time }) => time <= at)?.after()
  return asObject(claimed ?? named ?? last)
}

const versionOf = (state: RecordedObject | undefined): unknown =>
  isRecord(state?.metadata) ? state.metadata.resourceVersion : undefined

/** A journal may come from anywhere. */
const asObject = (state: RecordedObject | undefined): KubernetesObject | undefined => {
  const { apiVersion, kind, metadata } = state ?? {}
  return typeof apiVersion === 'string' &&
    typeof kind === 'string' &&
    isRecord(metadata) &&
    typeof metadata.name === 'string' &&
    typeof metadata.uid === 'string'
    ? (state as unknown as KubernetesObject)
    : undefined
}

/** Returns a recorded event with its object, or undefined if its attributes are not those of an event of Trellis. */
export const eventFrom = (
  { event }: EventEntry,
  object: KubernetesObject | undefined,
): ExtensionEvent | undefined => {
  if (object === undefined) return undefined
  try {
    const { data: _, ...attributes } = event
    return readSavedEvent({
      specversion: '1.0',
      datacontenttype: 'application/json',
      ...attributes,
      data: object,
    })
  } catch {
    return undefined
  }
}

/** Returns the event that the bridge must have sent for an object, if the journal has none. */
export const eventFor = (
  object: KubernetesObject | undefined,
  { id, at, source }: { readonly id: string; readonly at: number; readonly source: string },
): ExtensionEvent | undefined => {
  if (object === undefined || !isKindName(object.kind)) return undefined
  const { kind } = object
  const due = dueWork(kind, object, at)
  const work =
    due.kind === 'none' ? ({ operation: 'reconcile', reason: 'recorded', attempt: 0 } as const) : due
  try {
    return { ...buildEvent({ ...work, object, kind, cause: '', source, now: at }), id, data: object }
  } catch {
    return undefined
  }
}
