import type {
  CreateNetworkInterfaceRequest,
  CreateNetworkInterfaceResult,
  DeleteNetworkInterfaceRequest,
  DescribeNetworkInterfacesRequest,
  DescribeNetworkInterfacesResult,
  ModifyNetworkInterfaceAttributeRequest,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { invalidCombination, missingParameter } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { onceByToken } from '../core/requests/once-by-token.ts'
import { operation } from '../core/requests/operation.ts'
import type { NetworkInterface } from '../rows/network.ts'
import { newTags } from '../tags/tag-rules.ts'
import { groupsFor, newInterface } from './new-interface.ts'
import { attachmentOf, interfaceFields, interfaceView } from './view.ts'

/** Refuses a user's access to an interface of a service. */
export const checkOwn = (row: NetworkInterface): void => {
  if (row.requester === undefined) return
  throw refuse(
    'OperationNotPermitted',
    `You do not have permission to access the specified resource: ${row.id} is managed by ${row.requester}.`,
  )
}

const changed = (ec2: Ec2, row: NetworkInterface, input: ModifyNetworkInterfaceAttributeRequest) => {
  const { Description, SourceDestCheck, Groups, Attachment, EnablePrimaryIpv6 } = input
  const groupIds = Groups && groupsFor(ec2, find(ec2, 'subnets', row.subnetId), Groups).map(({ id }) => id)
  const attachment = attachmentOf(ec2, row)
  if (Attachment && attachment?.id !== Attachment.AttachmentId) {
    throw refuse(
      'InvalidAttachmentID.NotFound',
      `The attachment ID '${Attachment.AttachmentId}' does not exist`,
    )
  }
  const deleteOnTermination = Attachment?.DeleteOnTermination
  return {
    ...row,
    description: Description?.Value ?? row.description,
    sourceDestCheck: SourceDestCheck?.Value ?? row.sourceDestCheck,
    groupIds: groupIds ?? row.groupIds,
    primaryIpv6: EnablePrimaryIpv6 ?? row.primaryIpv6,
    attachment:
      attachment && deleteOnTermination !== undefined
        ? { ...attachment, deleteOnTermination }
        : row.attachment,
  }
}

export const networkInterfaceOperations = {
  CreateNetworkInterface: operation<CreateNetworkInterfaceRequest, CreateNetworkInterfaceResult>(
    {
      SubnetId: true,
      Description: true,
      Groups: true,
      PrivateIpAddress: true,
      PrivateIpAddresses: { PrivateIpAddress: true, Primary: true },
      SecondaryPrivateIpAddressCount: true,
      Ipv6AddressCount: true,
      Ipv6Addresses: { Ipv6Address: true },
      Ipv6PrefixCount: true,
      Ipv6Prefixes: { Ipv6Prefix: true },
      EnablePrimaryIpv6: true,
      InterfaceType: true,
      ClientToken: true,
      TagSpecifications: acceptsTags,
    },
    (input, ec2) => {
      const { ids } = onceByToken(ec2, 'CreateNetworkInterface', input, () => {
        const listed = (input.PrivateIpAddresses ?? []).toSorted(
          (a, b) => Number(b.Primary ?? false) - Number(a.Primary ?? false),
        )
        const row = newInterface(ec2, {
          subnet: find(ec2, 'subnets', input.SubnetId),
          groupIds: input.Groups,
          description: input.Description,
          type: input.InterfaceType,
          tags: newTags(input.TagSpecifications, 'network-interface'),
          ipv4: [
            ...(input.PrivateIpAddress === undefined ? [] : [input.PrivateIpAddress]),
            ...listed.flatMap(({ PrivateIpAddress }) => PrivateIpAddress ?? []),
          ],
          secondaryIpv4Count: input.SecondaryPrivateIpAddressCount,
          ipv6: input.Ipv6Addresses?.flatMap(({ Ipv6Address }) => Ipv6Address ?? []),
          ipv6Count: input.Ipv6AddressCount,
          ipv6Prefixes: input.Ipv6Prefixes?.flatMap(({ Ipv6Prefix }) => Ipv6Prefix ?? []),
          ipv6PrefixCount: input.Ipv6PrefixCount,
          primaryIpv6: input.EnablePrimaryIpv6,
        })
        return [row.id]
      })
      const row = ec2.tables.networkInterfaces.get(ids[0] ?? '')
      return {
        NetworkInterface: row ? interfaceView(ec2, row) : { NetworkInterfaceId: ids[0] },
        ClientToken: input.ClientToken,
      }
    },
  ),
  DescribeNetworkInterfaces: operation<DescribeNetworkInterfacesRequest, DescribeNetworkInterfacesResult>(
    { NetworkInterfaceIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'networkInterfaces', interfaceFields(ec2), {
        ...input,
        ids: input.NetworkInterfaceIds,
        idsName: 'networkInterfaceIds',
        filters: input.Filters,
      })
      return { NetworkInterfaces: items.map(row => interfaceView(ec2, row)), NextToken: next }
    },
  ),
  DeleteNetworkInterface: operation<DeleteNetworkInterfaceRequest, object>(
    { NetworkInterfaceId: true },
    (input, ec2) => {
      const row = find(ec2, 'networkInterfaces', input.NetworkInterfaceId)
      if (attachmentOf(ec2, row)) {
        throw refuse('InvalidParameterValue', `Network interface '${row.id}' is currently in use.`)
      }
      ec2.tables.networkInterfaces.remove(row.id)
      return {}
    },
  ),
  ModifyNetworkInterfaceAttribute: operation<ModifyNetworkInterfaceAttributeRequest, object>(
    {
      NetworkInterfaceId: true,
      Description: true,
      SourceDestCheck: true,
      Groups: true,
      EnablePrimaryIpv6: true,
      Attachment: { AttachmentId: true, DeleteOnTermination: true },
    },
    (input, ec2) => {
      const row = find(ec2, 'networkInterfaces', input.NetworkInterfaceId)
      const { NetworkInterfaceId, ...attributes } = input
      const { SourceDestCheck } = attributes
      const count = Object.values(attributes).filter(value => value !== undefined).length
      if (count === 0) throw missingParameter('attribute')
      if (count > 1) throw invalidCombination('Fields for multiple attribute types specified')
      checkOwn(row)
      if (SourceDestCheck !== undefined && row.type === 'efa-only') {
        throw refuse(
          'UnsupportedOperation',
          `The source/destination check of ${row.id} cannot be changed: it is of type efa-only.`,
        )
      }
      ec2.tables.networkInterfaces.put(changed(ec2, row, input))
      return {}
    },
  ),
}
