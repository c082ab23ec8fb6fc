import * as ec2 from '@aws-sdk/client-ec2'
import * as iam from '@aws-sdk/client-iam'
import { Route53Client } from '@aws-sdk/client-route-53'
import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import { createSharer, namesakeTags } from '../../../../sandbox/providers/aws/simulation/namesake.ts'
import type { Random, World } from '../../../../sandbox/simulation/simulation.ts'
import type { Part } from '../cast.ts'
import { changeSets } from '../casts/record-accidents.ts'
import { otherZone } from '../homes.ts'
import { settingsOf } from './users.ts'

type Leave = () => Promise<unknown>

/** Others who are there before an object is created, and may be in its way. Returns how they leave. */
type Arrival = (world: World<AwsSide>, part: Part) => Promise<Leave>

const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f other@test'

/** The role, the profile and the key pair of a namesake. It has created them first, so they prove its name. */
const identity: Arrival = async (world, { home }) => {
  const client = new iam.IAMClient(settingsOf(home, world))
  const keys = new ec2.EC2Client(settingsOf(home, world))
  const KeyName = `${home.namespace}-ssh-publickey`
  const RoleName = `${home.namespace}-nodes`
  const profile = { InstanceProfileName: RoleName }
  await client.send(
    new iam.CreateRoleCommand({
      RoleName,
      Description: `Nodes of a Gardener shoot: ${RoleName} (uid-of-a-namesake)`,
      AssumeRolePolicyDocument: JSON.stringify({
        Version: '2012-10-17',
        Statement: [
          { Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' },
        ],
      }),
    }),
  )
  await client.send(new iam.CreateInstanceProfileCommand(profile))
  await client.send(new iam.AddRoleToInstanceProfileCommand({ ...profile, RoleName }))
  await keys.send(
    new ec2.ImportKeyPairCommand({
      KeyName,
      PublicKeyMaterial: Buffer.from(otherKey),
      TagSpecifications: [{ ResourceType: 'key-pair', Tags: namesakeTags(home.namespace) }],
    }),
  )
  return async () => {
    await keys.send(new ec2.DeleteKeyPairCommand({ KeyName }))
    await client.send(new iam.RemoveRoleFromInstanceProfileCommand({ ...profile, RoleName }))
    await client.send(new iam.DeleteInstanceProfileCommand(profile))
    await client.send(new iam.DeleteRoleCommand({ RoleName }))
  }
}

/** A user has a key pair with the name of the shoot's. */
const keyPair: Arrival = async (world, { home }) => {
  const keys = new ec2.EC2Client(settingsOf(home, world))
  const KeyName = `${home.namespace}-ssh-publickey`
  await keys.send(new ec2.ImportKeyPairCommand({ KeyName, PublicKeyMaterial: Buffer.from(otherKey) }))
  return () => keys.send(new ec2.DeleteKeyPairCommand({ KeyName }))
}

/** A namesake in the VPC of a user: its group of the nodes has the only name for ours. */
const sharer: Arrival = async (world, { home, desired }) => {
  const vpc = Object(desired.spec.providerConfig).networks?.vpc?.id
  const subnet = world.cloud
    .contentsOf(owner => owner === 'others')
    .find(({ place, value }) => place.endsWith(' subnets') && Object(value).vpcId === vpc)
  if (vpc === undefined || subnet === undefined) return async () => {}
  return createSharer(settingsOf(home, world), home.namespace, vpc, Object(subnet.value).id)
}

/** A user has a group with the name of the Bastion's in the VPC of the shoot. */
const bastionGroup: Arrival = async (world, { home, desired }) => {
  const client = new ec2.EC2Client(settingsOf(home, world))
  const nodes = world.cloud
    .contentsOf(owner => owner.startsWith(`Infrastructure ${home.namespace}/`))
    .find(({ value }) => Object(value).name === `${home.namespace}-nodes`)
  const { GroupId } = await client.send(
    new ec2.CreateSecurityGroupCommand({
      GroupName: `${home.namespace}-${desired.key.name}-bsg`,
      Description: 'of a user',
      VpcId: String(Object(nodes?.value).vpcId),
    }),
  )
  return () => client.send(new ec2.DeleteSecurityGroupCommand({ GroupId }))
}

/** A user has weighted record sets of the same name, and of another type if there may be one. */
const records =
  (isOfType: boolean): Arrival =>
  async (world, { home, desired }) => {
    const client = new Route53Client(settingsOf(home, world))
    const { name, recordType } = desired.spec
    const [, zone] = home.zones
    const isText = !isOfType && recordType === 'A'
    const Value = isText ? '"of the user"' : recordType === 'A' ? '192.0.2.7' : 'user.example.org'
    const sets = ['blue', 'green'].map((SetIdentifier, Weight) => ({
      ...{ Name: String(name), TTL: 60, SetIdentifier, Weight, ResourceRecords: [{ Value }] },
      Type: isText ? ('TXT' as const) : (recordType as 'A' | 'CNAME'),
    }))
    await changeSets(client, zone, 'CREATE', sets)
    return () => changeSets(client, zone, 'DELETE', sets)
  }

/** A user has an alias of the same name, to another record of the zone. */
const alias: Arrival = async (world, { home, desired }) => {
  const client = new Route53Client(settingsOf(home, world))
  const [, HostedZoneId] = home.zones
  const AliasTarget = { HostedZoneId, DNSName: 'www.rose.example.com', EvaluateTargetHealth: false }
  const sets = [{ Name: String(desired.spec.name), Type: 'A' as const, AliasTarget }]
  if (!/^plain/.test(String(Object(desired.spec).values?.[0]))) return async () => {}
  await changeSets(client, HostedZoneId, 'CREATE', sets)
  return () => changeSets(client, HostedZoneId, 'DELETE', sets)
}

/** A user has a record of the same name in a zone that no step has used. */
const elsewhere: Arrival = async (world, { home, desired: { spec } }) => {
  const client = new Route53Client(settingsOf(home, world))
  const Value = spec.recordType === 'A' ? '192.0.2.9' : 'elsewhere.example.org'
  const Type = spec.recordType as 'A' | 'CNAME'
  const sets = [{ Name: String(spec.name), Type, TTL: 60, ResourceRecords: [{ Value }] }]
  await changeSets(client, otherZone(home), 'CREATE', sets)
  return () => changeSets(client, otherZone(home), 'DELETE', sets)
}

/** These are in the way of nothing. */
const always: ReadonlySet<Arrival> = new Set([elsewhere])

const arrivals: Readonly<Record<string, readonly Arrival[]>> = {
  Infrastructure: [identity, sharer, sharer, keyPair],
  Bastion: [bastionGroup],
  DNSRecord: [records(true), records(false), alias, elsewhere],
}

/** These create a resource that names another new one, which AWS refuses while it does not show that one yet. */
const inSteps: ReadonlySet<Arrival> = new Set([identity, sharer])

/** Lets others arrive before the parts of a life. The returned function lets them leave. */
export const letOthersArrive = async (
  world: World<AwsSide>,
  parts: readonly Part[],
  { random, isLate }: { readonly random: Random; readonly isLate: boolean },
): Promise<Leave> => {
  const leaves: Leave[] = []
  for (const part of parts)
    for (const arrive of arrivals[part.desired.kind] ?? []) {
      const comes = always.has(arrive) || random.chance(0.3)
      if (part.isLast || !comes || (isLate && inSteps.has(arrive))) continue
      try {
        leaves.push(await arrive(world, part))
      } catch (error) {
        world.trace.note('people', `failed: ${error}`)
      }
    }
  return async () => {
    for (const leave of leaves.splice(0))
      await leave().catch(error => world.trace.note('people', `failed: ${error}`))
  }
}
