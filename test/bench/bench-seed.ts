import { findFunctions } from '../../functions/find-functions.ts'
import { createAws, type SimulatedAws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { type Seed, type SeedEvent, type SeedOptions, startSeed } from '../../sandbox/seed/seed.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { askedAt, giveZone, namespace, recordNumber, shootObjects } from './shoot.ts'

const { resource } = kinds.DNSRecord

/** Longest wait for one record, in ms. */
const patienceMs = 60_000

type Clouds = { readonly aws: SimulatedAws }

export interface BenchSeed {
  readonly seed: Seed<Clouds>
  /** Creates records as gardenlet does; resolves when all have succeeded. */
  readonly create: (indices: readonly number[]) => Promise<void>
  /**
   * Requests a reconciliation; 'changed' also changes the address. Resolves with the time from the written annotation
   * to the written Succeeded, in ms.
   */
  readonly reconcile: (index: number, nth: number, change?: 'changed') => Promise<number>
}

/** A record that is being reconciled. */
interface Wait {
  asked: number | undefined
  processing: boolean
  readonly done: (ms: number) => void
}

/** Starts a seed with a shoot, ready for records. */
export const startBenchSeed = async (options: Partial<SeedOptions<Clouds>> = {}): Promise<BenchSeed> => {
  const aws = createAws()
  giveZone(aws.account())
  const waits = new Map<string, Wait>()
  const observe = (event: SeedEvent): void => {
    if (event.part !== 'object' || event.object.kind !== 'DNSRecord') return
    const { metadata, status } = event.object
    const wait = waits.get(metadata.name)
    if (wait === undefined) return
    const { lastOperation } = (status ?? {}) as { readonly lastOperation?: { readonly state?: string } }
    if (wait.asked === undefined && metadata.annotations?.[annotations.operation] !== undefined) {
      wait.asked = performance.now()
    }
    if (lastOperation?.state === 'Processing') wait.processing = true
    // The claim is seen first, while the state is still that of the previous operation.
    if (wait.processing && lastOperation?.state === 'Succeeded' && wait.asked !== undefined) {
      waits.delete(metadata.name)
      wait.done(performance.now() - wait.asked)
    }
  }
  const seed = await startSeed<Clouds>({
    functions: await findFunctions(),
    clouds: { aws: simulatedAws(aws) },
    objects: shootObjects,
    observe,
    ...options,
  })

  /** Resolves with the time from the annotation to Succeeded, in ms. */
  const succeeds = (name: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${name} did not succeed within ${patienceMs} ms`)),
        patienceMs,
      )
      waits.set(name, {
        asked: undefined,
        processing: false,
        done: ms => {
          clearTimeout(timer)
          resolve(ms)
        },
      })
    })

  return {
    seed,
    create: async indices => {
      await Promise.all(
        indices.map(async index => {
          const record = recordNumber(index)
          const succeeded = succeeds(record.metadata.name)
          await seed.kubernetes.create(resource, record)
          await succeeded
        }),
      )
    },
    reconcile: async (index, nth, change) => {
      const { name } = recordNumber(index).metadata
      const succeeded = succeeds(name)
      await seed.kubernetes.patch(
        resource,
        { name, namespace },
        {
          metadata: { annotations: askedAt(nth) },
          ...(change && { spec: { values: [`203.0.113.${100 + nth}`] } }),
        },
      )
      return succeeded
    },
  }
}
