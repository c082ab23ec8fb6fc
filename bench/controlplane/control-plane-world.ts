import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from '../../functions/aws/controlplane/function.ts'
import { type FunctionProcess, functionProcesses, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { ControlPlane } from '../../shared/contract/objects.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { usageOf } from '../process-usage.ts'
import { askedAt } from '../shoot.ts'
import { controlPlaneObject, name, shootOf } from './objects.ts'

export const bundle = 'dist/bundles/aws-controlplane/main.cjs'

/** The longest wait, in ms. */
const patienceMs = 120_000

const { resource } = kinds.ControlPlane
const core = (plural: string, namespaced: boolean) => ({ group: '', version: 'v1', plural, namespaced })

/**
 * Starts a seed with a resource manager that answers at once, and one process of the function from its bundle, which
 * has already handled one ControlPlane.
 */
export const startControlPlaneWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const controlPlanes = new Map<string, ControlPlane>()
  const failures: string[] = []
  const checks = new Set<() => void>()
  const seed = await startSeed({
    functions: [{ ...definition, file: 'functions/aws/controlplane/function.ts' }],
    kinds: ['ControlPlane'],
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
      if (event.part !== 'object' || event.object.kind !== 'ControlPlane') return
      const { namespace = '' } = event.object.metadata
      const controlPlane = event.object as ControlPlane
      if (event.deleted) controlPlanes.delete(namespace)
      else controlPlanes.set(namespace, controlPlane)
      const { state, description } = controlPlane.status?.lastOperation ?? {}
      if (state === 'Error' || state === 'Failed') failures.push(`${namespace}: ${description}`)
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
    const controlPlane = controlPlanes.get(namespace)
    return (
      controlPlane?.status?.lastOperation?.state === 'Succeeded' &&
      dueWork('ControlPlane', controlPlane, systemClock.now()).kind === 'none'
    )
  }

  const world = {
    seed,
    moment,
    isReady,
    isGone: (namespace: string): boolean => !controlPlanes.has(namespace),
    usage: () => usageOf(processes[0]?.pid),
    makeShoot: async (namespace: string) => {
      const { namespace: made, cluster, secret } = shootOf(namespace)
      await seed.kubernetes.create(core('namespaces', false), made)
      await seed.kubernetes.create({ ...resource, plural: 'clusters', namespaced: false }, cluster)
      await seed.kubernetes.create(core('secrets', true), secret)
      // The shoot's API server is not part of the measurement.
      await seed.resources.shoot(namespace)
    },
    create: (namespace: string) => seed.kubernetes.create(resource, controlPlaneObject(namespace)),
    reconcile: async (namespace: string, nth: number) => {
      await seed.kubernetes.patch(resource, { name, namespace }, { metadata: { annotations: askedAt(nth) } })
      await moment('a reconcile', () => isReady(namespace))
    },
    /** Deletes the object as gardenlet does. */
    remove: async (namespace: string) => {
      const annotations = { 'confirmation.gardener.cloud/deletion': 'true' }
      await seed.kubernetes.patch(resource, { name, namespace }, { metadata: { annotations } })
      await seed.kubernetes.delete(resource, { name, namespace })
    },
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await world.makeShoot('shoot--bench--first')
    await world.create('shoot--bench--first')
    await moment('the first ControlPlane', () => isReady('shoot--bench--first'))
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

export type ControlPlaneWorld = Awaited<ReturnType<typeof startControlPlaneWorld>>
