import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../clock/clock.ts'
import type { ExtensionEvent, Send } from '../../events/events.ts'
import type { StepReport } from '../journal.ts'
import { journalRing } from './journal-ring.ts'
import { serveJournal } from './serve-journal.ts'

/** Notes the events that the bridge sends and the steps that functions report, for `GET /journal`. */
export interface JournalTap {
  /** Returns a sender that notes its events. */
  readonly noted: (send: Send) => Send
  readonly steps: (reports: readonly StepReport[]) => void
  /** Answers the request and returns true if it is for the journal. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Attempts to send an event again within this time are not noted again. */
const repeatMs = 60_000
const mostRemembered = 5_000

/** @param bytes the memory for all entries; 0: nothing is noted, and the journal is not served */
export const journalTap = (clock: Clock, bytes: number, seed: string | undefined): JournalTap => {
  if (bytes === 0) return { noted: send => send, steps: () => {}, answer: () => false }
  const ring = journalRing(clock, bytes)
  /** When each event was noted last, the oldest first. */
  const noted = new Map<string, number>()

  const note = (event: ExtensionEvent): void => {
    // The journal is for everyone in the namespace: it must not contain the proof of a request.
    const { data: _, sending: __, operation, id, ...attributes } = event
    // Checks are frequent, and their results are in the objects.
    if (operation === 'healthcheck') return
    const now = clock.now()
    const last = noted.get(id)
    if (last !== undefined && now - last < repeatMs) return
    noted.delete(id)
    noted.set(id, now)
    const [oldest] = noted.keys()
    if (noted.size > mostRemembered && oldest !== undefined) noted.delete(oldest)
    ring.event({ specversion: '1.0', id, ...attributes })
  }

  return {
    noted: send => (event, signal) => {
      note(event)
      return send(event, signal)
    },
    steps: reports => {
      for (const report of reports) ring.step(report)
    },
    answer: serveJournal(ring, clock, seed),
  }
}
