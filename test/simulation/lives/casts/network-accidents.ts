import * as ec2 from '@aws-sdk/client-ec2'
import { CreateLoadBalancerCommand, ElasticLoadBalancingClient } from '@aws-sdk/client-elastic-load-balancing'
import { type AwsSide, asControllers } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { World } from '../../../../sandbox/simulation/simulation.ts'
import type { Accident } from '../cast.ts'
import { type Home, region } from '../homes.ts'

type Row = Readonly<Record<string, unknown>>

/** Returns the resources of the network in a table. People see all of them. */
export const rowsIn = ({ cloud }: World<AwsSide>, { namespace, name }: Home, table: string): readonly Row[] =>
  cloud
    .contentsOf(owner => owner === `Infrastructure ${namespace}/${name}`)
    .filter(({ place }) => place.endsWith(` ${table}`))
    .map(({ value }) => value as Row)

/** Returns the id of the only resource, or of one of them. */
const idIn = (world: World<AwsSide>, home: Home, table: string): string => {
  const [first] = rowsIn(world, home, table)
  if (first === undefined) throw new Error(`the network has no ${table}`)
  return String(first.id)
}

/** The acts of people and controllers beside a network, or with it. */
export const accidentsOf = (home: Home): readonly Accident[] => {
  const settingsOf = ({ cloud: { aws } }: World<AwsSide>) => ({
    region,
    credentials: { accessKeyId: home.keys.accessKeyID, secretAccessKey: home.keys.secretAccessKey },
    requestHandler: aws.requestHandler,
    maxAttempts: 1,
  })
  const clientOf = (world: World<AwsSide>) => new ec2.EC2Client(settingsOf(world))
  const clusterTag = { Key: `kubernetes.io/cluster/${home.namespace}`, Value: 'owned' }

  return [
    // A second address of the NAT gateway, for more connections.
    async world => {
      const client = clientOf(world)
      const NatGatewayId = idIn(world, home, 'natGateways')
      const { AllocationId = '' } = await client.send(new ec2.AllocateAddressCommand({ Domain: 'vpc' }))
      const release = async () => {
        // The gateway uses it for some time.
        for (let tries = 1; ; tries++)
          try {
            return await client.send(new ec2.ReleaseAddressCommand({ AllocationId }))
          } catch (error) {
            if (tries === 60) throw error
            await world.clock.sleep(5_000)
          }
      }
      try {
        await client.send(
          new ec2.AssociateNatGatewayAddressCommand({ NatGatewayId, AllocationIds: [AllocationId] }),
        )
      } catch (error) {
        await release()
        throw error
      }
      const disassociate = async () => {
        const { NatGateways = [] } = await client.send(
          new ec2.DescribeNatGatewaysCommand({ NatGatewayIds: [NatGatewayId] }),
        )
        const AssociationIds = NatGateways.flatMap(({ NatGatewayAddresses = [] }) =>
          NatGatewayAddresses.flatMap(({ AllocationId: id, AssociationId }) =>
            id === AllocationId ? (AssociationId ?? []) : [],
          ),
        )
        await client.send(
          new ec2.DisassociateNatGatewayAddressCommand({
            NatGatewayId,
            AssociationIds,
            MaxDrainDurationSeconds: 1,
          }),
        )
      }
      return async () => {
        // It may still be associating, and the gateway may be gone.
        await world.clock.sleep(15_000)
        await disassociate().catch(() => {})
        await release()
        // Lists show it for some time.
        await world.clock.sleep(100_000)
      }
    },
    // Leftovers of the controllers in the shoot: a load balancer, and groups that refer to each other.
    world =>
      asControllers(home.namespace, async () => {
        const client = clientOf(world)
        const VpcId = idIn(world, home, 'vpcs')
        const group = async (GroupName: string): Promise<string> => {
          const command = new ec2.CreateSecurityGroupCommand({
            GroupName,
            Description: 'Security group for Kubernetes ELB',
            VpcId,
            TagSpecifications: [{ ResourceType: 'security-group', Tags: [clusterTag] }],
          })
          return (await client.send(command)).GroupId ?? ''
        }
        const [one, other] = [await group('k8s-elb-one'), await group('k8s-elb-other')]
        const allow = (GroupId: string, from: string) =>
          client.send(
            new ec2.AuthorizeSecurityGroupIngressCommand({
              GroupId,
              IpPermissions: [
                { IpProtocol: 'tcp', FromPort: 443, ToPort: 443, UserIdGroupPairs: [{ GroupId: from }] },
              ],
            }),
          )
        await allow(one, other)
        await allow(other, one)
        await new ElasticLoadBalancingClient(settingsOf(world)).send(
          new CreateLoadBalancerCommand({
            LoadBalancerName: 'k8s-elb-one',
            Listeners: [{ Protocol: 'tcp', LoadBalancerPort: 443, InstancePort: 30_443 }],
            Subnets: [idIn(world, home, 'subnets')],
            SecurityGroups: [one],
            Tags: [clusterTag],
          }),
        )
        return undefined
      }),
    // People delete what the next reconciliation repairs.
    async world => {
      const [pair] = rowsIn(world, home, 'keyPairs')
      await clientOf(world).send(new ec2.DeleteKeyPairCommand({ KeyName: String(pair?.name) }))
      return undefined
    },
    async world => {
      const NatGatewayId = idIn(world, home, 'natGateways')
      await clientOf(world).send(new ec2.DeleteNatGatewayCommand({ NatGatewayId }))
      return undefined
    },
    async world => {
      const table = rowsIn(world, home, 'routeTables').find(
        ({ routes }) => Array.isArray(routes) && routes.length > 0,
      )
      await clientOf(world).send(
        new ec2.DeleteRouteCommand({ RouteTableId: String(table?.id), DestinationCidrBlock: '0.0.0.0/0' }),
      )
      return undefined
    },
  ]
}
