import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShootState } from '../../sandbox/gardenlet/gardenlet.ts'
import type { EtcdBackup } from '../../sandbox/kubernetes/kubernetes.ts'
import type { WorldBackup } from '../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readCompressed, writeCompressed } from './compressed.ts'

/** A world at one moment of a shoot's life. */
export interface RecordedState {
  readonly world: WorldBackup
  /** Absent: the shoot is in the seed. */
  readonly shootState?: ShootState
}

type RecordedStates = Readonly<Record<string, RecordedState>>

/** A server in the file: the numbers of its objects' lines. */
interface StoredServer {
  readonly version: number
  readonly objects: readonly number[]
}

interface StoredState {
  readonly at: number
  readonly seed: StoredServer
  readonly shoots: Readonly<Record<string, StoredServer>>
  readonly account: string
  readonly services: readonly number[]
  readonly shootState?: ShootState
}

type Line =
  | { readonly resource: string; readonly object: KubernetesObject }
  | { readonly service: string; readonly state: object }

/** Not recorded: this version has its own definitions, and ended processes held the Leases. */
const leftOut = new Set([
  'customresourcedefinitions.apiextensions.k8s.io',
  'leases.coordination.k8s.io',
  'events',
])

const filesIn = (folder: string) => ({
  lines: join(folder, 'objects.jsonl.br'),
  states: join(folder, 'states.json'),
})

/** Writes states. Each object is written once, for all states that contain it. */
export const writeStates = async (folder: string, states: RecordedStates): Promise<void> => {
  const numbers = new Map<string, number>()
  const numberOf = (line: Line): number => {
    const text = JSON.stringify(line)
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  const storedServer = ({ version, objects }: EtcdBackup): StoredServer => ({
    version,
    objects: [...objects]
      .filter(([resource]) => !leftOut.has(resource))
      .flatMap(([resource, all]) => [...all.values()].map(({ object }) => numberOf({ resource, object }))),
  })
  const stored = Object.entries(states).map(([name, { world, shootState }]) => {
    const { id, services } = world.cloud as { readonly id: string; readonly services: Record<string, object> }
    const state: StoredState = {
      at: world.at,
      seed: storedServer(world.first),
      shoots: Object.fromEntries([...world.shoots].map(([shoot, server]) => [shoot, storedServer(server)])),
      account: id,
      services: Object.entries(services).map(([service, value]) => numberOf({ service, state: value })),
      ...(shootState && { shootState }),
    }
    return `${JSON.stringify(name)}: ${JSON.stringify(state)}`
  })
  const files = filesIn(folder)
  await writeCompressed(files.lines, `${[...numbers.keys()].join('\n')}\n`)
  await writeFile(files.states, `{\n${stored.join(',\n')}\n}\n`)
}

/** Reads the states of a version, by name. */
export const readStates = async (folder: string): Promise<ReadonlyMap<string, RecordedState>> => {
  const files = filesIn(folder)
  const lines = (await readCompressed(files.lines))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line, withoutZoneTags) as Line)
  const stored = JSON.parse(await readFile(files.states, 'utf8')) as Readonly<Record<string, StoredState>>
  const lineOf = (number: number): Line => {
    const line = lines[number]
    if (line === undefined) throw new Error(`${files.states} names line ${number}, which does not exist`)
    return line
  }
  return new Map(
    Object.entries(stored).map(([name, { at, seed, shoots, account, services, shootState }]) => [
      name,
      {
        world: {
          at,
          first: backupOf(seed, lineOf),
          shoots: new Map(Object.entries(shoots).map(([shoot, server]) => [shoot, backupOf(server, lineOf)])),
          cloud: {
            id: account,
            services: Object.fromEntries(
              services.map(lineOf).flatMap(line => ('service' in line ? [[line.service, line.state]] : [])),
            ),
          },
          keys: 0,
        },
        ...(shootState && { shootState }),
      },
    ]),
  )
}

/** Zones of an earlier simulated AWS had tags, which no call showed. */
const withoutZoneTags = (_: string, value: unknown): unknown => {
  const { tags, ...zone } = Object(value)
  return Array.isArray(tags) && 'vpcs' in zone && 'private' in zone ? zone : value
}

const backupOf = ({ version, objects }: StoredServer, lineOf: (number: number) => Line): EtcdBackup => {
  const byResource = new Map<string, Map<string, ReturnType<typeof revisionOf>>>()
  for (const line of objects.map(lineOf)) {
    if (!('object' in line)) continue
    const all = byResource.get(line.resource) ?? new Map()
    const { namespace, name } = line.object.metadata
    all.set(namespace === undefined ? name : `${namespace}/${name}`, revisionOf(line.object))
    byResource.set(line.resource, all)
  }
  return { version, objects: byResource }
}

const revisionOf = (object: KubernetesObject) => {
  const json = JSON.stringify(object)
  return { object, version: Number(object.metadata.resourceVersion), json: () => json }
}
