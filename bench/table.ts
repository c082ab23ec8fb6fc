import { type Figure, isMet } from './figure.ts'

/** The figures as a table: value, target and whether it is met, reference and the ratio to it, circumstances. */
export const tableOf = (figures: readonly Figure[]): string => {
  const rows = [
    ['figure', 'value', 'target', '', 'reference', 'ratio', 'with'],
    ...figures.map(figure => [
      figure.name,
      `${round(figure.value)} ${figure.unit}`,
      figure.target === undefined ? '' : `${figure.target.strict ? '<' : '≤'} ${figure.target.most}`,
      { true: 'ok', false: 'MISSED', undefined: '' }[String(isMet(figure))] ?? '',
      figure.reference === undefined ? '' : `${figure.reference.name} ${round(figure.reference.value)}`,
      ratioOf(figure),
      figure.with ?? '',
    ]),
  ]
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

const ratioOf = ({ value, reference }: Figure): string =>
  reference === undefined || reference.value === 0 ? '' : `× ${(value / reference.value).toFixed(2)}`

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : String(Number(value.toFixed(2))))
