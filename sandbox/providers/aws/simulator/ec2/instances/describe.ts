import type { DescribeInstancesRequest, DescribeInstancesResult } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { listRows } from '../core/describe/list.ts'
import { operation } from '../core/requests/operation.ts'
import { groupIdentifiers } from '../network-interfaces/view.ts'
import type { Instance } from '../rows/compute.ts'
import type { NetworkInterface } from '../rows/network.ts'
import { volumeAttachmentOf } from '../volumes/view.ts'
import { instanceState } from './instance-state.ts'
import { interfacesOf, lifecycleOf, privateNameOf, publicAddressOf, reservationView } from './view.ts'

const instanceFields = (ec2: Ec2): FilterFields<Instance> => {
  const primary = (row: Instance): NetworkInterface | undefined => interfacesOf(ec2, row)[0]
  const each =
    (values: (own: NetworkInterface) => readonly string[]) =>
    (row: Instance): readonly string[] =>
      interfacesOf(ec2, row).flatMap(values)
  const volumes = (row: Instance) =>
    ec2.tables.volumes.by('attachment.instance-id', row.id).filter(volume => volumeAttachmentOf(ec2, volume))
  const isTerminated = (row: Instance) => instanceState(ec2, row).name === 'terminated'
  return {
    architecture: row => row.architecture,
    'availability-zone': row => row.zone,
    'block-device-mapping.device-name': row =>
      volumes(row).flatMap(({ attachment }) => attachment?.device ?? []),
    'block-device-mapping.volume-id': row => volumes(row).map(({ id }) => id),
    'client-token': row => row.clientToken,
    'dns-name': row => publicAddressOf(ec2, row)?.PublicDnsName,
    hypervisor: () => 'xen',
    'iam-instance-profile.arn': row => row.instanceProfile?.arn,
    'iam-instance-profile.id': row => row.instanceProfile?.id,
    'iam-instance-profile.name': row => row.instanceProfile?.arn.split('/').at(-1),
    'image-id': row => row.imageId,
    'instance-id': row => row.id,
    'instance-lifecycle': lifecycleOf,
    'instance-state-code': row => instanceState(ec2, row).code,
    'instance-state-name': row => instanceState(ec2, row).name,
    'instance-type': row => row.instanceType,
    'instance.group-id': row => primary(row)?.groupIds ?? [],
    'instance.group-name': row =>
      groupIdentifiers(ec2, primary(row)?.groupIds ?? []).flatMap(({ GroupName }) => GroupName ?? []),
    'ip-address': row => publicAddressOf(ec2, row)?.PublicIp,
    'ipv6-address': row => primary(row)?.ipv6 ?? [],
    'key-name': row => row.keyName,
    'launch-index': row => row.launchIndex,
    'launch-time': row => new Date(row.startedAt).toISOString(),
    'metadata-options.http-tokens': row => row.metadata.httpTokens,
    'network-interface.addresses.private-ip-address': each(({ ipv4 }) => ipv4),
    'network-interface.group-id': each(({ groupIds }) => groupIds),
    'network-interface.ipv6-addresses.ipv6-address': each(({ ipv6 }) => ipv6),
    'network-interface.network-interface-id': each(({ id }) => [id]),
    'network-interface.subnet-id': each(({ subnetId }) => [subnetId]),
    'network-interface.vpc-id': each(({ vpcId }) => [vpcId]),
    'owner-id': () => ec2.accountId,
    'placement-group-name': row => row.placement.groupName,
    'private-dns-name': row => privateNameOf(ec2, row),
    'private-ip-address': row => primary(row)?.ipv4[0],
    'reservation-id': row => row.reservationId,
    'root-device-name': row => row.rootDeviceName,
    'root-device-type': () => 'ebs',
    'source-dest-check': row => primary(row)?.sourceDestCheck,
    'spot-instance-request-id': row => row.spotRequestId,
    'subnet-id': row => (isTerminated(row) ? undefined : row.subnetId),
    tenancy: row => row.placement.tenancy,
    'vpc-id': row => (isTerminated(row) ? undefined : row.vpcId),
  }
}

export const describeInstancesOperations = {
  DescribeInstances: operation<DescribeInstancesRequest, DescribeInstancesResult>(
    { InstanceIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'instances', instanceFields(ec2), {
        ...input,
        ids: input.InstanceIds,
        idsName: 'instancesSet',
        filters: input.Filters,
      })
      const reservations = Map.groupBy(items, ({ reservationId }) => reservationId)
      return {
        Reservations: [...reservations.values()].map(rows => reservationView(ec2, rows)),
        NextToken: next,
      }
    },
  ),
}
