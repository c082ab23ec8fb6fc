import type { WorkerConfig } from '../config/worker-config.ts'

/** The defaults of a WorkerConfig for the metadata service. */
export const defaultMetadata = { httpTokens: 'required', httpPutResponseHopLimit: 2 }

/**
 * Returns the WorkerConfig fields that enter a `providerSpec` almost unchanged. An unset field is omitted.
 *
 * @param ipv6Only true if nodes have only IPv6 addresses
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

/** Both counts are given or neither. The Go extension then writes null. */
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
