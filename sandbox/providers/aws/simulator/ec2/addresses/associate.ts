import type {
  AssociateAddressRequest,
  AssociateAddressResult,
  DisassociateAddressRequest,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { invalidParameter, missingParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { instanceState } from '../instances/instance-state.ts'
import { onlyInterface } from '../instances/only-interface.ts'
import type { Address, NetworkInterface } from '../rows/network.ts'
import { byPublicIp, isHeldByService, notYours } from './addresses.ts'
import { associationOf, elasticAddressOf } from './association.ts'

const interfaceOfInstance = (ec2: Ec2, id: string): NetworkInterface => {
  const instance = find(ec2, 'instances', id)
  const state = instanceState(ec2, instance).name
  if (state === 'pending' || state === 'terminated' || state === 'shutting-down') {
    throw refuse(
      'InvalidInstanceID',
      `The ${state} instance '${id}' is not in a valid state for this operation.`,
    )
  }
  return onlyInterface(ec2, instance)
}

const targetOf = (ec2: Ec2, input: AssociateAddressRequest): NetworkInterface => {
  if (input.NetworkInterfaceId !== undefined) return find(ec2, 'networkInterfaces', input.NetworkInterfaceId)
  if (input.InstanceId === undefined) throw missingParameter('instanceId or networkInterfaceId')
  return interfaceOfInstance(ec2, input.InstanceId)
}

/** A public address needs a route to the internet ("Gateway.NotAttached"). */
export const hasInternetGateway = (ec2: Ec2, vpcId: string): boolean =>
  ec2.tables.internetGateways.by('attachment.vpc-id', vpcId).length > 0

const addressInUse = (id: string) =>
  refuse('Resource.AlreadyAssociated', `resource ${id} is already associated with another resource`)

export const associateAddressOperations = {
  AssociateAddress: operation<AssociateAddressRequest, AssociateAddressResult>(
    {
      AllocationId: true,
      PublicIp: true,
      InstanceId: true,
      NetworkInterfaceId: true,
      PrivateIpAddress: true,
      AllowReassociation: true,
    },
    (input, ec2) => {
      if (input.AllocationId === undefined && input.PublicIp === undefined) {
        throw missingParameter('AllocationId')
      }
      const address =
        input.AllocationId === undefined
          ? byPublicIp(ec2, input.PublicIp ?? '')
          : find(ec2, 'addresses', input.AllocationId)
      const target = targetOf(ec2, input)
      if (target.requester !== undefined || isHeldByService(ec2, address)) throw notYours()
      const privateIp = input.PrivateIpAddress ?? target.ipv4[0]
      if (privateIp === undefined || !target.ipv4.includes(privateIp)) {
        throw invalidParameter('privateIpAddress', privateIp, `It is no address of ${target.id}.`)
      }
      if (!hasInternetGateway(ec2, target.vpcId)) {
        throw refuse('Gateway.NotAttached', `Network ${target.vpcId} is not attached to any internet gateway`)
      }
      const current = associationOf(ec2, address)
      const isSame = current?.networkInterfaceId === target.id && current.privateIp === privateIp
      if (current && isSame) return { AssociationId: current.id }
      const other = elasticAddressOf(ec2, target, privateIp)
      if (input.AllowReassociation === false && (current || other)) {
        throw addressInUse(current ? address.id : target.id)
      }
      if (current && input.AllowReassociation !== true) throw addressInUse(address.id)
      if (other) ec2.tables.addresses.put({ ...other, association: undefined })
      const association = { id: ec2.newId('eipassoc'), networkInterfaceId: target.id, privateIp }
      ec2.tables.addresses.put({ ...address, association })
      return { AssociationId: association.id }
    },
  ),
  DisassociateAddress: operation<DisassociateAddressRequest, object>(
    { AssociationId: true, PublicIp: true },
    (input, ec2) => {
      const byAssociation = (id: string): Address => {
        const [row] = ec2.tables.addresses.by('association-id', id)
        if (!row || !associationOf(ec2, row)) {
          throw refuse('InvalidAssociationID.NotFound', `The association ID '${id}' does not exist`)
        }
        return row
      }
      if (input.AssociationId === undefined && input.PublicIp === undefined) {
        throw missingParameter('AssociationId')
      }
      const row =
        input.AssociationId === undefined
          ? byPublicIp(ec2, input.PublicIp ?? '')
          : byAssociation(input.AssociationId)
      if (isHeldByService(ec2, row)) throw notYours()
      ec2.tables.addresses.put({ ...row, association: undefined })
      return {}
    },
  ),
}
