import { CodedError } from '../../../shared/contract/errors.ts'
import type { AwsError } from '../errors/aws-error.ts'

/** Where the id of a hosted zone comes from. */
export type ZoneOrigin = 'spec.zone' | 'status.zone' | 'the hosted zones of the account'

export const isMissingZone = ({ code }: AwsError): boolean => code === 'NoSuchHostedZone'

/** "RRSet with DNS name a.b. is not permitted in zone c." in an InvalidChangeBatch. */
const isNotPermitted = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && /RRSet with DNS name \S+ is not permitted in zone/.test(message)

/** A deletion of a record set that somebody else has deleted since it was read. */
export const isAlreadyGone = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && message.includes('it was not found')

/** A deletion of a record set that somebody else has changed since it was read. */
export const isChangedMeanwhile = ({ code, message }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && message.includes('the values provided do not match the current values')

/** A zone that is not there, or not the record's, is for the user to put right; other errors give undefined. */
export const zoneError = (error: AwsError, origin: ZoneOrigin): CodedError | undefined => {
  if (!isMissingZone(error) && !isNotPermitted(error)) return undefined
  return new CodedError(`${error.message}${/[.!?]$/.test(error.message) ? '' : '.'} ${advice[origin]}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
    cause: error,
  })
}

const advice: Readonly<Record<ZoneOrigin, string>> = {
  'spec.zone':
    'Set spec.zone to a hosted zone that holds this name, or remove it to have the zone looked up.',
  'status.zone': 'The zone is the one in status.zone: set spec.zone to a hosted zone that holds this name.',
  'the hosted zones of the account': 'Set spec.zone to a hosted zone that holds this name.',
}
