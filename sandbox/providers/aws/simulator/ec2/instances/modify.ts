import type { ModifyInstanceAttributeRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { invalidCombination, invalidParameter, missingParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { groupsFor } from '../network-interfaces/new-interface.ts'
import type { Instance } from '../rows/compute.ts'
import { instanceState } from './instance-state.ts'
import { checkUserData } from './launch/launch-settings.ts'
import { onlyInterface } from './only-interface.ts'
import { instanceTypeOf } from './types/type-catalogue.ts'

const onlyStopped = (ec2: Ec2, row: Instance): void => {
  if (instanceState(ec2, row).name === 'stopped') return
  throw refuse('IncorrectInstanceState', `The instance '${row.id}' is not in the 'stopped' state.`)
}

const changed = (ec2: Ec2, row: Instance, input: ModifyInstanceAttributeRequest): Instance => {
  if (input.InstanceType !== undefined || input.UserData !== undefined) onlyStopped(ec2, row)
  const type = input.InstanceType?.Value
  if (type !== undefined && !instanceTypeOf(type)) {
    throw refuse('InvalidInstanceAttributeValue', `Invalid value '${type}' for InstanceType.`)
  }
  const behavior = input.InstanceInitiatedShutdownBehavior?.Value
  if (behavior !== undefined && behavior !== 'stop' && behavior !== 'terminate') {
    throw invalidParameter('instanceInitiatedShutdownBehavior', behavior, 'It must be stop or terminate.')
  }
  const data = input.UserData?.Value
  return {
    ...row,
    instanceType: type ?? row.instanceType,
    terminationProtected: input.DisableApiTermination?.Value ?? row.terminationProtected,
    shutdownBehavior: behavior ?? row.shutdownBehavior,
    ebsOptimized: input.EbsOptimized?.Value ?? row.ebsOptimized,
    userData: data === undefined ? row.userData : checkUserData(Buffer.from(data).toString('base64')),
  }
}

const attributesOf = ({ InstanceId, ...attributes }: ModifyInstanceAttributeRequest) =>
  Object.values(attributes).filter(value => value !== undefined)

export const modifyInstanceOperations = {
  ModifyInstanceAttribute: operation<ModifyInstanceAttributeRequest, object>(
    {
      InstanceId: true,
      SourceDestCheck: true,
      DisableApiTermination: true,
      InstanceType: true,
      UserData: true,
      InstanceInitiatedShutdownBehavior: true,
      EbsOptimized: true,
      Groups: true,
    },
    (input, ec2) => {
      const row = find(ec2, 'instances', input.InstanceId)
      const count = attributesOf(input).length
      if (count === 0) throw missingParameter('attribute')
      if (count > 1) throw invalidCombination('Fields for multiple attribute types specified')
      const { networkInterfaces } = ec2.tables
      const check = input.SourceDestCheck?.Value
      if (check !== undefined) {
        networkInterfaces.put({ ...onlyInterface(ec2, row), sourceDestCheck: check })
        return {}
      }
      if (input.Groups !== undefined) {
        const own = onlyInterface(ec2, row)
        const groups = groupsFor(ec2, find(ec2, 'subnets', own.subnetId), input.Groups)
        networkInterfaces.put({ ...own, groupIds: groups.map(({ id }) => id) })
        return {}
      }
      ec2.tables.instances.put(changed(ec2, row, input))
      return {}
    },
  ),
}
