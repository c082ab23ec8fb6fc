import type { Clock } from '../../shared/clock/clock.ts'

/** Output that appears line by line. */
export interface PacedOutput {
  /** Writes a piece that appears at once. */
  readonly write: (text: string) => void
  /** Resolves when all previous output has appeared, plus `pauses` intervals; at once if aborted. */
  readonly shown: (pauses: number) => Promise<void>
}

/** Writes one piece per `paceMs`, in order; with a pace of 0, at once. */
export const createPacedOutput = ({
  write,
  clock,
  paceMs,
  signal,
}: {
  readonly write: (text: string) => void
  readonly clock: Clock
  readonly paceMs: number
  readonly signal: AbortSignal
}): PacedOutput => {
  if (paceMs === 0) return { write, shown: async () => {} }
  const pause = () => clock.sleep(paceMs, signal).catch(() => {})
  let last: Promise<void> = Promise.resolve()
  return {
    write: text => {
      last = last.then(() => {
        write(text)
        return pause()
      })
    },
    shown: async pauses => {
      await last
      for (let count = 0; count < pauses; count++) await pause()
    },
  }
}
