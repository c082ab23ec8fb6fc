/**
 * `i` is the position of the zone in the pool, from 0. The zone itself is not part of the name, only its position
 * (docs/contract/workers.md#names).
 */
export const deploymentName = (technicalId: string, pool: string, i: number): string =>
  `${technicalId}-${pool}-z${i + 1}`

/** The name of a MachineClass and its Secret. */
export const className = (deployment: string, hash: string): string => `${deployment}-${hash}`
