import type { MachineWorld } from './machine-world.ts'
import { minutes } from './machine-world.ts'
import type { Timeline } from './read-timelines.ts'

/** A scenario for a shoot's machines, and the expected steps of each. */
export interface Scenario {
  /** The quota of the account. */
  readonly vcpus?: number
  readonly run: (world: MachineWorld) => Promise<void>
  readonly steps: Timeline
}

/** Deletes the machines as a Worker does: with the force label. */
export const cleanUp = async (world: MachineWorld): Promise<void> => {
  for (const { metadata } of await world.machines())
    await world.label(metadata.name, { 'force-deletion': 'True' })
  await world.deleteDeployment()
  await world.pass(1 * minutes)
}
