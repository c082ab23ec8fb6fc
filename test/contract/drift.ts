/** A difference between Trellis and a version of Gardener. */
export interface Drift {
  /** The object of the difference: `Worker .spec.pools[].name`, `annotations.operation`. */
  readonly subject: string
  /** `missing`: Gardener does not have it. `new`: Trellis does not have it. */
  readonly problem: 'missing' | 'different' | 'new'
  readonly trellis: string
  readonly gardener: string
}

const longest = 60
const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** Formats differences as a table with aligned columns. */
export const driftTable = (drifts: readonly Drift[]): string => {
  const rows = [
    ['problem', 'subject', 'Trellis', 'Gardener'],
    ...drifts.map(({ problem, subject, trellis, gardener }) => [
      problem,
      subject,
      cut(trellis) || '-',
      cut(gardener) || '-',
    ]),
  ]
  const widths = [0, 1, 2].map(at => Math.max(...rows.map(row => row[at]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
