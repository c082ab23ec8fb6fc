import type { BridgeEvent } from '../../bridge/bridge-event.ts'
import { isWorthTelling, unclaimedMessage } from '../../bridge/notices/unclaimed-message.ts'
import type { CallRecord } from '../../sandbox/aws/calls/call-log.ts'
import type { SeedEvent } from '../../sandbox/seed/seed.ts'
import { kindNames, kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/port.ts'
import { sandboxCredentials } from '../sandbox/credentials.ts'
import { detailsOf, isRead } from './aws-call.ts'

/** One line of what happens. */
export interface Sentence {
  readonly part: 'kubernetes' | 'bridge' | 'broker' | 'function' | 'aws'
  readonly text: string
  readonly tone: 'plain' | 'dim' | 'good' | 'bad'
}

const plurals: ReadonlySet<string> = new Set(
  kindNames.map(kind => `${kinds[kind].plural}.${kinds[kind].resource.group}`),
)

/**
 * Puts what happens in a seed into sentences, and leaves out what a person need not see. It remembers the state of
 * each object, to say only what changed.
 */
export const createSentences = (): ((event: SeedEvent) => Sentence | undefined) => {
  const seen = new Map<string, Seen>()
  return event => {
    switch (event.part) {
      case 'object':
        return plurals.has(event.resource) ? ofObject(event.object, event.deleted, seen) : undefined
      case 'bridge':
        return ofBridge(event.event)
      case 'broker':
        return event.event.kind === 'unmatched'
          ? bad('broker', `no Trigger wants ${event.event.event.attributes.type}`)
          : event.event.kind === 'dead-letter'
            ? bad('broker', `${event.event.trigger} gave up: ${event.event.reason}`)
            : undefined
      case 'function':
        return {
          part: 'function',
          text: `${event.name} ${event.change === 'woke' ? 'wakes up' : 'scales to zero'}`,
          tone: 'plain',
        }
      case 'step':
        return event.outcome.kind === 'unrecorded'
          ? bad('function', `${event.event.subject}: nothing could be written down: ${event.outcome.reason}`)
          : undefined
      case 'aws':
        return event.call.accessKeyId === sandboxCredentials.accessKeyId ? undefined : ofCall(event.call)
    }
  }
}

const bad = (part: Sentence['part'], text: string): Sentence => ({ part, text, tone: 'bad' })

const nameOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

/** What was said of an object last. */
interface Seen {
  readonly operation: string | undefined
  readonly deleting: boolean
}

interface Status {
  readonly lastOperation?: { readonly state: string; readonly progress: number; readonly description: string }
  readonly lastError?: { readonly codes?: readonly string[] }
}

const ofObject = (
  object: KubernetesObject,
  deleted: boolean,
  seen: Map<string, Seen>,
): Sentence | undefined => {
  const uid = object.metadata.uid ?? ''
  if (deleted) {
    seen.delete(uid)
    return { part: 'kubernetes', text: `${nameOf(object)} is gone`, tone: 'good' }
  }
  const { lastOperation, lastError } = (object.status ?? {}) as Status
  const now: Seen = {
    operation: JSON.stringify(lastOperation),
    deleting: object.metadata.deletionTimestamp !== undefined,
  }
  const before = seen.get(uid)
  seen.set(uid, now)
  if (now.deleting && before?.deleting !== true) {
    return { part: 'kubernetes', text: `${nameOf(object)} is to be deleted`, tone: 'plain' }
  }
  if (now.operation !== before?.operation && lastOperation !== undefined) {
    const { state, progress, description } = lastOperation
    const far = state === 'Processing' ? ` ${progress} %` : ''
    const codes = state === 'Error' ? (lastError?.codes ?? []).map(code => ` (${code})`).join('') : ''
    const tone = state === 'Succeeded' ? 'good' : state === 'Error' ? 'bad' : 'plain'
    return { part: 'kubernetes', text: `${nameOf(object)}: ${state}${far}, ${description}${codes}`, tone }
  }
  return before === undefined
    ? { part: 'kubernetes', text: `${nameOf(object)} appears`, tone: 'plain' }
    : undefined
}

const ofBridge = (event: BridgeEvent): Sentence | undefined => {
  switch (event.type) {
    case 'emitted':
      return {
        part: 'bridge',
        text: `${event.kind} ${event.object} has work: ${event.operation}, because of ${event.reason}${event.attempt > 0 ? ` ${event.attempt}` : ''}`,
        tone: 'dim',
      }
    case 'retried':
      return bad('bridge', `${event.kind} ${event.object}: sending again, ${event.why}`)
    case 'parked':
      return bad('bridge', `${event.kind} ${event.object}: the broker refused the event, ${event.why}`)
    case 'unclaimed':
      return isWorthTelling(event)
        ? bad('bridge', `${event.kind} ${event.object}: ${unclaimedMessage(event)}`)
        : undefined
    case 'held':
      return bad('bridge', `${event.kind} ${event.object} waits: ${event.why}`)
    default:
      return undefined
  }
}

const ofCall = (call: CallRecord): Sentence => {
  const failed = call.outcome === 'success' ? '' : ` → ${call.errorCode ?? call.outcome}`
  return {
    part: 'aws',
    text: `${call.service} ${call.action}${detailsOf(call)}${failed}`,
    tone: failed !== '' ? 'bad' : isRead(call) ? 'dim' : 'plain',
  }
}
