import { CodedError } from '../../../shared/contract/errors.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import { chooseZone } from '../../../terraform-free-infra/aws/dns/choose-zone.ts'
import type { Route53 } from '../../../terraform-free-infra/aws/dns/route53.ts'
import type { ZoneOrigin } from '../../../terraform-free-infra/aws/dns/zone-error.ts'

/** `id` as the object spells it, or as Route 53 lists it. */
export interface RecordZone {
  readonly id: string
  readonly origin: ZoneOrigin
}

/** The zone that the object names: `spec.zone`, else `status.zone`. */
export const namedZone = ({ spec, status }: DNSRecord): RecordZone | undefined => {
  if (spec.zone) return { id: wellFormed(spec.zone), origin: 'spec.zone' }
  return status?.zone ? { id: status.zone, origin: 'status.zone' } : undefined
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

/** The id becomes part of a URL. */
const wellFormed = (id: string): string => {
  if (/^(?:\/hostedzone\/)?[A-Za-z0-9]{1,32}$/.test(id)) return id
  throw new CodedError(
    `spec.zone: ${JSON.stringify(id)} is no id of a Route 53 hosted zone, expected up to 32 letters and digits`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}
