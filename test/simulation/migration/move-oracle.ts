import type { World, WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import { machinesOf, namesOf, objectsOf, persistedOf, privateKeysOf, problemsOf } from './seed-contents.ts'

/** The parts of a world that a move must retain. */
export interface Moved {
  readonly cloud: readonly string[]
  readonly persisted: Readonly<Record<string, string>>
  readonly machines: readonly string[]
  readonly names: readonly string[]
}

export interface Surroundings {
  readonly world: World
  readonly before: Moved
  /** The result of a move without faults. */
  readonly expected: Moved | undefined
}

/** `seed`: the one that has the shoot. */
export const movedOf = ({ cloud }: World, seed: WorldSeed): Moved => {
  const objects = objectsOf(seed, cloud.shoot.status.technicalID)
  return {
    cloud: cloud.contents(),
    persisted: persistedOf(objects),
    machines: machinesOf(objects),
    names: namesOf(objects),
  }
}

/** Returns each broken promise of a move in a sentence. */
export const brokenPromises = ({ world, before, expected }: Surroundings): readonly string[] => {
  const { technicalID } = world.cloud.shoot.status
  const left = objectsOf(world.first, technicalID)
  const after = movedOf(world, world.second)
  return [
    ...namesOf(left).map(name => `${name} is left in the first seed`),
    ...privateKeysOf(left).map(name => `the private key ${name} is left in the first seed`),
    ...problemsOf(objectsOf(world.second, technicalID)),
    ...differences('a persisted Secret', entriesOf(before.persisted), entriesOf(after.persisted)),
    ...differences('a machine', before.machines, after.machines),
    ...(expected === undefined
      ? []
      : [
          ...differences('the cloud', expected.cloud, after.cloud),
          ...differences('an object', expected.names, after.names),
        ]),
  ]
}

/** Returns the extension objects of both seeds without what health checks write. */
export const stillOf = ({ cloud, first, second }: World): readonly string[] =>
  [first, second].flatMap(seed =>
    objectsOf(seed, cloud.shoot.status.technicalID)
      .filter(({ apiVersion, kind }) => apiVersion?.startsWith('extensions.') || kind === 'Secret')
      .map(({ kind, metadata: { name, namespace, annotations, finalizers }, spec, data, status }) =>
        JSON.stringify({
          kind,
          metadata: { name, namespace, annotations, finalizers },
          spec,
          data,
          status: { ...Object(status), conditions: undefined },
        }),
      ),
  )

const entriesOf = (texts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(texts).map(([name, text]) => `${name} ${text}`)

export const differences = (
  what: string,
  expected: readonly string[],
  found: readonly string[],
): readonly string[] => [
  ...expected.filter(line => !found.includes(line)).map(line => `${what} is missing: ${line.slice(0, 1_000)}`),
  ...found.filter(line => !expected.includes(line)).map(line => `${what} is new: ${line.slice(0, 1_000)}`),
]
