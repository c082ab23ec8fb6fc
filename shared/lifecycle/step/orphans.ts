import { formatSeconds } from '../../clock/clock.ts'
import { apiVersion } from '../../contract/constants.ts'
import {
  eventResource,
  idOf,
  KubernetesError,
  type KubernetesObject,
  objectEvent,
  refusalAdvice,
} from '../../kubernetes/kubernetes.ts'
import type { Orphans, StepContext, StepResult } from '../actuator.ts'
import type { Backend, StepDeps } from '../backend.ts'
import { orphanFields, orphansText } from '../decide/forced-deletion.ts'
import { redact } from './redact.ts'

/** Names everything that may exist outside because of an object. */
export const orphansOf = (
  { kind, actuator }: Backend,
  step: Pick<StepContext, 'object' | 'cluster'>,
): readonly string[] => {
  try {
    if (actuator.orphans !== undefined) return Array.from(actuator.orphans(step), String)
  } catch {
    // The object may violate its schema. The deletion ends in any case.
  }
  return [`everything that was created for the ${kind} ${idOf(step.object.metadata)}`]
}

/** Returns what a forced deletion leaves behind, without secrets, or undefined if that is nothing. */
export const orphansIn = (
  { why, things: given }: NonNullable<Extract<StepResult, { kind: 'done' }>['orphans']>,
  backend: Backend,
  step: Pick<StepContext, 'object' | 'cluster' | 'secret'> & { readonly referenced: readonly string[] },
): Orphans | undefined => {
  const things = given ?? orphansOf(backend, step)
  if (things.length === 0) return undefined
  const shown = (text: string) => redact(text, step.secret, step.referenced)
  return { why: shown(why), things: things.map(shown) }
}

/** Limit of an Event in milliseconds: an API server that stores no Events must not delay the end of a deletion. */
const eventLimitMs = 5_000

/**
 * Reports in the log and in an Event what a forced deletion leaves behind. Never throws: the deletion ends without the
 * Event. Repeated calls write one Event.
 */
export const reportOrphans = async (
  { kubernetes, clock, log, backend: { kind } }: StepDeps,
  { metadata }: KubernetesObject,
  orphans: Orphans,
): Promise<void> => {
  const { name, namespace, uid = '' } = metadata
  const fields = { kind, object: idOf(metadata) }
  const { things: mayExist, why } = orphanFields(orphans, 'log')
  log.warn('forced deletion is incomplete', { ...fields, mayExist, why })
  const limit = new AbortController()
  const cancel = clock.after(eventLimitMs, () => limit.abort(new Error('no answer in 5 s')))
  try {
    const event = objectEvent({
      about: { apiVersion, kind, name, namespace, uid },
      type: 'Warning',
      reason: 'Orphaned',
      message: orphansText(orphans, 'event'),
      topic: 'forced deletion',
      component: 'trellis',
      at: formatSeconds(clock.now()),
    })
    await kubernetes.create(eventResource, event, { signal: limit.signal })
  } catch (error) {
    if (error instanceof KubernetesError && error.reason === 'AlreadyExists') return
    log.warn('cannot write a Kubernetes Event', { ...fields, error, advice: refusalAdvice(error) })
  } finally {
    cancel()
  }
}
