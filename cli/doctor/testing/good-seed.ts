import { findFunctions } from '../../../functions/find-functions.ts'
import { findWebhooks } from '../../../functions/find-webhooks.ts'
import { deployedObjects, deploymentOf } from '../../../knative/knative.ts'
import { knativeDefinitions } from '../../../sandbox/knative/knative.ts'
import { formatMicroseconds } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { readyObject } from '../../sandbox/ready-object.ts'
import type { AskedRight, CheckedSeed, ReadOutcome } from '../checked-seed.ts'
import { expectedRights } from '../expected-rights.ts'
import { type ReadName, seedReads } from '../reads.ts'

export const testNow = Date.parse('2026-11-21T12:00:00Z')

/** The version of the installed objects and of the command. */
export const testVersion = '1.2.3'

/** The changes of a test: objects by the name of their read, or the outcome of a read. */
export type SeedChanges = Partial<Record<ReadName, ReadOutcome | readonly KubernetesObject[]>>

const established = (crd: KubernetesObject): KubernetesObject => ({
  ...crd,
  status: { conditions: [{ type: 'Established', status: 'True' }] },
})

const lease = (namespace: string, name: string, holderIdentity: string, ageMs: number): KubernetesObject => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name, namespace },
  spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: formatMicroseconds(testNow - ageMs) },
})

export const bridgeLease = (ageMs: number, holder = 'bridge-5c9f-x2_8d1f'): KubernetesObject =>
  lease('trellis', 'trellis-bridge', holder, ageMs)

export const heartbeat = (ageMs: number): KubernetesObject =>
  lease('extension-provider-aws-abcde', 'gardener-extension-heartbeat', 'provider-aws', ageMs)

const functions = await findFunctions()
const webhooks = await findWebhooks()
const installed = deployedObjects(
  deploymentOf({
    libraryVersion: testVersion,
    functions,
    webhooks,
    extensions: ['provider-aws'],
    image: program => `registry.example.org/trellis/${program}:1`,
  }),
).map(readyObject)

/** The installed objects of a read. */
const installedAs = ({ resource: { group, plural } }: (typeof seedReads)[ReadName]) =>
  installed.filter(
    ({ apiVersion, kind }) =>
      (apiVersion.includes('/') ? apiVersion.split('/')[0] : '') === group &&
      `${kind.toLowerCase()}s` === plural,
  )

/** Returns one installed object by the name of its read. */
export const installedOne = (read: ReadName, name: string): KubernetesObject => {
  const found = installedAs(seedReads[read]).find(({ metadata }) => metadata.name === name)
  if (found === undefined) throw new Error(`no ${read} ${name} is installed`)
  return found
}

/** Returns the installed objects with one of them replaced or removed. */
export const changed = (read: ReadName, name: string, other?: object): SeedChanges => ({
  [read]: installedAs(seedReads[read]).flatMap(object =>
    object.metadata.name !== name ? [object] : other === undefined ? [] : [{ ...object, ...other }],
  ),
})

const besides: SeedChanges = {
  definitions: [...allCrds(), ...machineCrds(), ...resourceCrds(), ...knativeDefinitions()].map(established),
  leases: [bridgeLease(3_000)],
  heartbeats: [heartbeat(20_000)],
  extensionDeployments: [],
}

const asOutcome = (given: ReadOutcome | readonly KubernetesObject[]): ReadOutcome =>
  'kind' in given ? given : { kind: 'objects', objects: given, complete: true }

/** A seed without problems, plus changes. It has no webhook registrations and no certificates. */
export const seedWith = (
  changes: SeedChanges = {},
  {
    server,
    rights,
    version = testVersion,
  }: {
    readonly server?: Partial<CheckedSeed['server']>
    readonly rights?: readonly AskedRight[]
    readonly version?: string
  } = {},
): CheckedSeed => {
  const names = Object.keys(seedReads) as ReadName[]
  const reads = Object.fromEntries(
    names.map(name => [name, asOutcome(changes[name] ?? besides[name] ?? installedAs(seedReads[name]))]),
  ) as CheckedSeed['reads']
  return {
    version,
    namespace: 'trellis',
    server: { version: 'v1.34.1', date: testNow, askedAt: testNow - 20, answeredAt: testNow, ...server },
    reads,
    rights:
      rights ??
      expectedRights({ namespace: 'trellis', reads }, functions, webhooks).map(right => ({
        ...right,
        allowed: true,
      })),
    functions,
  }
}
