import { type MachineCloud, MachineCloudError, type MachineRequest } from './machine-cloud.ts'

interface MemoryMachine {
  readonly name: string
  readonly nodeName: string
  readonly className: string
}

/**
 * Machines of a cloud without a simulator: names in memory, which exist at once and never fail. With them a function
 * author can finish Workers before a simulator exists.
 *
 * @param provider the `provider` of the machine classes
 */
export const memoryMachines = (provider: string): MachineCloud => {
  const scheme = `memory://${provider}/`
  const machines = new Map<string, MemoryMachine>()
  const idOf = ({ providerId, name, machineClass }: MachineRequest): string =>
    providerId ?? `${scheme}${machineClass.metadata.namespace ?? ''}/${name}`
  return {
    provider,
    find: async request => {
      const found = machines.get(idOf(request))
      return found && { providerId: idOf(request), nodeName: found.nodeName, initialized: true }
    },
    create: async request => {
      const { name, machineClass } = request
      if (Object.keys(Object(machineClass.providerSpec)).length === 0)
        throw new MachineCloudError(
          'InvalidArgument',
          `the class ${machineClass.metadata.name} contains no machine definition`,
        )
      const providerId = idOf(request)
      machines.set(providerId, { name, nodeName: name, className: machineClass.metadata.name })
      return { providerId, nodeName: name }
    },
    initialize: async () => {},
    remove: async request => void machines.delete(idOf(request)),
    list: async ({ metadata: { name, namespace = '' } }) =>
      new Map(
        [...machines].flatMap(([id, machine]) =>
          machine.className === name && id.startsWith(`${scheme}${namespace}/`)
            ? [[id, machine.name] as const]
            : [],
        ),
      ),
    powerOf: providerId =>
      providerId.startsWith(scheme) ? (machines.has(providerId) ? 'on' : 'gone') : undefined,
  }
}
