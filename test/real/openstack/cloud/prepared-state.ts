import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { cacheFolder, fingerprint, madeOnce, outputOf } from '../../../../build/programs/programs.ts'
import { onFreePorts } from '../../free-port.ts'
import type { ServerProcess } from '../../server-process.ts'
import { type CloudPlace, type CloudPorts, configPath, configurations, portNames } from './configurations.ts'
import { makeDatabases } from './make-databases.ts'
import { type CloudServer, pythonEnvironment, startProcesses } from './processes.ts'
import { seedIdentity, seedResources } from './seed.ts'

export const placeIn = (
  python: string,
  folder: string,
  ports: readonly number[],
  tokenCacheSeconds = 300,
): CloudPlace => ({
  folder,
  ports: Object.fromEntries(portNames.map((name, index) => [name, ports[index]])) as CloudPorts,
  etc: join(dirname(python), '..', 'etc'),
  tokenCacheSeconds,
})

export const writeConfiguration = async (place: CloudPlace): Promise<void> => {
  for (const part of [
    'conf',
    'db',
    'lock',
    'tooz',
    'instances',
    'swift/rings',
    'images/store',
    'images/staging',
    'images/tasks',
  ])
    await mkdir(join(place.folder, part), { recursive: true })
  for (const [name, text] of Object.entries(configurations(place)))
    await writeFile(configPath(place.folder, name), text)
}

/** Adapts databases that were made in another folder, with other ports, and makes the rings of swift. */
export const adopt = (
  python: string,
  { folder, ports }: CloudPlace,
  from: string,
  types: Readonly<Record<string, number>>,
): Promise<string> =>
  outputOf(python, ['-m', 'trellis_openstack.adopt', JSON.stringify({ folder, from, ports, types })], {
    env: pythonEnvironment,
    cwd: folder,
  })

/** The folder where a state was made, which its databases name. */
export const madeInFile = 'made-in'

/** Returns a folder with the databases of all services, made once for these versions and sources. */
export const preparedState = async (environment: NodeJS.ProcessEnv, python: string): Promise<string> => {
  const folder = join(cacheFolder(environment), 'openstack-state', fingerprint(python, await ownSources()))
  return madeOnce(folder, async into => {
    console.info('preparing the databases of OpenStack, once')
    await onFreePorts(portNames.length, async (...ports) => {
      await rm(into, { recursive: true, force: true })
      await makeState(python, placeIn(python, into, ports))
    })
  })
}

/** The sources that decide what the databases hold. */
const ownSources = async (): Promise<string> => {
  const glue = ['tables', 'designate_pool'].map(name =>
    join('..', 'python', 'trellis_openstack', `${name}.py`),
  )
  const paths = ['configurations.ts', 'make-databases.ts', 'seed.ts', ...glue]
  return (await Promise.all(paths.map(path => readFile(join(import.meta.dirname, path), 'utf8')))).join('\0')
}

const makeState = async (python: string, place: CloudPlace): Promise<void> => {
  await writeConfiguration(place)
  await makeDatabases(python, place)
  await adopt(python, place, place.folder, {})
  const processes: ServerProcess[] = []
  const start = (server: CloudServer) => {
    const started = startProcesses(python, place, server)
    processes.push(...started.processes)
    return started.opened()
  }
  try {
    await start('keystone')
    const session = await seedIdentity(place.ports)
    await Promise.all(
      (['placement', 'glance', 'neutron', 'servers', 'designate', 'swift', 'octavia'] as const).map(start),
    )
    await seedResources(place.ports, session)
  } finally {
    await Promise.all(processes.map(process => process.stop()))
  }
  await writeFile(join(place.folder, madeInFile), place.folder)
}
