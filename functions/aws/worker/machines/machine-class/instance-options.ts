import type { WorkerConfig } from '../config/worker-config.ts'

/** Where a WorkerConfig says nothing of the metadata service. */
export const defaultMetadata = { httpTokens: 'required', httpPutResponseHopLimit: 2 }

/**
 * What of a WorkerConfig goes into a `providerSpec` nearly as it is. A field that is not set is left out.
 *
 * @param ipv6Only whether nodes have no addresses but those of IPv6
 */
export const instanceOptionsOf = (
  config: Partial<WorkerConfig>,
  { ipv6Only }: { readonly ipv6Only: boolean },
): object => ({
  instanceMetadataOptions: {
    ...(config.instanceMetadataOptions === undefined ? defaultMetadata : set(config.instanceMetadataOptions)),
    ...(ipv6Only && { httpProtocolIpv6: 'enabled' }),
  },
  ...(config.cpuOptions !== undefined && { cpuOptions: cpuOptionsOf(config.cpuOptions) }),
  ...(config.capacityReservation !== undefined && { capacityReservation: set(config.capacityReservation) }),
  ...(config.instanceMarketOptions !== undefined && { instanceMarketOptions: config.instanceMarketOptions }),
  ...(config.placement !== undefined && { placement: set(config.placement) }),
})

/** Counts are given both or not at all; null is what the Go extension writes then. */
const cpuOptionsOf = ({
  coreCount,
  threadsPerCore,
  amdSevSnp,
}: NonNullable<WorkerConfig['cpuOptions']>): object => ({
  ...(coreCount === undefined || threadsPerCore === undefined
    ? { coreCount: null, threadsPerCore: null }
    : { coreCount, threadsPerCore }),
  ...(amdSevSnp !== undefined && { amdSevSnp }),
})

const set = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
