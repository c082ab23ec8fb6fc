import { definition as backupBucket } from '../../../functions/openstack/backupbucket/function.ts'
import { definition as backupEntry } from '../../../functions/openstack/backupentry/function.ts'
import { definition as bastion } from '../../../functions/openstack/bastion/function.ts'
import { makeNetwork } from '../../../functions/openstack/bastion/testing/shoot-network.ts'
import { definition as controlPlane } from '../../../functions/openstack/controlplane/function.ts'
import { definition as dnsRecord } from '../../../functions/openstack/dnsrecord/function.ts'
import { definition as infrastructure } from '../../../functions/openstack/infrastructure/function.ts'
import { simulatedSecret } from '../../../functions/openstack/provider/testing/simulated-cloud.ts'
import { definition as worker } from '../../../functions/openstack/worker/function.ts'
import {
  createOpenStack,
  type SimulatedOpenStack,
} from '../../../sandbox/providers/openstack/simulator/openstack.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import {
  createAccess,
  type OpenStackAccess,
  type OpenStackConnection,
} from '../../../terraform-free-infra/openstack/account/openstack.ts'
import { controlPlaneLife, label, workerLife } from './every-provider.ts'
import { exampleIn, type FunctionLife } from './function-life.ts'

const simulated = (): SimulatedOpenStack => createOpenStack({ clock: systemClock, scale: 0, furnished: true })

const connection = async () => simulated().connection

/** Returns the objects of the shoot that the other examples need, without those of other functions. */
const shoot = async (namespace: string): Promise<readonly KubernetesObject[]> =>
  (await exampleIn('openstack/infrastructure.yaml', namespace)).filter(
    ({ kind }) => kind !== 'Infrastructure' && kind !== 'DNSRecord',
  )

/** The project of the Secret in the examples. */
const accessTo = (of: OpenStackConnection): OpenStackAccess =>
  createAccess(
    of,
    systemClock,
  )({
    secret: { namespace: '', name: 'examples', labels: {}, data: simulatedSecret },
    region: 'RegionOne',
    signal: new AbortController().signal,
    throwIfExpired: () => {},
  })

/** The clouds of the shoots with a Bastion. */
const clouds = new Map<string, SimulatedOpenStack>()

/** An Infrastructure without a status, so that the Bastion reads the network in the Worker. */
const shootWithNetwork = async (namespace: string): Promise<readonly KubernetesObject[]> => {
  const openstack = simulated()
  clouds.set(namespace, openstack)
  const network = await makeNetwork(accessTo(openstack.connection), namespace)
  const given = [
    ...(await exampleIn('openstack/infrastructure.yaml', namespace)),
    ...(await exampleIn('openstack/shoot-worker.yaml', namespace)),
  ].filter(({ kind }) => kind !== 'DNSRecord')
  // The network, the floating pool, the router and the group in the invented status of the Worker.
  const ids = {
    1: network.networkId,
    2: network.floatingNetworkId,
    3: network.routerId,
    5: network.nodesGroupId,
  }
  const text = Object.entries(ids).reduce(
    (all, [end, id]) => all.replaceAll(`0a000000-0000-4000-8000-00000000000${end}`, id),
    JSON.stringify(given),
  )
  return JSON.parse(text) as readonly KubernetesObject[]
}

export const openstackLives: readonly FunctionLife[] = [
  {
    definition: backupBucket,
    example: 'backup/openstack-bucket.yaml',
    change: label,
    besides: () => exampleIn('backup/before-buckets.yaml', ''),
    connection,
    stays: true,
  },
  {
    definition: backupEntry,
    example: 'backup/openstack-entry.yaml',
    change: label,
    besides: () => exampleIn('backup/before-buckets.yaml', ''),
    connection,
  },
  {
    definition: infrastructure,
    example: 'openstack/infrastructure.yaml',
    change: label,
    waitsInSteps: true,
    connection,
  },
  {
    definition: dnsRecord,
    example: 'openstack/infrastructure.yaml',
    change: { spec: { values: ['203.0.113.11'] } },
    connection,
    // The record of a seed has a namespace without a shoot or Cluster.
    meanwhile: async ({ leadAnother }) => {
      const objects = await exampleIn('openstack/infrastructure.yaml', 'of-no-openstack-shoot')
      const [record, secret] = ['DNSRecord', 'Secret'].map(kind => objects.find(one => one.kind === kind))
      if (record === undefined || secret === undefined) throw new Error('the example has no record')
      const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'of-no-openstack-shoot' } }
      await leadAnother(record, namespace, secret)
    },
  },
  {
    definition: bastion,
    example: 'openstack/shoot-bastion.yaml',
    change: { spec: { ingress: [{ ipBlock: { cidr: '203.0.113.8/32' } }] } },
    besides: shootWithNetwork,
    connection: async namespace => clouds.get(namespace)?.connection,
    waitsInSteps: true,
    stays: true,
  },
  {
    ...controlPlaneLife({
      definition: controlPlane,
      example: 'openstack/shoot-controlplane.yaml',
      besides: shoot,
    }),
    forHealth: ['list deployments.apps'],
  },
  workerLife({
    definition: worker,
    example: 'openstack/shoot-worker.yaml',
    pool: 'system',
    besides: shoot,
    connection,
  }),
]
