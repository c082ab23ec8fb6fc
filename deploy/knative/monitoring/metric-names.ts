/** A series that an expression of PromQL names, with the labels that it selects or groups by as far as they stand beside it. */
export interface NamedSeries {
  readonly name: string
  /** Labels in the matchers. */
  readonly labels: readonly string[]
}

/** Every series with matchers in an expression: all those of rules and dashboards have some. */
export const namedSeries = (expr: string): readonly NamedSeries[] =>
  [...expr.matchAll(/([a-zA-Z_:][\w:]*)\{([^{}]*)\}/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  }))

/** The labels that an expression groups by. */
export const groupingLabels = (expr: string): readonly string[] =>
  [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map(label => label.trim())
      .filter(label => label !== ''),
  )
