import type { ExtensionEvent } from '../../../shared/events/events.ts'
import type { Call, History } from '../../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** A step as a journal shows it. */
export interface RecordedStep {
  /** The beginning of the event's id, and a number if several steps handled the event: `1f2e3d4c`, `1f2e3d4c-2`. */
  readonly id: string
  readonly eventId: string
  /** `DNSRecord shoot--garden--rose/rose-external` */
  readonly object: string
  readonly operation: string
  /** Its beginning, in ms since 1970. */
  readonly at: number
  /** Its event with the object at that moment; undefined if the journal lacks the object. */
  readonly event: ExtensionEvent | undefined
  readonly outcome: RecordedOutcome
  /** The Cluster of its shoot at that moment. */
  readonly cluster?: KubernetesObject
}

export interface RecordedOutcome {
  /** `succeeded`, `continues`, `failed`, …; `unknown` if the journal does not show it. */
  readonly how: string
  /** `lastError` of a step that failed, else the reason in its report. */
  readonly error?: { readonly text: string; readonly codes: readonly string[] }
  /** In ms, if the function reported it. */
  readonly ms?: number
  /** The calls of the step, if the function reported them. */
  readonly calls: readonly Call[]
}

/** The states of one object, from its entries. */
export type ObjectChanges = ReturnType<History['changesOf']>
