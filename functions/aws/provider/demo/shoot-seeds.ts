import { type Aws, simulatedAws } from '../../../../sandbox/aws/aws.ts'
import { createGardenlet, type Gardenlet } from '../../../../sandbox/gardenlet/gardenlet.ts'
import { createShoots } from '../../../../sandbox/resource-manager/resource-manager.ts'
import {
  type Seed,
  type SeedEvent,
  type SeedFunction,
  type StartFunction,
  startSeed,
} from '../../../../sandbox/seed/seed.ts'
import type { Clock } from '../../../../shared/clock/clock.ts'
import type { Kubernetes } from '../../../../shared/kubernetes/kubernetes.ts'
import { landscape, seeds } from './whole-shoot.ts'

/** Of functions whose AWS is in this process, and takes a hundredth of the time; looking for something takes a while itself. */
const functionSettings = { clientQps: 1_000, clientBurst: 1_000, waitScale: 0.02 }

type Clouds = { readonly aws: ReturnType<typeof simulatedAws> }

/** A seed that has gardenlets: whatever one waits for ends with its signal. */
export interface ShootSeed extends Seed<Clouds> {
  gardenlet(signal: AbortSignal): Gardenlet
}

export interface ShootSeedsOptions {
  readonly aws: Aws
  readonly functions: readonly SeedFunction[]
  readonly clock: Clock
  /** How functions are started; absent: in this process. */
  readonly startFunctions?: (reach: FunctionReach) => StartFunction
  readonly observe?: (seed: string, event: SeedEvent) => void
}

/** What a process of a function reaches, and is set to. */
export interface FunctionReach {
  readonly kubernetes: Kubernetes
  readonly aws: Aws
  readonly clock: Clock
  readonly settings: Readonly<Record<string, unknown>>
}

/** Where a shoot is made and where it moves to: two seeds of one landscape, with all functions in this process. */
export const startShootSeeds = async ({
  aws,
  functions,
  clock,
  startFunctions,
  observe,
}: ShootSeedsOptions) => {
  const shoots = createShoots({ clock })
  const started: Seed<Clouds>[] = []
  const close = async () => {
    for (const seed of started.splice(0)) await seed.close()
    await shoots.close()
  }
  const start = async (which: keyof typeof seeds): Promise<ShootSeed> => {
    const facts = seeds[which]
    const seed: Seed<Clouds> = await startSeed<Clouds>({
      name: facts.name,
      functions,
      clock,
      clouds: { aws: simulatedAws(aws) },
      functionSettings,
      shoots,
      ...(startFunctions && {
        startFunction: () => fn =>
          startFunctions({ kubernetes: seed.kubernetes, aws, clock, settings: functionSettings })(fn),
      }),
      ...(observe && { observe: event => observe(facts.name, event) }),
    })
    started.push(seed)
    const gardenletOptions = { server: seed.server, seed: facts, landscape, clock }
    return { ...seed, gardenlet: signal => createGardenlet({ ...gardenletOptions, signal }) }
  }
  try {
    return { first: await start('first'), second: await start('second'), close }
  } catch (error) {
    await close()
    throw error
  }
}
