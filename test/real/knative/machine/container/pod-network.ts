import { mustRun } from './run-command.ts'

/** The network of the node: a bridge, and one network namespace per Pod. */
export interface PodNetwork {
  add(): Promise<PodNamespace>
}

export interface PodNamespace {
  readonly address: string
  /** The file of the network namespace. */
  readonly path: string
  remove(): Promise<void>
}

/** The address of the node on the bridge. */
export const nodeAddress = '10.244.0.1'
/** The addresses of Services. All of them are local to the node, so that a program can listen at each. */
export const serviceRange = '10.0.0.0/16'
export const apiServerAddress = '10.0.0.1'

/** Prepares the network namespace of this process. Addresses of Pods are not reused for a long time. */
export const createPodNetwork = async (): Promise<PodNetwork> => {
  await mustRun(
    ['ip', '-batch', '-'],
    [
      'link set lo up',
      `addr add ${apiServerAddress}/32 dev lo`,
      `route add local ${serviceRange} dev lo`,
      'link add cni0 type bridge',
      `addr add ${nodeAddress}/16 dev cni0`,
      'link set cni0 up',
    ].join('\n'),
  )
  let count = 0
  return {
    add: async () => {
      count = (count + 1) % 65_000
      const number = count
      const address = `10.244.${(number + 1) >> 8}.${(number + 1) & 255}`
      const name = `pod${number}`
      await mustRun(['ip', 'netns', 'add', name])
      await mustRun(
        ['ip', '-batch', '-'],
        `link add veth${number} type veth peer name eth0 netns ${name}\nlink set veth${number} master cni0 up`,
      )
      await mustRun(
        ['ip', '-netns', name, '-batch', '-'],
        `link set lo up\naddr add ${address}/16 dev eth0\nlink set eth0 up\nroute add default via ${nodeAddress}`,
      )
      return {
        address,
        path: `/run/netns/${name}`,
        remove: () => mustRun(['ip', 'netns', 'delete', name]),
      }
    },
  }
}
