import type { MachineDeployment } from '../../../shared/contract/objects.ts'

/** How far the number of machines may depart from the wanted one while they are replaced. */
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

/** Percentages are of the wanted number: surge is rounded up, what may be missing down. Where both are none, one may miss. */
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
