import { ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53'
import { furnishedZone } from '../furnished-zone.ts'
import type { Aws } from '../simulator/aws.ts'
import { operatorCredentials } from '../simulator/aws.ts'

const recordSets = async (aws: Aws) => {
  const route53 = new Route53Client({
    region: 'us-east-1',
    requestHandler: aws.requestHandler,
    credentials: operatorCredentials,
  })
  const { ResourceRecordSets = [] } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: furnishedZone.id }),
  )
  return ResourceRecordSets
}

/** The record sets of the sandbox's zone, as `A api.example.com.`. */
export const recordNames = async (aws: Aws): Promise<readonly string[]> =>
  (await recordSets(aws)).map(({ Type, Name }) => `${Type} ${Name}`)

/** The record sets of the sandbox's zone as readable lines, without NS and SOA. */
export const recordTable = async (aws: Aws): Promise<string> => {
  const rows = (await recordSets(aws))
    .filter(({ Type }) => Type !== 'NS' && Type !== 'SOA')
    .map(({ Name = '', Type = '', TTL, AliasTarget, ResourceRecords = [] }) => ({
      name: Name.replaceAll('\\052', '*'),
      type: Type,
      ttl: TTL === undefined ? 'alias' : `${TTL} s`,
      value: AliasTarget?.DNSName ?? ResourceRecords.map(({ Value }) => Value).join(', '),
    }))
  const width = Math.max(...rows.map(({ name }) => name.length))
  return [
    `  Route 53, ${furnishedZone.name}:`,
    ...rows.map(
      ({ name, type, ttl, value }) =>
        `    ${name.padEnd(width)}  ${type.padEnd(5)}  ${ttl.padEnd(5)}  ${value}`,
    ),
  ].join('\n')
}
