import { annotations } from '../../../shared/contract/constants.ts'
import { machineKinds } from '../../../shared/contract/machine-kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { nodeAgentNameOf } from '../../gardenlet/gardenlet.ts'
import { broken } from '../invariants/invariants.ts'
import { createObjectRows, type WorldRow } from '../oracle/oracle.ts'
import type { World, WorldSeed } from '../simulate.ts'
import type { RandomCloud } from './random-cloud.ts'
import type { ShootLife } from './shoot-life.ts'

/**
 * Returns the rows of the world: the cloud, both seeds, and the objects in shoots.
 *
 * @param awake the namespaces of shoots that are not hibernated
 */
export const worldRows = async (
  { cloud, shoots }: World<RandomCloud>,
  seeds: readonly WorldSeed[],
  awake: readonly string[],
): Promise<readonly WorldRow[]> => {
  const rowsOf = createObjectRows()
  const servers = await Promise.all(awake.map(shoots.open))
  return [
    ...cloud.contents(),
    ...seeds.flatMap(({ name, server }) => rowsOf(`seed ${name}`, server.backUp())),
    ...servers.flatMap(({ server }, index) => rowsOf(`shoot ${awake[index]}`, server.backUp())),
  ]
}

/** Remembers the classes of machines that a seed has had. */
export const watchMachineClasses = (seed: WorldSeed): (() => ReadonlySet<string>) => {
  const seen = new Set<string>()
  const { plural, group } = machineKinds.MachineClass.resource
  seed.server.store.subscribe((resource, { type, entry }) => {
    const { namespace, name } = entry.object.metadata
    if (resource === `${plural}.${group}` && type === 'ADDED') seen.add(`${namespace}/${name}`)
  })
  return () => seen
}

/** Returns a sentence for each pool that has rolled more often than its user asked for. */
export const uncalledRolls = (life: ShootLife, classes: ReadonlySet<string>): readonly string[] => {
  if (life.deletions() > 0) return []
  const versions = life.versions()
  const pools = new Set(versions.flatMap(({ spec }) => spec.provider.workers.map(({ name }) => name)))
  return [...pools].flatMap(pool => {
    const asked = new Set(
      versions.flatMap(version =>
        version.spec.provider.workers
          .filter(({ name }) => name === pool)
          .flatMap(workers =>
            (workers.zones ?? []).map((_, index) => `${index} ${nodeAgentNameOf(version, workers)}`),
          ),
      ),
    )
    const had = [...classes].filter(name => name.startsWith(`${life.namespace}/${life.namespace}-${pool}-z`))
    return had.length <= asked.size
      ? []
      : [
          broken(
            'nothing is doubled',
            `pool ${pool} of ${life.namespace} had ${had.length} machine classes, but its user asked for ${asked.size}: ${had.join(', ')}`,
          ),
        ]
  })
}

/** Returns a sentence for each kind of write within a time in which nothing is asked for. */
export const writesWithin = async (
  { clock, cloud }: World<RandomCloud>,
  seeds: readonly WorldSeed[],
  milliseconds: number,
): Promise<readonly string[]> => {
  const counts = new Map<string, number>()
  const ends = seeds.map(seed =>
    seed.server.store.subscribe((resource, { type, key, entry, previous }) => {
      if (/^(?:leases|events)\b/.test(resource)) return
      if (
        entry.object.metadata.labels?.['resources.gardener.cloud/garbage-collectable-reference'] !== undefined
      )
        return
      if (type === 'MODIFIED' && previous && lasting(previous.object) === lasting(entry.object)) return
      const text = `${resource} ${key} ${type} in seed ${seed.name}`
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }),
  )
  const before = cloud.writes()
  await clock.sleep(milliseconds)
  for (const end of ends) end()
  const inCloud = cloud.writes() - before
  return [
    ...[...counts].map(([text, count]) => broken('idle means idle', `${count} × ${text}`)),
    ...(inCloud === 0 ? [] : [broken('idle means idle', `${inCloud} writes to the cloud`)]),
  ]
}

/**
 * Returns the text of an object without what a rest may change: the request log of a step, the time of a condition that
 * gardenlet expects every 25 minutes, and the hourly renewal of an Extension.
 */
const lasting = ({ metadata, status, ...content }: KubernetesObject): string => {
  const {
    resourceVersion: _,
    managedFields: __,
    annotations: noted = {},
    ...own
  } = metadata as object & {
    readonly resourceVersion?: string
    readonly managedFields?: unknown
    readonly annotations?: Readonly<Record<string, string>>
  }
  const {
    lastOperation,
    conditions = [],
    ...result
  } = Object(status) as Readonly<Record<string, unknown>> & {
    readonly conditions?: readonly object[]
  }
  return JSON.stringify({
    ...content,
    own,
    noted: { ...noted, [annotations.step]: '' },
    result,
    conditions: conditions.map(condition => ({ ...condition, lastUpdateTime: '' })),
  })
}
