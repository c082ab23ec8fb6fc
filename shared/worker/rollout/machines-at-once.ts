/** How far a deployment may be above and below its desired machines during a replacement. */
export interface MachinesAtOnce {
  readonly surge: number
  readonly unavailable: number
}

/**
 * Returns `maxSurge` and `maxUnavailable` of a deployment as numbers, computed like in the machine controller:
 * percentages of the desired machines, the first rounded up and the second down, and one unavailable if both are zero
 * (docs/contract/workers.md#distribution).
 */
export const machinesAtOnce = (
  {
    maxSurge,
    maxUnavailable,
  }: { readonly maxSurge: number | string; readonly maxUnavailable: number | string },
  replicas: number,
): MachinesAtOnce => {
  const surge = numberOf(maxSurge, replicas, Math.ceil)
  const unavailable = numberOf(maxUnavailable, replicas, Math.floor)
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable }
}

const numberOf = (limit: number | string, replicas: number, round: (value: number) => number): number =>
  typeof limit === 'number' ? limit : round((Number.parseInt(limit, 10) * replicas) / 100)
