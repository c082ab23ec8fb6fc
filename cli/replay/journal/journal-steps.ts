import { clusterKind, isKindName } from '../../../shared/contract/kinds.ts'
import { isRecord } from '../../../shared/decode/record-of.ts'
import {
  createHistory,
  type EventEntry,
  type Journal,
  objectIdOfEvent,
  partsOfObjectId,
  type StepEntry,
} from '../../../shared/journal/journal.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { RecordedStep } from './recorded-step.ts'
import { shownOutcome } from './shown-outcome.ts'
import { claimsOf, eventFor, eventFrom, objectBefore } from './steps-of-object.ts'

/** Letters of an event's id in the id of a step. */
const idLetters = 8

/**
 * Returns the steps of a journal in the order of their beginning: those that functions reported, those whose events the
 * bridge sent, and those that claimed an object. Health checks and deliveries that found the object busy are no steps.
 */
export const journalSteps = ({ header, entries }: Journal): readonly RecordedStep[] => {
  const history = createHistory(entries)
  const source = `/seeds/${header?.seed ?? 'recorded'}`
  const steps: Omit<RecordedStep, 'id'>[] = []
  for (const object of objectsOf(history)) {
    const { kind = '', namespace } = partsOfObjectId(object) ?? {}
    if (!isKindName(kind)) continue
    const changes = history.changesOf(object)
    const claims = claimsOf(changes)
    const events = byId(history.eventsOf(object).filter(isWork), ({ event }) => event.id)
    const reports = byId(
      history
        .stepsOf(object)
        .filter(({ outcome, operation }) => outcome !== 'busy' && operation !== 'healthcheck'),
      ({ event }) => event,
    )
    for (const eventId of new Set([...claims.keys(), ...events.keys(), ...reports.keys()])) {
      const claim = claims.get(eventId)
      const [sent] = events.get(eventId) ?? []
      for (const report of reports.get(eventId) ?? [undefined]) {
        const at = timeOf(report, sent, claim === undefined ? undefined : changes[claim]?.time)
        const before = objectBefore(changes, { claim, version: versionOf(sent), at })
        const event = (sent && eventFrom(sent, before)) ?? eventFor(before, { id: eventId, at, source })
        const cluster =
          namespace === undefined ? undefined : history.at(at).get(`${clusterKind.kind} ${namespace}`)
        steps.push({
          eventId,
          object,
          at,
          event,
          operation: event?.operation ?? report?.operation ?? 'reconcile',
          outcome: shownOutcome(changes, claim, eventId, report),
          ...(isObject(cluster) && { cluster }),
        })
      }
    }
  }
  return withIds(steps.toSorted((a, b) => a.at - b.at))
}

const objectsOf = (history: ReturnType<typeof createHistory>): readonly string[] => [
  ...new Set([
    ...history.ids(),
    ...history.steps.map(({ object }) => object),
    ...history.events.map(({ event }) => objectIdOfEvent(event)),
  ]),
]

const isWork = ({ event }: EventEntry): boolean => !event.type.endsWith('.healthcheck')

const versionOf = (sent: EventEntry | undefined): string | undefined =>
  typeof sent?.event.resourceversion === 'string' ? sent.event.resourceversion : undefined

/** The functions' clocks may differ, so the time of the event is better than that of the report. */
const timeOf = (
  report: StepEntry | undefined,
  sent: EventEntry | undefined,
  claimed: number | undefined,
): number => {
  const times = [sent?.event.time, report?.began].map(text => Date.parse(text ?? ''))
  return times.find(time => !Number.isNaN(time)) ?? claimed ?? 0
}

const byId = <T>(items: readonly T[], idOf: (item: T) => string): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(items, idOf)

const isObject = (value: unknown): value is KubernetesObject =>
  isRecord(value) && value.kind === clusterKind.kind && isRecord(value.metadata)

const withIds = (steps: readonly Omit<RecordedStep, 'id'>[]): readonly RecordedStep[] => {
  const used = new Map<string, number>()
  return steps.map(step => {
    const short = step.eventId.slice(0, idLetters)
    const count = (used.get(short) ?? 0) + 1
    used.set(short, count)
    return { ...step, id: count === 1 ? short : `${short}-${count}` }
  })
}
