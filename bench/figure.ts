/** One measured figure. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: 'ms' | 's' | 'requests' | 'KiB' | 'MiB'
  /** What the value must be below, or at most. */
  readonly target?: { readonly most: number; readonly strict: boolean }
  /** What it is compared with, measured beside it or on record. */
  readonly reference?: { readonly name: string; readonly value: number }
  /** Settings and circumstances that the value depends on. */
  readonly with?: string
}

/** Measures one thing; some things give several figures. */
export interface Benchmark {
  /** How it is called on the command line. */
  readonly name: string
  readonly run: () => Promise<readonly Figure[]>
}

export const below = (most: number): NonNullable<Figure['target']> => ({ most, strict: true })
export const atMost = (most: number): NonNullable<Figure['target']> => ({ most, strict: false })

/** Undefined when there is no target. */
export const isMet = ({ value, target }: Figure): boolean | undefined =>
  target && (target.strict ? value < target.most : value <= target.most)

/** The value at a fraction of the sorted values; 0.5 is the median. Throws on none. */
export const percentile = (values: readonly number[], fraction: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(Math.floor(sorted.length * fraction), sorted.length - 1)]
  if (value === undefined) throw new RangeError('no value was measured')
  return value
}
