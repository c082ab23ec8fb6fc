import { type AwsRow, awsRows } from '../../../sandbox/providers/aws/simulation/aws-contents.ts'
import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { broken, objectName, type World } from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Part } from './cast.ts'
import { isNewSuccess } from './watch-successes.ts'

type Row = Readonly<Record<string, unknown>>

/** All resources in the account of a part. */
interface Account {
  readonly table: (name: string) => readonly Row[]
  /** The resources that the part has created, without those of others. */
  readonly own: (name: string) => readonly Row[]
  /** Others changed it so recently that the step may not have seen it. */
  readonly isRecent: (time: unknown) => boolean
  /** All calls see each write at once. */
  readonly isPrompt: boolean
}

/** Returns what is untrue in the report of a success. An independent model: from the spec and the account alone. */
type Check = (object: KubernetesObject, account: Account) => readonly string[]

const list = (value: unknown): readonly Row[] => [value ?? []].flat() as unknown as readonly Row[]

/** The addresses are those of NAT gateways that carry traffic, and IPv6 ranges those of the nodes' subnets. */
const ofNetwork: Check = ({ status }, { table, own, isRecent }) => {
  const { egressCIDRs = [], networking = {}, providerStatus } = Object(status)
  const reported: readonly string[] = egressCIDRs ?? []
  const addressesOf = (gateways: readonly Row[]) =>
    gateways.flatMap(({ addresses }) => list(addresses).map(({ publicIp }) => `${publicIp}/32`))
  const alive = table('natGateways').filter(
    ({ state, deletedAt }) => state !== 'deleted' && (deletedAt === undefined || isRecent(deletedAt)),
  )
  const carrying = new Set(addressesOf(alive))
  const gone = reported.filter(cidr => !cidr.includes(':') && !carrying.has(cidr))
  const missing = addressesOf(
    own('natGateways').map(row => ({ ...row, addresses: list(row.addresses).slice(0, 1) })),
  ).filter(cidr => !reported.includes(cidr))
  const nodes = list(Object(Object(providerStatus).vpc).subnets).filter(({ purpose }) => purpose === 'nodes')
  const blocks = table('subnets')
    .filter(({ id }) => nodes.some(one => one.id === id))
    .flatMap(({ ipv6Blocks }) => list(ipv6Blocks).map(({ cidr }) => prefixOf(cidr)))
  const ranges: readonly string[] = [...reported, ...(Object(networking).nodes ?? [])]
  const others = ranges.filter(cidr => cidr.includes(':') && !blocks.includes(prefixOf(cidr)))
  return [
    ...gone.map(cidr => `egress ${cidr}, which no NAT gateway has`),
    ...missing.map(cidr => `no egress ${cidr}, which its NAT gateway has`),
    ...others.map(cidr => `the range ${cidr}, in which its nodes are not`),
  ]
}

/** The first 56 bits. */
const prefixOf = (cidr: unknown): string => {
  const [one, two, three, fourth = '0'] = String(cidr).replace(/::.*/, '').split(':')
  return [one, two, three, fourth.padStart(4, '0').slice(0, 2)].join(':')
}

/** Without `spec.zone`, a record is in a public zone: others cannot read private ones. */
const ofRecord: Check = ({ spec, status }, { table }) => {
  const { zone } = Object(status)
  const found = table('zones').find(({ id }) => id === String(zone).replace('/hostedzone/', ''))
  if (found === undefined) return [`the zone ${zone}, which does not exist`]
  return !Object(spec).zone && found.private === true ? [`the private zone ${zone}`] : []
}

/** The ranges that may connect are those of the spec, without their exceptions. */
const ofBastion: Check = ({ spec }, { own }) => {
  const wanted = list(Object(spec).ingress).flatMap(({ ipBlock }) => {
    const { cidr, except = [] } = Object(ipBlock)
    return except.reduce(
      (left: readonly Range[], hole: string) => left.flatMap(one => without(one, rangeOf(hole))),
      [rangeOf(cidr)],
    ) as readonly Range[]
  })
  const live = own('securityGroups')
    .filter(({ name }) => /-bsg$/.test(String(name)))
    .flatMap(({ rules }) => list(rules))
    .filter(({ egress, from }) => egress === false && from === 22)
    .flatMap(({ peer }) => (Object(peer).type === 'ipv4' ? [rangeOf(Object(peer).cidr)] : []))
  const [one, other] = [wanted, live].map(ranges => textOf(ranges))
  return one === other ? [] : [`success, but ${other || 'no one'} may connect instead of ${one}`]
}

/** The first address, and the one after the last. */
type Range = readonly [number, number]

const rangeOf = (cidr: string): Range => {
  const [address = '', bits = '32'] = cidr.split('/')
  const size = 2 ** (32 - Number(bits))
  const number = address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
  const first = Math.floor(number / size) * size
  return [first, first + size]
}

const without = ([first, end]: Range, [from, to]: Range): readonly Range[] =>
  to <= first || from >= end
    ? [[first, end]]
    : ([
        [first, from],
        [to, end],
      ].filter(([one = 0, other = 0]) => one < other) as unknown as readonly Range[])

/** Adjacent ranges are one. */
const textOf = (ranges: readonly Range[]): string => {
  const merged: [number, number][] = []
  for (const [first, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last !== undefined && first <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([first, end])
  }
  return merged
    .map(range =>
      range.map(number => [24, 16, 8, 0].map(bits => Math.floor(number / 2 ** bits) % 256).join('.')),
    )
    .map(pair => pair.join('–'))
    .join(', ')
}

/** There is a bucket, and unfinished uploads end. */
const ofBucket: Check = ({ metadata: { name } }, { table, isPrompt }) => {
  const bucket = table('buckets').find(one => one.name === name)
  if (bucket === undefined) return ['success, but there is no bucket']
  // S3 replaces all rules at once, so a step may undo what it does not see yet.
  if (!isPrompt) return []
  const rules: readonly Row[] = typeof bucket.lifecycle === 'string' ? JSON.parse(bucket.lifecycle) : []
  return rules.some(one => one.Status === 'Enabled' && one.AbortIncompleteMultipartUpload)
    ? []
    : ['success, but no rule aborts uploads']
}

const checks: Readonly<Record<string, Check>> = {
  Infrastructure: ofNetwork,
  DNSRecord: ofRecord,
  Bastion: ofBastion,
  BackupBucket: ofBucket,
}

/** A step that saw the account before a change may succeed this long after it, in ms. */
const recentMs = 150_000

/** Checks what each success reports. The returned function returns a sentence for each untrue report. */
export const watchReports = (
  { first, cloud, clock }: World<AwsSide>,
  parts: readonly Part[],
  /** `seenMs`: the longest time until all calls see a change. `visitedAt`: the last change by users. */
  { seenMs, visitedAt }: { readonly seenMs: number; readonly visitedAt: () => number },
) => {
  const isRecent = (time: unknown): boolean => clock.now() - Number(time) < seenMs + recentMs
  const untrue = new Set<string>()
  const byName = new Map(
    parts.map(part => {
      const { kind, key } = part.desired
      return [objectName({ kind, name: key.name, namespace: key.namespace }), part]
    }),
  )
  let isOver = false
  first.server.store.subscribe((_, { type, entry: { object }, previous }) => {
    const { kind, metadata } = object
    const name = objectName({ kind, name: metadata.name, namespace: metadata.namespace })
    const part = byName.get(name)
    const check = checks[kind]
    if (isOver || part === undefined || check === undefined || type === 'DELETED') return
    if (metadata.deletionTimestamp !== undefined || !isNewSuccess(object, previous?.object)) return
    const place = part.home.account === cloud.aws.account().id ? '' : `account ${part.home.account} `
    const isHere = (row: Pick<AwsRow, 'place'>): boolean =>
      place === '' ? !row.place.startsWith('account ') : row.place.startsWith(place)
    const table = (rows: readonly Pick<AwsRow, 'place' | 'value'>[]) => (what: string) =>
      rows.filter(row => isHere(row) && row.place.endsWith(` ${what}`)).map(({ value }) => value as Row)
    // A step cannot protect what users change meanwhile.
    if (kind === 'BackupBucket' && isRecent(visitedAt())) return
    const found = check(object, {
      table: table(awsRows(cloud.aws)),
      own: table(cloud.contentsOf(owner => owner === name) as readonly AwsRow[]),
      isRecent,
      isPrompt: seenMs === 0,
    })
    for (const what of found)
      untrue.add(broken('the live state is the wanted one', `${name} reports ${what}`))
  })
  return {
    /** People disturb the account from now on. */
    end: () => {
      isOver = true
    },
    all: () => [...untrue].slice(0, 4),
  }
}
