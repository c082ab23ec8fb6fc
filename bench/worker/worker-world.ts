import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from '../../functions/aws/worker/function.ts'
import { createAws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { type FunctionProcess, functionProcesses, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { MachineDeployment, Worker } from '../../shared/contract/objects.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { usageOf } from '../process-usage.ts'
import { askedAt } from '../shoot.ts'
import { makeAvailable } from './make-available.ts'
import { shootOf, workerOf } from './objects.ts'

export const bundle = 'dist/bundles/aws-worker/main.cjs'

/** The longest wait, in ms. */
const patienceMs = 60_000

interface Size {
  readonly pools: number
  readonly zones: number
}

/** Starts a seed, and one process of the function from its bundle, which has already handled a small Worker. */
export const startWorkerWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const workers = new Map<string, Worker>()
  const deployments = new Map<string, Map<string, MachineDeployment>>()
  const checks = new Set<() => void>()
  /** Selects the deployments that get their machines at once. */
  let isPrompt = (_: MachineDeployment): boolean => true
  const { machines: _, ...aws } = simulatedAws(createAws())
  const seed = await startSeed({
    functions: [{ ...definition, file: 'functions/aws/worker/function.ts' }],
    kinds: ['Worker'],
    clouds: { aws },
    startFunction: ({ kubeconfig: text }) => {
      const start = functionProcesses({
        kubeconfig,
        programOf: () => bundle,
      })
      return async fn => {
        await writeFile(kubeconfig, text, { mode: 0o600 })
        const running = await start(fn)
        processes.push(running)
        return running
      }
    },
    observe: event => {
      if (event.part !== 'object') return
      const { kind, metadata } = event.object
      const { namespace = '', name } = metadata
      if (kind === 'Worker') workers.set(namespace, event.object as Worker)
      if (kind === 'MachineDeployment') {
        const own = deployments.get(namespace) ?? new Map()
        deployments.set(namespace, own)
        const isNew = !own.has(name)
        own.set(name, event.object as MachineDeployment)
        if (isNew && isPrompt(event.object as MachineDeployment))
          void makeAvailable(seed.kubernetes, event.object as MachineDeployment)
      }
      for (const check of checks) check()
    },
  })

  /** Resolves with the time at which `holds` becomes true, in ms. */
  const moment = (what: string, holds: () => boolean): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${what} did not happen in ${patienceMs} ms`)),
        patienceMs,
      )
      const check = () => {
        if (!holds()) return
        checks.delete(check)
        clearTimeout(timer)
        resolve(performance.now())
      }
      checks.add(check)
      check()
    })
  const isReady = (namespace: string): boolean => {
    const worker = workers.get(namespace)
    return (
      worker?.status?.lastOperation?.state === 'Succeeded' &&
      dueWork('Worker', worker, systemClock.now()).kind === 'none'
    )
  }

  const world = {
    seed,
    moment,
    isReady,
    usage: () => usageOf(processes[0]?.pid),
    processes,
    deploymentsOf: (namespace: string): readonly MachineDeployment[] => [
      ...(deployments.get(namespace)?.values() ?? []),
    ],
    /** Selects the deployments that get their machines at once. Default: all. */
    availableAtOnce: (which: (deployment: MachineDeployment) => boolean = () => true) => {
      isPrompt = which
    },
    makeAvailable: (deployment: MachineDeployment) => makeAvailable(seed.kubernetes, deployment),
    makeShoot: async (namespace: string, { pools }: Size) => {
      const resources = {
        Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
        Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
        Cluster: { ...kinds.Worker.resource, plural: 'clusters', namespaced: false },
      }
      for (const object of shootOf(namespace, { pools }))
        await seed.kubernetes.create(resources[object.kind as keyof typeof resources], object)
    },
    createWorker: (namespace: string, size: Size) =>
      seed.kubernetes.create(kinds.Worker.resource, workerOf(namespace, size)),
    reconcile: async (namespace: string, nth: number) => {
      await seed.kubernetes.patch(
        kinds.Worker.resource,
        { name: 'rose', namespace },
        { metadata: { annotations: askedAt(nth) } },
      )
      await moment('a reconcile', () => isReady(namespace))
    },
    close: async () => {
      await seed.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await world.makeShoot('shoot--bench--first', { pools: 1, zones: 1 })
    await world.createWorker('shoot--bench--first', { pools: 1, zones: 1 })
    await moment('the first Worker', () => isReady('shoot--bench--first'))
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}
