import { CodedError } from '../../../shared/contract/errors.ts'
import type { Problem } from '../../../shared/contract/problems.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import { chooseZone } from '../../../terraform-free-infra/aws/dns/choose-zone.ts'
import type { Route53 } from '../../../terraform-free-infra/aws/dns/route53.ts'
import type { ZoneOrigin } from '../../../terraform-free-infra/aws/dns/zone-error.ts'

/** `id` as the object spells it, or as Route 53 lists it. */
export interface RecordZone {
  readonly id: string
  readonly origin: ZoneOrigin
}

/** The zone that the object names: `spec.zone`, else `status.zone`. One that cannot be an id holds no record. */
export const namedZone = ({ spec, status }: DNSRecord): RecordZone | undefined => {
  if (spec.zone && isZoneId(spec.zone)) return { id: spec.zone, origin: 'spec.zone' }
  return status?.zone && isZoneId(status.zone) ? { id: status.zone, origin: 'status.zone' } : undefined
}

/** The zone of the account that the name is in, or undefined when there is none. */
export const listedZone = async (
  { spec }: DNSRecord,
  route53: Route53,
  signal: AbortSignal,
): Promise<RecordZone | undefined> => {
  const zone = chooseZone(spec.name, await route53.listHostedZones(signal))
  return zone && { id: zone.id, origin: 'the hosted zones of the account' }
}

export const noZone = ({ spec }: DNSRecord): CodedError =>
  new CodedError(
    `choosing the hosted zone of ${spec.name}: the account has none whose name is a suffix of it; create one, or set spec.zone`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )

export const zoneProblems = ({ spec }: DNSRecord): readonly Problem[] =>
  spec.zone && !isZoneId(spec.zone)
    ? [
        {
          path: 'spec.zone',
          message: `expected the id of a Route 53 hosted zone (up to 32 letters and digits), found ${JSON.stringify(spec.zone)}`,
        },
      ]
    : []

/** The id becomes part of a URL. */
const isZoneId = (id: string): boolean => /^(?:\/hostedzone\/)?[A-Za-z0-9]{1,32}$/.test(id)
