/** Condition type of a node. True if its pods cannot reach others. */
export const networkUnavailable = 'NetworkUnavailable'

interface NodeCondition {
  readonly type?: string
  readonly reason?: string
  readonly [field: string]: unknown
}

/** Reasons that Calico sets. Other reasons, such as `RouteCreated`, are retained. */
const reasons: readonly (string | undefined)[] = ['CalicoIsUp', 'CalicoIsDown']

/** Returns the conditions of a node without those of Calico, or undefined if Calico left none. */
export const withoutCalicoConditions = <C extends NodeCondition>(
  conditions: readonly C[] | undefined,
): readonly C[] | undefined => {
  const kept = (conditions ?? []).filter(
    ({ type, reason }) => !(type === networkUnavailable && reasons.includes(reason)),
  )
  return kept.length === (conditions ?? []).length ? undefined : kept
}
