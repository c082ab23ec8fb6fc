import { ChangeResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53'
import { createExtensionObjects } from '../../../sandbox/gardenlet/gardenlet.ts'
import {
  type AwsSide,
  createAwsSide,
  type Hostility,
} from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import {
  furnishAccount,
  type UserResources,
} from '../../../sandbox/providers/aws/simulation/furnish-account.ts'
import { createNamesake, createOtherCluster } from '../../../sandbox/providers/aws/simulation/namesake.ts'
import { addHostedZone } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { generatedNames } from '../../../sandbox/simulation/oracle/oracle.ts'
import {
  type CloudSideOptions,
  type SimulatedCode,
  simulate,
  type WorldBackup,
} from '../../../sandbox/simulation/simulation.ts'
import type { GivenByAccount } from './cast.ts'
import { managedNetwork } from './casts/networks.ts'
import { homes, objectsOfHomes, otherZone, privateZone, region, secondKeys, zoneNames } from './homes.ts'

/** The worlds in which lives begin. */
export interface Stage {
  /** Nothing of the shoots exists. */
  readonly empty: WorldBackup
  /** Each shoot has a network. */
  readonly withNetworks: WorldBackup
  readonly given: GivenByAccount
  /** The generated names in each. */
  readonly known: Readonly<Record<'empty' | 'withNetworks', ReadonlySet<string>>>
}

/** Two accounts: the second one is of another user. */
export const livesSide =
  (hostility: Hostility) =>
  (options: CloudSideOptions): AwsSide => {
    const side = createAwsSide(options, hostility)
    for (const home of homes.slice(1))
      for (const { accessKeyID: accessKeyId, secretAccessKey } of [home.keys, secondKeys(home)])
        side.aws.account(home.account).register({ accessKeyId, secretAccessKey })
    return side
  }

export const openStage = async (code: SimulatedCode): Promise<Stage> => {
  const given = new Map<string, UserResources>()
  const { backup: empty, known } = await simulate(
    {
      seed: 'stage',
      code,
      cloud: livesSide({}),
      delivery: 'in-memory',
      ofSeeds: { objects: objectsOfHomes(), bridges: 1, leaseTimes: 'none' },
    },
    async world => {
      for (const home of homes) {
        const { account, zones, namespace, keys } = home
        const inAccount = world.cloud.aws.account(account)
        for (const [index, id] of zones.entries())
          addHostedZone(inAccount, { name: zoneNames[index] ?? '', id })
        addHostedZone(inAccount, { name: zoneNames[0], id: otherZone(home) })
        const vpcs = [{ VPCId: 'vpc-0123456789abcdef0', VPCRegion: region }] as const
        addHostedZone(inAccount, { name: zoneNames[1], id: privateZone(home), vpcs })
        const { accessKeyID: accessKeyId, secretAccessKey } = keys
        const { requestHandler } = world.cloud.aws
        const settings = { region, credentials: { accessKeyId, secretAccessKey }, requestHandler }
        const own = await furnishAccount(settings, namespace)
        given.set(account, own)
        await createNamesake(settings, namespace)
        await createOtherCluster(settings, namespace, own.own.vpc)
        for (const id of zones) await addRecordOfUser(new Route53Client(settings), id)
      }
      // Until AWS shows the resources of the users, and their gateways are available.
      await world.clock.sleep(600_000)
      return { backup: world.backUp(), known: generatedNames(world.cloud.contents()) }
    },
  )
  const withNetworks = await simulate(
    { seed: 'networks', code, cloud: livesSide({}), delivery: 'in-memory', from: empty, ofSeeds: quietSeed },
    async world => {
      const { kubernetes } = world.first
      const { signal } = new AbortController()
      const objects = createExtensionObjects({ kubernetes, clock: world.clock, signal, pollMs: 1_000 })
      await Promise.all(homes.map(home => objects.apply(managedNetwork(home))))
      await world.clock.sleep(600_000)
      return { backup: world.backUp(), known: generatedNames(world.cloud.contents()) }
    },
  )
  return {
    empty,
    withNetworks: withNetworks.backup,
    given,
    known: { empty: known, withNetworks: withNetworks.known },
  }
}

/** It follows those of the shoot in lists. */
const addRecordOfUser = (client: Route53Client, HostedZoneId: string): Promise<unknown> =>
  client.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId,
      ChangeBatch: {
        Changes: [
          {
            Action: 'CREATE',
            ResourceRecordSet: {
              Name: 'www.rose.example.com',
              Type: 'A',
              TTL: 300,
              ResourceRecords: [{ Value: '192.0.2.1' }],
            },
          },
        ],
      },
    }),
  )

/** One replica of everything: lives are short. */
export const quietSeed = { bridges: 1, instances: 1, leaseTimes: 'none', coldMs: () => 1 } as const
