import type { Clock } from '../../../shared/clock/clock.ts'
import { type Graph, graphOf, type Outcomes } from '../../../terraform-free-infra/engine/engine.ts'
import type { OpenStackAccess } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { DesiredBastion } from './request.ts'
import { addressKey, floatingIpType } from './resources/floating-ip.ts'
import { bastionLists } from './resources/lists.ts'
import { groupAttributes, groupKey, securityGroupType } from './resources/security-group.ts'
import { type ServerOutcome, serverKey, serverType } from './resources/server.ts'

export interface BastionGraph {
  readonly graph: Graph<OpenStackAccess>
  /** Returns the server and its address, as far as they exist. */
  readonly resultOf: (outcomes: Outcomes) => {
    readonly server: ServerOutcome | undefined
    readonly address: string | undefined
  }
}

/** Returns the resources of a Bastion. The server starts once access is limited to the ranges. */
export const bastionGraph = (desired: DesiredBastion, clock: Clock): BastionGraph => {
  const { names } = desired
  const lists = bastionLists(names)
  const builder = graphOf<OpenStackAccess>()
  const group = builder.add(securityGroupType(desired, lists), names.group, {
    attributes: groupAttributes(desired),
    state: { id: groupKey },
  })
  const server = builder.add(serverType(desired, lists, clock), names.base, {
    attributes: {},
    needs: { group },
    state: { id: serverKey },
  })
  const address = builder.add(floatingIpType(desired, lists), names.base, {
    attributes: { server: server.get(({ id }) => id) },
    state: { id: addressKey },
  })
  return {
    graph: builder.build(),
    resultOf: outcomes => ({ server: server.in(outcomes), address: address.in(outcomes)?.address }),
  }
}
