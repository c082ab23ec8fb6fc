import type { MachineWorld } from './machine-world.ts'
import { minutes } from './machine-world.ts'
import type { Timeline } from './read-timelines.ts'

/** What is done to a shoot's machines, and the steps that each of them takes. */
export interface Scenario {
  /** The quota of the account. */
  readonly vcpus?: number
  readonly run: (world: MachineWorld) => Promise<void>
  readonly steps: Timeline
}

/** As a Worker deletes its machines: with the label of force. */
export const cleanUp = async (world: MachineWorld): Promise<void> => {
  for (const { metadata } of await world.machines())
    await world.label(metadata.name, { 'force-deletion': 'True' })
  await world.deleteDeployment()
  await world.pass(1 * minutes)
}
