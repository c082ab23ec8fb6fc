/** The kinds that a backend can own (docs/contract/kinds.md#overview). */
export const kindNames = [
  'Infrastructure',
  'DNSRecord',
  'BackupBucket',
  'BackupEntry',
  'Bastion',
  'Worker',
  'ControlPlane',
  'Network',
  'OperatingSystemConfig',
  'ContainerRuntime',
  'Extension',
  'SelfHostedShootExposure',
] as const
/** The name of an extension kind: `DNSRecord`. */
export type KindName = (typeof kindNames)[number]
