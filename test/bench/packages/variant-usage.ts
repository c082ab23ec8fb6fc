import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../figure.ts'
import { serviceOf } from '../memory/service-of.ts'
import { postEvent } from '../post-event.ts'
import { startedPort } from '../process-start.ts'
import { usageOf } from '../process-usage.ts'
import { type StartedKind, startWorld } from '../start-world.ts'

/** One way to build or start the same function. */
export interface Variant {
  readonly name: string
  /** The file of its program. */
  readonly bundle: string
  readonly env?: Readonly<Record<string, string>>
}

/** Medians of several runs. Sizes in MB (10^6 bytes), times in ms. */
export interface VariantUsage {
  readonly startMs: number
  /** CPU time of the main thread from the start to the first answer. */
  readonly startCpuMs: number
  readonly atRestMb: number
  readonly afterEventsMb: number
  readonly cpuMsPerEvent: number
}

export interface VariantOptions {
  /** The name of the function's Service, whose environment each process gets. */
  readonly service: string
  readonly kind: Omit<StartedKind, 'bundle'>
  /** Overrides the environment of the manifest. */
  readonly settings?: Readonly<Record<string, string>>
  readonly starts: number
  readonly bursts: number
}

const events = 200
const settlingMs = 2_000

/**
 * Measures the variants in turn, so that other load on the machine affects all equally. The first start of each is a
 * warm-up.
 */
export const measureVariants = async (
  variants: readonly Variant[],
  { service, kind, settings = {}, starts, bursts }: VariantOptions,
): Promise<ReadonlyMap<string, VariantUsage>> => {
  const manifest = await serviceOf(service)
  const worlds = await Promise.all(
    variants.map(async variant => ({
      variant,
      world: await startWorld({ ...kind, bundle: variant.bundle }),
    })),
  )
  const starting = new Map(variants.map(({ name }) => [name, [] as { ms: number; cpuMs: number }[]]))
  const loaded = new Map(
    variants.map(({ name }) => [name, [] as { rest: number; after: number; cpu: number }[]]),
  )
  try {
    for (let run = 0; run <= starts; run++) {
      for (const { variant, world } of worlds) {
        const { message, checkSucceeded } = await world.newObject()
        const env = { ...manifest.env, ...settings, ...variant.env }
        const took = await world.startFunction(message, { env })
        await checkSucceeded()
        if (run > 0) starting.get(variant.name)?.push(took)
      }
    }
    for (let run = 0; run < bursts; run++) {
      for (const { variant, world } of worlds) {
        const env = { ...manifest.env, ...settings, ...variant.env }
        loaded.get(variant.name)?.push(await burst(world, env, manifest.concurrency))
      }
    }
  } finally {
    for (const { world } of worlds) await world.close()
  }
  return new Map(
    variants.map(({ name }) => {
      const median = <T>(all: readonly T[] | undefined, of: (one: T) => number): number =>
        percentile((all ?? []).map(of), 0.5)
      const start = starting.get(name)
      const load = loaded.get(name)
      return [
        name,
        {
          startMs: median(start, ({ ms }) => ms),
          startCpuMs: median(start, ({ cpuMs }) => cpuMs),
          atRestMb: median(load, ({ rest }) => rest),
          afterEventsMb: median(load, ({ after }) => after),
          cpuMsPerEvent: median(load, ({ cpu }) => cpu),
        },
      ]
    }),
  )
}

/** Sends 200 new objects through a new process. */
const burst = async (
  world: Awaited<ReturnType<typeof startWorld>>,
  settings: Readonly<Record<string, string>>,
  concurrency: number,
): Promise<{ readonly rest: number; readonly after: number; readonly cpu: number }> => {
  const { args, env } = world.functionStart
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...settings, ...env },
  })
  const ended = once(child, 'exit')
  try {
    const port = await startedPort(child.stdout)
    await sleep(settlingMs)
    const before = await usageOf(child.pid)
    const waiting = await Promise.all(Array.from({ length: events }, () => world.newObject()))
    const worker = async () => {
      for (let object = waiting.shift(); object !== undefined; object = waiting.shift()) {
        const status = await postEvent(port, object.message)
        if (status !== 204) throw new Error(`the function answered ${status}`)
        await object.checkSucceeded()
      }
    }
    await Promise.all(Array.from({ length: concurrency || 10 }, worker))
    await sleep(settlingMs)
    const after = await usageOf(child.pid)
    if (before === undefined || after === undefined)
      throw new Error('the system does not tell what a process takes')
    return {
      rest: before.residentMb,
      after: after.residentMb,
      cpu: (after.cpuMs - before.cpuMs) / events,
    }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}
