import type {
  DescribeInstanceAttributeRequest,
  InstanceAttribute,
  InstanceAttributeName,
  ModifyInstanceAttributeRequest,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { lookUp } from '../core/describe/list.ts'
import { invalidCombination, invalidParameter, missingParameter, unsupported } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { groupIdentifiers } from '../network-interfaces/view.ts'
import type { Instance } from '../rows/compute.ts'
import { onlyInterface } from './only-interface.ts'

/** Attributes of EC2 that the simulator does not support. */
const others: readonly string[] = [
  'blockDeviceMapping',
  'enaSupport',
  'enclaveOptions',
  'kernel',
  'productCodes',
  'ramdisk',
  'sriovNetSupport',
] satisfies InstanceAttributeName[]

const attributeOf = (
  ec2: Ec2,
  row: Instance,
  name: string | undefined,
): Omit<InstanceAttribute, 'InstanceId'> => {
  switch (name) {
    case 'userData':
      return { UserData: row.userData === undefined ? {} : { Value: row.userData } }
    case 'instanceType':
      return { InstanceType: { Value: row.instanceType } }
    case 'disableApiTermination':
      return { DisableApiTermination: { Value: row.terminationProtected } }
    case 'disableApiStop':
      return { DisableApiStop: { Value: row.stopProtected ?? false } }
    case 'instanceInitiatedShutdownBehavior':
      return { InstanceInitiatedShutdownBehavior: { Value: row.shutdownBehavior } }
    case 'ebsOptimized':
      return { EbsOptimized: { Value: row.ebsOptimized } }
    case 'rootDeviceName':
      return { RootDeviceName: { Value: row.rootDeviceName } }
    case 'sourceDestCheck':
      return { SourceDestCheck: { Value: onlyInterface(ec2, row).sourceDestCheck } }
    case 'groupSet':
      return { Groups: groupIdentifiers(ec2, onlyInterface(ec2, row).groupIds) }
    default:
      if (name !== undefined && others.includes(name)) throw unsupported(`the attribute ${name}`)
      throw invalidParameter('attribute', name, 'Unknown attribute.')
  }
}

export const instanceAttributeOperations = {
  DescribeInstanceAttribute: operation<DescribeInstanceAttributeRequest, InstanceAttribute>(
    { InstanceId: true, Attribute: true },
    (input, ec2) => {
      const row = lookUp(ec2, 'instances', input.InstanceId)
      return { InstanceId: row.id, ...attributeOf(ec2, row, input.Attribute) }
    },
  ),
  ModifyInstanceAttribute: operation<ModifyInstanceAttributeRequest, object>(
    { InstanceId: true, DisableApiTermination: { Value: true }, DisableApiStop: { Value: true } },
    ({ InstanceId, DisableApiTermination: termination, DisableApiStop: stop }, ec2) => {
      const row = find(ec2, 'instances', InstanceId)
      if (termination && stop) throw invalidCombination('Fields for multiple attribute types specified')
      const value = (termination ?? stop)?.Value
      if (value === undefined) throw missingParameter('attribute')
      ec2.tables.instances.put({
        ...row,
        ...(termination ? { terminationProtected: value } : { stopProtected: value }),
      })
      return {}
    },
  ),
}
