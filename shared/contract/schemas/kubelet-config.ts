import * as z from 'zod'
import { int32, int64, optional, quantity } from './scalars.ts'

const signals = [
  'memoryAvailable',
  'imageFSAvailable',
  'imageFSInodesFree',
  'nodeFSAvailable',
  'nodeFSInodesFree',
] as const

/** One optional value per eviction signal. */
const perSignal = <S extends z.ZodType>(value: S, description: string) => {
  const field = optional(value, description)
  return z.object({
    memoryAvailable: field,
    imageFSAvailable: field,
    imageFSInodesFree: field,
    nodeFSAvailable: field,
    nodeFSInodesFree: field,
  } satisfies Record<(typeof signals)[number], unknown>)
}

const reserved = z.object({
  cpu: optional(quantity, 'CPU.'),
  memory: optional(quantity, 'Memory.'),
  ephemeralStorage: optional(quantity, 'Ephemeral storage.'),
  pid: optional(quantity, 'Process ids.'),
})

/** The kubelet settings of a Shoot (`core.gardener.cloud/v1beta1` KubeletConfig); durations in Go notation. */
export const kubeletConfig = z.object({
  featureGates: optional(z.record(z.string(), z.boolean()), 'Feature gates.'),
  cpuCFSQuota: optional(z.boolean(), 'If true, CPU limits are enforced by CFS quota.'),
  cpuManagerPolicy: optional(z.string(), 'Policy of the CPU manager.'),
  evictionHard: optional(
    perSignal(z.string(), 'Threshold, as a quantity or in percent.'),
    'Thresholds for immediate eviction of pods.',
  ),
  evictionMaxPodGracePeriod: optional(int32, 'Maximum grace period of a soft eviction, in seconds.'),
  evictionMinimumReclaim: optional(
    perSignal(quantity, 'Amount, as a quantity or in percent.'),
    'Minimum amount to reclaim.',
  ),
  evictionPressureTransitionPeriod: optional(
    z.string(),
    'Time without pressure before the condition is cleared.',
  ),
  evictionSoft: optional(
    perSignal(z.string(), 'Threshold, as a quantity or in percent.'),
    'Thresholds for eviction of pods after a grace period.',
  ),
  evictionSoftGracePeriod: optional(
    perSignal(z.string(), 'Grace period.'),
    'Grace periods of the soft thresholds.',
  ),
  maxPods: optional(int32, 'Maximum number of pods on a node.'),
  podPidsLimit: optional(int64, 'Maximum number of processes in a pod.'),
  failSwapOn: optional(z.boolean(), 'If true, the kubelet does not start with swap on.'),
  kubeReserved: optional(reserved, 'Resources reserved for Kubernetes components.'),
  imageGCHighThresholdPercent: optional(int32, 'Disk usage that starts the garbage collection of images.'),
  imageGCLowThresholdPercent: optional(int32, 'Disk usage that ends the garbage collection of images.'),
  serializeImagePulls: optional(z.boolean(), 'If true, images are pulled one at a time.'),
  registryPullQPS: optional(int32, 'Pulls per second.'),
  registryBurst: optional(int32, 'Maximum burst of pulls.'),
  seccompDefault: optional(z.boolean(), 'If true, RuntimeDefault is the default seccomp profile.'),
  containerLogMaxSize: optional(quantity, 'Size at which a container log is rotated.'),
  containerLogMaxFiles: optional(int32, 'Maximum number of log files of a container.'),
  protectKernelDefaults: optional(z.boolean(), 'If true, unexpected kernel settings are an error.'),
  streamingConnectionIdleTimeout: optional(z.string(), 'Maximum idle time of a stream.'),
  memorySwap: optional(
    z.object({ swapBehavior: optional(z.string(), 'NoSwap or LimitedSwap.') }),
    'Use of swap.',
  ),
  maxParallelImagePulls: optional(int32, 'Maximum number of parallel image pulls.'),
  imageMinimumGCAge: optional(z.string(), 'Minimum age of an unused image before garbage collection.'),
  imageMaximumGCAge: optional(z.string(), 'Age at which an unused image is collected.'),
  singleProcessOOMKill: optional(z.boolean(), 'If true, processes are killed one by one when out of memory.'),
  imagePullCredentialsVerificationPolicy: optional(
    z.string(),
    'Policy that says for which local images credentials are verified again.',
  ),
  preloadedImagesVerificationAllowlist: optional(
    z.array(z.string()),
    'Preloaded images that need no credentials.',
  ),
})
