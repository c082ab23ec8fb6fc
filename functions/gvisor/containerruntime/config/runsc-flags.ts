import { nearestName } from '../../../../shared/text/nearest-name.ts'

/** The known flags of runsc, and the lines for their values in `/etc/containerd/runsc.toml`. */
export interface RunscFlags {
  /** Sorted, so that the same flags give the same text in any input order. */
  readonly lines: readonly string[]
  /** Unknown names, sorted. They have no effect. */
  readonly unknown: readonly string[]
  /** Errors in values, sorted by flag. */
  readonly problems: readonly string[]
}

interface KnownFlag {
  readonly expected: string
  /** Returns the lines for a value, or undefined if it is invalid. */
  readonly lines: (value: string) => readonly string[] | undefined
}

const isBoolean = (value: string): boolean => value === 'true' || value === 'false'

/** docs/contract/small-kinds.md#containerruntime */
const known = new Map<string, KnownFlag>([
  [
    'debug',
    {
      expected: '"true" or "false"',
      lines: value =>
        value === 'true'
          ? ['debug = "true"', 'debug-log = "/var/log/runsc/%ID%/gvisor-%COMMAND%.log"']
          : isBoolean(value)
            ? []
            : undefined,
    },
  ],
  [
    'net-raw',
    {
      expected: '"true" or "false"',
      lines: value => (isBoolean(value) ? [`net-raw = "${value}"`] : undefined),
    },
  ],
  [
    'nvproxy',
    {
      expected: '"true" or "false"',
      lines: value => (value === 'true' ? ['nvproxy = "true"'] : isBoolean(value) ? [] : undefined),
    },
  ],
  [
    'panic-signal',
    {
      expected: 'the number of a signal, as text',
      lines: value => (/^[+-]?\d{1,9}$/.test(value) ? [`panic-signal = "${value}"`] : undefined),
    },
  ],
])

export const knownFlags: readonly string[] = [...known.keys()].toSorted()

/** Reads `configFlags` of a providerConfig. */
export const readFlags = (flags: Readonly<Record<string, string>>): RunscFlags => {
  const sorted = Object.entries(flags).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const results = sorted.map(([name, value]) => ({ name, value, flag: known.get(name) }))
  return {
    lines: results.flatMap(({ flag, value }) => flag?.lines(value) ?? []),
    unknown: results.flatMap(({ name, flag }) => (flag === undefined ? [name] : [])),
    problems: results.flatMap(({ name, value, flag }) =>
      flag !== undefined && flag.lines(value) === undefined
        ? [`configFlags.${name}: expected ${flag.expected}, found ${quoted(value)}`]
        : [],
    ),
  }
}

/** The longest quote of a user's text in a message, in characters. */
const longestQuote = 60

/** Quotes a user's text in a message: in one line, shortened. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > longestQuote ? `${text.slice(0, longestQuote)}…` : text)

/** `"debgu" (did you mean debug?)` */
export const quotedFlag = (name: string): string => {
  const nearest = nearestName(name, knownFlags)
  return nearest === undefined ? quoted(name) : `${quoted(name)} (did you mean ${nearest}?)`
}
