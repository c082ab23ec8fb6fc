import { channel } from 'node:diagnostics_channel'

/** What was asked for although the simulator does not have it. Stays when the call log is emptied. */
export interface NotBuiltList {
  /** `ec2:DescribeVpnGateways`, `iam:CreateRole: the parameter Foo`; each once. */
  all(): readonly string[]
  /** The same, and empties the list: for a test that asks on purpose. */
  take(): readonly string[]
  add(name: string): void
}

/** Names that are kept; a client that makes up names must not fill the memory. */
const most = 1_000

/** The diagnostics channel on which a list is published when something is added to it. */
export const notBuiltChannel = 'trellis:aws:not-built'

export const createNotBuiltList = (): NotBuiltList => {
  const names = new Set<string>()
  const met = channel(notBuiltChannel)
  const list: NotBuiltList = {
    all: () => [...names],
    take: () => {
      const taken = [...names]
      names.clear()
      return taken
    },
    add: name => {
      if (names.size < most) names.add(name)
      met.publish(list)
    },
  }
  return list
}
