import { X509Certificate } from 'node:crypto'
import { base64Text } from '../../functions/aws/provider/demo/shoot-keys.ts'
import {
  type ShootSeed,
  type ShootSeedsOptions,
  startShootSeeds,
} from '../../functions/aws/provider/demo/shoot-seeds.ts'
import { wholeShoot } from '../../functions/aws/provider/demo/whole-shoot.ts'
import { furnishedZone } from '../../functions/aws/provider/furnished-zone.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { type Aws, addHostedZone, createAws, isRead, operatorCredentials } from '../../sandbox/aws/aws.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { createKubernetes, type GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'
import { moveIn } from './account-of-others.ts'

const resource = (group: string, plural: string, namespaced: boolean): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const deployments = resource('apps', 'deployments', true)
const daemonSets = resource('apps', 'daemonsets', true)
const webhooks = resource('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', false)
const storageClasses = resource('storage.k8s.io', 'storageclasses', false)
const definitions = resource('apiextensions.k8s.io', 'customresourcedefinitions', false)

export const namespace = wholeShoot.status.technicalID

/** Two seeds, each with a gardenlet, and an account in which others are as well. */
export const startWorld = async (options: Pick<ShootSeedsOptions, 'startFunctions'> = {}) => {
  const clock = systemClock
  const aws = createAws({ clock })
  addHostedZone(aws.account(), furnishedZone)
  await moveIn(aws)
  const ended = new AbortController()
  const functions = await findFunctions()
  const { first, second, close } = await startShootSeeds({
    aws,
    functions,
    clock,
    ...options,
  })
  return {
    aws,
    first: observed(first, ended.signal),
    second: observed(second, ended.signal),
    /** The writing calls of functions and machine controllers since the last call, each with how often it was made. */
    cloudWrites: () => cloudWrites(aws),
    close: async () => {
      ended.abort(new Error('the test has ended'))
      await close()
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>
export type WorldSeed = World['first']

/** A seed with a user's eyes: what they look at is no request of a function. */
const observed = (seed: ShootSeed, signal: AbortSignal) => {
  const { server, bridge } = seed
  const kubernetes = createKubernetes({ transport: server.controllerTransport, clock: seed.clock })
  /** Of the shoot's namespace, or of all. */
  const all = async (resource: GroupVersionResource, scope: object = { namespace }) =>
    (await kubernetes.list(resource, scope)).items
  const shootApi = async () => {
    const shoot = await seed.resources.shoot(namespace)
    return createKubernetes({ transport: shoot.server.controllerTransport, clock: seed.clock })
  }
  return {
    gardenlet: seed.gardenlet(signal),
    bridge,
    kubernetes,
    all,
    nodes: () => seed.machines.nodes(namespace),
    /** By the names of Deployments. */
    replicas: async (): Promise<Readonly<Record<string, number>>> =>
      Object.fromEntries(
        (await all(deployments)).map(({ metadata, spec }) => [
          metadata.name,
          (spec as { readonly replicas: number }).replicas,
        ]),
      ),
    /** What was written by anybody but gardenlet and those who run machines and pods, since the last call. */
    writes: (): readonly string[] => {
      const { requests } = server
      const written = requests
        .entries()
        .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
        .map(({ verb, resource = '', subresource }) => {
          const [plural = ''] = resource.split('.')
          return `${verb} ${plural}${subresource ? `/${subresource}` : ''}`
        })
        .filter(write => !/ (?:leases|events)$/.test(write))
      requests.clear()
      return written
    },
    /** What its controllers have in the shoot, as `<name> <uid>`. */
    shootObjects: async (): Promise<readonly string[]> => {
      const api = await shootApi()
      const pages = await Promise.all(
        [daemonSets, webhooks, storageClasses, definitions].map(kind => api.list(kind)),
      )
      return pages
        .flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.uid}`))
        .sort()
    },
    /** What the shoot's API server trusts when it calls the webhook of the load balancer controller; fingerprints. */
    trustedByShoot: async (): Promise<readonly string[]> => {
      const { items } = await (await shootApi()).list(webhooks)
      const bundle = base64Text(/"caBundle":"([^"]+)"/.exec(JSON.stringify(items))?.[1])
      const certificates = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
      return certificates.map(pem => new X509Certificate(pem).fingerprint256)
    },
  }
}

const cloudWrites = (aws: Aws): Readonly<Record<string, number>> => {
  const calls = aws.calls
    .all()
    .filter(call => !isRead(call) && call.accessKeyId !== operatorCredentials.accessKeyId)
  aws.calls.clear()
  const counts = [...Map.groupBy(calls, ({ action }) => action)]
  return Object.fromEntries(counts.map(([action, { length }]) => [action, length]))
}
