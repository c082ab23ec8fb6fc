import type { Clock } from '../../../shared/clock/clock.ts'
import { type ApiServer, createApiServer } from '../../kubernetes/kubernetes.ts'
import { looseDefinitions } from '../objects/loose-definitions.ts'

export interface ShootCluster {
  readonly server: ApiServer
  readonly url: string
  /** The text of a kubeconfig. */
  readonly kubeconfig: string
}

/** The shoots of a landscape, by their namespaces in seeds. A shoot that moves retains its API server. */
export interface Shoots {
  /** Returns the shoot's API server. Starts it if it is not running. */
  open(namespace: string): Promise<ShootCluster>
  close(): Promise<void>
}

/** Creates an in-memory API server for each requested shoot, served on 127.0.0.1. */
export const createShoots = ({ clock }: { readonly clock: Clock }): Shoots => {
  const shoots = new Map<string, Promise<ShootCluster & { readonly close: () => Promise<void> }>>()
  const start = async () => {
    const server = createApiServer({ clock, deletionProtection: false, objects: looseDefinitions('shoot') })
    const { url, close } = await server.listen()
    const end = async () => {
      server.close()
      await close()
    }
    return { server, url, kubeconfig: server.kubeconfig(url), close: end }
  }
  return {
    open: namespace => {
      const known = shoots.get(namespace) ?? start()
      shoots.set(namespace, known)
      return known
    },
    close: async () => {
      const running = [...shoots.values()]
      shoots.clear()
      for (const { status, value } of (await Promise.allSettled(running)) as PromiseFulfilledResult<
        Awaited<(typeof running)[number]>
      >[])
        if (status === 'fulfilled') await value.close()
    },
  }
}
