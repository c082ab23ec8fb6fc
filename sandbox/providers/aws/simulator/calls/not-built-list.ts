import { channel } from 'node:diagnostics_channel'

/** Requested features that the simulator does not support. Retained when the call log is cleared. */
export interface NotBuiltList {
  /** `ec2:DescribeCustomerGateways`, `iam:CreateRole: the parameter Foo`; each once. */
  all(): readonly string[]
  /** Returns the list and clears it: for a test that makes such requests on purpose. */
  take(): readonly string[]
  add(name: string): void
}

/** The maximal number of names: a client with invented names must not fill the memory. */
const most = 1_000

/** The diagnostics channel on which a list is published when it grows. */
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
