import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { scrapeConfigCrd } from '../../../functions/calico/network/testing/seed.ts'
import { findFunctions } from '../../../functions/find-functions.ts'
import { simulateLocal } from '../../../sandbox/providers/local/simulate.ts'
import { providerOf } from '../../../sandbox/seed/seed.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import {
  type GroupVersionResource,
  KubernetesError,
  type KubernetesObject,
  keyOf,
} from '../../../shared/kubernetes/kubernetes.ts'
import { startBundleWorld } from '../bundle-world.ts'

const examples = new URL('../../../examples/', import.meta.url)
const core = (plural: string, namespaced = true, group = '') => ({ group, version: 'v1', plural, namespaced })
const secrets = core('secrets')
/** The resources of the examples other than extension objects. */
const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: core('namespaces', false),
  Secret: secrets,
  Cluster: clusterKind.resource,
  ...Object.fromEntries(Object.entries(kinds).map(([kind, { resource }]) => [kind, resource])),
}

export const reconciles = 10

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
  const objects = await objectsOf(files)
  const sample = objects.find(object => object.kind === kind)
  if (sample === undefined) throw new Error(`no example of ${name} has a ${kind}`)
  const key = keyOf(sample)
  const local = simulateLocal({ clock: systemClock, scale: 0.01 })
  const isLocal = providerOf(found) === 'local'
  const nameServer = await local.nameServer.listen({ port: 0 })
  const started = await startBundleWorld({
    fn: found,
    bundle: bundleOf(name),
    env: 'nameServer' in found.settings.shape ? { TRELLIS_NAME_SERVER: nameServer.address } : {},
    ...(isLocal && { clouds: { local } }),
    patienceMs: 20_000,
  })
  const { seed } = started

  const put = async (object: KubernetesObject): Promise<void> => {
    const of = resources[object.kind]
    if (of === undefined) throw new Error(`an example has a ${object.kind}`)
    try {
      await seed.kubernetes.create(of, object)
    } catch (error) {
      if (!(error instanceof KubernetesError && error.reason === 'AlreadyExists')) throw error
    }
  }
  const world = {
    ...started,
    key,
    sample,
    /** Enough reconciles to compile the code as in a process that has run for some time. */
    unchanged: () =>
      started.measureUnchanged(key, { warmUp: 40, reconciles, otherCalls: () => local.callCount() }),
    close: async () => {
      await started.close()
      await nameServer.close()
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
