import { stringify } from 'yaml'
import { isColored } from '../../sandbox/terminal/colored.ts'
import { interrupted } from '../../sandbox/terminal/interrupted.ts'
import { wrapLines } from '../../sandbox/terminal/wrap-words.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { print } from '../../shared/terminal/print.ts'
import { inShell } from '../../shared/text/in-shell.ts'
import { printable, printableJson } from '../../shared/text/printable.ts'
import { asCalled } from '../how-to-call.ts'
import { type PaintState, painted, runMark, type ShowOptions, unpainted } from '../observe/observe.ts'
import type { ClusterOptions } from '../open-cluster.ts'

/** Formats what could not be read, for the end of an output. */
export const missingText = (missing: readonly string[]): string =>
  missing.length === 0 ? '' : `\nNot shown:\n${missing.map(one => `  ${printable(one)}\n`).join('')}`

/**
 * Wraps a text for readers at the width of the terminal, unless it is `wide`. Commands to copy stay in one line, and
 * name the cluster as the reader did.
 */
export const wrapped = (text: string, format: string, cluster: ClusterOptions = {}): string =>
  text
    .split('\n')
    .map(line => {
      const command = commandIn(line)
      if (command !== undefined) return `${line.slice(0, -command.length)}${commandToCopy(command, cluster)}`
      const called = asCalled(line)
      return format === 'wide' ? called : wrapLines(called, process.stdout.columns)
    })
    .join('\n')

/** Returns a command of this program as the reader called it, for the same cluster. Others are returned as they are. */
export const commandToCopy = (command: string, cluster: ClusterOptions): string =>
  command.startsWith('trellis ') ? `${asCalled(command)}${clusterFlags(cluster)}` : command

/** Returns the command of a line in a tree or a list; undefined: the line is text. */
const commandIn = (line: string): string | undefined => {
  const content = line.replace(/^[ │]+/, '')
  return content.startsWith(runMark) ? content.slice(runMark.length) : undefined
}

/** Returns the flags that choose a cluster, as in a shell: ` --kubeconfig seed.kubeconfig`. */
const clusterFlags = ({ kubeconfig, context }: ClusterOptions): string =>
  [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', inShell(kubeconfig)]),
    ...(context === undefined ? [] : ['--context', inShell(context)]),
  ]
    .map(part => ` ${part}`)
    .join('')

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
