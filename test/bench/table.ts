import { type Figure, type FigureTarget, isMet, type Reference, type Row } from './figure.ts'

/**
 * Formats the figures as a table: value, target and whether it is met, reference and the ratio to it, conditions. A
 * reference that was measured elsewhere has a number; the notes after the table name the place.
 */
export const tableOf = (figures: readonly Row[]): string => {
  const notes = [...new Set(figures.flatMap(placeOf))]
  const cells = (row: Row) => cellsOf(row, notes)
  const rows = [['figure', 'value', 'target', '', 'reference', 'ratio', 'with'], ...figures.map(cells)]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return `${rows
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n${notes.length === 0 ? '' : '\n'}${notes
    .map((place, index) => `[${index + 1}] measured elsewhere: ${place}\n`)
    .join('')}`
}

const placeOf = (row: Row): readonly string[] =>
  'missing' in row || row.reference?.source.measured !== 'elsewhere' ? [] : [row.reference.source.where]

const cellsOf = (row: Row, notes: readonly string[]): readonly string[] => {
  if ('missing' in row) return [row.name, 'not measured', '', '', '', '', row.missing]
  return [
    row.name,
    `${round(row.value)} ${row.unit}`,
    targetOf(row.target),
    { true: 'ok', false: 'MISSED', undefined: '' }[String(isMet(row))] ?? '',
    referenceOf(row.reference, notes),
    ratioOf(row),
    row.with ?? '',
  ]
}

const referenceOf = (reference: Reference | undefined, notes: readonly string[]): string => {
  if (reference === undefined) return ''
  const { name, value, source } = reference
  const mark = source.measured === 'elsewhere' ? `, elsewhere [${notes.indexOf(source.where) + 1}]` : ''
  return `${name} ${round(value)}${mark}`
}

const targetOf = (target: FigureTarget | undefined): string => {
  if (target === undefined) return ''
  if ('least' in target) return `> ${round(target.least)}`
  return `${target.strict ? '<' : '≤'} ${round(target.most)}`
}

const ratioOf = ({ value, reference }: Figure): string =>
  reference === undefined || reference.value === 0 ? '' : `× ${(value / reference.value).toFixed(2)}`

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : String(Number(value.toFixed(2))))
