import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from '../../functions/gvisor/containerruntime/function.ts'
import { clusterOf, runtimeOf } from '../../functions/gvisor/containerruntime/testing/runtimes.ts'
import { type FunctionProcess, functionProcesses, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { labels } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { ContainerRuntime } from '../../shared/contract/objects.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { usageOf } from '../process-usage.ts'
import { askedAt } from '../shoot.ts'

export const bundle = 'dist/functions/gvisor-containerruntime.cjs'

/** Longest wait for anything, in ms. */
const patienceMs = 60_000
const pool = 'pool'
const name = `gvisor-${pool}`

const { resource } = kinds.ContainerRuntime
const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

/** A seed with a resource manager that answers at once, and one process of the function from its bundle, which has had a runtime already. */
export const startRuntimeWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const runtimes = new Map<string, ContainerRuntime>()
  const failures: string[] = []
  const checks = new Set<() => void>()
  const seed = await startSeed({
    functions: [{ ...definition, file: 'functions/gvisor/containerruntime/function.ts' }],
    kinds: ['ContainerRuntime'],
    startFunction: ({ kubeconfig: text }) => {
      const start = functionProcesses({ kubeconfig, programOf: () => bundle })
      return async fn => {
        await writeFile(kubeconfig, text, { mode: 0o600 })
        const running = await start(fn)
        processes.push(running)
        return running
      }
    },
    observe: event => {
      if (event.part !== 'object' || event.object.kind !== 'ContainerRuntime') return
      const { namespace = '' } = event.object.metadata
      const runtime = event.object as ContainerRuntime
      if (event.deleted) runtimes.delete(namespace)
      else runtimes.set(namespace, runtime)
      const { state, description } = runtime.status?.lastOperation ?? {}
      if (state === 'Error' || state === 'Failed') failures.push(`${namespace}: ${description}`)
      for (const check of checks) check()
    },
  })

  /** Resolves with the moment, in ms; rejects as soon as an attempt has failed. */
  const moment = (what: string, holds: () => boolean): Promise<number> =>
    new Promise((resolve, reject) => {
      const end = () => {
        checks.delete(check)
        clearTimeout(timer)
      }
      const timer = setTimeout(() => {
        end()
        reject(new Error(`${what} did not happen in ${patienceMs} ms`))
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
  const isReady = (namespace: string): boolean => {
    const runtime = runtimes.get(namespace)
    return (
      runtime?.status?.lastOperation?.state === 'Succeeded' &&
      dueWork('ContainerRuntime', runtime, systemClock.now()).kind === 'none'
    )
  }
  const annotate = (namespace: string, annotations: Readonly<Record<string, string>>) =>
    seed.kubernetes.patch(resource, { name, namespace }, { metadata: { annotations } })

  const world = {
    seed,
    moment,
    isReady,
    isGone: (namespace: string): boolean => !runtimes.has(namespace),
    usage: () => usageOf(processes[0]?.pid),
    /** A shoot, and its runtime. */
    create: async (namespace: string) => {
      await seed.kubernetes.create(namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
      })
      await seed.kubernetes.create(clusterKind.resource, clusterOf(namespace))
      // Its API server is no part of what is measured.
      await seed.resources.shoot(namespace)
      const asked = performance.now()
      await seed.kubernetes.create(resource, {
        ...runtimeOf(pool),
        metadata: { name, namespace, annotations: askedAt(0) },
      })
      return asked
    },
    reconcile: async (namespace: string, nth: number) => {
      await annotate(namespace, askedAt(nth))
      await moment('a reconcile', () => isReady(namespace))
    },
    /** As gardenlet does. */
    remove: async (namespace: string) => {
      await annotate(namespace, { 'confirmation.gardener.cloud/deletion': 'true' })
      await seed.kubernetes.delete(resource, { name, namespace })
    },
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await world.create('shoot--bench--first')
    await moment('the first ContainerRuntime', () => isReady('shoot--bench--first'))
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

export type RuntimeWorld = Awaited<ReturnType<typeof startRuntimeWorld>>
