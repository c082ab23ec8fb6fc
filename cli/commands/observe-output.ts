import { isColored } from '../../sandbox/terminal/colored.ts'
import { interrupted } from '../../sandbox/terminal/interrupted.ts'
import { wrapLines } from '../../sandbox/terminal/wrap-words.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print } from '../../shared/terminal/print.ts'
import { printable, printableJson } from '../../shared/text/printable.ts'
import { asCalled } from '../how-to-call.ts'
import { type PaintState, painted, type ShowOptions, unpainted } from '../observe/observe.ts'

/** Formats what could not be read, for the end of an output. */
export const missingText = (missing: readonly string[]): string =>
  missing.length === 0 ? '' : `\nNot shown:\n${missing.map(one => `  ${printable(one)}\n`).join('')}`

/** Formats a value for programs. @param indent undefined: on one line */
export const json = (value: unknown, indent: number | undefined): string =>
  `${printableJson(value, indent)}\n`

/** Wraps a text for readers at the width of the terminal. */
export const wrapped = (text: string): string => wrapLines(asCalled(text), process.stdout.columns)

export const paintOfOutput = (): PaintState => (isColored(process.stdout, process.env) ? painted : unpainted)

/** Returns how a command shows its readings: once, or with `--watch` until Ctrl-C. */
export const output = (
  watch: boolean | undefined,
  everyMs: number,
  isText: boolean,
): Pick<ShowOptions<unknown>, 'clock' | 'redraw' | 'dated' | 'write' | 'watch'> => {
  const stop = new AbortController()
  if (watch) void interrupted().then(() => stop.abort())
  return {
    clock: systemClock,
    ...(isText && process.stdout.isTTY && { redraw: (text: string) => process.stdout.write(text) }),
    dated: isText,
    write: print,
    ...(watch && { watch: { everyMs, signal: stop.signal } }),
  }
}
