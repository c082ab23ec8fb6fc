import { type Clock, formatSeconds } from '../../shared/clock/clock.ts'
import { printableOutput } from '../../shared/text/printable.ts'

export interface ShowOptions<T> {
  readonly read: () => Promise<T>
  /** Returns the text of a reading. */
  readonly show: (reading: T) => string
  /** Returns equal texts for readings that say the same at different times. */
  readonly same: (reading: T) => string
  readonly clock: Clock
  /** Writes to a terminal, on which each reading replaces the one before. Undefined: changes are appended. */
  readonly redraw?: ((text: string) => void) | undefined
  /** True if the time is written before each change. */
  readonly dated: boolean
  readonly write: (text: string) => void
  /** Continues until the signal. Default: reads once. */
  readonly watch?: { readonly everyMs: number; readonly signal: AbortSignal } | undefined
}

/** Overwrites the screen from the top left, which flickers less than clearing it first. */
const home = '\u001b[H'
const clearLine = '\u001b[K'
const clearRest = '\u001b[J'

/** Shows readings, and returns the last one. Rejects if a reading fails. */
export const showView = async <T>(options: ShowOptions<T>): Promise<T> => {
  const { read, show, same, clock, redraw, dated, write, watch } = options
  let reading = await read()
  if (watch === undefined) {
    write(show(reading))
    return reading
  }
  const { everyMs, signal } = watch
  let before: string | undefined
  while (!signal.aborted) {
    const facts = same(reading)
    if (redraw)
      redraw(`${home}${printableOutput(show(reading)).replaceAll('\n', `${clearLine}\n`)}${clearRest}`)
    else if (facts !== before)
      write(dated ? `${formatSeconds(clock.now())}\n${show(reading)}\n` : show(reading))
    before = facts
    // An end of the wait by the signal is no failure.
    await clock.sleep(everyMs, signal).catch(() => undefined)
    if (!signal.aborted) reading = await read()
  }
  return reading
}
