/** `i` is the position of the zone in the pool, from 0; what follows from the zone follows its name (docs/contract/workers.md#names). */
export const deploymentName = (technicalId: string, pool: string, i: number): string =>
  `${technicalId}-${pool}-z${i + 1}`

/** Of a MachineClass, and of its Secret. */
export const className = (deployment: string, hash: string): string => `${deployment}-${hash}`
