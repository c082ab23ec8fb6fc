import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { scrapeConfigCrd } from '../../functions/calico/network/testing/seed.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { simulateLocal } from '../../sandbox/providers/local/simulate.ts'
import { type FunctionProcess, functionProcesses, providerOf, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import {
  type GroupVersionResource,
  KubernetesError,
  type KubernetesObject,
  keyOf,
} from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { usageOf } from '../process-usage.ts'
import { askedAt } from '../shoot.ts'

/** The longest wait, in ms. */
const patienceMs = 20_000

const examples = new URL('../../examples/', import.meta.url)
const core = (plural: string, namespaced = true, group = '') => ({ group, version: 'v1', plural, namespaced })
const secrets = core('secrets')
/** The resources of the examples other than extension objects. */
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: core('namespaces', false),
  Secret: secrets,
  Cluster: clusterKind.resource,
  ...Object.fromEntries(Object.entries(kinds).map(([kind, { resource }]) => [kind, resource])),
}

export const bundleOf = (name: string): string => `dist/bundles/${name}/main.cjs`

/** Returns the objects of the examples, without duplicates. */
const objectsOf = async (files: readonly string[]): Promise<readonly KubernetesObject[]> => {
  const texts = await Promise.all(files.map(file => readFile(new URL(file, examples), 'utf8')))
  const all = texts.flatMap(text =>
    parseAllDocuments(text).map(document => document.toJS() as KubernetesObject),
  )
  return [...new Map(all.map(object => [`${object.kind} ${object.metadata.name}`, object])).values()]
}

/**
 * Starts a seed with the objects of the examples, a resource manager and a machine controller that answer at once, and
 * one process of the function from its bundle. The provider cluster and the name server run in this process, at a
 * hundredth of their usual delays.
 */
export const startKindWorld = async (name: string, files: readonly string[]) => {
  const found = (await findFunctions()).find(fn => fn.name === name)
  if (found === undefined) throw new Error(`there is no function ${name}`)
  const { kind } = found
  const { resource } = kinds[kind]
  const objects = await objectsOf(files)
  const sample = objects.find(object => object.kind === kind)
  if (sample === undefined) throw new Error(`no example of ${name} has a ${kind}`)
  const key = keyOf(sample)
  const idOf = ({ metadata: { name, namespace = '' } }: KubernetesObject) => `${namespace}/${name}`

  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const processes: FunctionProcess[] = []
  const present = new Map<string, KubernetesObject>()
  const failures: string[] = []
  const checks = new Set<() => void>()
  const local = simulateLocal({ clock: systemClock, scale: 0.01 })
  const isLocal = providerOf(found) === 'local'
  const nameServer = await local.nameServer.listen({ port: 0 })
  const seed = await startSeed({
    functions: [found],
    kinds: [kind],
    ...(isLocal && { clouds: { local } }),
    startFunction: ({ kubeconfig: text }) => {
      const start = functionProcesses({
        kubeconfig,
        programOf: () => bundleOf(name),
        env: 'nameServer' in found.settings.shape ? { TRELLIS_NAME_SERVER: nameServer.address } : {},
      })
      return async fn => {
        await writeFile(kubeconfig, text, { mode: 0o600 })
        const running = await start(fn)
        processes.push(running)
        return running
      }
    },
    observe: event => {
      if (event.part !== 'object' || event.object.kind !== kind) return
      const { object } = event
      if (event.deleted) present.delete(idOf(object))
      else present.set(idOf(object), object)
      const { state, description } = Object(object.status).lastOperation ?? {}
      if (state === 'Error' || state === 'Failed') failures.push(`${idOf(object)}: ${description}`)
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
  const isReady = (object: KubernetesObject): boolean => {
    const live = present.get(idOf(object))
    if (live === undefined || Object(live.status).lastOperation?.state !== 'Succeeded') return false
    const due = dueWork(kind, live, systemClock.now())
    // An Extension is reconciled again later.
    return due.kind === 'none' || (due.kind === 'later' && !due.held)
  }
  const put = async (object: KubernetesObject): Promise<void> => {
    const of = resources[object.kind]
    if (of === undefined) throw new Error(`an example has a ${object.kind}`)
    try {
      await seed.kubernetes.create(of, object)
    } catch (error) {
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
    }
  }
  const annotate = (annotations: Readonly<Record<string, string>>) =>
    seed.kubernetes.patch(resource, key, { metadata: { annotations } })

  const world = {
    seed,
    kind,
    key,
    processes,
    usage: () => usageOf(processes[0]?.pid),
    /** The number of requests to the provider cluster and the name server so far. */
    providerCalls: () => local.callCount(),
    /** Creates the objects as gardenlet does; resolves when they have succeeded. */
    create: async (...others: readonly KubernetesObject[]): Promise<number> => {
      const all = others.length > 0 ? others : [sample]
      const asked = performance.now()
      await Promise.all(
        all.map(object =>
          seed.kubernetes.create(resource, {
            ...object,
            metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...askedAt(0) } },
          }),
        ),
      )
      return (await moment(`a new ${kind}`, () => all.every(isReady))) - asked
    },
    sample,
    reconcile: async (nth: number): Promise<void> => {
      present.set(idOf(sample), await annotate(askedAt(nth)))
      await moment('a reconcile', () => isReady(sample))
    },
    remove: async (): Promise<number> => {
      await annotate({ 'confirmation.gardener.cloud/deletion': 'true' })
      const asked = performance.now()
      await seed.kubernetes.delete(resource, key)
      return (await moment('its end', () => !present.has(idOf(sample)))) - asked
    },
    close: async () => {
      await seed.close()
      await nameServer.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await seed.kubernetes.create(
      core('customresourcedefinitions', false, 'apiextensions.k8s.io'),
      scrapeConfigCrd,
    )
    for (const object of objects.filter(one => !(one.kind in kinds))) await put(object)
    if (isLocal) {
      const text = local.cluster.server.kubeconfig(seed.cloudUrls.local ?? '')
      const { namespace } = key
      for (const cluster of objects.filter(object => object.kind === 'Cluster'))
        local.prepare(sample, undefined, cluster)
      if (namespace !== undefined && objects.some(({ metadata }) => metadata.name === 'cloudprovider'))
        await seed.kubernetes.patch(
          secrets,
          { name: 'cloudprovider', namespace },
          { data: { kubeconfig: btoa(text) } },
        )
    }
    // The shoot's API server is not part of the measurement.
    if (key.namespace !== undefined) await seed.resources.shoot(key.namespace)
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}
export type KindWorld = Awaited<ReturnType<typeof startKindWorld>>
