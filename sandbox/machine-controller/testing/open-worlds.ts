import { afterEach } from 'vitest'
import { machineWorld } from './machine-world.ts'

/** Worlds that end with the test they were made in. */
export const openWorlds = () => {
  const worlds: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
  })
  return async () => {
    const world = await machineWorld()
    worlds.push(world)
    return world
  }
}
