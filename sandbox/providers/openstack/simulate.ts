import type { CallFailure, ProvidedCloud, SimulateSettings } from '../provider.ts'
import { openstackFault } from './openstack-fault.ts'
import { prepareFor } from './prepare.ts'
import { renamed, renames } from './rename.ts'
import {
  createOpenStack,
  machineDriver,
  type OpenStackState,
  type SimulatedOpenStack,
} from './simulator/openstack.ts'

/** A simulated OpenStack for the command line. */
export type ProvidedOpenStack = SimulatedOpenStack & ProvidedCloud

export const simulateOpenStack = ({
  clock,
  scale,
  bytes,
  furnished = false,
  state,
}: SimulateSettings): ProvidedOpenStack => {
  // From `parseState`.
  const given = state as OpenStackState | undefined
  const openstack = createOpenStack({
    clock,
    furnished: furnished ? true : 'operator',
    ...(scale !== undefined && { scale }),
    ...(bytes && { bytes }),
  })
  if (given !== undefined) openstack.restore(given)
  return {
    ...openstack,
    machines: machineScale => machineDriver(openstack, machineScale),
    prepare: (object, before, cluster) => {
      // A given account is not changed.
      if (given !== undefined) return
      prepareFor(openstack, object, cluster)
      const names = renames(before?.status, object.status)
      if (names.size > 0) openstack.restore(renamed(openstack.snapshot(), names))
    },
    failAgain: failures => {
      const withdrawals = failures.map(failure => openstack.faults.add(orderOf(failure)))
      return () => {
        for (const withdraw of withdrawals) withdraw()
      }
    },
    fault: random => {
      const { order, text } = openstackFault(random)
      return { text, order: () => openstack.faults.add(order) }
    },
  }
}

/** The action of a recorded call is its method and path: `POST networks`. */
const orderOf = ({ action, nth, status, code }: CallFailure) => {
  const [method = '', path = ''] = action.split(' ')
  const pattern = path
    .split('{id}')
    .map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/?]+')
  return {
    method,
    path: new RegExp(`/${pattern}(?:\\?|$)`),
    nth,
    effect:
      status === undefined
        ? ({ kind: 'drop' } as const)
        : ({
            kind: 'answer',
            status: Math.max(status, 400),
            body: { NeutronError: { type: code, message: 'the same error as recorded', detail: '' } },
          } as const),
  }
}
