import type { WalkSpace } from './space/walk-space.ts'
import { awsDnsRecord } from './spaces/aws-dnsrecord.ts'
import { awsInfrastructure } from './spaces/aws-infrastructure.ts'
import { awsWorker } from './spaces/aws-worker.ts'

/** One space for each kind with each provider. */
export const walkSpaces: readonly WalkSpace[] = [awsDnsRecord, awsInfrastructure, awsWorker]
