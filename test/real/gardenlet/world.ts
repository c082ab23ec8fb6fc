import { findFunctions } from '../../../functions/find-functions.ts'
import type { GardenShoot, Landscape, SeedFacts } from '../../../sandbox/gardenlet/gardenlet.ts'
import { createShoots } from '../../../sandbox/resource-manager/resource-manager.ts'
import { hasCloud, providerOf, type SimulatedClouds } from '../../../sandbox/seed/seed.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { GardenletProgram } from '../programs/gardenlet-program.ts'
import type { KubePrograms } from '../programs/kube-programs.ts'
import { type DriverCommand, startDriver } from './driver.ts'
import { landscapeObjects, shootObject } from './garden-objects.ts'
import { type RealShootSeed, startRealShootSeed } from './real-shoot-seed.ts'

export interface WorldOptions {
  readonly programs: KubePrograms & GardenletProgram
  readonly landscape: Landscape
  readonly seeds: readonly SeedFacts[]
  readonly shoot: GardenShoot
  readonly clouds: SimulatedClouds
  /** Settings of the functions. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The fields of a Shoot's status that suites read. */
export interface ShootStatus {
  readonly lastOperation?: { readonly type: string; readonly state: string; readonly description: string }
  readonly lastErrors?: readonly { readonly description: string; readonly codes?: readonly string[] }[]
  readonly credentials?: { readonly rotation?: Readonly<Record<string, { readonly phase?: string }>> }
  readonly hibernated?: boolean
  readonly networking?: { readonly nodes?: readonly string[] }
  readonly seedName?: string
}

/** The Shoot with Gardener's defaults. */
export interface StoredShoot {
  readonly spec: GardenShoot['spec']
  readonly status: ShootStatus
}

export interface CareCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** Starts a garden and its seeds, and creates a Shoot. Nothing reconciles the Shoot before `reconcile`. */
export const startGardenletWorld = async ({ programs, ...options }: WorldOptions) => {
  const { landscape, seeds, shoot, clouds, settings } = options
  const driver = startDriver(programs.gardenletDriver)
  const shoots = createShoots({ clock: systemClock })
  const started: RealShootSeed[] = []
  const close = async () => {
    await driver.close()
    for (const seed of started.splice(0)) await seed.close()
    await shoots.close()
  }
  try {
    const functions = (await findFunctions()).filter(fn => providerOf(fn) in clouds || !hasCloud(fn))
    const put = (...objects: readonly object[]) => driver.ask<void>({ do: 'put', objects })
    await put(...landscapeObjects(landscape, seeds, functions, shoot))
    for (const facts of seeds)
      started.push(await startRealShootSeed({ programs, driver, facts, functions, settings, clouds, shoots }))
    const [first] = seeds
    if (first === undefined) throw new Error('a world needs a seed')
    const create = () => put(shootObject(shoot, first, landscape))
    await create()

    const { name, namespace } = shoot.metadata
    const key = { kind: 'Shoot', name, namespace }
    const clusterOf = (of: string) => {
      const seed = started.find(({ facts }) => facts.name === of)
      if (seed === undefined) throw new Error(`there is no seed ${of}`)
      return seed.cluster
    }
    const ask = <T>(what: string, seed: SeedFacts, more: Partial<DriverCommand> = {}) =>
      driver.ask<T>({ ...key, ...more, do: what, seed: seed.name })
    const get = () => driver.ask<StoredShoot | undefined>({ ...key, do: 'get' })
    return {
      functions,
      clusterOf,
      put,
      /** Creates the Shoot again after its deletion. */
      create,
      driver,
      ask,
      /** Does what the gardenlet of a seed does with the Shoot in its queue. Rejects with a `DriverError`. */
      reconcile: (seed: SeedFacts) => ask<ShootStatus | undefined>('reconcile', seed),
      /** Merges into the Shoot and its status, as its user or Gardener's other components do. */
      change: (patch: object) => driver.ask<void>({ ...key, do: 'patch', patch }),
      delete: () => driver.ask<void>({ ...key, do: 'delete' }),
      get,
      status: async () => (await get())?.status,
      care: async (seed: SeedFacts) => (await ask<readonly CareCondition[] | null>('care', seed)) ?? [],
      /** Returns the last operation state of each object of the shoot in a seed. */
      states: async ({ name: of }: SeedFacts): Promise<Readonly<Record<string, string>>> => {
        const { kubernetes } = clusterOf(of)
        const { BackupBucket: _, ...ofShoots } = kinds
        const lists = await Promise.all(
          Object.values(ofShoots).map(({ resource }) =>
            kubernetes.list(resource, resource.namespaced ? { namespace: shoot.status.technicalID } : {}),
          ),
        )
        return Object.fromEntries(
          lists
            .flatMap(({ items }) => items)
            .map(({ kind, metadata, status }) => {
              const { type, state } = Object(status).lastOperation ?? {}
              return [`${kind} ${withoutHash(metadata.name)}`, `${type} ${state}`]
            }),
        )
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
export type GardenletWorld = Awaited<ReturnType<typeof startGardenletWorld>>

/** The names of a pool's configs contain a hash of their content. */
const withoutHash = (name: string): string =>
  name.replace(/^(gardener-node-agent-.*?)-[0-9a-f]{5,16}-/, '$1-')
