import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { recordOf, stringOf } from '../../../shared/decode/record-of.ts'
import { partsOfObjectId } from '../../../shared/journal/journal.ts'
import { eventResource, hasStatus, type Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import type { ListedEvent } from '../model/history.ts'

/** Reads the Events of an object, the newest first. Rejects with a reason for the reader. */
export type EventsOfObject = (id: string, signal: AbortSignal) => Promise<readonly ListedEvent[]>

/** Kinds and names of Kubernetes, which cannot change the meaning of a selector. */
const plainName = /^[A-Za-z0-9.:-]+$/
/** An object with more has a controller in a loop; the newest are enough. */
const mostEvents = 500

export const eventsOf =
  (kubernetes: Pick<Kubernetes, 'list'>): EventsOfObject =>
  async (id, signal) => {
    const { kind, namespace, name } = partsOfObjectId(id) ?? {}
    if (kind === undefined || name === undefined || ![kind, namespace ?? '-', name].every(isPlain))
      throw new Error(`${id} is not the id of an object`)
    const fieldSelector = `involvedObject.kind=${kind},involvedObject.name=${name}`
    // Events of objects without a namespace are in `default`.
    const inNamespace = namespace ?? 'default'
    try {
      const options = { namespace: inNamespace, fieldSelector, limit: mostEvents, signal }
      const { items } = await kubernetes.list(eventResource, options)
      return items.map(eventFrom).toSorted((one, other) => other.last - one.last)
    } catch (error) {
      if (!hasStatus(error, 403)) throw error
      throw new Error(`you may not list events in the namespace ${inNamespace}`, { cause: error })
    }
  }

const isPlain = (name: string): boolean => plainName.test(name)

/** Clients of `events.k8s.io` write `eventTime` and `series` instead of the older fields. */
const eventFrom = (event: Readonly<Record<string, unknown>>): ListedEvent => {
  const { type, reason, message, count, source, reportingComponent, metadata } = event
  const { firstTimestamp, lastTimestamp, eventTime } = event
  const series = recordOf(event.series)
  const created = timeOf(recordOf(metadata).creationTimestamp) ?? 0
  const first = timeOf(firstTimestamp) ?? timeOf(eventTime) ?? created
  return {
    isWarning: type === 'Warning',
    reason: stringOf(reason),
    message: stringOf(message),
    by: stringOf(recordOf(source).component) || stringOf(reportingComponent),
    count: ([count, series.count].find(one => typeof one === 'number' && one > 0) as number | undefined) ?? 1,
    first,
    last: timeOf(series.lastObservedTime) ?? timeOf(lastTimestamp) ?? first,
  }
}

const timeOf = (text: unknown): number | undefined => parseTimestamp(stringOf(text))
