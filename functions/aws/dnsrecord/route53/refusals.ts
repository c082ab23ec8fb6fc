import { type CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import type { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import type { RecordChange } from './route53.ts'
import { canonicalName } from './spelling.ts'
import type { ZoneOrigin } from './zones.ts'

export const isMissingZone = ({ code }: AwsError): boolean => code === 'NoSuchHostedZone'

export const isDenied = ({ code }: AwsError): boolean =>
  code === 'AccessDenied' || code === 'AccessDeniedException'

/** Returns true if the record set to delete was deleted since it was read. */
export const isAlreadyGone = ({ code, said }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && said.includes('it was not found')

/** Returns true if the record set to delete was changed since it was read. */
export const isChangedMeanwhile = ({ code, said }: AwsError): boolean =>
  code === 'InvalidChangeBatch' && said.includes('the values provided do not match the current values')

/** Returns true if other record sets of the name exclude the new one. A list may have omitted them. */
export const isConflict = ({ code, said }: AwsError): boolean =>
  code === 'InvalidChangeBatch' &&
  /conflicts with other records|conflicting RRSet|other RRSets exist/.test(said)

/**
 * Refusals that another attempt may overcome. The first three are races with other clients. Route 53 does not know a
 * new load balancer for some minutes (boto/boto#2519, aws-controllers-k8s/community#2754).
 */
const temporary =
  /it was not found|the values provided do not match the current values|but it already exists|that target was not found/

/**
 * Refusals with a more specific advice than the general one, from the texts that users quote: at the apex and beside
 * other records (aws.amazon.com re:Post, "How do I troubleshoot issues when I create resource records in Route 53?"),
 * beside a routing policy (chef-boneyard/route53#100), values (boto/boto3#1462, harmony-one/harmony-ops#491), their
 * number (rancher/rancher#10253), and the form of a request (keycloak/keycloak-benchmark#508).
 */
const advices: readonly (readonly [RegExp, string])[] = [
  [
    /is not permitted at apex/,
    'The name of a zone cannot have a CNAME. Use a name below it, addresses, or the name of an AWS load balancer.',
  ],
  [
    /conflicts with other records|conflicting RRSet/,
    'A CNAME cannot have the same name as other records. Delete the others in the hosted zone, or use another name.',
  ],
  [
    /other RRSets exist|as a non-\S+ set exists/,
    'The name has records with a routing policy, which Gardener does not manage. Delete them in the hosted zone, or use another name.',
  ],
  [
    /^\w+: \[?(?:Cannot have more than|Number of|Exceeded limit)|limit of \d+ exceeded/,
    'Reduce spec.values or their length.',
  ],
  [/FATAL problem: Domain/, 'Fix spec.name, or the domain name in spec.values.'],
  [/Invalid Resource Record|Duplicate Resource Record|FATAL problem/, 'Fix spec.values.'],
]

const zoneAdvice: Readonly<Record<ZoneOrigin, string>> = {
  'spec.zone':
    'Set spec.zone to a hosted zone that contains this name, or remove it to select the zone by name.',
  'status.zone': 'The zone comes from status.zone. Set spec.zone to a hosted zone that contains this name.',
  'status.state': 'The zone comes from status.state. Set spec.zone to a hosted zone that contains this name.',
  'the hosted zones of the account': 'Set spec.zone to a hosted zone that contains this name.',
}

/**
 * Returns an error that the user must fix, with advice, if no other attempt can succeed: the zone is missing or cannot
 * contain the record, or Route 53 refuses the record for its content or its neighbours. Otherwise returns undefined.
 */
export const refusalOf = (error: AwsError, origin: ZoneOrigin): CodedError | undefined => {
  const { code, said, message } = error
  const isRefused = (code === 'InvalidChangeBatch' || code === 'InvalidInput') && !temporary.test(said)
  if (!isMissingZone(error) && !isRefused) return undefined
  const isOutside = isMissingZone(error) || /RRSet with DNS name \S+ is not permitted in zone/.test(said)
  const specific = advices.find(([text]) => text.test(said))?.[1]
  const advice = isOutside
    ? zoneAdvice[origin]
    : (specific ?? 'Fix spec.values or spec.ttl, or use another spec.name.')
  return configurationProblem(`${message}${/[.!?]$/.test(message) ? '' : '.'} ${advice}`, error)
}

/**
 * Returns the records of a batch that a refusal names by their names or values; all if it names none, and none if it is
 * no refusal of single records. Permissions can depend on the name of a record.
 */
export const recordsNamedBy = <R extends { readonly changes: readonly RecordChange[] }>(
  error: unknown,
  batch: readonly R[],
): readonly R[] => {
  const { name, message } = error as Error
  if (!['InvalidChangeBatch', 'InvalidInput', 'AccessDenied', 'AccessDeniedException'].includes(name))
    return []
  const named = batch.filter(({ changes }) =>
    changes.some(({ set }) =>
      [set.name, canonicalName(set.name), set.alias?.dnsName, ...(set.values ?? [])].some(
        text => text && message.includes(text),
      ),
    ),
  )
  return named.length > 0 ? named : batch
}
