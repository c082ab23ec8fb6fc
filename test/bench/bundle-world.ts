import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type FunctionProcess,
  functionProcesses,
  type SeedEvent,
  type SeedFunction,
  type SimulatedClouds,
  startSeed,
} from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { type KubernetesObject, keyOf, type ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { percentile } from './figure.ts'
import { usageOf } from './process-usage.ts'
import { askedAt } from './shoot.ts'

export interface BundleWorldOptions<C extends SimulatedClouds> {
  readonly fn: SeedFunction & { readonly kind: KindName }
  /** The file of the function's program. */
  readonly bundle: string
  readonly env?: Readonly<Record<string, string>>
  readonly clouds?: C
  /** The longest wait, in ms. */
  readonly patienceMs: number
  /** Called with each object before waits are checked. */
  readonly observe?: (event: SeedEvent & { readonly part: 'object' }) => void
}

/** The cost of a reconcile without a change. */
export interface Unchanged {
  /** Requests to all clusters. */
  readonly requests: number
  readonly writes: number
  /** Undefined if this machine does not report it. */
  readonly cpuMs: number | undefined
}

export interface UnchangedOptions {
  /** Reconciles before the measurement, in which the process compiles its code. */
  readonly warmUp: number
  readonly reconciles: number
  /** The number of requests to other clusters so far. */
  readonly otherCalls?: () => number
}

/** Starts a seed, and one process of the function from its bundle at its first event. */
export const startBundleWorld = async <C extends SimulatedClouds = SimulatedClouds>({
  fn,
  bundle,
  env = {},
  clouds,
  patienceMs,
  observe = () => {},
}: BundleWorldOptions<C>) => {
  const { kind } = fn
  const { resource } = kinds[kind]
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const present = new Map<string, KubernetesObject>()
  const failures: string[] = []
  const checks = new Set<() => void>()
  const idOf = ({ name, namespace = '' }: ObjectKey) => `${namespace}/${name}`
  const seed = await startSeed<C>({
    functions: [fn],
    kinds: [kind],
    ...(clouds && { clouds }),
    startFunction: ({ kubeconfig: text }) => {
      const start = functionProcesses({ kubeconfig, env, programOf: () => bundle })
      return async started => {
        await writeFile(kubeconfig, text, { mode: 0o600 })
        const running = await start(started)
        processes.push(running)
        return running
      }
    },
    observe: event => {
      if (event.part !== 'object') return
      observe(event)
      const { object } = event
      if (object.kind === kind) {
        const id = idOf(keyOf(object))
        if (event.deleted) present.delete(id)
        else present.set(id, object)
        const { state, description } = Object(object.status).lastOperation ?? {}
        if (state === 'Error' || state === 'Failed') failures.push(`${id}: ${description}`)
      }
      for (const check of checks) check()
    },
  })

  /** Resolves with the time at which `holds` becomes true, in ms. Rejects as soon as an attempt fails. */
  const moment = (what: string, holds: () => boolean): Promise<number> =>
    new Promise((resolve, reject) => {
      const end = () => {
        checks.delete(check)
        clearTimeout(timer)
      }
      const timer = setTimeout(() => {
        end()
        const descriptions = [...present.values()].map(
          ({ status }) => Object(status).lastOperation?.description,
        )
        reject(new Error(`${what} did not happen in ${patienceMs} ms: ${descriptions.join('; ')}`))
      }, patienceMs)
      const check = () => {
        const [failure] = failures
        if (failure === undefined && !holds()) return
        end()
        if (failure === undefined) resolve(performance.now())
        else reject(new Error(`an attempt has failed: ${failure}`))
      }
      checks.add(check)
      check()
    })
  const isReady = (key: ObjectKey): boolean => {
    const live = present.get(idOf(key))
    if (live === undefined || Object(live.status).lastOperation?.state !== 'Succeeded') return false
    const due = dueWork(kind, live, systemClock.now())
    // An Extension is reconciled again later.
    return due.kind === 'none' || (due.kind === 'later' && !due.held)
  }
  const annotate = (key: ObjectKey, annotations: Readonly<Record<string, string>>) =>
    seed.kubernetes.patch(resource, key, { metadata: { annotations } })
  const reconcile = async (key: ObjectKey, nth: number): Promise<void> => {
    present.set(idOf(key), await annotate(key, askedAt(nth)))
    await moment('a reconcile', () => isReady(key))
  }
  const usage = () => usageOf(processes[0]?.pid)

  return {
    seed,
    kind,
    processes,
    moment,
    isReady,
    usage,
    reconcile,
    /** Creates objects as gardenlet does. Resolves with the time until all have succeeded, in ms. */
    create: async (...objects: readonly KubernetesObject[]): Promise<number> => {
      const asked = performance.now()
      await Promise.all(
        objects.map(({ metadata, ...object }) => {
          const annotations = { ...metadata.annotations, ...askedAt(0) }
          return seed.kubernetes.create(resource, { ...object, metadata: { ...metadata, annotations } })
        }),
      )
      return (await moment(`a new ${kind}`, () => objects.map(keyOf).every(isReady))) - asked
    },
    /** Deletes the object as gardenlet does. Resolves with the time until it is gone, in ms. */
    remove: async (key: ObjectKey): Promise<number> => {
      await annotate(key, { 'confirmation.gardener.cloud/deletion': 'true' })
      const asked = performance.now()
      await seed.kubernetes.delete(resource, key)
      return (await moment('its end', () => !present.has(idOf(key)))) - asked
    },
    /** Reconciles an object that needs no change. Throws if a reconcile writes more than its own object. */
    measureUnchanged: async (
      key: ObjectKey,
      { warmUp, reconciles, otherCalls = () => 0 }: UnchangedOptions,
    ): Promise<Unchanged> => {
      for (let nth = 1; nth <= warmUp; nth++) await reconcile(key, nth)
      const { requests } = seed.server
      const counts: number[] = []
      const writes: number[] = []
      const before = await usage()
      for (let nth = warmUp + 1; nth <= warmUp + reconciles; nth++) {
        // Two reconciles that succeed within one second look the same and cost one more write. The answer to the last
        // write of the previous round is logged after its effect is seen.
        await new Promise(resolve => setTimeout(resolve, 1_050))
        requests.clear()
        const calls = otherCalls()
        await reconcile(key, nth)
        await new Promise(resolve => setTimeout(resolve, 50))
        const asked = requests
          .entries()
          .filter(({ verb, resource: of = '' }) => verb !== 'watch' && !of.startsWith('leases.'))
        const written = asked.filter(({ verb }) => verb !== 'get' && verb !== 'list')
        const others = written.filter(({ resource: of = '' }) => !of.startsWith(`${resource.plural}.`))
        if (others.length > 0)
          throw new Error(
            `${others.length} writes although nothing differs: ${others.map(({ verb, resource: of }) => `${verb} ${of}`).join(', ')}`,
          )
        // One of them requested the reconcile.
        counts.push(asked.length - 1 + otherCalls() - calls)
        writes.push(written.length - 1)
      }
      const after = await usage()
      return {
        requests: percentile(counts, 0.5),
        writes: percentile(writes, 0.5),
        cpuMs: before && after && (after.cpuMs - before.cpuMs) / reconciles,
      }
    },
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
