import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFunctions } from '../../functions/find-functions.ts'
import { type ShootSeed, startShootSeeds } from '../../sandbox/gardenlet/start-shoot-seeds.ts'
import { localLandscape, localSeeds, localShoot } from '../../sandbox/providers/local/demo/whole-shoot.ts'
import { simulateLocal } from '../../sandbox/providers/local/simulate.ts'
import { hasCloud, providerOf } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { Worker } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { observedSeed } from './observed-seed.ts'

const scale = 0.01

export const namespace = localShoot.status.technicalID

const resource = (plural: string, group = '', namespaced = true): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const secrets = resource('secrets')
const ofShoots = [
  resource('daemonsets', 'apps'),
  resource('deployments', 'apps'),
  resource('serviceaccounts'),
]
const ofSeeds = [
  secrets,
  resource('configmaps'),
  resource('services'),
  resource('deployments', 'apps'),
  resource('networkpolicies', 'networking.k8s.io'),
]

/** Starts two seeds, each with a gardenlet, and one provider cluster, one name server, and one volume for backups. */
export const startLocalWorld = async () => {
  const clock = systemClock
  const backups = await mkdtemp(join(tmpdir(), 'trellis-backups-'))
  const local = simulateLocal({ clock, scale })
  const functions = (await findFunctions()).filter(fn => providerOf(fn) === 'local' || !hasCloud(fn))
  const functionSettings = { backupDirectory: backups }
  const ended = new AbortController()
  let writes: string[] = []
  local.onCall(({ isRead, action, about }) => {
    if (!isRead) writes.push(`${action}${about}`)
  })
  const { first, second, close } = await startShootSeeds({
    clouds: { local },
    seeds: localSeeds,
    landscape: localLandscape,
    functions,
    functionSettings,
    clock,
  })
  return {
    functions,
    first: observed(first, ended.signal),
    second: observed(second, ended.signal),
    /** Returns the objects of the provider cluster, as `<kind> <name>`. */
    held: () =>
      local.cluster
        .snapshot()
        .map(({ kind, metadata: { name } }) => `${kind} ${name}`)
        .toSorted(),
    records: () => local.nameServer.records().map(({ name, data }) => `${name} ${String(data)}`),
    /** Returns the directories of the volume, one per bucket. */
    backups: async () => (await readdir(backups)).toSorted(),
    /** Returns the write calls of functions and machine controllers since the last call. */
    cloudWrites: () => {
      const since = writes
      writes = []
      return since
    },
    close: async () => {
      ended.abort(new Error('the test has ended'))
      await close()
      await rm(backups, { recursive: true })
    },
  }
}
export type LocalWorld = Awaited<ReturnType<typeof startLocalWorld>>
export type LocalWorldSeed = LocalWorld['first']

const named = ({ kind, metadata: { namespace = '', name } }: KubernetesObject) =>
  `${kind} ${namespace}/${name}`

const observed = (seed: ShootSeed, signal: AbortSignal) => {
  const ofAny = observedSeed(seed, namespace, signal)
  const { all, kubernetes, shootApi } = ofAny
  return {
    ...ofAny,
    /** Returns the objects in the shoot. */
    shootObjects: async (): Promise<readonly string[]> => {
      const api = await shootApi()
      const pages = await Promise.all(ofShoots.map(kind => api.list(kind)))
      return pages.flatMap(({ items }) => items.map(named)).toSorted()
    },
    /** Returns the remaining objects of the shoot in the seed, in its namespace and elsewhere. */
    left: async (): Promise<readonly string[]> => {
      const found = await Promise.all([
        ...ofSeeds.map(kind => all(kind)),
        all(clusterKind.resource, {}),
        all(secrets, { namespace: 'garden' }),
      ])
      const namespaces = await all(resource('namespaces', '', false), {})
      return [...found.flat(), ...namespaces.filter(({ metadata }) => metadata.name === namespace)].map(named)
    },
    /** Returns the start scripts of machines, by the pools of the Worker. */
    userData: async (): Promise<Readonly<Record<string, string>>> => {
      const workers = (await all(kinds.Worker.resource)) as unknown as readonly Worker[]
      const scripts = await Promise.all(
        workers
          .flatMap(({ spec }) => spec.pools)
          .map(async ({ name, userDataSecretRef: ref }) => {
            const secret = await kubernetes.get(secrets, { name: ref?.name ?? '', namespace })
            const data: unknown = Object(secret?.data)[ref?.key ?? '']
            return [name, Buffer.from(String(data), 'base64').toString()] as const
          }),
      )
      return Object.fromEntries(scripts)
    },
  }
}
