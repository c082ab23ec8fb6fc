import {
  generatedName,
  type Invariants,
  type KnownObject,
  type ObjectName,
  objectName,
} from '../../../../simulation/invariants/invariants.ts'
import type { RunningStep } from '../../../../simulation/simulation.ts'
import { type CallEffect, isRead } from '../../simulator/aws.ts'
import { type Book, type BookedRow, ownerOfControllers } from './book.ts'

/** A call, with the code of its refusal. */
export type CheckedCall = CallEffect & { readonly errorCode?: string | undefined }

/** Calls that create something in, or beside, what they name. */
const creates = /^(?:Create(?!Tags)|Allocate|Run|Import)/
/** Calls that change only rules: a Bastion opens the group of its shoot's nodes. */
const changesRules = /^(?:Authorize|Revoke)SecurityGroup/
/** Leftovers of the controllers in a shoot, which the deletion of its network removes. */
const removesLeftovers = /^(?:Delete(?:LoadBalancer|TargetGroup|SecurityGroup)|RevokeSecurityGroup)/

/**
 * The calls that a config allows on resources that it names (docs/contract/provider-aws.md#infrastructure): build in
 * them, tag subnets as shared, take an address, and reserve ranges.
 */
const onGiven: Readonly<Record<string, RegExp>> = {
  vpc: creates,
  subnet: /^(?:Create|Run|DeleteTags$|(?:Associate|Replace)RouteTable)/,
  eipalloc: /^CreateNatGateway$/,
  sg: /^(?:Create|Modify)MountTarget|^(?:Authorize|Revoke)/,
}

/** Resources that no one owns: images, snapshots, options that AWS creates with an account. */
const public_ = /^(?:ami|snap|dopt)-/

/**
 * Checks a call of a step: its key belongs to the object, and what it changes was created for the object, or is given
 * by its config or the contract.
 */
export const checkCall = (
  { problems, objects }: Pick<Invariants, 'problems' | 'objects'>,
  book: Book,
  step: RunningStep,
  call: CheckedCall,
): void => {
  const name = objectName(step)
  const object = objects.get(name)
  if (object === undefined) return
  const say = `${call.service} ${call.action} of ${name}`
  const keys = objects.accessKeys(object)
  if (isForeignKey(keys, call))
    problems.add('credentials never cross accounts', `${say} has the access key ${call.accessKeyId}`)
  if (isRead(call)) return

  const touch = (what: string): void =>
    problems.add('nothing of others is touched', `${say} names ${what} (${call.errorCode ?? 'success'})`)
  const isOwn = (row: BookedRow): boolean =>
    row.owner === name ||
    row.owner === 'unknown' ||
    ((creates.test(call.action) || changesRules.test(call.action)) && isOfNamespace(row, object)) ||
    (removesLeftovers.test(call.action) && row.owner === ownerOfControllers(object.namespace ?? ''))

  for (const id of new Set(JSON.stringify(call.input).match(generatedName))) {
    const row = book.named(id)
    if (row === undefined || public_.test(id) || isOwn(row)) continue
    if (object.given.has(id) && onGiven[id.slice(0, id.lastIndexOf('-'))]?.test(call.action)) continue
    if (isGatewayOfGivenVpc(row, object, call)) continue
    touch(`${id} of ${row.owner}`)
  }
  for (const [table, member] of named) {
    const value = call.input[member]
    if (typeof value !== 'string' || creates.test(call.action)) continue
    const row = book.called(table, value)
    if (row !== undefined && !isOwn(row)) touch(`${member} ${value} of ${row.owner}`)
  }
  if (call.service === 's3') for (const what of foreignInBucket(book, object, name, call)) touch(what)
  if (call.action === 'ChangeResourceRecordSets')
    for (const { record, accessKeys } of changedRecords(objects, call)) {
      if (accessKeys === undefined) touch(`record ${record}, which no object wants`)
      else if (isForeignKey(accessKeys, call))
        problems.add('credentials never cross accounts', `${say} changes ${record} with ${call.accessKeyId}`)
    }
}

/** Tables whose rows calls name, with the member of the input. */
const named = [
  ['roles', 'RoleName'],
  ['profiles', 'InstanceProfileName'],
  ['keyPairs', 'KeyName'],
  ['loadBalancers', 'LoadBalancerName'],
  ['loadBalancers', 'LoadBalancerArn'],
  ['targetGroups', 'TargetGroupArn'],
] as const

const isOfNamespace = ({ owner }: BookedRow, { namespace }: KnownObject): boolean =>
  namespace !== undefined && owner.includes(` ${namespace}/`)

/** Keys of sessions are temporary. */
const isForeignKey = (keys: ReadonlySet<string>, { accessKeyId = '' }: CheckedCall): boolean =>
  keys.size > 0 && !accessKeyId.startsWith('ASIA') && !keys.has(accessKeyId)

/** A route may lead to the internet gateway of the user's VPC. */
const isGatewayOfGivenVpc = (
  { value }: BookedRow,
  { given }: KnownObject,
  { action }: CheckedCall,
): boolean => /^(?:Create|Replace)Route$/.test(action) && given.has(String(value.vpcId))

/** A BackupBucket has the bucket of its name, a BackupEntry the keys of its name in any bucket. */
const foreignInBucket = (
  book: Book,
  { kind, name }: KnownObject,
  owner: string,
  { action, input }: CheckedCall,
): readonly string[] => {
  const bucket = String(input.Bucket)
  if (kind === 'BackupBucket') {
    const row = book.called('buckets', bucket)
    if (
      action === 'CreateBucket'
        ? bucket === name
        : row === undefined || row.owner === owner || row.owner === 'unknown'
    )
      return []
    return [`bucket ${bucket} of ${row?.owner}`]
  }
  const keys = [input.Key ?? [], Object(input.Delete).Objects ?? []]
    .flat()
    .map(one => (typeof one === 'string' ? one : String(Object(one).Key)))
  if (keys.length === 0) return [`bucket ${bucket}`]
  return keys
    .filter(key => !key.startsWith(`${name.replace(/^source-/, '')}/`))
    .map(key => `${key} in bucket ${bucket}`)
}

type Objects = Invariants['objects']

/** Returns the objects that want a record. */
const wanting = (objects: Objects, recordName: unknown): readonly (readonly [ObjectName, KnownObject])[] =>
  objects
    .all()
    .filter(
      ([, { kind, spec }]) =>
        kind === 'DNSRecord' && canonical(String(spec.name)) === canonical(String(recordName)),
    )

/**
 * Returns the object of a record set that a key has changed. Undefined: the row is no record set, or no object wants
 * it.
 */
export const ownerOfRecord = (
  objects: Objects,
  { Name }: Readonly<Record<string, unknown>>,
  accessKeyId: string | undefined,
): ObjectName | undefined =>
  Name === undefined
    ? undefined
    : wanting(objects, Name).find(([, object]) => objects.accessKeys(object).has(accessKeyId ?? ''))?.[0]

interface ChangedRecord {
  readonly record: string
  /** The keys of the objects that want the record. Undefined: none does. */
  readonly accessKeys: ReadonlySet<string> | undefined
}

const changedRecords = (objects: Objects, { input }: CheckedCall): readonly ChangedRecord[] => {
  const changes: readonly unknown[] = Object(input.ChangeBatch).Changes ?? []
  return changes.map(change => {
    const { Name = '', Type, SetIdentifier } = Object(Object(change).ResourceRecordSet)
    const record = `${Name} ${Type}${SetIdentifier === undefined ? '' : ` ${SetIdentifier}`}`
    const owners = wanting(objects, Name)
    return {
      record,
      accessKeys:
        owners.length === 0 || SetIdentifier !== undefined
          ? undefined
          : new Set(owners.flatMap(([, object]) => [...objects.accessKeys(object)])),
    }
  })
}

const canonical = (name: string): string => name.toLowerCase().replace('\\052', '*').replace(/\.$/, '')
