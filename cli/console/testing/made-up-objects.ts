/** Objects of made-up shoots, with the fields that trees and maps read. */

const extensions = 'extensions.gardener.cloud/v1alpha1'

interface MadeUpObject {
  readonly id: string
  readonly object: Readonly<Record<string, unknown>>
  /** The function that works on it. Undefined: no function does. */
  readonly function?: string
}

const extension = (
  kind: string,
  namespace: string,
  name: string,
  type: string,
  more: { readonly spec?: object; readonly status?: object } = {},
): MadeUpObject => ({
  id: `${kind} ${namespace}/${name}`,
  function: `aws-${kind.toLowerCase()}`,
  object: {
    apiVersion: extensions,
    kind,
    metadata: { namespace, name, uid: `${kind}-${namespace}`, generation: 1, annotations: {} },
    spec: { type, secretRef: { namespace, name: 'cloudprovider' }, ...more.spec },
    status: { observedGeneration: 1, ...more.status },
  },
})

const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c']

const network = (number: number) => ({
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'InfrastructureState',
  data: Object.fromEntries([
    ['VPC', `vpc-0${number}`],
    ['InternetGateway', `igw-0${number}`],
    ['NodesSecurityGroup', `sg-0${number}`],
    ['MainRouteTable', `rtb-0${number}`],
    ['KeyPair', `shoot-${number}-ssh`],
    ['IAMRoleName', `shoot-${number}-nodes`],
    ...zones.flatMap((zone, index) => [
      [`Zones/${zone}/SubnetWorkers`, `subnet-0${number}${index}a`],
      [`Zones/${zone}/SubnetPublicUtility`, `subnet-0${number}${index}b`],
      [`Zones/${zone}/SubnetPrivateUtility`, `subnet-0${number}${index}c`],
      [`Zones/${zone}/NATGateway`, `nat-0${number}${index}`],
      [`Zones/${zone}/NATGatewayElasticIP`, `eipalloc-0${number}${index}`],
      [`Zones/${zone}/ZoneRouteTable`, `rtb-0${number}${index}`],
    ]),
  ]),
})

const machine = (namespace: string, number: number, index: number): MadeUpObject => ({
  id: `Machine ${namespace}/pool-a-${index}`,
  object: {
    apiVersion: 'machine.sapcloud.io/v1alpha1',
    kind: 'Machine',
    metadata: {
      namespace,
      name: `pool-a-${index}`,
      labels: { name: `${namespace}-pool-a`, node: `ip-10-250-0-${index}` },
    },
    spec: {
      class: { name: 'class-1' },
      providerID: `aws:///${zones[index % 3]}/i-${(number * 16 + index).toString(16).padStart(8, '0')}`,
    },
    status: { currentStatus: { phase: 'Running' } },
  },
})

/** Returns the objects of a shoot, in Gardener's order. */
export const madeUpObjects = (namespace: string, name: string, number: number): readonly MadeUpObject[] => [
  {
    id: `Cluster ${namespace}`,
    object: {
      apiVersion: extensions,
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: {
        cloudProfile: {},
        seed: {},
        shoot: {
          metadata: { namespace: 'garden-dev', name, uid: `uid-${number}` },
          spec: { region: 'eu-west-1', provider: { type: 'aws' } },
          status: { lastOperation: { type: 'Reconcile', state: 'Succeeded', progress: 100 } },
        },
      },
    },
  },
  extension('Infrastructure', namespace, name, 'aws', { status: { state: network(number) } }),
  extension('DNSRecord', namespace, `${name}-internal`, 'aws-route53', {
    spec: { name: `api.${name}.internal.example.com`, recordType: 'A', values: ['192.0.2.1'] },
    status: { zone: 'Z0123456789' },
  }),
  extension('DNSRecord', namespace, `${name}-external`, 'aws-route53', {
    spec: { name: `api.${name}.example.com`, recordType: 'A', values: ['192.0.2.1'] },
    status: { zone: 'Z0123456789' },
  }),
  extension('ControlPlane', namespace, name, 'aws'),
  extension('Network', namespace, name, 'calico'),
  extension('OperatingSystemConfig', namespace, 'pool-a-original', 'gardenlinux'),
  extension('Extension', namespace, 'shoot-oidc-service', 'shoot-oidc-service'),
  extension('Worker', namespace, name, 'aws'),
  {
    id: `MachineDeployment ${namespace}/${namespace}-pool-a`,
    object: {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind: 'MachineDeployment',
      metadata: { namespace, name: `${namespace}-pool-a`, generation: 1 },
      spec: { replicas: 3, template: { spec: { class: { name: 'class-1' } } } },
      status: {
        observedGeneration: 1,
        replicas: 3,
        readyReplicas: 3,
        updatedReplicas: 3,
        availableReplicas: 3,
        conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }],
      },
    },
  },
  ...[0, 1, 2].map(index => machine(namespace, number, index)),
]
