import type { Query } from './dashboard.ts'

/** Returns quantile queries for the bucket rates of a histogram, one line for each value of a label. */
export const quantiles = (rates: string, by: string, of: readonly number[] = [0.5, 0.99]): readonly Query[] =>
  of.map(quantile => ({
    expr: `histogram_quantile(${quantile}, sum by (${by}, le) (${rates}))`,
    legend: `{{${by}}} p${quantile * 100}`,
  }))
