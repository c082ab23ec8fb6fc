import type { Bastion } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/**
 * A machine that runs the Bastion's user data. Only the ranges of `spec.ingress` may reach it, at port 22. It lives for
 * hours and is never migrated.
 */
export const bastionActuator: Actuator<Bastion> = {
  reconcile: async step => {
    const { userData, ingress } = step.object.spec
    const from = ingress.map(({ ipBlock }) => ipBlock.cidr)
    // TODO: Read the credentials from the Secret `cloudprovider` of the namespace, because a Bastion references no
    // Secret. This needs the permission to get Secrets.
    await ensureInCloud(step, { ...machineOf(step.object), properties: { userData, from } })
    // TODO: If the machine has no address yet, return continueAfter(5_000, 50, 'Waiting for the machine').
    return done({ ingress: { ip: '203.0.113.22' } })
  },
  remove: async step => {
    await removeFromCloud(step, machineOf(step.object))
    return done()
  },
}

const machineOf = ({ metadata: { name, namespace = '' } }: Bastion) => ({
  name: `bastion-${name}`,
  namespace,
})
