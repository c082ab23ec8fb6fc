import { ListResourceRecordSetsCommand, Route53Client } from '@aws-sdk/client-route-53'
import { sandboxCredentials } from '../sandbox/credentials.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'

const recordSets = async ({ aws, zone }: Sandbox) => {
  const route53 = new Route53Client({
    region: 'us-east-1',
    requestHandler: aws.requestHandler,
    credentials: sandboxCredentials,
  })
  const { ResourceRecordSets = [] } = await route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zone.id }),
  )
  return ResourceRecordSets
}

/** The record sets of the sandbox's zone, as `A api.example.com.`. */
export const recordNames = async (sandbox: Sandbox): Promise<readonly string[]> =>
  (await recordSets(sandbox)).map(({ Type, Name }) => `${Type} ${Name}`)

/** The record sets of the sandbox's zone as lines for people, without the zone's own. */
export const recordTable = async (sandbox: Sandbox): Promise<string> => {
  const rows = (await recordSets(sandbox))
    .filter(({ Type }) => Type !== 'NS' && Type !== 'SOA')
    .map(({ Name = '', Type = '', TTL, AliasTarget, ResourceRecords = [] }) => ({
      name: Name.replaceAll('\\052', '*'),
      type: Type,
      ttl: TTL === undefined ? 'alias' : `${TTL} s`,
      value: AliasTarget?.DNSName ?? ResourceRecords.map(({ Value }) => Value).join(', '),
    }))
  const width = Math.max(...rows.map(({ name }) => name.length))
  return [
    `  Route 53, ${sandbox.zone.name}:`,
    ...rows.map(
      ({ name, type, ttl, value }) =>
        `    ${name.padEnd(width)}  ${type.padEnd(5)}  ${ttl.padEnd(5)}  ${value}`,
    ),
  ].join('\n')
}
