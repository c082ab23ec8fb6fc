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
  cpuCFSQuota: z.boolean().describe('If true, CPU limits are enforced by CFS quota.').exactOptional(),
  cpuManagerPolicy: z.string().describe('Policy of the CPU manager.').exactOptional(),
  evictionHard: perSignal(z.string(), 'Threshold, as a quantity or in percent.')
    .describe('Thresholds for immediate eviction of pods.')
    .exactOptional(),
  evictionMaxPodGracePeriod: int32
    .describe('Maximum grace period of a soft eviction, in seconds.')
    .exactOptional(),
  evictionMinimumReclaim: perSignal(quantity, 'Amount, as a quantity or in percent.')
    .describe('Minimum amount to reclaim.')
    .exactOptional(),
  evictionPressureTransitionPeriod: z
    .string()
    .describe('Time without pressure before the condition is cleared.')
    .exactOptional(),
  evictionSoft: perSignal(z.string(), 'Threshold, as a quantity or in percent.')
    .describe('Thresholds for eviction of pods after a grace period.')
    .exactOptional(),
  evictionSoftGracePeriod: perSignal(z.string(), 'Grace period.')
    .describe('Grace periods of the soft thresholds.')
    .exactOptional(),
  maxPods: int32.describe('Maximum number of pods on a node.').exactOptional(),
  podPidsLimit: int64.describe('Maximum number of processes in a pod.').exactOptional(),
  failSwapOn: z.boolean().describe('If true, the kubelet does not start with swap on.').exactOptional(),
  kubeReserved: reserved.describe('Resources reserved for Kubernetes components.').exactOptional(),
  imageGCHighThresholdPercent: int32
    .describe('Disk usage that starts the garbage collection of images.')
    .exactOptional(),
  imageGCLowThresholdPercent: int32
    .describe('Disk usage that ends the garbage collection of images.')
    .exactOptional(),
  serializeImagePulls: z.boolean().describe('If true, images are pulled one at a time.').exactOptional(),
  registryPullQPS: int32.describe('Pulls per second.').exactOptional(),
  registryBurst: int32.describe('Maximum burst of pulls.').exactOptional(),
  seccompDefault: z
    .boolean()
    .describe('If true, RuntimeDefault is the default seccomp profile.')
    .exactOptional(),
  containerLogMaxSize: quantity.describe('Size at which a container log is rotated.').exactOptional(),
  containerLogMaxFiles: int32.describe('Maximum number of log files of a container.').exactOptional(),
  protectKernelDefaults: z
    .boolean()
    .describe('If true, unexpected kernel settings are an error.')
    .exactOptional(),
  streamingConnectionIdleTimeout: z.string().describe('Maximum idle time of a stream.').exactOptional(),
  memorySwap: z
    .object({ swapBehavior: z.string().describe('NoSwap or LimitedSwap.').exactOptional() })
    .describe('Use of swap.')
    .exactOptional(),
  maxParallelImagePulls: int32.describe('Maximum number of parallel image pulls.').exactOptional(),
  imageMinimumGCAge: z
    .string()
    .describe('Minimum age of an unused image before garbage collection.')
    .exactOptional(),
  imageMaximumGCAge: z.string().describe('Age at which an unused image is collected.').exactOptional(),
  singleProcessOOMKill: z
    .boolean()
    .describe('If true, processes are killed one by one when out of memory.')
    .exactOptional(),
  imagePullCredentialsVerificationPolicy: z
    .string()
    .describe('Policy that says for which local images credentials are verified again.')
    .exactOptional(),
  preloadedImagesVerificationAllowlist: z
    .array(z.string())
    .describe('Preloaded images that need no credentials.')
    .exactOptional(),
})
