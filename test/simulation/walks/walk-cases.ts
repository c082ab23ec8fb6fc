import type { Walk } from './space/walk.ts'

/** A walk that once failed, and its space. */
export interface WalkCase {
  readonly space: string
  readonly found: string
  readonly walk: Walk
}

const dnsSpec = {
  type: 'aws-route53',
  secretRef: { name: 'dnsrecord-rose-external', namespace: 'shoot--garden--rose' },
  name: 'api.rose.example.com',
  recordType: 'A',
  values: ['203.0.113.10'],
}

const ownSubnets = {
  type: 'aws',
  region: 'eu-west-1',
  secretRef: { name: 'cloudprovider', namespace: 'shoot--garden--rose' },
  providerConfig: {
    apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
    kind: 'InfrastructureConfig',
    networks: {
      vpc: { id: 'vpc-00000000000000001' },
      zones: [
        {
          name: 'eu-west-1a',
          workersSubnetID: 'subnet-0000000000000a001',
          publicSubnetID: 'subnet-0000000000000a002',
          internalSubnetID: 'subnet-0000000000000a003',
        },
      ],
    },
  },
}
const own = (overlay: boolean) => ({ spec: ownSubnets, families: ['IPv4'], overlay })

export const walkCases: readonly WalkCase[] = [
  {
    space: 'aws/dnsrecord',
    found: 'a record stayed in its former hosted zone',
    walk: ['ZROSE', 'ZEXAMPLE'].map(zone => ({
      configuration: { spec: { ...dnsSpec, zone }, ipStack: 'ipv4' },
    })),
  },
  {
    space: 'aws/infrastructure',
    found: 'route tables stayed tagged after the pod network got an overlay',
    walk: [
      { configuration: own(false) },
      { configuration: own(true), trouble: 'no permission to tag' },
      { configuration: own(true) },
    ],
  },
]
