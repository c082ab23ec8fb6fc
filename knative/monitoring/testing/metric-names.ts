/** A series in a PromQL expression, with the labels next to it in matchers or groupings. */
export interface NamedSeries {
  readonly name: string
  /** Labels in the matchers. */
  readonly labels: readonly string[]
}

/** Returns every series with matchers in an expression. All series of rules and dashboards have matchers. */
export const namedSeries = (expr: string): readonly NamedSeries[] =>
  [...expr.matchAll(/([a-zA-Z_:][\w:]*)\{([^{}]*)\}/g)].map(([, name = '', matchers = '']) => ({
    name,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  }))

/** Returns the labels that an expression groups by. */
export const groupingLabels = (expr: string): readonly string[] =>
  [...expr.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map(label => label.trim())
      .filter(label => label !== ''),
  )
