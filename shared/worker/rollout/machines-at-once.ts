/** By how many machines a deployment may be above and below what is desired while its machines are replaced. */
export interface MachinesAtOnce {
  readonly surge: number
  readonly unavailable: number
}

/**
 * `maxSurge` and `maxUnavailable` of a deployment as numbers, as the machine controller works them out: percentages of the
 * desired machines, the first rounded up and the second down, and one unavailable where both are nothing
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
