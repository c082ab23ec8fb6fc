import { X509Certificate } from 'node:crypto'
import { findFunctions } from '../../functions/find-functions.ts'
import { base64Text } from '../../sandbox/providers/aws/demo/shoot-keys.ts'
import {
  type AwsShootSeed,
  type AwsShootSeedsOptions,
  startAwsShootSeeds,
} from '../../sandbox/providers/aws/demo/shoot-seeds.ts'
import { wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../sandbox/providers/aws/furnished-zone.ts'
import { moveIn } from '../../sandbox/providers/aws/simulation/account-of-others.ts'
import {
  type Aws,
  addHostedZone,
  isRead,
  operatorCredentials,
} from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { GroupVersionResource } from '../../shared/kubernetes/kubernetes.ts'
import { observedSeed } from './observed-seed.ts'

const resource = (group: string, plural: string, namespaced: boolean): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const daemonSets = resource('apps', 'daemonsets', true)
const webhooks = resource('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', false)
const storageClasses = resource('storage.k8s.io', 'storageclasses', false)
const definitions = resource('apiextensions.k8s.io', 'customresourcedefinitions', false)

export const namespace = wholeShoot.status.technicalID

/** Starts two seeds, each with a gardenlet, and an account with foreign resources. */
export const startWorld = async (
  options: Partial<Pick<AwsShootSeedsOptions, 'broker' | 'manifests' | 'seedProcess' | 'observe'>> = {},
) => {
  const clock = systemClock
  const aws = shuffledAws({ clock })
  addHostedZone(aws.account(), furnishedZone)
  await moveIn(aws)
  const ended = new AbortController()
  const functions = await findFunctions()
  const { first, second, close } = await startAwsShootSeeds({
    ...options,
    aws,
    functions,
    clock,
  })
  return {
    aws,
    first: observed(first, ended.signal),
    second: observed(second, ended.signal),
    /** See `cloudWrites`. */
    cloudWrites: () => cloudWrites(aws),
    close: async () => {
      ended.abort(new Error('the test has ended'))
      await close()
    },
  }
}
export type World = Awaited<ReturnType<typeof startWorld>>
export type WorldSeed = World['first']

/** Adds the objects of the AWS load balancer controller. */
const observed = (seed: AwsShootSeed, signal: AbortSignal) => {
  const { shootApi, ...ofAny } = observedSeed(seed, namespace, signal)
  return {
    ...ofAny,
    /** Returns the objects of its controllers in the shoot, as `<name> <uid>`. */
    shootObjects: async (): Promise<readonly string[]> => {
      const api = await shootApi()
      const pages = await Promise.all(
        [daemonSets, webhooks, storageClasses, definitions].map(kind => api.list(kind)),
      )
      return pages
        .flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.uid}`))
        .sort()
    },
    /**
     * Returns the fingerprints of the CAs that the shoot's API server trusts for the webhook of the load balancer
     * controller.
     */
    trustedByShoot: async (): Promise<readonly string[]> => {
      const { items } = await (await shootApi()).list(webhooks)
      const bundle = base64Text(/"caBundle":"([^"]+)"/.exec(JSON.stringify(items))?.[1])
      const certificates = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
      return certificates.map(pem => new X509Certificate(pem).fingerprint256)
    },
  }
}

/**
 * Returns the write calls of functions and machine controllers since the last call, each with its count. A change of
 * records counts each record: records of one zone that are due at the same time share a change.
 */
export const cloudWrites = (aws: Aws): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const call of aws.calls.all()) {
    if (isRead(call) || call.accessKeyId === operatorCredentials.accessKeyId) continue
    const { Changes = [0] } = Object(call.input.ChangeBatch)
    counts[call.action] = (counts[call.action] ?? 0) + Changes.length
  }
  aws.calls.clear()
  return counts
}
