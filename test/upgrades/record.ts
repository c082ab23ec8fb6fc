import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkOut } from './checkout.ts'
import { writeReaders } from './readers.ts'
import { recordStates } from './record-states.ts'
import { writeEvents } from './saved-events.ts'
import { startVersionWorld } from './version-world.ts'
import { dataFolder, earlier } from './versions.ts'
import { writeStates } from './world-file.ts'

/**
 * Records the data of a version: the worlds of a shoot's life that its programs have run, and its readers.
 *
 * @example
 * node test/upgrades/record.ts 2026-11-24
 */
const record = async (name: string): Promise<void> => {
  const version = earlier.find(one => one.name === name)
  if (version === undefined)
    throw new Error(
      `there is no version ${name}. Known: ${earlier.map(one => one.name).join(', ')}. Add it to test/upgrades/versions.ts`,
    )
  const checkout = await checkOut(version)
  const world = await startVersionWorld({ version, folder: checkout.folder })
  try {
    const folder = join(dataFolder, name)
    await mkdir(folder, { recursive: true })
    await writeReaders(name, checkout.folder)
    await writeEvents(name, checkout.folder)
    const bridge = world.startBridge({ version, folder: checkout.folder })
    const life = recordStates(world, state => console.log(state))
    const broken = bridge.exited.then(() => {
      throw new Error(`the bridge of version ${name} has ended: ${JSON.stringify(bridge.log.slice(-3))}`)
    })
    await writeStates(folder, await Promise.race([life, broken]))
  } finally {
    await world.close()
    await checkout.remove()
  }
}

const [name] = process.argv.slice(2)
await record(name ?? '')
