import { readFileSync } from 'node:fs'

export interface ProcessFigures {
  readonly residentBytes: number
  /** Shared pages count in proportion to their users (PSS). */
  readonly proportionalBytes: number
  readonly cpuSeconds: number
}

/** Returns the children of a process and theirs, the first child first. */
export const descendantsOf = (pid: number): readonly number[] => {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return children.flatMap(child => [child, ...descendantsOf(child)])
}

/** Returns the arguments of a process, separated by NUL. */
export const commandLineOf = (pid: number): string => read(`/proc/${pid}/cmdline`)

/** Returns the sums of a process and its descendants. */
export const processFigures = (pid: number): ProcessFigures =>
  [pid, ...descendantsOf(pid)].map(figuresOf).reduce((sum, figures) => ({
    residentBytes: sum.residentBytes + figures.residentBytes,
    proportionalBytes: sum.proportionalBytes + figures.proportionalBytes,
    cpuSeconds: sum.cpuSeconds + figures.cpuSeconds,
  }))

const ticksPerSecond = 100

const figuresOf = (pid: number): ProcessFigures => {
  const memory = read(`/proc/${pid}/smaps_rollup`)
  const bytes = (name: string) =>
    1024 * Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(memory)?.[1] ?? 0)
  // The name of the program, in brackets, may contain spaces.
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
  return { residentBytes: bytes('Rss'), proportionalBytes: bytes('Pss'), cpuSeconds: ticks / ticksPerSecond }
}

/** Returns an empty text if the process has ended. */
const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
