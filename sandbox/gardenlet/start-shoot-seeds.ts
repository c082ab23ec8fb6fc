import type { Clock } from '../../shared/clock/clock.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { BrokerName } from '../knative/knative.ts'
import { createShoots } from '../resource-manager/resource-manager.ts'
import {
  type Seed,
  type SeedEvent,
  type SeedFunction,
  type SeedOptions,
  type SimulatedClouds,
  startSeed,
} from '../seed/seed.ts'
import type { Landscape, SeedFacts } from './garden.ts'
import { createGardenlet, type Gardenlet } from './gardenlet.ts'

/** A seed with gardenlets. The signal ends all waits of a gardenlet. */
export interface ShootSeed<C extends SimulatedClouds = SimulatedClouds> extends Seed<C> {
  gardenlet(signal: AbortSignal): Gardenlet
}

export interface ShootSeedsOptions<C extends SimulatedClouds = SimulatedClouds> {
  readonly seeds: { readonly first: SeedFacts; readonly second: SeedFacts }
  readonly landscape: Landscape
  /** Shared by both seeds. */
  readonly clouds: C
  readonly functions: readonly SeedFunction[]
  /** Settings of the functions in this process. */
  readonly functionSettings?: Readonly<Record<string, unknown>>
  /** The class of the seeds' brokers. Default: Knative's default. */
  readonly broker?: BrokerName
  /** Files and folders with Broker, Triggers and Services. Default: those of this project. */
  readonly manifests?: readonly string[]
  /** The bridges run the functions themselves, without a broker. */
  readonly seedProcess?: NonNullable<SeedOptions<C>['seedProcess']>
  readonly clock: Clock
  readonly observe?: (seed: string, event: SeedEvent) => void
}

/**
 * Starts the two seeds of a landscape, a shoot's first seed and the one it moves to, with all functions in this
 * process.
 */
export const startShootSeeds = async <C extends SimulatedClouds>({
  seeds,
  landscape,
  observe,
  ...options
}: ShootSeedsOptions<C>) => {
  const { clock } = options
  const shoots = createShoots({ clock })
  const started: Seed<C>[] = []
  const close = async () => {
    for (const seed of started.splice(0)) await seed.close()
    await shoots.close()
  }
  const start = async (facts: SeedFacts): Promise<ShootSeed<C>> => {
    const seed: Seed<C> = await startSeed<C>({
      ...options,
      name: facts.name,
      shoots,
      ...(observe && { observe: event => observe(facts.name, event) }),
    })
    started.push(seed)
    const kubernetes = createKubernetes({ transport: seed.server.controllerTransport, clock })
    const gardenletOptions = { kubernetes, seed: facts, landscape, clock }
    return { ...seed, gardenlet: signal => createGardenlet({ ...gardenletOptions, signal }) }
  }
  try {
    return { first: await start(seeds.first), second: await start(seeds.second), close }
  } catch (error) {
    await close()
    throw error
  }
}
