import { expect, test } from 'vitest'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { Cluster, Network } from '../../../shared/contract/objects.ts'
import { parseCluster, parseObject } from '../../../shared/contract/parse.ts'
import { desiredNetwork } from './desired-network.ts'
import { imageTable } from './image-table.ts'
import { calicoValues } from './input/calico-values.ts'
import { readNetwork } from './input/read-network.ts'
import { shootOf } from './testing/seed.ts'

type Json = Readonly<Record<string, unknown>>

const odd: readonly unknown[] = [
  null,
  '',
  'x',
  -1,
  1.5,
  true,
  [],
  [null],
  [['x']],
  {},
  { x: 'x' },
  'x'.repeat(10_000),
]

const network = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Network',
  metadata: { name: 'network', namespace: 'shoot--foo--bar' },
  spec: {
    type: 'calico',
    podCIDR: '10.3.0.0/16',
    serviceCIDR: '10.4.0.0/16',
    ipFamilies: ['IPv4'],
    providerConfig: {},
  },
}
const cluster = {
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'shoot--foo--bar' },
  spec: { cloudProfile: {}, shoot: shootOf({ status: { networking: {} } }) },
}

const changed = (object: unknown, [first = '', ...rest]: readonly string[], value: unknown): Json => {
  const fields = Object(object)
  return { ...fields, [first]: rest.length === 0 ? value : changed(fields[first], rest, value) }
}

/** Renders the input, unless a schema refuses it. */
const render = (asked: unknown, shoot: unknown): 'rendered' | 'refused by a schema' => {
  const [parsed, found] = [parseObject('Network', asked), parseCluster(shoot)]
  if (!parsed.ok || !found.ok) return 'refused by a schema'
  const object: Network = parsed.object
  const of: Cluster = found.object
  const values = calicoValues({
    network: object,
    config: readNetwork(object),
    cluster: of,
    nonPrivileged: false,
  })
  JSON.stringify(desiredNetwork(values, imageTable))
  return 'rendered'
}

const configFields = [
  'backend',
  'ipam',
  'ipam.cidr',
  'ipv4',
  'ipv4.autoDetectionMethod',
  'ipv6',
  'vethMTU',
  'overlay',
  'overlay.enabled',
  'autoScaling',
  'autoScaling.resources.node.cpu',
  'multus',
  'ipip',
]
const networkFields = [
  'spec.podCIDR',
  'spec.serviceCIDR',
  'spec.ipFamilies',
  'spec.providerConfig',
  ...configFields.map(field => `spec.providerConfig.${field}`),
]
const clusterFields = [
  'spec.shoot.spec',
  'spec.shoot.spec.kubernetes',
  'spec.shoot.spec.kubernetes.kubeProxy',
  'spec.shoot.spec.kubernetes.verticalPodAutoscaler',
  'spec.shoot.spec.networking',
  'spec.shoot.spec.networking.nodes',
  'spec.shoot.status',
  'spec.shoot.status.constraints',
  'spec.shoot.status.networking.nodes',
  'spec.shoot.status.networking.pods',
]

test.each(networkFields)(
  'any content of %s of a Network is rendered or refused as an error of the user',
  field => {
    for (const value of odd) {
      try {
        render(changed(network, field.split('.'), value), cluster)
      } catch (error) {
        expect(error, JSON.stringify(value)).toBeInstanceOf(CodedError)
        expect(error).toMatchObject({ codes: ['ERR_CONFIGURATION_PROBLEM'] })
        expect(String(error).length).toBeLessThan(1_000)
      }
    }
  },
)

test.each(clusterFields)(
  'any content of %s of a Cluster is rendered or refused with a clear error',
  field => {
    for (const value of odd) {
      try {
        render(network, changed(cluster, field.split('.'), value))
      } catch (error) {
        expect(String(error), JSON.stringify(value)).toContain('failed to parse the Kubernetes version')
      }
    }
  },
)

test('the rest of such an object is rendered', () => {
  expect(render(network, cluster)).toBe('rendered')
})
