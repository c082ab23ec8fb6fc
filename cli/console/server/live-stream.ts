import type { ServerResponse } from 'node:http'
import type { Clock } from '../../../shared/clock/clock.ts'
import type { LiveUpdate, Overview } from '../model/history.ts'
import type { ConsoleSession } from './session.ts'

/** The time between two messages, in ms: a batch of changes is one message. */
const pauseMs = 250
/** The time between two signs of life, in ms. */
const pulseMs = 15_000
/** A page with more unread bytes gets no further message. A single one may be larger: a shoot with large objects. */
const mostWaiting = 4 * 1024 * 1024
/** A page that does not read for so many pauses is disconnected. It continues after its last message. */
const mostPauses = 60

export interface LiveStreamOptions {
  readonly session: ConsoleSession
  readonly overviewOf: (after: number) => Overview
  readonly shoot: string | undefined
  /** The last message of the page: `<era>.<entry>`. */
  readonly last: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends new entries as server-sent events until the page closes the connection. */
export const streamLive = async (
  response: ServerResponse,
  { session, overviewOf, shoot, last, clock, signal }: LiveStreamOptions,
): Promise<void> => {
  const [era = '', entry = ''] = last.split('.')
  const sentEra = Number(era)
  let after = Number(entry) || 0
  try {
    response.write('retry: 1000\n\n')
    while (!signal.aborted && !response.destroyed) {
      if (session.era() !== sentEra) {
        response.end('event: reset\ndata: {}\n\n')
        return
      }
      const n = session.store().size()
      if (n <= after) {
        if (!(await changed(session, clock, signal))) response.write(':\n\n')
        continue
      }
      const history = shoot === undefined ? undefined : session.store().history(shoot, after)
      const update: LiveUpdate = { overview: overviewOf(after), ...(history && { history }) }
      response.write(`id: ${sentEra}.${n}\ndata: ${JSON.stringify(update)}\n\n`)
      after = n
      let pauses = 0
      do await clock.sleep(pauseMs, signal)
      while (response.writableLength > mostWaiting && ++pauses < mostPauses)
      if (pauses === mostPauses) response.destroy()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Resolves to true at the next change, or to false after a while without one. Rejects if the signal aborts. */
const changed = (session: ConsoleSession, clock: Clock, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const end = (act: () => void) => {
      unwatch()
      cancel()
      signal.removeEventListener('abort', abort)
      act()
    }
    const abort = () => end(() => reject(signal.reason))
    const unwatch = session.watch(() => end(() => resolve(true)))
    const cancel = clock.after(pulseMs, () => end(() => resolve(false)))
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
