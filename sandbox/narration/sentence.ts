import type { BridgeEvent } from '../../bridge/bridge.ts'
import { isWorthReporting, unclaimedMessage } from '../../bridge/bridge.ts'
import { shootConditions } from '../../shared/contract/health.ts'
import { kindNames, kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { AskedReview, SeedEvent } from '../seed/seed.ts'

/** One line of output. */
export interface Sentence {
  /**
   * The source: `kubernetes`, `bridge`, `broker`, `function`, `webhook`, the name of a cloud; or `chaos` and `hint`.
   */
  readonly part: string
  readonly text: string
  readonly tone: 'plain' | 'dim' | 'good' | 'bad' | 'hint'
}

const plurals: ReadonlySet<string> = new Set(
  kindNames.map(kind => `${kinds[kind].plural}.${kinds[kind].resource.group}`),
)

/**
 * Describes the events of a seed in sentences. Leaves out calls without effect, and shows only one line for a repeated
 * failure. It stores the state of each object, to show only changes.
 */
export const createSentences = (): ((event: SeedEvent) => Sentence | undefined) => {
  const seen = new Map<string, NarratedObject>()
  /** Failed calls while an object is in error: its next attempt repeats them. */
  const failing = new Set<string>()
  return event => {
    switch (event.part) {
      case 'object': {
        if (!plurals.has(event.resource)) return undefined
        const sentence = ofObject(event.object, event.deleted, seen)
        if ([...seen.values()].every(({ failure }) => failure === undefined)) failing.clear()
        return sentence
      }
      case 'bridge':
        return ofBridge(event.event)
      case 'broker':
        return event.event.kind === 'unmatched'
          ? bad('broker', `no Trigger matches ${event.event.event.attributes.type}`)
          : event.event.kind === 'dead-letter'
            ? bad('broker', `${event.event.trigger} gave up: ${event.event.reason}`)
            : event.event.kind === 'channel-closed'
              ? bad('broker', `${event.event.trigger} lost its channel: ${event.event.why}`)
              : undefined
      case 'runner':
        return event.event.type === 'delivery' && event.event.outcome === 'dropped'
          ? bad('runner', `${event.event.function} gave up an event; the bridge sends it again`)
          : event.event.type === 'start failed'
            ? bad('runner', `${event.event.program} does not start`)
            : undefined
      case 'function':
        return event.change === 'died'
          ? bad('function', `${event.name} exited unexpectedly`)
          : {
              part: 'function',
              text: `${event.name} ${functionChanges[event.change]}`,
              tone: 'plain',
            }
      case 'step':
      case 'check':
        return event.outcome.kind === 'unrecorded'
          ? bad('function', `${event.event.subject}: cannot record the outcome: ${event.outcome.reason}`)
          : undefined
      case 'cloud':
        return ofCall(event, failing)
      case 'review':
        return ofReview(event.review)
      case 'request':
        return undefined
    }
  }
}

/** A review that changes nothing is not shown. */
const ofReview = ({
  webhook,
  kind,
  namespace,
  name,
  outcome,
  why = '',
}: AskedReview): Sentence | undefined => {
  if (outcome === 'allowed') return undefined
  const text = `${webhook} ${outcome === 'failed' ? 'fails at' : outcome === 'denied' ? 'refuses' : 'changes'} ${nameOf({ apiVersion: '', kind, metadata: { name, ...(namespace !== undefined && { namespace }) } })}`
  return outcome === 'changed' ? { part: 'webhook', text, tone: 'plain' } : bad('webhook', `${text}: ${why}`)
}

const functionChanges = {
  woke: 'wakes up',
  slept: 'scales to zero',
  renewed: 'stops, and restarts with its next event in the new version',
} as const

const bad = (part: Sentence['part'], text: string): Sentence => ({ part, text, tone: 'bad' })

const nameOf = ({ kind, metadata }: KubernetesObject): string =>
  `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`

/** The last shown state of an object. */
interface NarratedObject {
  readonly operation: string | undefined
  readonly deleting: boolean
  /** The status of its health condition; undefined: it has none. */
  readonly health: string | undefined
  /** Its last failure since its last success. */
  readonly failure?: {
    readonly text: string
    readonly tries: number
    readonly progress: number
  }
}

interface NarratedStatus {
  readonly lastOperation?: { readonly state: string; readonly progress: number; readonly description: string }
  readonly lastError?: { readonly codes?: readonly string[] }
}

const ofObject = (
  object: KubernetesObject,
  deleted: boolean,
  seen: Map<string, NarratedObject>,
): Sentence | undefined => {
  const uid = object.metadata.uid ?? ''
  if (deleted) {
    seen.delete(uid)
    return { part: 'kubernetes', text: `${nameOf(object)} is deleted`, tone: 'good' }
  }
  const { lastOperation, lastError } = (object.status ?? {}) as NarratedStatus
  const before = seen.get(uid)
  const operation = lastOperation && JSON.stringify(lastOperation)
  const deleting = object.metadata.deletionTimestamp !== undefined
  const condition = healthOf(object)
  const health = condition && `${condition.status} ${condition.message}`
  const remember = (failure: NarratedObject['failure']) =>
    seen.set(uid, { operation, deleting, health, ...(failure && { failure }) })
  remember(lastOperation?.state === 'Succeeded' ? undefined : before?.failure)
  if (deleting && before?.deleting !== true) {
    return { part: 'kubernetes', text: `${nameOf(object)} is being deleted`, tone: 'plain' }
  }
  if (before !== undefined && operation === before.operation && health !== before.health) {
    return condition && ofHealth(nameOf(object), condition)
  }
  if (operation === before?.operation || lastOperation === undefined) {
    return before === undefined
      ? { part: 'kubernetes', text: `${nameOf(object)} appears`, tone: 'plain' }
      : undefined
  }
  const { state, progress, description } = lastOperation
  const of = (text: string, tone: Sentence['tone']): Sentence => ({
    part: 'kubernetes',
    text: `${nameOf(object)}: ${text}`,
    tone,
  })
  switch (state) {
    case 'Error': {
      const codes = (lastError?.codes ?? []).map(code => ` (${code})`).join('')
      const text = `${inOneLine(description)}${codes}`
      const tries = (before?.failure?.tries ?? 0) + 1
      remember({ text, tries, progress })
      return of(text === before?.failure?.text ? `Error again, attempt ${tries}` : `Error, ${text}`, 'bad')
    }
    case 'Succeeded':
      return of(`Succeeded, ${description}`, 'good')
    case 'Processing':
      // An attempt with no more progress than the failed one: only its outcome is shown.
      return before?.failure !== undefined && progress <= before.failure.progress
        ? undefined
        : of(`Processing ${progress} %, ${inOneLine(description)}`, 'plain')
    default:
      return of(`${state}, ${inOneLine(description)}`, 'plain')
  }
}

interface HealthCondition {
  readonly status: string
  readonly message: string
}

/** Returns the condition of an object that gardenlet reads; undefined if the object or its kind has none. */
const healthOf = ({ status }: KubernetesObject): HealthCondition | undefined => {
  const { conditions = [] } = (status ?? {}) as {
    readonly conditions?: readonly (HealthCondition & { readonly type: string })[]
  }
  const read = conditions.filter(({ type }) => shootConditions.some(one => one === type))
  return read.find(condition => condition.status !== 'True') ?? read[0]
}

const ofHealth = (name: string, { status, message }: HealthCondition): Sentence =>
  status === 'True'
    ? { part: 'kubernetes', text: `${name} is healthy: ${inOneLine(message)}`, tone: 'good' }
    : { part: 'kubernetes', text: `${name} is not healthy (${status}): ${inOneLine(message)}`, tone: 'bad' }

const inOneLine = (text: string): string =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('; ')

const ofBridge = (event: BridgeEvent): Sentence | undefined => {
  switch (event.type) {
    case 'emitted':
      if (event.reason === 'retry') return undefined
      return {
        part: 'bridge',
        text: `${event.kind} ${event.object} needs work: ${event.operation}, because of ${event.reason}${event.attempt > 0 ? ` ${event.attempt}` : ''}`,
        tone: 'dim',
      }
    case 'retried':
      return bad('bridge', `${event.kind} ${event.object}: sending again, ${event.why}`)
    case 'parked':
      return event.status === 0
        ? bad('bridge', `${event.kind} ${event.object}: no event can be built from it, ${event.why}`)
        : bad('bridge', `${event.kind} ${event.object}: the broker refused the event, ${event.why}`)
    case 'lost':
      return bad('bridge', `${event.kind} ${event.object}: sending again, ${event.why}`)
    case 'unknown operation':
      return bad('bridge', `${event.kind} ${event.object}: ${event.why}`)
    case 'unclaimed':
      return isWorthReporting(event)
        ? bad('bridge', `${event.kind} ${event.object}: ${unclaimedMessage(event)}`)
        : undefined
    case 'held':
      return bad('bridge', `${event.kind} ${event.object} waits: ${event.why}`)
    default:
      return undefined
  }
}

const ofCall = (
  { cloud, call, object }: Extract<SeedEvent, { part: 'cloud' }>,
  failing: Set<string>,
): Sentence | undefined => {
  const { error } = call
  if (call.isRead && (error === undefined || call.isNotThere)) return undefined
  const what = `${call.service} ${call.action}`
  const by = object === undefined ? '' : ` (${object})`
  if (error === undefined) return { part: cloud, text: `${what}${call.about}${by}`, tone: 'plain' }
  const failure = `${cloud} ${what} ${error}`
  if (failing.has(failure)) return undefined
  failing.add(failure)
  return bad(cloud, `${what}${call.about}${by} → ${error}`)
}
