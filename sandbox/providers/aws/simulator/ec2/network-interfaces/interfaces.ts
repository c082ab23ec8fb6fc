import type {
  DescribeNetworkInterfacesRequest,
  DescribeNetworkInterfacesResult,
  ModifyNetworkInterfaceAttributeRequest,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { operation } from '../core/requests/operation.ts'
import type { NetworkInterface } from '../rows/network.ts'
import { groupsFor } from './new-interface.ts'
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
      checkOwn(row)
      ec2.tables.networkInterfaces.put(changed(ec2, row, input))
      return {}
    },
  ),
}
