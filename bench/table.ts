import { type Figure, isMet, type Row, type Target } from './figure.ts'

/** The figures as a table: value, target and whether it is met, reference and the ratio to it, circumstances. */
export const tableOf = (figures: readonly Row[]): string => {
  const rows = [['figure', 'value', 'target', '', 'reference', 'ratio', 'with'], ...figures.map(cellsOf)]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return `${rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`
}

const cellsOf = (row: Row): readonly string[] => {
  if ('missing' in row) return [row.name, 'not measured', '', '', '', '', row.missing]
  return [
    row.name,
    `${round(row.value)} ${row.unit}`,
    targetOf(row.target),
    { true: 'ok', false: 'MISSED', undefined: '' }[String(isMet(row))] ?? '',
    row.reference === undefined ? '' : `${row.reference.name} ${round(row.reference.value)}`,
    ratioOf(row),
    row.with ?? '',
  ]
}

const targetOf = (target: Target | undefined): string => {
  if (target === undefined) return ''
  if ('least' in target) return `> ${round(target.least)}`
  return `${target.strict ? '<' : '≤'} ${round(target.most)}`
}

const ratioOf = ({ value, reference }: Figure): string =>
  reference === undefined || reference.value === 0 ? '' : `× ${(value / reference.value).toFixed(2)}`

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : String(Number(value.toFixed(2))))
