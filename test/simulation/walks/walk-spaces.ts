import type { WalkSpace } from './space/walk-space.ts'
import { awsBackupBucket, awsBackupEntry } from './spaces/aws-backups.ts'
import { awsBastion } from './spaces/aws-bastion.ts'
import { awsControlPlane } from './spaces/aws-controlplane.ts'
import { awsDnsRecord } from './spaces/aws-dnsrecord.ts'
import { awsInfrastructure } from './spaces/aws-infrastructure.ts'
import { awsWorker } from './spaces/aws-worker.ts'
import { calicoNetwork } from './spaces/calico-network.ts'
import { gvisorContainerRuntime } from './spaces/gvisor-containerruntime.ts'
import { local } from './spaces/local.ts'
import { oidcExtension } from './spaces/oidc-extension.ts'
import { operatingSystems } from './spaces/operating-systems.ts'

/** One space for each kind with each provider. */
export const walkSpaces: readonly WalkSpace[] = [
  awsDnsRecord,
  awsInfrastructure,
  awsWorker,
  awsControlPlane,
  awsBastion,
  awsBackupBucket,
  awsBackupEntry,
  ...local,
  oidcExtension,
  calicoNetwork,
  gvisorContainerRuntime,
  ...operatingSystems,
]
