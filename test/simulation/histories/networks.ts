import {
  AuthorizeSecurityGroupIngressCommand,
  DeleteKeyPairCommand,
  DeleteNatGatewayCommand,
  ImportKeyPairCommand,
} from '@aws-sdk/client-ec2'
import type { GardenShoot } from '../../../sandbox/gardenlet/gardenlet.ts'
import { furnishAccount } from '../../../sandbox/providers/aws/simulation/furnish-account.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import { changeAccount, personInEc2, personSettings } from './accounts.ts'
import { aliveRows } from './alive-rows.ts'
import { type AwsLife, awsHistories, beginShoot } from './aws-history.ts'
import { type History, mustHold } from './history.ts'
import { minute, type OwnObject } from './life.ts'
import { servicesOf } from './services-of.ts'

/** The Infrastructure of the shoot, without the rest of the shoot. */
export const infrastructure = (life: AwsLife, shoot: GardenShoot = life.world.cloud.shoot): OwnObject => {
  const namespace = shoot.status.technicalID
  return {
    kind: 'Infrastructure',
    key: { name: shoot.metadata.name, namespace },
    spec: {
      type: 'aws',
      region: shoot.spec.region,
      secretRef: { name: 'cloudprovider', namespace },
      sshPublicKey: life.world.cloud.landscape.sshPublicKey,
      providerConfig: shoot.spec.provider.infrastructureConfig,
    },
  }
}

export const networkHistory = (
  title: string,
  course: (life: AwsLife) => Promise<void>,
  points?: History['points'],
  except?: History['except'],
): History =>
  awsHistories('Infrastructure')(
    title,
    ['aws-infrastructure'],
    async life => {
      await beginShoot(life)
      await course(life)
    },
    points,
    except,
  )

export const created = (life: AwsLife): Promise<void> => life.untilSucceeded(infrastructure(life))

/** The number of rows that a shoot adds to the account. */
const counts = ({ world: { cloud } }: AwsLife): string =>
  ['vpcs', 'subnets', 'addresses', 'natGateways', 'routeTables', 'internetGateways']
    .map(table => `${table} ${aliveRows(cloud, table).length}`)
    .join(', ')

const fresh = 'vpcs 2, subnets 6, addresses 1, natGateways 1, routeTables 4, internetGateways 2'
const none = 'vpcs 1, subnets 3, addresses 0, natGateways 0, routeTables 1, internetGateways 1'

const mustCount = (life: AwsLife, expected: string): void =>
  mustHold(counts(life) === expected, `expected ${expected}, found ${counts(life)}`)

const of = /aws-infrastructure/

export const networkHistories: readonly History[] = [
  networkHistory(
    'a lost creation is adopted',
    async life => {
      await created(life)
      await life.drop(infrastructure(life))
      await life.untilGone(infrastructure(life))
      for (const about of [/CreateVpc/, /AllocateAddress/, /CreateSubnet/])
        life.fault({ of, about, fate: { kind: 'crash', when: 'after' } })
      await life.apply(infrastructure(life))
      mustCount(life, fresh)
    },
    'intermediate',
  ),
  networkHistory(
    'a deletion that AWS refuses leaks no address',
    async life => {
      await created(life)
      const allow = life.world.cloud.aws.faults.add({
        service: 'ec2',
        action: 'ReleaseAddress',
        times: null,
        effect: { kind: 'error', code: 'UnauthorizedOperation', status: 403 },
      })
      await life.drop(infrastructure(life))
      await life.sleep(10 * minute)
      allow()
      await life.untilGone(infrastructure(life))
      mustCount(life, none)
    },
    'unobserved',
  ),
  networkHistory('an endpoint that left the config is deleted', async life => {
    const own = infrastructure(life)
    const config = own.spec.providerConfig as { readonly networks: { readonly vpc: object } }
    const withEndpoints = (gatewayEndpoints: readonly string[]): OwnObject => {
      const vpc = { ...config.networks.vpc, gatewayEndpoints }
      const providerConfig = { ...config, networks: { ...config.networks, vpc } }
      return { ...own, spec: { ...own.spec, providerConfig } }
    }
    await created(life)
    await life.apply(withEndpoints(['s3']))
    mustHold(aliveRows(life.world.cloud, 'vpcEndpoints').length === 1, 'expected an endpoint')
    await life.apply(withEndpoints([]))
    await life.sleep(10 * minute)
    mustHold(aliveRows(life.world.cloud, 'vpcEndpoints').length === 0, 'the former endpoint is still there')
  }),
  networkHistory('a NAT gateway that a user deletes is replaced with its routes', async life => {
    await created(life)
    const [gateway] = aliveRows(life.world.cloud, 'natGateways')
    const person = personInEc2(life.world.cloud)
    await person.send(new DeleteNatGatewayCommand({ NatGatewayId: String(gateway?.id) }))
    await life.sleep(5 * minute)
    await life.apply(infrastructure(life))
    const routes = JSON.stringify(aliveRows(life.world.cloud, 'routeTables'))
    mustHold(!routes.includes(String(gateway?.id)), 'a route leads to the former NAT gateway')
  }),
  networkHistory('rules of others stay', async life => {
    await created(life)
    const group = aliveRows(life.world.cloud, 'securityGroups').find(({ name }) =>
      /-nodes$/.test(String(name)),
    )
    const person = personInEc2(life.world.cloud)
    await person.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: String(group?.id),
        IpPermissions: [
          {
            IpProtocol: 'tcp',
            FromPort: 30_000,
            ToPort: 32_767,
            IpRanges: [{ CidrIp: '10.250.200.0/24', Description: 'balancer' }],
          },
        ],
      }),
    )
    await person.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: String(group?.id),
        IpPermissions: [
          { IpProtocol: 'tcp', FromPort: 4_443, ToPort: 4_443, IpRanges: [{ CidrIp: '192.0.2.0/24' }] },
        ],
      }),
    )
    await life.apply(infrastructure(life))
    const now = JSON.stringify(aliveRows(life.world.cloud, 'securityGroups'))
    mustHold(now.includes('192.0.2.0/24'), 'the rule of another client was revoked')
  }),
  networkHistory(
    'a key pair that a user replaces is repaired',
    async life => {
      await created(life)
      const [pair] = aliveRows(life.world.cloud, 'keyPairs')
      const person = personInEc2(life.world.cloud)
      await person.send(new DeleteKeyPairCommand({ KeyName: String(pair?.name) }))
      const key =
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f other@test'
      await person.send(
        new ImportKeyPairCommand({
          KeyName: String(pair?.name),
          PublicKeyMaterial: Buffer.from(key),
          TagSpecifications: [
            {
              ResourceType: 'key-pair',
              Tags: pair?.tags as { readonly Key: string; readonly Value: string }[],
            },
          ],
        }),
      )
      await life.apply(infrastructure(life))
      const [after] = aliveRows(life.world.cloud, 'keyPairs')
      mustHold(after?.publicKey === pair?.publicKey, 'the key pair has the key of the user')
    },
    undefined,
    /names KeyName/,
  ),
  networkHistory(
    'a deletion with the credentials of another account leaks nothing',
    async life => {
      await created(life)
      const { namespace } = infrastructure(life).key as { readonly namespace: string }
      const restore = await changeAccount(life, { name: 'cloudprovider', namespace })
      await life.drop(infrastructure(life))
      await life.sleep(10 * minute)
      await restore()
      await life.untilGone(infrastructure(life))
      mustCount(life, none)
      mustHold(JSON.stringify(servicesOf(life.world.cloud)).length > 0, 'the account is unreadable')
    },
    'unobserved',
  ),
  networkHistory('the group and the reservations of a user stay', async life => {
    const { cloud } = life.world
    const usual = infrastructure(life)
    await life.drop(usual)
    await life.untilGone(usual)
    const { own } = await furnishAccount(personSettings(cloud), cloud.shoot.status.technicalID)
    const rows = () =>
      JSON.stringify(['securityGroups', 'subnetReservations'].map(table => aliveRows(cloud, table)))
    const before = rows()
    await life.seed.kubernetes.patch(
      clusterKind.resource,
      { name: cloud.shoot.status.technicalID },
      { spec: { shoot: { spec: { networking: { ipFamilies: ['IPv4', 'IPv6'] } } } } },
    )
    const network = infrastructure(life)
    const providerConfig = {
      ...Object(network.spec.providerConfig),
      networks: {
        vpc: { id: own.vpc },
        nodesSecurityGroupID: own.group,
        zones: Object.entries(own.zones)
          .slice(0, 1)
          .map(([name, zone]) => ({
            name,
            workersSubnetID: zone.workers,
            publicSubnetID: zone.public,
            internalSubnetID: zone.internal,
          })),
      },
      dualStack: { enabled: true },
    }
    const ownNetwork = { ...network, spec: { ...network.spec, providerConfig } }
    await life.apply(ownNetwork)
    await life.drop(ownNetwork)
    await life.untilGone(ownNetwork)
    mustHold(rows() === before, `expected ${before}, found ${rows()}`)
  }),
  networkHistory(
    'a throttled step is retried soon',
    async life => {
      life.fault({
        of,
        about: /CreateSubnet/,
        times: 20,
        lastsMs: minute,
        fate: { kind: 'refused', status: 429 },
      })
      await created(life)
      mustCount(life, fresh)
    },
    'unobserved',
  ),
]
