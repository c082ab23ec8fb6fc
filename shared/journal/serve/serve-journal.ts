import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Clock, formatMilliseconds } from '../../clock/clock.ts'
import { type JournalHeader, journalVersion } from '../journal.ts'
import type { JournalRing } from './journal-ring.ts'

/** The path of the bridge's journal. */
export const journalPath = '/journal'

/** Maximum readers at once, including followers. */
const mostReaders = 8
/** A follower gets an empty line after this time without entries, in ms, so that both ends notice a lost connection. */
const aliveMs = 15_000
/** A reader that takes nothing for this long, in ms, is disconnected. */
const stuckMs = 60_000

/**
 * Answers `GET /journal`: a journal of the ring's lines, `?after=CURSOR` only those after the line with this `cursor`,
 * `?follow` also later ones. A gap says that lines are missing: dropped from the ring, or of an earlier process. A slow
 * reader costs no memory, because it has only a place in the ring.
 */
export const serveJournal = (
  ring: JournalRing,
  clock: Clock,
  seed: string | undefined,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  let readers = 0
  const at = () => formatMilliseconds(clock.now())
  const header = (): JournalHeader => ({
    journal: journalVersion,
    by: 'trellis bridge',
    at: at(),
    ...(seed !== undefined && { seed }),
  })

  const serve = (response: ServerResponse, query: URLSearchParams): void => {
    const cursor = query.get('after')
    const isFollowed = query.has('follow')
    let after = cursor === null ? -1 : ring.numberOf(cursor)
    let isBlocked = false
    let disarm = (): void => {}

    const wait = (ms: number, then: () => void): void => {
      disarm()
      disarm = clock.after(ms, then)
    }
    const write = (text: string): void => {
      if (response.write(text)) return
      isBlocked = true
      wait(stuckMs, () => response.destroy())
    }
    const keepAlive = (): void => {
      wait(aliveMs, () => {
        write('\n')
        if (!isBlocked) keepAlive()
      })
    }
    const gap = (why: string): void => write(`${JSON.stringify({ type: 'gap', at: at(), why })}\n`)

    const pump = (): void => {
      for (let next = ring.next(after); next !== undefined && !isBlocked; next = ring.next(after)) {
        if (next.dropped > 0)
          gap(`steps and events: the bridge has only the last ones, ${next.dropped} are missing`)
        after = next.line.number
        write(next.line.text)
      }
      if (isBlocked) return
      if (isFollowed) keepAlive()
      else response.end()
    }

    const stop = isFollowed ? ring.onLine(() => !isBlocked && pump()) : () => false
    response.on('drain', () => {
      isBlocked = false
      pump()
    })
    readers++
    response.once('close', () => {
      readers--
      stop()
      disarm()
    })
    response.writeHead(200, {
      'content-type': 'application/jsonl; charset=utf-8',
      'cache-control': 'no-store',
    })
    write(`${JSON.stringify(header())}\n`)
    if (cursor !== null && after < 0) gap('steps and events: the bridge restarted')
    if (!isBlocked) pump()
  }

  return (request, response) => {
    const [path, query] = (request.url ?? '').split('?', 2)
    if (path !== journalPath) return false
    if (request.method !== 'GET') response.writeHead(405, { allow: 'GET' }).end()
    else if (readers >= mostReaders) response.writeHead(503, { 'retry-after': '10' }).end()
    else serve(response, new URLSearchParams(query))
    return true
  }
}
