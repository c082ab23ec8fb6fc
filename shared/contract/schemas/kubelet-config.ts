import * as z from 'zod'
import { int32, int64, quantity } from './scalars.ts'

const signals = [
  'memoryAvailable',
  'imageFSAvailable',
  'imageFSInodesFree',
  'nodeFSAvailable',
  'nodeFSInodesFree',
] as const

/** One optional value per eviction signal. */
const perSignal = <S extends z.ZodType>(value: S, description: string) => {
  const field = value.describe(description).exactOptional()
  return z.object({
    memoryAvailable: field,
    imageFSAvailable: field,
    imageFSInodesFree: field,
    nodeFSAvailable: field,
    nodeFSInodesFree: field,
  } satisfies Record<(typeof signals)[number], unknown>)
}

const reserved = z.object({
  cpu: quantity.describe('CPU.').exactOptional(),
  memory: quantity.describe('Memory.').exactOptional(),
  ephemeralStorage: quantity.describe('Ephemeral storage.').exactOptional(),
  pid: quantity.describe('Process ids.').exactOptional(),
})

/** The kubelet settings of a Shoot (`core.gardener.cloud/v1beta1` KubeletConfig); durations in Go notation. */
export const kubeletConfig = z.object({
  featureGates: z.record(z.string(), z.boolean()).describe('Feature gates.').exactOptional(),
  cpuCFSQuota: z.boolean().describe('Whether CPU limits are enforced by CFS quota.').exactOptional(),
  cpuManagerPolicy: z.string().describe('Policy of the CPU manager.').exactOptional(),
  evictionHard: perSignal(z.string(), 'Threshold, as a quantity or in percent.')
    .describe('Thresholds below which pods are evicted at once.')
    .exactOptional(),
  evictionMaxPodGracePeriod: int32
    .describe('Longest grace period in seconds for a soft eviction.')
    .exactOptional(),
  evictionMinimumReclaim: perSignal(quantity, 'Amount, as a quantity or in percent.')
    .describe('How much is reclaimed at least.')
    .exactOptional(),
  evictionPressureTransitionPeriod: z.string().describe('How long pressure must be gone.').exactOptional(),
  evictionSoft: perSignal(z.string(), 'Threshold, as a quantity or in percent.')
    .describe('Thresholds below which pods are evicted after a grace period.')
    .exactOptional(),
  evictionSoftGracePeriod: perSignal(z.string(), 'Grace period.')
    .describe('Grace periods of the soft thresholds.')
    .exactOptional(),
  maxPods: int32.describe('Most pods on a node.').exactOptional(),
  podPidsLimit: int64.describe('Most processes in a pod.').exactOptional(),
  failSwapOn: z.boolean().describe('Whether the kubelet refuses to start with swap on.').exactOptional(),
  kubeReserved: reserved.describe('Resources kept for Kubernetes components.').exactOptional(),
  imageGCHighThresholdPercent: int32.describe('Disk usage at which images are collected.').exactOptional(),
  imageGCLowThresholdPercent: int32
    .describe('Disk usage down to which images are collected.')
    .exactOptional(),
  serializeImagePulls: z.boolean().describe('Whether images are pulled one at a time.').exactOptional(),
  registryPullQPS: int32.describe('Pulls per second.').exactOptional(),
  registryBurst: int32.describe('Pulls in one burst.').exactOptional(),
  seccompDefault: z
    .boolean()
    .describe('Whether RuntimeDefault is the default seccomp profile.')
    .exactOptional(),
  containerLogMaxSize: quantity.describe('Size at which a container log is rotated.').exactOptional(),
  containerLogMaxFiles: int32.describe('Most log files of a container.').exactOptional(),
  protectKernelDefaults: z
    .boolean()
    .describe('Whether unexpected kernel settings are an error.')
    .exactOptional(),
  streamingConnectionIdleTimeout: z.string().describe('How long a stream may be idle.').exactOptional(),
  memorySwap: z
    .object({ swapBehavior: z.string().describe('NoSwap or LimitedSwap.').exactOptional() })
    .describe('How swap is used.')
    .exactOptional(),
  maxParallelImagePulls: int32.describe('Most image pulls at a time.').exactOptional(),
  imageMinimumGCAge: z.string().describe('Age below which an unused image is kept.').exactOptional(),
  imageMaximumGCAge: z.string().describe('Age above which an unused image is collected.').exactOptional(),
  singleProcessOOMKill: z
    .boolean()
    .describe('Whether processes are killed one by one when out of memory.')
    .exactOptional(),
  imagePullCredentialsVerificationPolicy: z
    .string()
    .describe('Which images that are there need credentials again.')
    .exactOptional(),
  preloadedImagesVerificationAllowlist: z
    .array(z.string())
    .describe('Preloaded images that need no credentials.')
    .exactOptional(),
})
