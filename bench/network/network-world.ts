import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definition } from '../../functions/calico/network/function.ts'
import { scrapeConfigCrd, shootOf } from '../../functions/calico/network/testing/seed.ts'
import { type FunctionProcess, functionProcesses, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { labels } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { Network } from '../../shared/contract/objects.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { usageOf } from '../process-usage.ts'
import { askedAt } from '../shoot.ts'

export const bundle = 'dist/functions/calico-network.cjs'

/** Longest wait for anything, in ms. */
const patienceMs = 60_000
const name = 'network'

const { resource } = kinds.Network
const cluster = (group: string, plural: string) => ({ group, version: 'v1', plural, namespaced: false })

/**
 * A seed with the operator of Prometheus and a resource manager that answers at once, and one process of the function from its
 * bundle, which has had a Network already.
 */
export const startNetworkWorld = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const networks = new Map<string, Network>()
  const failures: string[] = []
  const checks = new Set<() => void>()
  const seed = await startSeed({
    functions: [{ ...definition, file: 'functions/calico/network/function.ts' }],
    kinds: ['Network'],
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
      if (event.part !== 'object' || event.object.kind !== 'Network') return
      const { namespace = '' } = event.object.metadata
      const network = event.object as Network
      if (event.deleted) networks.delete(namespace)
      else networks.set(namespace, network)
      const { state, description } = network.status?.lastOperation ?? {}
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
    const network = networks.get(namespace)
    return (
      network?.status?.lastOperation?.state === 'Succeeded' &&
      dueWork('Network', network, systemClock.now()).kind === 'none'
    )
  }
  const annotate = (namespace: string, annotations: Readonly<Record<string, string>>) =>
    seed.kubernetes.patch(resource, { name, namespace }, { metadata: { annotations } })

  const world = {
    seed,
    moment,
    isReady,
    isGone: (namespace: string): boolean => !networks.has(namespace),
    lastOperation: (namespace: string) => networks.get(namespace)?.status?.lastOperation,
    usage: () => usageOf(processes[0]?.pid),
    annotate,
    makeShoot: async (namespace: string) => {
      await seed.kubernetes.create(cluster('', 'namespaces'), {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { [labels.role]: 'shoot' } },
      })
      await seed.kubernetes.create(clusterKind.resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Cluster',
        metadata: { name: namespace },
        spec: { cloudProfile: {}, seed: {}, shoot: shootOf() },
      })
      // Its API server is no part of what is measured.
      await seed.resources.shoot(namespace)
    },
    create: (namespace: string) =>
      seed.kubernetes.create(resource, {
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'Network',
        metadata: { name, namespace, annotations: askedAt(0) },
        spec: { type: 'calico', podCIDR: '10.3.0.0/16', serviceCIDR: '10.4.0.0/16', ipFamilies: ['IPv4'] },
      }),
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
    await seed.kubernetes.create(
      cluster('apiextensions.k8s.io', 'customresourcedefinitions'),
      scrapeConfigCrd,
    )
    await world.makeShoot('shoot--bench--first')
    await world.create('shoot--bench--first')
    await moment('the first Network', () => isReady('shoot--bench--first'))
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

export type NetworkWorld = Awaited<ReturnType<typeof startNetworkWorld>>
