import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Problem } from '../../../../shared/contract/problems.ts'
import type { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { HostedZone, Route53 } from './route53.ts'
import { canonicalName, isWithin } from './spelling.ts'

/** The source of a hosted zone id. */
export type ZoneOrigin = 'spec.zone' | 'status.zone' | 'the hosted zones of the account'

/** `id` as spelled by the object or listed by Route 53. */
export interface RecordZone {
  readonly id: string
  readonly origin: ZoneOrigin
}

/** The hosted zones in an object. */
export interface NamedZones {
  readonly spec: string | undefined
  readonly status: string | undefined
}

/**
 * Returns the zone that the object names: `spec.zone`, otherwise `status.zone`. Ignores an invalid id, because it
 * cannot contain a record.
 */
export const namedZone = ({ spec, status }: NamedZones): RecordZone | undefined => {
  if (spec && isZoneId(spec)) return { id: spec, origin: 'spec.zone' }
  return status && isZoneId(status) ? { id: status, origin: 'status.zone' } : undefined
}

/** Returns the zone of the account that contains the name, or undefined if there is none. */
export const listedZone = async (
  name: string,
  route53: Route53,
  signal: AbortSignal,
): Promise<RecordZone | undefined> => {
  const zone = chooseZone(name, await route53.listHostedZones(signal))
  return zone && { id: zone.id, origin: 'the hosted zones of the account' }
}

export const noZone = (name: string): CodedError =>
  new CodedError(
    `cannot choose the hosted zone of ${name}: the name of no zone in the account is a suffix of it. Create one, or set spec.zone`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )

/** Returns the problems of an object's `spec.zone`. */
export const zoneProblems = (zone: string | undefined): readonly Problem[] =>
  zone && !isZoneId(zone)
    ? [
        {
          path: 'spec.zone',
          message: `expected the id of a Route 53 hosted zone (up to 32 letters and digits), found ${JSON.stringify(zone)}`,
        },
      ]
    : []

/** The id becomes part of a URL. */
const isZoneId = (id: string): boolean => /^(?:\/hostedzone\/)?[A-Za-z0-9]{1,32}$/.test(id)

/**
 * Returns the zone with the longest name that equals the record's name or a suffix of it, label by label. Of zones with
 * equal names (a public and a private one) the last is chosen, as in the Go extension
 * (docs/contract/provider-aws.md#hosted-zone).
 */
export const chooseZone = (name: string, zones: readonly HostedZone[]): HostedZone | undefined => {
  let chosen: { readonly zone: HostedZone; readonly length: number } | undefined
  for (const zone of zones) {
    const { length } = canonicalName(zone.name)
    if (isWithin(name, zone.name) && (chosen === undefined || length >= chosen.length))
      chosen = { zone, length }
  }
  return chosen?.zone
}

export const isMissingZone = ({ code }: AwsError): boolean => code === 'NoSuchHostedZone'

/** "RRSet with DNS name a.b. is not permitted in zone c." in an InvalidChangeBatch. */
const isNotPermitted = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && /RRSet with DNS name \S+ is not permitted in zone/.test(message)

/** Returns true if the record set to delete was deleted since it was read. */
export const isAlreadyGone = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && message.includes('it was not found')

/** Returns true if the record set to delete was changed since it was read. */
export const isChangedMeanwhile = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && message.includes('the values provided do not match the current values')

/**
 * Returns an error that the user must fix, if the zone is missing or cannot contain the record. Otherwise returns
 * undefined.
 */
export const zoneError = (error: AwsError, origin: ZoneOrigin): CodedError | undefined => {
  if (!isMissingZone(error) && !isNotPermitted(error)) return undefined
  return new CodedError(`${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} ${advice[origin]}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    cause: error,
  })
}

const advice: Readonly<Record<ZoneOrigin, string>> = {
  'spec.zone':
    'Set spec.zone to a hosted zone that contains this name, or remove it to select the zone by name.',
  'status.zone': 'The zone comes from status.zone. Set spec.zone to a hosted zone that contains this name.',
  'the hosted zones of the account': 'Set spec.zone to a hosted zone that contains this name.',
}
