import { comparableLines, type World, type WorldSeed } from '../../../sandbox/simulation/simulation.ts'
import type { Course } from './courses.ts'
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
    cloud: cloud.contents().map(line => line.replaceAll(ofBuckets, '')),
    persisted: persistedOf(objects),
    machines: machinesOf(objects),
    names: namesOf(objects),
  }
}

/** The time at which a backup was stored, and the day on which AWS last looked for old ones. */
const ofBuckets = /"(?:modified|sweptDay)":\d+,?/g

/** Returns each broken promise of a course in a sentence. */
export const brokenPromises = (surroundings: Surroundings): readonly string[] => {
  const { world, holder, other, before, course } = surroundings
  const { technicalID } = world.cloud.shoot.status
  const left = objectsOf(other, technicalID)
  const after = movedOf(world, holder)
  // A shoot that is back in its seed is as before.
  const expected = surroundings.expected ?? (course.holder === 'first' ? before : undefined)
  const isCompared = (line: string) => !course.replacesMachines || !ofMachines.test(line)
  // The names of resources depend on the seed that creates them.
  const known = before.cloud.join()
  const compared = (lines: readonly string[]) => {
    const found = lines.filter(isCompared)
    return course.givenUpIn === 'reconcile' ? comparableLines(found, known).map(withSortedLists) : found
  }
  return [
    ...namesOf(left).map(name => `${name} is left in ${other.name}`),
    ...privateKeysOf(left).map(name => `the private key ${name} is left in ${other.name}`),
    ...problemsOf(objectsOf(holder, technicalID)),
    ...differences('a persisted Secret', entriesOf(before.persisted), entriesOf(after.persisted)),
    ...(course.replacesMachines ? [] : differences('a machine', before.machines, after.machines)),
    ...(before.machines.length === after.machines.length
      ? []
      : [`there are ${after.machines.length} machines instead of ${before.machines.length}`]),
    ...(expected === undefined
      ? []
      : [
          ...differences('the cloud', compared(expected.cloud), compared(after.cloud)),
          ...differences('an object', compared(expected.names), compared(after.names)),
        ]),
  ]
}

/** Sorts the lists in the JSON of a line: their order depends on generated names. */
const withSortedLists = (line: string): string => {
  const start = line.indexOf(' {')
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item => JSON.stringify(sorted(item))).sort()
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, sorted(field)]))
  }
  return start === -1
    ? line
    : line.slice(0, start + 1) + JSON.stringify(sorted(JSON.parse(line.slice(start))))
}

const ofMachines = / (?:instances|volumes|networkInterfaces) |^Machine /

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
  ...expected
    .filter(line => !found.includes(line))
    .map(line => `${what} is missing: ${line.slice(0, 1_000)}`),
  ...found.filter(line => !expected.includes(line)).map(line => `${what} is new: ${line.slice(0, 1_000)}`),
]
