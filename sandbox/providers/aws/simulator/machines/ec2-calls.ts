import type {
  AssignIpv6AddressesCommandInput,
  EC2Client,
  Filter,
  Instance,
  RunInstancesCommandInput,
} from '@aws-sdk/client-ec2'
import type { Clock } from '../../../../../shared/clock/clock.ts'
import type { SecretData } from '../../../../machine-controller/machine-controller.ts'
import type { SdkRequestHandler } from '../serve/in-process.ts'
import { codeOf, driverFailure, isRetried } from './driver-failure.ts'

/** EC2 calls with the credentials of a shoot. Failures are thrown as `MachineCloudError`. */
export interface Ec2Calls {
  /** Returns the instances that are not terminated; undefined if AWS does not know the id. */
  describe(
    of: { readonly id: string } | { readonly filters: Filter[] },
  ): Promise<readonly Instance[] | undefined>
  rootDeviceOf(image: string): Promise<string>
  run(input: RunInstancesCommandInput): Promise<Instance | undefined>
  disableSourceDestCheck(interfaceId: string): Promise<void>
  assignPrefixes(interfaceId: string, count: number): Promise<void>
  /** Also resolves if AWS does not know the instance. */
  terminate(id: string): Promise<void>
}

const attempts = 3
/** Pauses between attempts in ms. The SDK for Go waits up to 20 s, at random. */
const pauses = [1_000, 3_000]

const isUnknown = (error: unknown): boolean =>
  /^InvalidInstanceID\.(?:NotFound|Malformed)$/.test((error as Error).name)

export interface Ec2CallOptions {
  readonly region: string
  readonly secret: SecretData
  readonly requestHandler: SdkRequestHandler
  readonly clock: Clock
  /** Factor on the pauses between attempts. */
  readonly scale: number
  readonly signal: AbortSignal
}

/** The SDK is loaded with the first call. A seed without machines never loads it. */
export const ec2Calls = async (options: Ec2CallOptions): Promise<Ec2Calls> => {
  const { region, secret, requestHandler, clock, scale, signal } = options
  const sdk = await import('@aws-sdk/client-ec2')
  const client: EC2Client = new sdk.EC2Client({
    region,
    requestHandler,
    maxAttempts: 1,
    credentials: {
      accessKeyId: secret.accessKeyID ?? '',
      secretAccessKey: secret.secretAccessKey ?? '',
    },
  })

  const attempt = async <T>(action: string, send: () => Promise<T>): Promise<T> => {
    for (let count = 1; ; count++) {
      try {
        return await send()
      } catch (error) {
        signal.throwIfAborted()
        if (isUnknown(error)) throw error
        const isLast = !isRetried(error) || count === attempts
        if (isLast) throw driverFailure(codeOf(error), action, error, isRetried(error) ? count : 1)
        await clock.sleep((pauses[count - 1] ?? 0) * scale, signal)
      }
    }
  }

  const aborted = { abortSignal: signal }
  return {
    describe: async of => {
      const input = 'id' in of ? { InstanceIds: [of.id] } : { Filters: of.filters }
      try {
        const { Reservations = [] } = await attempt('DescribeInstances', () =>
          client.send(new sdk.DescribeInstancesCommand(input), aborted),
        )
        return Reservations.flatMap(({ Instances = [] }) => Instances)
      } catch (error) {
        if (isUnknown(error)) return undefined
        throw error
      }
    },
    rootDeviceOf: async image => {
      const { Images = [] } = await attempt('DescribeImages', () =>
        client.send(new sdk.DescribeImagesCommand({ ImageIds: [image] }), aborted),
      )
      return Images[0]?.RootDeviceName ?? ''
    },
    run: async input => {
      const { Instances = [] } = await attempt('RunInstances', () =>
        client.send(new sdk.RunInstancesCommand(input), aborted),
      )
      return Instances[0]
    },
    disableSourceDestCheck: async NetworkInterfaceId => {
      const input = { NetworkInterfaceId, SourceDestCheck: { Value: false } }
      await attempt('ModifyNetworkInterfaceAttribute', () =>
        client.send(new sdk.ModifyNetworkInterfaceAttributeCommand(input), aborted),
      )
    },
    assignPrefixes: async (NetworkInterfaceId, Ipv6PrefixCount) => {
      const input: AssignIpv6AddressesCommandInput = { NetworkInterfaceId, Ipv6PrefixCount }
      await attempt('AssignIpv6Addresses', () =>
        client.send(new sdk.AssignIpv6AddressesCommand(input), aborted),
      )
    },
    terminate: async id => {
      try {
        await attempt('TerminateInstances', () =>
          client.send(new sdk.TerminateInstancesCommand({ InstanceIds: [id] }), aborted),
        )
      } catch (error) {
        if (!isUnknown(error)) throw error
      }
    },
  }
}
