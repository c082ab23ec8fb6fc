export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: '×' | 'ms' | 's' | 'MB' | 'events' | 'events/s' | 'ms CPU' | '% of a core' | 'starts'
  readonly target?: FigureTarget
  readonly reference?: Reference
  /** Settings and conditions that the value depends on. */
  readonly with?: string
}

/** A figure to compare a value with. */
export interface Reference {
  readonly name: string
  readonly value: number
  readonly source: Source
}

/** Says if the same run has measured the value, or where else it was measured; then it is a constant. */
export type Source =
  | { readonly measured: 'here' }
  | { readonly measured: 'elsewhere'; readonly where: string }

export const here: Source = { measured: 'here' }

/** The limit that the value must be below, at most at, or above. */
export type FigureTarget =
  | { readonly most: number; readonly strict: boolean }
  | { readonly least: number; readonly strict: true }

/** A figure that is unavailable on this machine, and the reason. */
export interface MissingFigure {
  readonly name: string
  readonly missing: string
}

export type Row = Figure | MissingFigure

/** Measures one thing; some benchmarks return several figures. */
export interface Benchmark {
  /** The name on the command line. */
  readonly name: string
  readonly run: (sizes: { readonly shoots: number }) => Promise<readonly Row[]>
}

export const below = (most: number): FigureTarget => ({ most, strict: true })
export const atMost = (most: number): FigureTarget => ({ most, strict: false })
export const above = (least: number): FigureTarget => ({ least, strict: true })

/** Undefined if the figure has no target. */
export const isMet = ({ value, target }: Figure): boolean | undefined => {
  if (target === undefined) return undefined
  if ('least' in target) return value > target.least
  return target.strict ? value < target.most : value <= target.most
}

/** Returns the value at a fraction of the sorted values; 0.5 is the median. Throws if `values` is empty. */
export const percentile = (values: readonly number[], fraction: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(Math.floor(sorted.length * fraction), sorted.length - 1)]
  if (value === undefined) throw new RangeError('no value was measured')
  return value
}
