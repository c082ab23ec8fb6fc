import type { Read } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { isKeyOfShoot } from '../identity/key-pairs.ts'
import type { NetworkReads } from '../network/reads.ts'
import { errorCodesOf } from '../with-error-codes.ts'
import { markedResources } from './marked-resources.ts'

const refusals: ReadonlySet<string> = new Set(['ERR_INFRA_UNAUTHENTICATED', 'ERR_INFRA_UNAUTHORIZED'])

/** Returns true for an error that is only about the credentials. */
export const isRefused = (error: unknown): boolean => {
  const codes = errorCodesOf(error)
  return codes.length > 0 && codes.every(code => refusals.has(code))
}

/** Returns true if the remaining readable resources prove that the shoot had resources. */
export const showsShoot = async ({
  cloud,
  desired,
  reads,
  read,
  signal,
}: {
  readonly cloud: AwsCloud
  readonly desired: DesiredInfrastructure
  readonly reads: Pick<NetworkReads, 'identity'>
  readonly read: Read<AwsCloud>
  readonly signal: AbortSignal
}): Promise<boolean> => {
  const answers = await Promise.allSettled([
    markedResources(cloud, desired, signal).then(ids => ids.length > 0),
    read(reads.identity.keyPairs).then(pairs => pairs.some(pair => isKeyOfShoot(desired, pair))),
    read(reads.identity.role).then(role => role?.marked === true),
  ])
  for (const answer of answers)
    if (answer.status === 'rejected' && !isRefused(answer.reason)) throw answer.reason
  return answers.some(answer => answer.status === 'fulfilled' && answer.value)
}
