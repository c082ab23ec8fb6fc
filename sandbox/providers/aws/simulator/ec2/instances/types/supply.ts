import { refuse } from '../../../service.ts'
import type { Ec2 } from '../../core/context.ts'
import type { Supply } from '../../rows/compute.ts'
import { zonesOf } from '../../zones/catalogue.ts'

const keyOf = (instanceType: string, zone: string): string => `${instanceType} ${zone}`

/** Sets the supply. `undefined` means unlimited, the default. */
export const setSupply = (
  supplies: Record<string, Supply>,
  { instanceType, zone }: { readonly instanceType: string; readonly zone: string },
  supply: Supply | undefined,
): void => {
  if (supply === undefined) delete supplies[keyOf(instanceType, zone)]
  else supplies[keyOf(instanceType, zone)] = supply
}

/**
 * @throws AwsError InsufficientInstanceCapacity (status 500) or Unsupported ("Error codes", EC2 API reference)
 */
export const checkSupply = (ec2: Ec2, instanceType: string, zone: string): void => {
  const { supplies } = ec2.state
  const supplyIn = (name: string) => supplies[keyOf(instanceType, name)]
  const supply = supplyIn(zone)
  if (supply === undefined) return
  const others = zonesOf(ec2.region)
    .map(({ name }) => name)
    .filter(name => supplyIn(name) === undefined)
    .join(', ')
  if (supply === 'exhausted') {
    throw refuse(
      'InsufficientInstanceCapacity',
      `We currently do not have sufficient ${instanceType} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity. You can currently get ${instanceType} capacity by not specifying an Availability Zone in your request or choosing ${others}.`,
      { status: 500 },
    )
  }
  throw refuse(
    'Unsupported',
    `Your requested instance type (${instanceType}) is not supported in your requested Availability Zone (${zone}). Please retry your request by not specifying an Availability Zone or choosing ${others}.`,
  )
}
