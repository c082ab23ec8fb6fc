import { type Clock, followSignal, withinSignal } from '../../../shared/clock/clock.ts'
import { type JournalEntry, journalReader } from '../../../shared/journal/journal.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import { printable } from '../../../shared/text/printable.ts'
import type { Recorder } from '../recorder.ts'

/** The bridge of a seed. */
export interface BridgeSource {
  /** For messages: `bridge-5c9f-x2`. */
  readonly name: string
  /** Requests a path of its probe port: `/journal?follow`. */
  readonly open: (
    path: string,
    signal: AbortSignal,
  ) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> }>
}

export interface FollowBridgeOptions {
  readonly recorder: Pick<Recorder, 'event' | 'step' | 'gap'>
  readonly clock: Clock
  /** Returns true if the entry belongs to the recording. */
  readonly isSelected: (entry: JournalEntry) => boolean
}

/** Records an entry of the journal of a bridge. */
export const recordEntry = (recorder: FollowBridgeOptions['recorder'], entry: JournalEntry): void => {
  if (entry.type === 'event') recorder.event(entry.at, entry.event)
  else if (entry.type === 'step') {
    const { type: _, at, cursor: __, ...report } = entry as typeof entry & { readonly cursor?: unknown }
    recorder.step(at, report)
  } else if (entry.type === 'gap') recorder.gap(entry.why)
}

const retryMs = 5_000
/** The bridge sends an empty line every 15 s. */
const idleMs = 45_000

/**
 * Records the events and steps of a bridge until the signal aborts. Continues after a broken connection where it was. A
 * failure becomes one gap, which ends with the next line.
 */
export const followBridge = async (
  { name, open }: BridgeSource,
  { recorder, clock, isSelected }: FollowBridgeOptions,
  signal: AbortSignal,
): Promise<void> => {
  let cursor: string | undefined
  let failing: { readonly at: number; readonly why: string } | undefined
  const failed = (reason: string): void => {
    if (failing !== undefined) return
    const why = `events and steps: the bridge ${name} cannot be read (${printable(reason)})`
    failing = { at: clock.now(), why }
    recorder.gap(why)
  }
  const heard = (): void => {
    if (failing !== undefined) recorder.gap(failing.why, { at: failing.at, until: clock.now() })
    failing = undefined
  }
  const note = (entry: JournalEntry): void => {
    const { cursor: next } = entry as { readonly cursor?: unknown }
    if (typeof next === 'string') cursor = next
    if (!isSelected(entry)) return
    recordEntry(recorder, entry)
  }
  while (!signal.aborted) {
    const connection = followSignal(signal)
    let disarm = () => {}
    const alive = (): void => {
      disarm()
      disarm = clock.after(idleMs, () => connection.abort(new Error(`silent for ${idleMs / 1000} s`)))
    }
    try {
      alive()
      const after = cursor === undefined ? '' : `&after=${encodeURIComponent(cursor)}`
      const { status, body } = await open(`/journal?follow${after}`, connection.signal)
      if (status !== 200) throw new Error(status === 404 ? '404: it serves no journal' : String(status))
      const reader = journalReader(note, { total: Number.POSITIVE_INFINITY })
      for await (const chunk of body) {
        alive()
        heard()
        reader.push(chunk)
        if (reader.isDone()) throw new Error(reader.end().problems[0] ?? 'no journal')
      }
      failed('the connection ended')
    } catch (error) {
      if (!signal.aborted) failed(messageOf(error))
    } finally {
      disarm()
      connection.abort()
      connection.release()
    }
    await withinSignal(signal, clock.sleep(retryMs, signal)).catch(() => {})
  }
}
