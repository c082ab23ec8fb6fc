import { createGardenlet, type Gardenlet, type GardenletOptions } from '../../sandbox/gardenlet/gardenlet.ts'
import { type Aws, simulatedAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createShoots } from '../../sandbox/resource-manager/resource-manager.ts'
import { openControllers } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Transport } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'

export interface GardenerPartsOptions extends Omit<GardenletOptions, 'clock' | 'signal'> {
  readonly transport: Transport
  /** The account in which machines start. */
  readonly aws: Aws
  /** Returns the address by which pods reach a port of this host's 127.0.0.1. */
  reach(port: number): Promise<{ readonly host: string; readonly port: number }>
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * Opens the parts of Gardener for one life of a shoot, in this process: gardenlet, the controllers of machines and
 * ManagedResources, and the API server of the shoot.
 */
export const openGardenerParts = ({ transport, aws, reach, ...options }: GardenerPartsOptions) => {
  const clock = systemClock
  const shoots = createShoots({ clock })
  const ended = new AbortController()
  const controllers = openControllers({
    ...{ transport, clouds: { aws: simulatedAws(aws) }, clock, log: silent, shoots },
    ...{ machineScale: 0.01, resourceScale: 0.01 },
    kubeconfigOf: async shoot => {
      const { host, port } = await reach(Number(new URL(shoot.url).port))
      return shoot.server.kubeconfig(`http://${host}:${port}`)
    },
  })
  const gardenletUntil = (signal: AbortSignal): Gardenlet => createGardenlet({ ...options, clock, signal })
  return {
    ...controllers,
    gardenlet: gardenletUntil(ended.signal),
    /** Another gardenlet, whose waits end with this signal. */
    gardenletUntil,
    /** Ends the waits of gardenlet. */
    interrupt: () => ended.abort(new Error('interrupted')),
    close: async () => {
      ended.abort(new Error('the life of the shoot has ended'))
      await controllers.close()
      await shoots.close()
    },
  }
}
