import { stringify } from 'yaml'
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

/** Wraps a text for readers at the width of the terminal, unless it is `wide`. */
export const wrapped = (text: string, format: string): string =>
  format === 'wide' ? asCalled(text) : wrapLines(asCalled(text), process.stdout.columns)

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

/** Formats a value for programs. @param isStream true: one of several, each a line of JSON or a document of YAML */
export const encoded = (value: unknown, format: string, isStream = false): string => {
  if (format !== 'yaml') return `${printableJson(value, isStream ? undefined : 2)}\n`
  // Through JSON, so that both have the same content, and with its escapes for characters of a terminal.
  const text = stringify(JSON.parse(printableJson(value)), { aliasDuplicateObjects: false })
  return isStream ? `---\n${text}` : text
}
