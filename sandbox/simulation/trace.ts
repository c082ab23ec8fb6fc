import { createHash } from 'node:crypto'
import type { Clock } from '../../shared/clock/clock.ts'

/** The course of a run: one line for each exchange and each event, with its time. Two runs of one seed are equal. */
export interface Trace {
  /** `actor`: a process or a person. `text` must not contain anything that differs between two runs of one seed. */
  note(actor: string, text: string): void
  /** Returns the hash of all lines so far. */
  hash(): string
  /** Returns the newest lines, oldest first. */
  lines(): readonly string[]
}

export interface TraceOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Number of lines that are retained. The hash covers all. Default: 10,000. */
  readonly retained?: number
  /** Called with each line. */
  readonly onLine?: (line: string) => void
}

export const createTrace = ({ clock, retained = 10_000, onLine }: TraceOptions): Trace => {
  const hash = createHash('sha256')
  const start = clock.now()
  let lines: string[] = []
  return {
    note: (actor, text) => {
      const line = `${((clock.now() - start) / 1000).toFixed(3)} ${actor}: ${text}`
      hash.update(line).update('\n')
      onLine?.(line)
      if (retained === 0) return
      lines.push(line)
      if (lines.length >= retained * 2) lines = lines.slice(-retained)
    },
    hash: () => hash.copy().digest('hex'),
    lines: () => lines.slice(-retained),
  }
}
