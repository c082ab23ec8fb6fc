import {
  type Change,
  ChangeResourceRecordSetsCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53'
import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import { runningCode, type World } from '../../../../sandbox/simulation/simulation.ts'
import type { Accident } from '../cast.ts'
import { type Home, region } from '../homes.ts'

const clientOf = (home: Home, { cloud: { aws } }: World<AwsSide>) =>
  new Route53Client({
    region,
    credentials: { accessKeyId: home.keys.accessKeyID, secretAccessKey: home.keys.secretAccessKey },
    requestHandler: aws.requestHandler,
    maxAttempts: 1,
  })

export const changeSets = (
  client: Route53Client,
  HostedZoneId: string,
  Action: Change['Action'],
  sets: readonly ResourceRecordSet[],
) =>
  client.send(
    new ChangeResourceRecordSetsCommand({
      HostedZoneId,
      ChangeBatch: { Changes: sets.map(ResourceRecordSet => ({ Action, ResourceRecordSet })) },
    }),
  )

/** A user deletes an alias between a read of the records and the write that follows it. */
export const deleteAfterRead =
  (home: Home, name: string): Accident =>
  async world => {
    const client = clientOf(home, world)
    const { promise: read, resolve } = Promise.withResolvers<void>()
    const end = world.cloud.aws.calls.onCall(({ action, input }) => {
      const isOfStep = runningCode.getStore()?.step !== undefined
      if (isOfStep && action === 'ListResourceRecordSets' && JSON.stringify(input).includes(name)) resolve()
    })
    // A read of the end would find it deleted for good.
    world.clock.after(5_000, end)
    const remove = async (): Promise<void> => {
      end()
      for (const HostedZoneId of home.zones) {
        const { ResourceRecordSets: [found] = [] } = await client.send(
          new ListResourceRecordSetsCommand({
            ...{ HostedZoneId, StartRecordName: name, StartRecordType: 'AAAA', MaxItems: 1 },
          }),
        )
        const isFound = found?.Type === 'AAAA' && found.Name?.replace('\\052', '*') === `${name}.`
        if (isFound) await changeSets(client, HostedZoneId, 'DELETE', [found])
      }
    }
    void read.then(remove).catch(error => world.trace.note('people', `failed: ${error}`))
    return undefined
  }
