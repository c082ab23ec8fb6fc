import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Json } from '../json.ts'
import type { Configuration } from '../space/walk-space.ts'
import type { Row } from './canonical.ts'

/** A difference between a walked and a new world that is documented. */
export interface Exception {
  readonly space: string
  readonly why: string
  /** The document with the reason. */
  readonly source: string
  /** Returns the configuration of the new world that the walked one must equal. */
  readonly fresh?: (configuration: Configuration, walked: KubernetesObject) => Configuration
  /** Removes what may differ from a row of either world. Undefined: the row itself may differ. */
  readonly row?: (row: Row) => Row | undefined
}

/** All of them. */
export const exceptions: readonly Exception[] = [
  {
    space: 'aws/dnsrecord',
    why: 'a record without spec.zone stays in the zone of its status',
    source: 'docs/contract/provider-aws.md#hosted-zone',
    fresh: ({ spec, ...rest }, { status }) => ({
      ...rest,
      spec: { ...spec, zone: spec.zone ?? Object(status).zone },
    }),
  },
  {
    space: 'aws/infrastructure',
    why: 'the range of services is in any subnet of the workers, and never changes',
    source: 'terraform-free-infra/aws/infrastructure/network/subnets/cidr-reservation.ts',
    row: row => ({
      ...row,
      value: withoutServiceRange(
        row.place.endsWith('subnetReservations') ? { ...Object(row.value), subnetId: '' } : row.value,
      ),
    }),
  },
  {
    space: 'aws/infrastructure',
    why: 'a mount target retains its address type when the shoot gets IPv6: a replacement would interrupt nodes',
    source: 'terraform-free-infra/aws/infrastructure/storage/mount-target.ts',
    row: row =>
      /mountTargets|networkInterfaces/.test(row.place)
        ? { ...row, value: { ...Object(row.value), ipv6: '' } as Json }
        : row,
  },
  {
    space: 'aws/worker',
    why: 'a deployment retains its number of machines, unless the limits of its pool exclude it: the autoscaler sets it',
    source: 'docs/contract/workers.md#replicas',
    row: ({ place, value, ...row }) => {
      if (/^Machine(?:Set)? /.test(place)) return undefined
      if (!place.startsWith('MachineDeployment ')) return { ...row, place, value }
      const { status: _, spec, ...object } = Object(value)
      return { ...row, place, value: { ...object, spec: { ...spec, replicas: 0 } } as Json }
    },
  },
  {
    space: 'aws/backupbucket',
    why: 'S3 cannot switch off the object lock of a bucket, nor then suspend its versions; without a retention neither has an effect',
    source: 'docs/contract/provider-aws.md#backupbucket',
    row: row =>
      row.place === 's3 buckets'
        ? { ...row, value: { ...Object(row.value), lockEnabled: true, versioning: '' } as Json }
        : row,
  },
]

/** The /108 number 1 in the /64 of a subnet. */
const withoutServiceRange = (value: Json): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(/[0-9a-f:]+:10:0\/108/g, 'service range')) as Json
