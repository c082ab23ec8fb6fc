import {
  inEachRow,
  type WorldException,
  type WorldRow,
} from '../../../../sandbox/simulation/oracle/oracle.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Configuration } from '../space/walk-space.ts'

/** A difference between a walked and a new world that is documented. */
export interface Exception extends WorldException {
  readonly spaces: readonly string[]
  /** The document with the reason. */
  readonly source: string
  /** Returns the configuration of the new world that the walked one must equal. */
  readonly fresh?: (configuration: Configuration, walked: KubernetesObject) => Configuration
}

/** All of them. */
export const exceptions: readonly Exception[] = [
  {
    spaces: ['aws/dnsrecord'],
    why: 'a record without spec.zone stays in the zone of its status',
    source: 'docs/contract/provider-aws.md#hosted-zone',
    fresh: ({ spec, ...rest }, { status }) => ({
      ...rest,
      spec: { ...spec, zone: spec.zone ?? Object(status).zone },
    }),
    rows: inEachRow(row => {
      if (!row.place.startsWith('seed DNSRecord ')) return row
      const { spec, ...object } = Object(row.value)
      return { ...row, value: { ...object, spec: { ...spec, zone: undefined } } }
    }),
  },
  {
    spaces: ['aws/infrastructure'],
    why: 'the range of services is in any subnet of the workers, and never changes',
    source: 'terraform-free-infra/aws/infrastructure/network/subnets/cidr-reservation.ts',
    rows: inEachRow(row => ({
      ...row,
      value: withoutServiceRange(
        row.place.endsWith('subnetReservations') ? { ...Object(row.value), subnetId: '' } : row.value,
      ),
    })),
  },
  {
    spaces: ['aws/infrastructure'],
    why: 'a zone retains its number, and with it names and its IPv6 range: a new shoot numbers zones in their order',
    source: 'docs/contract/provider-aws.md#zone-suffixes',
    rows: rows => {
      const named = zoneNames(rows)
      return rows.map(row => ({ ...row, value: withZoneNames(row.value, named) }))
    },
  },
  {
    spaces: ['aws/infrastructure'],
    why: 'a mount target retains its address type when the shoot gets IPv6: a replacement would interrupt nodes',
    source: 'terraform-free-infra/aws/infrastructure/storage/mount-target.ts',
    rows: inEachRow(row =>
      /mountTargets|networkInterfaces/.test(row.place)
        ? { ...row, value: { ...Object(row.value), ipv6: '' } }
        : row,
    ),
  },
  {
    spaces: ['aws/worker', 'local/worker'],
    why: 'a deployment retains its number of machines, unless the limits of its pool exclude it: the autoscaler sets it',
    source: 'docs/contract/workers.md#replicas',
    rows: inEachRow(({ place, value, ...row }) => {
      if (/^seed Machine(?:Set)? /.test(place)) return undefined
      if (!place.startsWith('seed MachineDeployment ')) return { ...row, place, value }
      const { status: _, spec, ...object } = Object(value)
      return { ...row, place, value: { ...object, spec: { ...spec, replicas: 0 } } }
    }),
  },
  {
    spaces: ['aws/backupbucket'],
    why: 'S3 cannot switch off the object lock of a bucket, nor then suspend its versions; without a retention neither has an effect',
    source: 'docs/contract/provider-aws.md#backupbucket',
    rows: inEachRow(row =>
      row.place === 's3 buckets'
        ? { ...row, value: { ...Object(row.value), lockEnabled: true, versioning: '' } }
        : row,
    ),
  },
]

const suffixKey = /^Zones\/([^/]+)\/Suffix$/

/** Returns the zones of an Infrastructure by their suffixes. */
const zoneNames = (rows: readonly WorldRow[]): ReadonlyMap<string, string> => {
  const own = rows.find(({ place }) => place.startsWith('seed Infrastructure '))
  const state = Object(Object(Object(Object(own?.value).status).state).data)
  return new Map(
    Object.entries(state).flatMap(([key, suffix]) => {
      const zone = suffixKey.exec(key)?.[1]
      return zone === undefined ? [] : [[String(suffix), zone] as const]
    }),
  )
}

const withZoneNames = (value: unknown, named: ReadonlyMap<string, string>): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/-(z\d+)\b/g, (_, suffix) => `-${named.get(suffix) ?? suffix}`)
      .replaceAll(/"z\d+"/g, '"zone"')
      .replaceAll(/"[0-9a-f:]+::\/64"/g, '"range"'),
  )

/** The /108 number 1 in the /64 of a subnet. */
const withoutServiceRange = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f:]+:10:0\/108/g, 'service range'))
