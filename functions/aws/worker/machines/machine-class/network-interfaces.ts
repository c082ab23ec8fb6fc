import type { ConfigInterface } from '../config/worker-config.ts'

/** More cards than any instance type has. Each card of a range becomes an interface of the class. */
export const mostCards = 128

/** The inputs of a machine's interfaces, besides the WorkerConfig. */
export interface InterfaceSurroundings {
  /** The nodes' subnet of the zone. */
  readonly subnetId: string
  /** The security group of the nodes. */
  readonly groupId: string
  /** True if nodes have IPv6 addresses, alone or in addition to IPv4. */
  readonly hasIpv6: boolean
}

/** Returns `networkInterfaces` of a class. The first interface has the IPv6 addresses. */
export const networkInterfacesOf = (
  entries: readonly ConfigInterface[],
  { subnetId, groupId, hasIpv6 }: InterfaceSurroundings,
): readonly object[] => {
  const interfaces: readonly object[] =
    entries.length === 0
      ? [{ subnetID: subnetId, securityGroupIDs: [groupId] }]
      : entries.flatMap(entry =>
          cardsOf(entry).map(networkCardIndex => ({
            // Without it, the machine controller uses the position in the list.
            deviceIndex: entry.deviceIndex ?? 0,
            networkCardIndex,
            interfaceType: interfaceType(entry),
            associatePublicIPAddress: false,
            deleteOnTermination: true,
            ...(entry.description !== undefined && { description: entry.description }),
            subnetID: entry.subnetID ?? subnetId,
            securityGroupIDs: [groupId],
          })),
        )
  return interfaces.map((one, index) =>
    index === 0 && hasIpv6 ? { ...one, ipv6AddressCount: 1, ipv6PrefixCount: 1 } : one,
  )
}

/** The type of an interface. Default: `interface`. */
export const interfaceType = ({ type }: Pick<ConfigInterface, 'type'>): string => type || 'interface'

/** One interface for each card of a range, in ascending order. */
const cardsOf = ({
  networkCardIndex = 0,
  networkCardIndexRange: range,
}: ConfigInterface): readonly number[] =>
  range === undefined
    ? [networkCardIndex]
    : Array.from({ length: cardsIn(range) }, (_, index) => range.from + index)

/** Returns the number of cards in a range. Stops counting once it exceeds the limit. */
export const cardsIn = ({ from, to }: { readonly from: number; readonly to: number }): number =>
  Math.min(Math.max(0, to - from + 1), mostCards + 1)
