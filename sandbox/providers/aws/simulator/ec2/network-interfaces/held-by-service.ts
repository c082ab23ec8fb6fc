import type { Ec2 } from '../core/context.ts'
import type { Attachment } from '../rows/network.ts'

/**
 * Returns the attachment of an interface that a service holds (`amazon-elb`). Users can neither detach nor delete it.
 */
export const heldByService = (ec2: Ec2, ownerId: string): Attachment => ({
  id: ec2.newId('ela-attach'),
  at: ec2.now,
  deviceIndex: 1,
  networkCardIndex: 0,
  deleteOnTermination: false,
  ownerId,
})
