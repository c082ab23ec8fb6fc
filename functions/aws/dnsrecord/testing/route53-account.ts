import {
  type Change,
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
  Route53Client,
} from '@aws-sdk/client-route-53'
import { operatorCredentials } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'

/** The part of a simulated AWS that tests check. */
export interface CalledAws {
  readonly requestHandler: AwsRequestHandler
  readonly calls: {
    all(): readonly { readonly action: string; readonly input: Readonly<Record<string, unknown>> }[]
    clear(): void
  }
}

/** The operator's view of an account through the SDK. Its calls are not in the call log. */
export const route53Account = (aws: CalledAws) => {
  const client = new Route53Client({
    region: 'us-east-1',
    credentials: operatorCredentials,
    requestHandler: aws.requestHandler,
  })
  let zones = 0

  return {
    /** Creates a hosted zone and returns its id. */
    createZone: async (name: string): Promise<string> => {
      const { HostedZone } = await client.send(
        new CreateHostedZoneCommand({ Name: name, CallerReference: `zone-${++zones}` }),
      )
      aws.calls.clear()
      return (HostedZone?.Id ?? '').replace('/hostedzone/', '')
    },
    deleteZone: async (id: string): Promise<void> => {
      await client.send(new DeleteHostedZoneCommand({ Id: id }))
      aws.calls.clear()
    },
    change: async (zone: string, ...changes: Change[]): Promise<void> => {
      await client.send(
        new ChangeResourceRecordSetsCommand({ HostedZoneId: zone, ChangeBatch: { Changes: changes } }),
      )
      aws.calls.clear()
    },
    /** The record sets of the zone except SOA and NS, one line each. Does not change the call log. */
    records: async (zone: string): Promise<string[]> => {
      const { ResourceRecordSets = [] } = await client.send(
        new ListResourceRecordSetsCommand({ HostedZoneId: zone }),
      )
      return ResourceRecordSets.filter(({ Type }) => Type !== 'SOA' && Type !== 'NS').map(lineOf)
    },
    /** The names of the called actions, oldest first. */
    actions: (): string[] => aws.calls.all().map(call => call.action),
  }
}

export const lineOf = ({
  Name,
  Type,
  TTL,
  ResourceRecords,
  AliasTarget,
  SetIdentifier,
}: ResourceRecordSet): string =>
  [
    Type,
    Name,
    ...(SetIdentifier === undefined ? [] : [`[${SetIdentifier}]`]),
    ...(AliasTarget ? ['->', AliasTarget.DNSName, AliasTarget.HostedZoneId] : []),
    ...(TTL === undefined ? [] : [TTL]),
    ...(ResourceRecords ?? []).map(record => record.Value),
  ].join(' ')
