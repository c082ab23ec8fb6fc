import { refuse } from '../../service.ts'
import type { Ec2 } from '../core/context.ts'
import type { Instance } from '../rows/compute.ts'
import type { NetworkInterface } from '../rows/network.ts'
import { interfacesOf } from './view.ts'

/**
 * Returns the interface that a request means if it names only the instance.
 *
 * @throws AwsError if the instance has several
 */
export const onlyInterface = (ec2: Ec2, instance: Instance): NetworkInterface => {
  const interfaces = interfacesOf(ec2, instance)
  const [only] = interfaces
  if (only && interfaces.length === 1) return only
  throw refuse(
    'InvalidInstanceID',
    `There are multiple interfaces attached to instance '${instance.id}'. Please specify an interface ID for the operation instead.`,
  )
}
