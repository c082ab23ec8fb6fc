import type { Bastion } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/**
 * A machine with the user data of the Bastion. Only `spec.ingress` may reach it, at port 22. It lives for hours, and is
 * not migrated.
 */
export const bastionActuator: Actuator<Bastion> = {
  reconcile: async step => {
    const { userData, ingress } = step.object.spec
    const from = ingress.map(({ ipBlock }) => ipBlock.cidr)
    // TODO: a Bastion has no Secret reference; the credentials are in `cloudprovider` of its namespace (a permission to
    // get Secrets).
    await ensureInCloud(step, { ...machineOf(step.object), properties: { userData, from } })
    // TODO: while the machine has no address yet: return continueAfter(5_000, 50, 'Waiting for the machine').
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
