import { afterEach } from 'vitest'
import { machineWorld } from './machine-world.ts'

/** Opens worlds that close at the end of their test. */
export const openWorlds = () => {
  const worlds: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.close()
  })
  return async (options: Parameters<typeof machineWorld>[0] = {}) => {
    const world = await machineWorld(options)
    worlds.push(world)
    return world
  }
}
