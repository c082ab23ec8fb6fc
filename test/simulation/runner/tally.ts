import type { SetName } from '../sets.ts'
import type { JobResult, SimulationFailure } from '../simulation-set.ts'

/** The sums of a row. Times in ms. */
export interface TallyRow {
  scenarios: number
  runs: number
  intermediate: number
  stale: number
  unobserved: number
  virtualMs: number
  failures: number
}

export interface Tally {
  add(set: SetName, result: JobResult): void
  readonly failures: readonly SimulationFailure[]
  /** Rows by `<set> <kinds>`, and their sum. */
  rows(): readonly (TallyRow & { readonly name: string })[]
  total(): TallyRow
}

const emptyRow = (): TallyRow => ({
  scenarios: 0,
  runs: 0,
  intermediate: 0,
  stale: 0,
  unobserved: 0,
  virtualMs: 0,
  failures: 0,
})

const addTo = (row: TallyRow, { runs, points, virtualMs, failures }: JobResult): void => {
  row.scenarios += 1
  row.runs += runs
  row.intermediate += points.intermediate
  row.stale += points.stale
  row.unobserved += points.unobserved
  row.virtualMs += virtualMs
  row.failures += failures.length
}

export const createTally = (): Tally => {
  const rows = new Map<string, TallyRow>()
  const total = emptyRow()
  const failures: SimulationFailure[] = []
  return {
    add: (set, result) => {
      const name = `${set} ${result.kinds.join(', ')}`
      const row = rows.get(name) ?? emptyRow()
      rows.set(name, row)
      addTo(row, result)
      addTo(total, result)
      failures.push(...result.failures)
    },
    failures,
    rows: () =>
      [...rows].map(([name, row]) => ({ name, ...row })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    total: () => total,
  }
}

const columns = ['scenarios', 'runs', 'intermediate', 'stale', 'unobserved', 'hours', 'failures'] as const

/** Formats the rows as a Markdown table. */
export const tallyTable = (tally: Tally): string => {
  const cells = ({ virtualMs, ...row }: TallyRow): readonly string[] =>
    columns.map(column => (column === 'hours' ? (virtualMs / 3_600_000).toFixed(1) : String(row[column])))
  const lines = [
    ['kinds', ...columns],
    ...tally.rows().map(row => [row.name, ...cells(row)]),
    ['all', ...cells(tally.total())],
  ]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map(line => line[column]?.length ?? 0))) ?? []
  const text = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const [head = [], ...rest] = lines
  return [text(head), `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`, ...rest.map(text)].join(
    '\n',
  )
}
