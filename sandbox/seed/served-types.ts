import type { ServedTypes } from '../../bridge/bridge.ts'
import { kindNames } from '../../shared/contract/kinds.ts'
import type { Manifests } from '../knative/knative.ts'

type TriggerSpec = Manifests['triggers'][number]['spec']
type Expression = NonNullable<TriggerSpec['filters']>[number]

/** Returns the types that Triggers select for each kind, if they name them. `filters` override `filter`. */
export const servedTypes = ({ triggers }: Manifests): ServedTypes => {
  const served = new Map<string, readonly string[]>()
  for (const { spec } of triggers) {
    const wanted = wantedBy(spec)
    for (const kind of wanted('kind')) served.set(kind, [...(served.get(kind) ?? []), ...wanted('provider')])
  }
  return Object.fromEntries(
    kindNames.flatMap(kind => {
      const types = served.get(kind) ?? []
      return types.length === 0 ? [] : [[kind, types]]
    }),
  )
}

const wantedBy = ({ filter, filters = [] }: TriggerSpec): ((attribute: string) => readonly string[]) => {
  if (filters.length > 0) return attribute => filters.flatMap(expression => exactIn(expression, attribute))
  return attribute => valuesOf(filter?.attributes ?? {}, attribute)
}

/** Returns the exact values in an expression. Prefix, suffix and negated expressions have none. */
const exactIn = (expression: Expression, attribute: string): readonly string[] => {
  if ('exact' in expression) return valuesOf(expression.exact, attribute)
  const inner = 'all' in expression ? expression.all : 'any' in expression ? expression.any : []
  return inner.flatMap(part => exactIn(part, attribute))
}

const valuesOf = (attributes: Readonly<Record<string, string>>, name: string): readonly string[] => {
  const value = attributes[name]
  return value === undefined ? [] : [value]
}
