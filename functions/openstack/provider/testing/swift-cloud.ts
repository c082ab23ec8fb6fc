import { type SimulatedCloudOptions, simulatedCloud } from './simulated-cloud.ts'

/** The simulated Swift. */
export const swiftCloud = (options: SimulatedCloudOptions = {}) => {
  const simulated = simulatedCloud({
    things: () => names().map(name => ({ name, content: {} })),
    ...options,
  })
  const { openstack } = simulated
  /** The containers and the objects: `backups`, `backups/a`. */
  const names = (): readonly string[] =>
    [
      ...openstack.resources('container').map(({ name }) => name),
      ...openstack.resources('object').map(({ container, name }) => `${container}/${name}`),
    ].sort()
  return {
    ...simulated,
    names,
    /** Adds objects to a container, and creates it. */
    fill: (container: string, objects: readonly string[]): void => {
      for (const name of objects) openstack.addObject(container, name)
    },
    /** Removes a container and its objects, as another client does. */
    vanish: (container: string): void => {
      for (const one of openstack.resources('object'))
        if (one.container === container) openstack.remove('object', one.id)
      for (const one of openstack.resources('container'))
        if (one.name === container) openstack.remove('container', one.id)
    },
    /** The next requests of this method get this answer. Errors of Swift are in HTML. */
    refuse: (
      method: string,
      status: number,
      times = 1,
      body: object | string = status >= 400 ? `<html><h1>${status}</h1></html>` : '',
      headers: Readonly<Record<string, string>> = {},
    ) =>
      void openstack.faults.add({
        service: 'object-store',
        method,
        times,
        effect: { kind: 'answer', status, body, headers: { 'x-trans-id': 'tx1', ...headers } },
      }),
  }
}
