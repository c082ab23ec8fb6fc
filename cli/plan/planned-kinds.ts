import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { type KindName, kindCalled, kindNames } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'
import { printable } from '../../shared/text/printable.ts'
import type { Planner } from './planner.ts'

/** A kind with plans, and its planners. The first suitable planner is used. */
export interface PlannedKind {
  readonly kind: KindName
  readonly planners: readonly Planner[]
}

/** Returns the kinds with plans, in the order of the first planners. */
export const plannedKindsOf = (planners: readonly Planner[]): readonly PlannedKind[] =>
  [...new Set(planners.map(({ kind }) => kind))]
    .filter(kind => kindNames.includes(kind))
    .map(kind => ({ kind, planners: planners.filter(planner => planner.kind === kind) }))

/** Returns the planner of an object: by its type, and if that is ambiguous, by its class. */
export const plannerFor = (object: KubernetesObject, { planners }: PlannedKind): Planner | undefined => {
  const { provider, extensionClass } = factsOf(object)
  const ofType = planners.filter(({ types }) => types.includes(provider))
  return ofType.find(({ classes }) => classes?.some(name => name === extensionClass) ?? true) ?? ofType[0]
}

/** Returns all types of a kind that have plans: `aws-route53 and local`. */
export const typesInWords = ({ planners }: PlannedKind): string =>
  inWords([...new Set(planners.flatMap(({ types }) => types))], 'and')

/** Accepts kinds as kubectl does: `DNSRecord`, `dnsrecords`, `dns`. */
export const plannedKindCalled = (name: string, planned: readonly PlannedKind[]): PlannedKind | undefined =>
  planned.find(({ kind }) => kind === kindCalled(name))

/** Returns the kind of a name as kubectl accepts it. Throws a `UsageError` that begins with `where`: a flag. */
export const plannedKindOrThrow = (
  name: string,
  planned: readonly PlannedKind[],
  where: string,
): KindName => {
  const known = plannedKindCalled(name, planned)
  if (known !== undefined) return known.kind
  throw new UsageError(`${where}: expected ${kindsInWords(planned, 'or')}, not ${printable(name)}`)
}

/** `Infrastructure, DNSRecord and BackupBucket`, or with `or`. */
export const kindsInWords = (planned: readonly PlannedKind[], joint: 'and' | 'or'): string =>
  inWords(
    planned.map(({ kind }) => kind),
    joint,
  )

const inWords = (names: readonly string[], joint: 'and' | 'or'): string =>
  new Intl.ListFormat('en-GB', { type: joint === 'and' ? 'conjunction' : 'disjunction' }).format(names)
