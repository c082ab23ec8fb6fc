import type { MachineDeployment } from '../../../shared/contract/objects.ts'

/** The maximum deviation from the desired number of machines during replacements. */
export interface UpdateLimits {
  readonly surge: number
  readonly unavailable: number
}

const resolved = (
  value: number | string | undefined,
  total: number,
  round: (x: number) => number,
): number => {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  return round((Number.parseFloat(value) / 100) * total)
}

/**
 * Percentages are of the desired number: surge is rounded up, unavailable down. If both are 0, one machine may be
 * unavailable.
 */
export const updateLimits = ({
  strategy,
  replicas = 0,
}: NonNullable<MachineDeployment['spec']>): UpdateLimits => {
  const limits = strategy?.type === 'InPlaceUpdate' ? strategy.inPlaceUpdate : strategy?.rollingUpdate
  if (replicas === 0) return { surge: 0, unavailable: 0 }
  const surge = resolved(limits?.maxSurge, replicas, Math.ceil)
  const unavailable = resolved(limits?.maxUnavailable, replicas, Math.floor)
  return { surge, unavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, replicas) }
}
