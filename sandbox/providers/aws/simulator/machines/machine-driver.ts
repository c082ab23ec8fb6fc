import type { Filter, Instance } from '@aws-sdk/client-ec2'
import type { MachineCloud, MachineRequest } from '../../../../machine-controller/machine-controller.ts'
import { MachineCloudError } from '../../../../machine-controller/machine-controller.ts'
import type { Aws } from '../aws-interface.ts'
import { instancePower } from '../ec2/inventory.ts'
import { type Ec2Calls, ec2Calls } from './ec2-calls.ts'
import { type ProviderSpec, readProviderSpec } from './provider-spec.ts'
import { runInput } from './run-input.ts'

const alive = ['pending', 'running', 'stopping', 'stopped']

/** Returns filters for the instances of the cluster, or with a name for those of one Machine. */
const filtersOf = ({ tags }: ProviderSpec, name?: string): Filter[] => {
  const keyWith = (part: string) => Object.keys(tags).find(key => key.includes(part)) ?? ''
  return [
    ...(name === undefined ? [] : [{ Name: 'tag:Name', Values: [name] }]),
    { Name: 'tag-key', Values: [keyWith('kubernetes.io/cluster/')] },
    { Name: 'tag-key', Values: [keyWith('kubernetes.io/role/')] },
    { Name: 'instance-state-name', Values: alive },
  ]
}

const providerIdOf = (region: string, { InstanceId = '' }: Instance): string =>
  `aws:///${region}/${InstanceId}`

const instanceIdOf = (providerId: string): string => providerId.slice(providerId.lastIndexOf('/') + 1)

const isFabric = (type: string | undefined): boolean => type === 'efa' || type === 'efa-only'

/** Returns interfaces that still have the source and destination check enabled. */
const checkedInterfaces = ({ NetworkInterfaces = [] }: Instance, spec: ProviderSpec): readonly string[] =>
  spec.srcAndDstChecksEnabled === false
    ? NetworkInterfaces.flatMap(({ NetworkInterfaceId, InterfaceType, SourceDestCheck }) =>
        NetworkInterfaceId !== undefined && SourceDestCheck && !isFabric(InterfaceType)
          ? NetworkInterfaceId
          : [],
      )
    : []

/** Returns interfaces that still lack IPv6 prefixes, by their position in the spec. */
const missingPrefixes = (
  { NetworkInterfaces = [] }: Instance,
  { networkInterfaces }: ProviderSpec,
): readonly { readonly id: string; readonly count: number }[] =>
  NetworkInterfaces.flatMap(({ NetworkInterfaceId: id = '', Attachment, Ipv6Prefixes = [] }) => {
    const wanted = networkInterfaces[Attachment?.DeviceIndex ?? -1]?.ipv6PrefixCount ?? 0
    return wanted > Ipv6Prefixes.length ? { id, count: wanted - Ipv6Prefixes.length } : []
  })

const withPlaceholders = (userData: string, name: string): string =>
  userData.replaceAll('<<MACHINE_NAME>>', name)

/**
 * The AWS driver of the machine controller. It uses the calls and texts of Gardener's
 * machine-controller-manager-provider-aws.
 */
export const machineDriver = (
  aws: Pick<Aws, 'requestHandler' | 'clock' | 'accounts' | 'account'>,
  scale: number,
): MachineCloud => {
  const connect = async (request: Pick<MachineRequest, 'machineClass' | 'secret'>, signal: AbortSignal) => {
    const spec = readProviderSpec(request.machineClass.providerSpec)
    const { requestHandler, clock } = aws
    const { region } = spec
    const { secret } = request
    return { spec, calls: await ec2Calls({ region, secret, requestHandler, clock, scale, signal }) }
  }

  const instancesOf = async (
    calls: Ec2Calls,
    spec: ProviderSpec,
    { name, providerId }: MachineRequest,
  ): Promise<readonly Instance[]> => {
    const named = (await calls.describe({ filters: filtersOf(spec, name) })) ?? []
    if (named.length > 0 || providerId === undefined) return named
    return (await calls.describe({ id: instanceIdOf(providerId) })) ?? []
  }

  return {
    provider: 'AWS',
    find: async (request, signal) => {
      const { spec, calls } = await connect(request, signal)
      const [instance, ...others] = await instancesOf(calls, spec, request)
      if (instance === undefined) return undefined
      if (others.length > 0) {
        const ids = [instance, ...others].map(({ InstanceId }) => InstanceId).join(' ')
        const text = `AWS plugin is returning multiple VM instances backing this machine object. IDs for all backing VMs - [${ids}] `
        throw new MachineCloudError('OutOfRange', text)
      }
      return {
        providerId: providerIdOf(spec.region, instance),
        nodeName: instance.PrivateDnsName ?? '',
        initialized:
          checkedInterfaces(instance, spec).length === 0 && missingPrefixes(instance, spec).length === 0,
      }
    },
    create: async (request, signal) => {
      const { spec, calls } = await connect(request, signal)
      const { name, secret } = request
      const rootDeviceName = await calls.rootDeviceOf(spec.ami)
      const userData = withPlaceholders(secret.userData ?? '', name)
      const clientToken = crypto.randomUUID()
      const made = await calls.run(runInput({ name, spec, userData, rootDeviceName, clientToken }))
      const id = made?.InstanceId ?? ''
      const shown = await visible(calls, id, signal)
      return { providerId: providerIdOf(spec.region, shown), nodeName: shown.PrivateDnsName ?? '' }
    },
    initialize: async (request, signal) => {
      const { spec, calls } = await connect(request, signal)
      const [instance] = await instancesOf(calls, spec, request)
      if (instance === undefined) return
      if (checkedInterfaces(instance, spec).length > 0) {
        const [again = instance] = (await calls.describe({ id: instance.InstanceId ?? '' })) ?? []
        for (const id of checkedInterfaces(again, spec)) await calls.disableSourceDestCheck(id)
      }
      for (const { id, count } of missingPrefixes(instance, spec)) await calls.assignPrefixes(id, count)
    },
    remove: async (request, signal) => {
      const { spec, calls } = await connect(request, signal)
      if (request.providerId !== undefined) return calls.terminate(instanceIdOf(request.providerId))
      for (const { InstanceId = '' } of (await calls.describe({ filters: filtersOf(spec, request.name) })) ??
        [])
        await calls.terminate(InstanceId)
    },
    list: async (machineClass, secret, signal) => {
      const { spec, calls } = await connect({ machineClass, secret }, signal)
      const instances = (await calls.describe({ filters: filtersOf(spec) })) ?? []
      return new Map(
        instances.map(instance => [
          providerIdOf(spec.region, instance),
          instance.Tags?.find(({ Key }) => Key === 'Name')?.Value ?? '',
        ]),
      )
    },
    powerOf: providerId => {
      if (!providerId.startsWith('aws://')) return undefined
      const [id = '', region = ''] = providerId.split('/').reverse()
      const powers = aws.accounts().map(account => instancePower(aws.account(account), region, id))
      return powers.find(power => power !== 'gone') ?? 'gone'
    },
  }

  /** Waits until all of AWS shows a new instance. */
  async function visible(calls: Ec2Calls, id: string, signal: AbortSignal): Promise<Instance> {
    for (let count = 0; count < visibleTries; count++) {
      const [instance] = (await calls.describe({ id })) ?? []
      if (instance !== undefined) return instance
      await aws.clock.sleep(Math.max(visiblePause * scale, 1), signal)
    }
    throw new MachineCloudError(
      'Internal',
      `creation of VM "${id}" failed, timed out waiting for eventual consistency. Multiple VMs backing machine obj might spawn, they will be orphan collected`,
    )
  }
}

/** The pause in ms and the number of attempts. */
const visiblePause = 1_000
const visibleTries = 60
