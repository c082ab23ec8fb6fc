import type { ConditionUpdates } from '../../../shared/contract/conditions.ts'
import type { DNSRecord } from '../../../shared/contract/objects.ts'
import type { StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { HostedZone, RecordReconciled } from './route53/dns.ts'

/** Exists while the zone was chosen from several of the same name. */
const severalZones = 'SeveralHostedZones'
/** Exists after a success that left a record in a zone of another account. */
const leftAlone = 'ResourcesLeftAlone'

/** The most zones that are named. The rest are only counted. */
const mostNamed = 10

/**
 * Logs what a user should know about the zones of a record, and returns it as conditions. gardenlet ignores types that it
 * does not know. A choice stays visible until `spec.zone` makes another one unnecessary.
 */
export const zoneConditions = (
  { object, log }: Pick<StepContext<DNSRecord>, 'object' | 'log'>,
  { zone, among, former }: RecordReconciled,
): ConditionUpdates => {
  const record = object.spec.name
  const left = former.filter(({ kind }) => kind === 'zone of others').map(removal => removal.zone)
  if (left.length > 0) log.warn(recordLeft, { record, zones: left })
  if (among.length > 1)
    log.warn('several hosted zones have the same name; set spec.zone to choose another one', {
      record,
      zone,
      among: among.map(phrase),
    })
  const more = among.length - mostNamed
  const names = [...among.slice(0, mostNamed).map(phrase), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return {
    [leftAlone]:
      left.length === 0
        ? undefined
        : {
            status: 'True',
            reason: 'ZoneOfOtherAccount',
            message: `${record} may still exist in hosted zone ${left.join(', ')}, which is not in the account of these credentials. Delete it there.`,
          },
    ...(among.length > 1 && {
      [severalZones]: {
        status: 'True',
        reason: 'ChosenByRule',
        message: `${record} is in hosted zone ${zone}. The account has ${among.length} zones of this name: ${names}. Set spec.zone to choose another one.`,
      },
    }),
    ...(object.spec.zone !== undefined && { [severalZones]: undefined }),
  }
}

/** Log message for a record that cannot be removed. */
export const recordLeft =
  'dns record may remain in a hosted zone that is not in the account of the credentials'

const phrase = ({ id, isPrivate }: HostedZone): string => `${id} (${isPrivate ? 'private' : 'public'})`
