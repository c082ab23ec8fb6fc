/** A measured function: one object of an example, and the Go extension's figures for its kind. */
export interface Subject {
  /** The name of the function. */
  readonly name: string
  /** Files below `examples/`; the first object of the function's kind is measured. */
  readonly examples: readonly string[]
  /**
   * The figures of a reconcile without a change, in all clusters (docs/contract/small-kinds.md#measured,
   * provider-local.md#measured).
   */
  readonly go?: {
    readonly requests: number
    readonly writes: number
    readonly cpuMs: number
    /** Absent: less than 300 ms. */
    readonly deletionMs?: number
  }
}

/** Every request of provider-local is a write: it reads from its cache. */
const writesOnly = (requests: number, cpuMs: number, deletionMs?: number): NonNullable<Subject['go']> => ({
  requests,
  writes: requests,
  cpuMs,
  ...(deletionMs !== undefined && { deletionMs }),
})
const ofOperatingSystem = (system: string, requests: number, cpuMs: number): Subject => ({
  name: `${system}-operatingsystemconfig`,
  examples: [`operatingsystemconfig/${system}.yaml`],
  go: { requests, writes: 5, cpuMs },
})

export const subjects: readonly Subject[] = [
  {
    name: 'calico-network',
    examples: ['network/calico.yaml'],
    go: { requests: 19, writes: 8, cpuMs: 101, deletionMs: 2_041 },
  },
  ofOperatingSystem('gardenlinux', 7, 12),
  ofOperatingSystem('suse-chost', 7, 8),
  ofOperatingSystem('ubuntu', 7, 9),
  ofOperatingSystem('local', 5, 6),
  {
    name: 'gvisor-containerruntime',
    examples: ['containerruntime/two-pools.yaml'],
    go: { requests: 7, writes: 3, cpuMs: 10, deletionMs: 4_049 },
  },
  { name: 'local-infrastructure', examples: ['local/infrastructure.yaml'], go: writesOnly(8, 8) },
  { name: 'local-dnsrecord', examples: ['local/dnsrecord.yaml'], go: writesOnly(3, 4) },
  { name: 'local-backupbucket', examples: ['local/backupbucket.yaml'], go: writesOnly(3, 4) },
  {
    name: 'local-backupentry',
    examples: ['local/backupbucket.yaml', 'local/backupentry.yaml'],
    go: writesOnly(4, 4),
  },
  {
    name: 'local-bastion',
    examples: ['local/infrastructure.yaml', 'local/shoot-bastion.yaml'],
    go: writesOnly(8, 10, 10_100),
  },
  {
    name: 'local-selfhostedshootexposure',
    examples: ['local/infrastructure.yaml', 'local/selfhostedshootexposure.yaml'],
    go: writesOnly(6, 8, 5_000),
  },
  { name: 'local-controlplane', examples: ['local/controlplane.yaml'], go: writesOnly(7, 75, 4_100) },
  { name: 'local-worker', examples: ['local/worker.yaml'], go: writesOnly(8, 14) },
  { name: 'local-extension-seed', examples: ['local/extension-seed.yaml'], go: writesOnly(3, 6, 2_000) },
  { name: 'local-extension-shoot', examples: ['local/extension-shoot.yaml'], go: writesOnly(3, 5, 2_000) },
  {
    name: 'local-extension-shoot-after-worker',
    examples: ['local/extension-shoot-after-worker.yaml'],
    go: writesOnly(3, 7, 2_000),
  },
  // There is no measurement of the Go extension.
  { name: 'oidc-extension', examples: ['extension/oidc.yaml'] },
]
