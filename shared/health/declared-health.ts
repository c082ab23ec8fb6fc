import { type DeclaredHealth, type HealthDependency, monitoredKinds } from '../contract/health.ts'
import type { KindName } from '../contract/kinds.ts'
import type { HealthDefinition } from './health-check.ts'

/** A function with health checks. */
export interface FunctionWithHealth {
  readonly kind: KindName
  readonly types: readonly string[]
  readonly health?: HealthDefinition | undefined
}

/**
 * Returns the health that the bridge must know for each type of a function, or an empty list if the function has none.
 *
 * A watch for all objects of a resource replaces those for single ones, if the kind has it anyway: every controller of
 * a control plane has the label of `controllerSelector`.
 */
export const declaredHealthOf = ({ kind, types, health }: FunctionWithHealth): readonly DeclaredHealth[] => {
  if (health === undefined) return []
  const ofKind = monitoredKinds[kind]?.reads ?? []
  const checks = health.conditions.flatMap(condition => condition.checks)
  const reads = new Map<string, HealthDependency>()
  for (const read of checks.flatMap(check => check.reads ?? ofKind)) {
    const { group, plural } = read.resource
    const shared = ofKind.find(({ resource }) => resource.group === group && resource.plural === plural)
    const watched = shared !== undefined && read.labelSelector === undefined ? shared : read
    reads.set(JSON.stringify(watched), watched)
  }
  const conditions = health.conditions.map(condition => condition.type)
  return types.map(type => ({ kind, type, conditions, reads: [...reads.values()] }))
}

/** Returns the health of functions as far as it differs from that of their kind, which the bridge knows. */
export const ownHealthOf = (functions: readonly FunctionWithHealth[]): readonly DeclaredHealth[] =>
  functions.flatMap(declaredHealthOf).filter(({ kind, conditions, reads }) => {
    const { [kind]: ofKind } = monitoredKinds
    return JSON.stringify(ofKind) !== JSON.stringify({ conditions, reads })
  })
