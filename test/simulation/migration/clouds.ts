import * as ec2 from '@aws-sdk/client-ec2'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { operator } from '../../../sandbox/providers/aws/account-contents.ts'
import { moveIn } from '../../../sandbox/providers/aws/simulation/account-of-others.ts'
import { type AwsSide, createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { createLocalSide, type LocalSide } from '../../../sandbox/providers/local/simulation/local-side.ts'
import {
  createOpenStackSide,
  type OpenStackSide,
} from '../../../sandbox/providers/openstack/simulation/openstack-side.ts'
import type { CloudSide, CreateCloudSide } from '../../../sandbox/simulation/simulation.ts'

/** The cloud of moves, and people who work on it. */
export interface MovedCloud {
  readonly name: string
  readonly create: CreateCloudSide
  /** Creates resources that do not belong to Gardener. */
  readonly furnish: (side: CloudSide) => Promise<void>
  /** Stores a backup of the shoot's etcd, as etcd does. */
  readonly backUp: (side: CloudSide, bucket: string) => Promise<void>
  /** Changes before a move, by name. Each changes the cloud, or returns a changed shoot. */
  readonly changes: Readonly<Record<string, (side: CloudSide) => Promise<GardenShoot | undefined>>>
}

export const awsCloud: MovedCloud = {
  name: 'aws',
  create: options => withZones(createAwsSide(options), ['eu-west-1a', 'eu-west-1b']),
  furnish: side => moveIn(awsOf(side)),
  backUp: async (side, bucket) => {
    const { metadata, status } = side.shoot
    const Key = `${status.technicalID}--${metadata.uid}/etcd-main/a`
    const client = new S3Client(operator(awsOf(side).requestHandler))
    await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'backup' }))
  },
  changes: {
    'a NAT gateway was replaced': async side => {
      const client = new ec2.EC2Client(operator(awsOf(side).requestHandler))
      const { NatGateways = [] } = await client.send(new ec2.DescribeNatGatewaysCommand({}))
      for (const { NatGatewayId } of NatGateways)
        await client.send(new ec2.DeleteNatGatewayCommand({ NatGatewayId }))
      return undefined
    },
    'a machine was replaced': async side => {
      const client = new ec2.EC2Client(operator(awsOf(side).requestHandler))
      const { Reservations = [] } = await client.send(
        new ec2.DescribeInstancesCommand({
          Filters: [{ Name: `tag:kubernetes.io/cluster/${side.shoot.status.technicalID}`, Values: ['1'] }],
        }),
      )
      const [first] = Reservations.flatMap(({ Instances = [] }) => Instances)
      if (first?.InstanceId === undefined) throw new Error('the shoot has no machine')
      await client.send(new ec2.TerminateInstancesCommand({ InstanceIds: [first.InstanceId] }))
      return undefined
    },
    'a zone was added': async ({ shoot }) => {
      const { infrastructureConfig } = shoot.spec.provider
      const { networks } = infrastructureConfig as {
        readonly networks: { readonly zones: readonly object[] }
      }
      const zone = {
        name: 'eu-west-1b',
        workers: '10.250.32.0/19',
        public: '10.250.100.0/22',
        internal: '10.250.116.0/22',
      }
      const changed = { ...infrastructureConfig, networks: { ...networks, zones: [...networks.zones, zone] } }
      return withInfrastructure(shoot, changed)
    },
  },
}

/** The user may use these zones. */
const withZones = <C extends CloudSide>(side: C, zones: readonly string[]): C => {
  const profile = side.landscape.cloudProfile as { readonly spec: object }
  const regions = [{ name: side.shoot.spec.region, zones: zones.map(name => ({ name })) }]
  const cloudProfile = { ...profile, spec: { ...profile.spec, regions } }
  return { ...side, landscape: { ...side.landscape, cloudProfile } }
}

const withInfrastructure = (shoot: GardenShoot, infrastructureConfig: object): GardenShoot => ({
  ...shoot,
  spec: { ...shoot.spec, provider: { ...shoot.spec.provider, infrastructureConfig } },
})

const awsOf = (side: CloudSide) => (side as AwsSide).aws

/** Strangers are in each new side. */
export const openstackCloud: MovedCloud = {
  name: 'openstack',
  create: createOpenStackSide,
  furnish: async () => {},
  backUp: async (side, bucket) => {
    const { metadata, status } = side.shoot
    const name = `${status.technicalID}--${metadata.uid}/etcd-main/a`
    ;(side as OpenStackSide).addBackup(bucket, name)
  },
  changes: {
    'a machine was replaced': async side => {
      const { openstack, shoot } = side as OpenStackSide
      const machine = openstack
        .resources('server')
        .find(({ metadata }) => Object(metadata)[`kubernetes.io-cluster-${shoot.status.technicalID}`])
      if (machine === undefined) throw new Error('the shoot has no machine')
      openstack.remove('server', machine.id)
      return undefined
    },
    'a share network was added': async ({ shoot }) => {
      const { infrastructureConfig } = shoot.spec.provider
      const { networks } = infrastructureConfig as { readonly networks: object }
      return withInfrastructure(shoot, {
        ...infrastructureConfig,
        networks: { ...networks, shareNetwork: { enabled: true } },
      })
    },
  },
}

/** `directory`: returns a new empty directory for backups. */
export const localCloud = (directory: () => string): MovedCloud => ({
  name: 'local',
  create: options => createLocalSide(directory())(options),
  furnish: async side => {
    const { local } = side as LocalSide
    local.nameServer.set({
      name: 'others.local.gardener.cloud',
      type: 'A',
      ttl: 60,
      data: '198.51.100.7',
    })
  },
  backUp: async () => {},
  changes: {},
})
