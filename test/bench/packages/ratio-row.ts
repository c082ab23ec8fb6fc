import type { Figure } from '../figure.ts'

export interface Compared {
  readonly unit: 'ms' | 'MB' | 'ms CPU'
  readonly ours: number
  readonly theirs: number
  /** Added to the absolute values. */
  readonly about?: string
}

/** A row with the cost of a package as a multiple of ours, both measured in the same run. */
export const ratioRow = (name: string, { unit, ours, theirs, about }: Compared): Figure => {
  const rounded = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  return {
    name,
    value: theirs / ours,
    unit: '×',
    with: [
      `${rounded(theirs)} instead of ${rounded(ours)} ${unit}`,
      ...(about === undefined ? [] : [about]),
    ].join('; '),
  }
}
