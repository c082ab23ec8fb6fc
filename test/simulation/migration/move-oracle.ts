import {
  type ComparisonOptions,
  compareWorlds,
  generatedNames,
  type IsKnown,
  type ObjectRows,
  unfinishedObjects,
  type WorldRow,
} from '../../../sandbox/simulation/oracle/oracle.ts'
import { broken, type World, type WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import type { Course } from './courses.ts'
import { machinesOf, namesOf, objectsOf, persistedOf, privateKeysOf } from './seed-contents.ts'

/** The parts of a world that a move must retain. */
export interface Moved {
  readonly cloud: readonly WorldRow[]
  readonly persisted: readonly WorldRow[]
  readonly machines: readonly WorldRow[]
  /** Without their contents. */
  readonly objects: readonly WorldRow[]
}

export interface Surroundings {
  readonly world: World
  /** The seed that has the shoot at the end, and the one that has not. */
  readonly holder: WorldSeed
  readonly other: WorldSeed
  readonly before: Moved
  readonly course: Course
  /** The result of a course without faults. */
  readonly expected: Moved | undefined
}

/** `seed`: the one that has the shoot. */
export const movedOf = ({ cloud }: World, seed: WorldSeed): Moved => {
  const objects = objectsOf(seed, cloud.shoot.status.technicalID)
  return {
    cloud: cloud.contents(),
    persisted: persistedOf(objects),
    machines: machinesOf(objects),
    objects: namesOf(objects).map(place => ({ place, value: undefined })),
  }
}

/** Returns each broken promise of a course in a sentence. */
export const brokenPromises = (surroundings: Surroundings): readonly string[] => {
  const { world, holder, other, before, course } = surroundings
  const { technicalID } = world.cloud.shoot.status
  const left = objectsOf(other, technicalID)
  const after = movedOf(world, holder)
  // A shoot that is back in its seed is as before.
  const expected = surroundings.expected ?? (course.holder === 'first' ? before : undefined)
  const isCompared = (row: WorldRow) => !course.replacesMachines || !isOfMachines(row)
  // The names of resources depend on the seed that creates them.
  const known = generatedNames(before.cloud)
  const isKnown: IsKnown = name => course.givenUpIn !== 'reconcile' || known.has(name)
  const differences = [
    ...compareWorlds(after.persisted, before.persisted, literally),
    ...(course.replacesMachines ? [] : compareWorlds(after.machines, before.machines, literally)),
    ...(before.machines.length === after.machines.length
      ? []
      : [`there are ${after.machines.length} machines instead of ${before.machines.length}`]),
    ...(['cloud', 'objects'] as const).flatMap(part =>
      expected === undefined
        ? []
        : compareWorlds(after[part].filter(isCompared), expected[part].filter(isCompared), { isKnown }),
    ),
  ]
  return [
    ...namesOf(left).map(name => broken('nothing is left', `${name} in ${other.name}`)),
    ...privateKeysOf(left).map(name => broken('nothing is left', `the private key ${name} in ${other.name}`)),
    ...unfinishedObjects(objectsOf(holder, technicalID)),
    ...differences.map(difference => broken('the live state is the wanted one', difference)),
  ]
}

/** A move creates none of them. */
const literally: ComparisonOptions = { isKnown: () => true }

const ofMachines = / (?:instances|volumes|networkInterfaces|server)$|^Machine /

const isOfMachines = ({ place, value }: WorldRow): boolean =>
  ofMachines.test(place) || Object(value).device_owner === 'compute:nova'

/** Returns the extension objects and Secrets of both seeds without what health checks write. */
export const stillOf = ({ first, second }: World, rowsOf: ObjectRows): readonly WorldRow[] =>
  [first, second]
    .flatMap(({ name, server }) => rowsOf(name, server.backUp()))
    .flatMap(row => {
      const { status, ...object } = Object(row.value)
      if (!object.apiVersion.startsWith('extensions.') && !row.place.includes(' Secret ')) return []
      return [{ ...row, value: { ...object, status: { ...status, conditions: undefined } } }]
    })
