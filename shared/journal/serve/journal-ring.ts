import { randomUUID } from 'node:crypto'
import { type Clock, formatMilliseconds } from '../../clock/clock.ts'
import type { EventEntry, StepReport } from '../journal.ts'

/** A line of the ring, and the number of its entry. */
export interface RingLine {
  readonly number: number
  readonly text: string
}

/** The last events and steps of a seed, as lines of a journal, bounded in bytes and number. */
export interface JournalRing {
  event(event: EventEntry['event']): void
  step(report: StepReport): void
  /** Returns the first line after this number, and how many lines between were dropped. Undefined: no line yet. */
  next(after: number): { readonly line: RingLine; readonly dropped: number } | undefined
  /**
   * Returns the number of a cursor, which is in each line as `cursor`. -1 for a cursor of another process: everything
   * comes after it.
   */
  numberOf(cursor: string): number
  /** Calls the listener after each new line. Returns how to stop that. */
  onLine(listener: () => void): () => void
}

/** Maximum lines, whatever their size: each has a cost besides its characters. */
const mostLines = 20_000

/** @param mostCharacters of all lines */
export const journalRing = (clock: Pick<Clock, 'now'>, mostCharacters: number): JournalRing => {
  const process = randomUUID().slice(0, 8)
  const listeners = new Set<() => void>()
  let lines: RingLine[] = []
  /** Lines before it were dropped. They are removed from the list from time to time. */
  let first = 0
  let characters = 0
  let count = 0

  const push = (entry: object): void => {
    const number = count++
    const text = `${JSON.stringify({ ...entry, cursor: `${process}-${number}` })}\n`
    lines.push({ number, text })
    characters += text.length
    while (characters > mostCharacters || lines.length - first > mostLines) {
      characters -= lines[first]?.text.length ?? 0
      // Its text can be collected at once.
      lines[first] = dropped
      first++
    }
    if (first > 1_000 && first > lines.length / 2) {
      lines = lines.slice(first)
      first = 0
    }
    for (const listener of listeners) listener()
  }
  const at = () => formatMilliseconds(clock.now())

  return {
    event: event => push({ type: 'event', at: at(), event }),
    step: report => push({ type: 'step', at: at(), ...report }),
    next: after => {
      const oldest = count - (lines.length - first)
      const line = lines[first + Math.max(0, after + 1 - oldest)]
      return line && { line, dropped: after < 0 ? oldest : Math.max(0, line.number - after - 1) }
    },
    numberOf: cursor => {
      const [of, number = ''] = cursor.split('-')
      return of === process && /^\d{1,15}$/.test(number) ? Math.min(Number(number), count - 1) : -1
    },
    onLine: listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const dropped: RingLine = { number: -1, text: '' }
