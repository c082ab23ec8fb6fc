import type { ExtensionEvent } from '../../shared/events/events.ts'
import { buildEvent, eventMessage } from '../../shared/events/events.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { LiveRecord } from './harness.ts'

/** Returns the event that a bridge would send for an object now. Throws if it would send none. */
export const eventOf = (object: LiveRecord | undefined): ExtensionEvent => {
  if (object === undefined) throw new Error('there is no such object')
  const now = Date.now()
  const work = dueWork('DNSRecord', object, now)
  if (work.kind !== 'emit') throw new Error(`${object.metadata.name} has nothing to do now`)
  const { operation, cause, reason, attempt } = work
  return buildEvent({
    object,
    kind: 'DNSRecord',
    operation,
    cause,
    reason,
    attempt,
    source: '/seeds/test',
    now,
  })
}

/** Sends an event to a function, and returns the status of the answer. */
export const post = async (url: string, event: ExtensionEvent): Promise<number> => {
  const { headers, body } = eventMessage(event)
  return (await fetch(url, { method: 'POST', headers: { ...headers }, body: Buffer.from(body) })).status
}
