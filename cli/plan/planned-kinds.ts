import { type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import type { Provider } from '../provider/provider.ts'

/** A kind that plans are made for, and by whom: one provider for each type. */
export interface PlannedKind {
  readonly kind: KindName
  readonly types: Readonly<Record<string, Provider>>
}

/** The kinds that the providers make plans for, as the first of them lists them. */
export const plannedKindsOf = (providers: readonly Provider[]): readonly PlannedKind[] => {
  const named = new Set(providers.flatMap(({ plans }) => Object.keys(plans)))
  return [...named].flatMap(name => {
    const kind = kindNames.find(known => known === name)
    if (kind === undefined) return []
    const types = providers.flatMap(provider => {
      const type = provider.plans[kind]
      return type === undefined ? [] : [[type, provider] as const]
    })
    return [{ kind, types: Object.fromEntries(types) }]
  })
}

/** As kubectl takes kinds: `DNSRecord`, `dnsrecords`, `dns`. */
export const plannedKindCalled = (name: string, planned: readonly PlannedKind[]): PlannedKind | undefined =>
  planned.find(({ kind }) => {
    const { plural, singular, shortNames } = kinds[kind]
    return [kind, plural, singular, ...shortNames].some(known => known.toLowerCase() === name.toLowerCase())
  })

/** `Infrastructure, DNSRecord and BackupBucket`, or with `or`. */
export const kindsInWords = (planned: readonly PlannedKind[], joint: 'and' | 'or'): string =>
  new Intl.ListFormat('en-GB', { type: joint === 'and' ? 'conjunction' : 'disjunction' }).format(
    planned.map(({ kind }) => kind),
  )
