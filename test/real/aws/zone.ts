import { randomUUID } from 'node:crypto'
import {
  type Change,
  type ChangeAction,
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  ListResourceRecordSetsCommand,
  type ListResourceRecordSetsCommandInput,
  type ResourceRecordSet,
} from '@aws-sdk/client-route-53'
import { lineOf } from '../../../functions/aws/dnsrecord/testing/route53-account.ts'
import { type AwsEndpoint, outcomeOf } from './behaviour.ts'

/** Returns a record `TYPE name value value…` with a TTL of 60 s. */
export const record = (Type: string, Name: string, ...values: string[]): ResourceRecordSet => ({
  Name,
  Type: Type as NonNullable<ResourceRecordSet['Type']>,
  TTL: 60,
  ResourceRecords: values.map(Value => ({ Value })),
})

/** Returns an alias A record of a load balancer in eu-west-1. */
export const alias = (Name: string): ResourceRecordSet => ({
  Name,
  Type: 'A',
  AliasTarget: {
    DNSName: 'lb-1.eu-west-1.elb.amazonaws.com',
    HostedZoneId: 'Z32O12XQLNTSW2',
    EvaluateTargetHealth: false,
  },
})

/** Returns one change of a batch. */
export const change = (Action: ChangeAction, ResourceRecordSet: ResourceRecordSet): Change => ({
  Action,
  ResourceRecordSet,
})

/** Creates a hosted zone `example.com`, with functions to use it. */
export const freshZone = async ({ route53 }: AwsEndpoint) => {
  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: randomUUID() }),
  )
  const HostedZoneId = HostedZone?.Id ?? ''
  const send = (changes: Change[]) =>
    route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes: changes } }))
  const list = async (input: Partial<ListResourceRecordSetsCommandInput> = {}): Promise<string[]> => {
    const { ResourceRecordSets = [] } = await route53.send(
      new ListResourceRecordSetsCommand({ HostedZoneId, ...input }),
    )
    return ResourceRecordSets.map(lineOf)
  }
  return {
    id: HostedZoneId,
    /** Sends a batch. Returns `accepted`, or the error. */
    change: (...changes: Change[]) => outcomeOf(send(changes), () => 'accepted'),
    /** Sends a batch. Returns the status in the answer. */
    statusOf: async (...changes: Change[]) => (await send(changes)).ChangeInfo?.Status,
    list,
    /** Returns the records, without those that every zone has. */
    records: async () => (await list()).filter(line => !/^(NS|SOA) example\.com\. /.test(line)),
    remove: () => outcomeOf(route53.send(new DeleteHostedZoneCommand({ Id: HostedZoneId })), () => 'deleted'),
  }
}

export type FreshZone = Awaited<ReturnType<typeof freshZone>>
